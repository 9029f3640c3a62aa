package io.headgate.dataplane.device.afpacket;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.net.DeviceClaim;
import io.headgate.dataplane.device.linux.net.InterfaceChanges;
import io.headgate.dataplane.device.linux.net.LinkState;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Any Ethernet interface of Linux through AF_PACKET, with a mapped ring each way (packet(7),
 * Documentation/networking/packet_mmap). Both sides copy. The receive side belongs to the ingress
 * half, the transmit side to the egress half; they have a socket each and share only the state of
 * the link, one word that the receive side writes.
 *
 * <p>The VLAN tag that the kernel takes off is put back; a checksum that the sender left to
 * hardware is completed; frames longer than the MTU allows (segmentation left to hardware) are
 * dropped as OVERSIZE. Since that would starve TCP, opening refuses an interface whose own
 * settings, or those of the other end of its veth, if it can be found, make such frames.
 *
 * <p>An interface that was deleted is gone for good ({@link #isGone}), also if another of its name
 * appears: its owner closes the device and opens a new one. One that is down, or whose carrier is
 * away, comes back by itself.
 *
 * <p>Drops: interface statistics cover all programs, so what another program's transmission lost on
 * the same interface shows under KERNEL_TX, too.
 */
public final class AfPacketDevice implements PortDevice {
    /** What the other end of a veth may not leave undone; checksums are completed here. */
    private static final Set<Offload> UNSEEN = Set.of(Offload.TSO);

    private final String netns;
    private final String interfaceName;
    private final InterfaceChanges changes;
    private final DeviceInfo info;
    private final DeviceClaim claim;
    private final AfPacketReceiver receiver;
    private final AfPacketTransmitter transmitter;

    private AfPacketDevice(
            DeviceInfo info,
            DeviceClaim claim,
            LinuxInterface link,
            AfPacketReceiver receiver,
            AfPacketTransmitter transmitter) {
        this.netns = link.netns();
        this.interfaceName = link.name();
        this.changes = new InterfaceChanges(link);
        this.info = info;
        this.claim = claim;
        this.receiver = receiver;
        this.transmitter = transmitter;
    }

    /**
     * Opens an interface.
     *
     * @param netns its namespace's name; null or empty: our own
     * @param ringFrames frames of each ring: a power of two from 64 to 65,536
     * @throws DeviceException if it is missing, held by another Headgate, not Ethernet, has too
     *     large an MTU for a slot or an offload that would forward wrong frames, or we may not
     */
    public static AfPacketDevice open(
            @Nullable String netns, String interfaceName, FrameRegion region, int ringFrames)
            throws DeviceException {
        if (Integer.bitCount(ringFrames) != 1 || ringFrames < 64 || ringFrames > 65_536) {
            throw new DeviceException(
                    ("a ring of %s frames for '%s' cannot be: a power of two from 64 to 65536 is"
                                    + " needed")
                            .formatted(ringFrames, interfaceName));
        }
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        requireUsable(link, region);
        OffloadCheck.requireWholeFrames(link, UNSEEN);
        return NetworkNamespace.call(netns, () -> openInside(link, region, ringFrames));
    }

    /**
     * Opens an interface whose frames of TCP pass whole.
     *
     * @param frames most that wait in the kernel
     */
    public static PortDevice openForSegments(
            @Nullable String netns, String interfaceName, FrameRegion region, int frames)
            throws DeviceException {
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        requireUsable(link, region);
        return WholeSegmentDevice.open(link, region, frames);
    }

    private static AfPacketDevice openInside(
            LinuxInterface link, FrameRegion region, int ringFrames) throws DeviceException {
        DeviceClaim claim = DeviceClaim.take(link.index(), link.where());
        AfPacketReceiver receiver = null;
        try {
            receiver = new AfPacketReceiver(link, region, ringFrames);
            AfPacketTransmitter transmitter = new AfPacketTransmitter(link, ringFrames, receiver);
            String name = link.netns().isEmpty() ? link.name() : link.netns() + "/" + link.name();
            DeviceInfo info =
                    new DeviceInfo(
                            "afpacket",
                            name,
                            link.mac(),
                            maxFrameBytes(link.mtuBytes()),
                            "mapped rings of " + ringFrames + " frames, copying",
                            false);
            return new AfPacketDevice(info, claim, link, receiver, transmitter);
        } catch (DeviceException failure) {
            if (receiver != null) {
                receiver.close();
            }
            claim.close();
            throw failure;
        }
    }

    private static void requireUsable(LinuxInterface link, FrameRegion region)
            throws DeviceException {
        if (!link.ethernet() || link.name().equals("lo")) {
            throw new DeviceException(
                    ("%s is not an Ethernet interface (kind '%s'); a port needs one, e.g. a veth,"
                                    + " a TAP or a network card")
                            .formatted(link.where(), link.kind()));
        }
        int maxFrameBytes = maxFrameBytes(link.mtuBytes());
        if (maxFrameBytes + Vlan.TAG_BYTES > region.maxFrameBytes()) {
            int fittingMtu = region.maxFrameBytes() - 2 * Vlan.TAG_BYTES - Ethernet.HEADER_BYTES;
            throw new DeviceException(
                    ("%s has an MTU of %s bytes, more than a slot of the switch's memory takes"
                                    + " (%s); configure larger slots, or run %s")
                            .formatted(
                                    link.where(),
                                    link.mtuBytes(),
                                    fittingMtu,
                                    Structs.command(
                                            link.netns(),
                                            "ip link set " + link.name() + " mtu " + fittingMtu)));
        }
    }

    /** Longest frame without FCS, one tag included, in bytes. */
    public static int maxFrameBytes(int mtuBytes) {
        return Ethernet.HEADER_BYTES + Vlan.TAG_BYTES + mtuBytes;
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        return receiver.receive(nowNs, free, batch, limit);
    }

    /** The kernel stamps each frame that it puts into the ring. */
    @Override
    public boolean showAges(long @Nullable [] agesNs) {
        receiver.showAges(agesNs);
        return true;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return transmitter.transmit(batch, from, count);
    }

    @Override
    public int completed(Frame[] into, int limit) {
        transmitter.sendRest();
        return 0;
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

    /** What was changed here or at the other end of a veth, behind our back. */
    @Override
    public String trouble() {
        if (isGone()) {
            return "";
        }
        try {
            LinuxInterface now = LinuxInterface.read(netns, interfaceName);
            OffloadCheck.requireWholeFrames(now, UNSEEN);
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

    @Override
    public boolean armReceive() {
        return receiver.arm();
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
