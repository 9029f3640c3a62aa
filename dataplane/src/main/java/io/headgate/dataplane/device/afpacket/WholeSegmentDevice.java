package io.headgate.dataplane.device.afpacket;

import io.headgate.config.MemoryConfig;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.net.DeviceClaim;
import io.headgate.dataplane.device.linux.net.InterfaceChanges;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;

/**
 * An Ethernet interface of Linux through AF_PACKET whose frames of TCP pass whole ({@code gso:
 * pass}): one that its sender left to hardware to cut, or that the kernel joined on receipt, comes
 * and leaves as one frame with a virtio header (PACKET_VNET_HDR) that says which segments it stands
 * for.
 *
 * <p>There are no mapped rings: at 64 KB a frame they would be hundreds of megabytes, and the
 * kernel copies to and from slots itself, once each way. A batch of frames is one system call.
 */
final class WholeSegmentDevice implements PortDevice {
    private final String netns;
    private final String interfaceName;
    private final InterfaceChanges changes;
    private final DeviceInfo info;
    private final DeviceClaim claim;
    private final WholeReceiver receiver;
    private final WholeTransmitter transmitter;

    private WholeSegmentDevice(
            DeviceInfo info,
            DeviceClaim claim,
            LinuxInterface link,
            WholeReceiver receiver,
            WholeTransmitter transmitter) {
        this.netns = link.netns();
        this.interfaceName = link.name();
        this.changes = new InterfaceChanges(link);
        this.info = info;
        this.claim = claim;
        this.receiver = receiver;
        this.transmitter = transmitter;
    }

    /** As {@link AfPacketDevice#open}, whose checks it has passed but for that of offloads. */
    static WholeSegmentDevice open(LinuxInterface link, FrameRegion region, int frames)
            throws DeviceException {
        if (region.slotBytes() < MemoryConfig.WHOLE_SLOT_BYTES) {
            throw new DeviceException(link.where() + " with gso: pass needs memory: {slot: 68KiB}");
        }
        check(link);
        return NetworkNamespace.call(
                link.netns(),
                () -> {
                    DeviceClaim claim = DeviceClaim.take(link.index(), link.where());
                    WholeReceiver receiver = null;
                    try {
                        receiver = new WholeReceiver(link, region, frames);
                        WholeTransmitter transmitter = new WholeTransmitter(link, receiver);
                        return new WholeSegmentDevice(
                                info(link), claim, link, receiver, transmitter);
                    } catch (DeviceException failure) {
                        if (receiver != null) {
                            receiver.close();
                        }
                        claim.close();
                        throw failure;
                    }
                });
    }

    /**
     * What must be set at the interface. Frames go through the interface's qdisc, as the kernel
     * cuts none that go past it (PACKET_QDISC_BYPASS).
     */
    private static void check(LinuxInterface link) throws DeviceException {
        OffloadCheck.requireExactSegments(link);
        if (!link.qdisc().equals("noqueue")) {
            throw new DeviceException(
                    "%s holds frames back in a qdisc (%s), where pauses would wait behind data; run %s"
                            .formatted(link.where(), link.qdisc(), link.commandToSendAtOnce()));
        }
    }

    private static DeviceInfo info(LinuxInterface link) {
        return new DeviceInfo(
                "afpacket",
                link.netns().isEmpty() ? link.name() : link.netns() + "/" + link.name(),
                link.mac(),
                AfPacketDevice.maxFrameBytes(link.mtuBytes()),
                "TCP segments pass whole, copying",
                false);
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public boolean takesSegments() {
        return true;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return receiver.receive(nowNs, free, batch, limit);
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return transmitter.transmit(batch, from, count);
    }

    @Override
    public TransmitStatus transmitStatus() {
        return transmitter.status();
    }

    @Override
    public boolean isUp() {
        return receiver.state() == LinkState.UP;
    }

    @Override
    public boolean isGone() {
        return receiver.state() == LinkState.GONE;
    }

    /** What was changed behind our back. */
    @Override
    public String trouble() {
        if (isGone()) {
            return "";
        }
        try {
            LinuxInterface now = LinuxInterface.read(netns, interfaceName);
            check(now);
            return changes.in(now);
        } catch (DeviceException e) {
            return isGone() ? "" : Reason.of(e);
        }
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        receiver.readDrops(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        transmitter.readDrops(totals);
    }

    @Override
    public int receiveFd() {
        return receiver.fd();
    }

    /** Nothing to arm: the socket stays readable while a frame waits. */
    @Override
    public boolean armReceive() {
        return false;
    }

    @Override
    public long deadlineNs() {
        return receiver.deadlineNs();
    }

    @Override
    public void close() {
        receiver.close();
        transmitter.close();
        claim.close();
    }
}
