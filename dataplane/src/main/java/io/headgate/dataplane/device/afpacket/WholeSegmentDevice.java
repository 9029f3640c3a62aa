package io.headgate.dataplane.device.afpacket;

import io.headgate.config.MemoryConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * A Linux Ethernet interface through AF_PACKET on which frames of several TCP segments pass whole
 * ({@code gso: pass}): a frame that the sender left to hardware to cut, or that the kernel joined
 * on receipt, arrives and leaves as one frame, with a virtio header (PACKET_VNET_HDR) that
 * describes its segments.
 *
 * <p>There are no mapped rings: with 64 KB per frame they would need hundreds of megabytes. The
 * kernel copies to and from slots itself, once per direction. A batch of frames is one system call.
 */
final class WholeSegmentDevice extends PacketDevice {
    private WholeSegmentDevice(Sides<WholeReceiver, WholeTransmitter> sides) {
        super(sides, "TCP segments pass whole, copying");
    }

    /** Like {@link AfPacketDevice#open}, after the same checks except that of offloads. */
    static WholeSegmentDevice open(LinuxInterface link, FrameRegion region, int frames)
            throws DeviceException {
        if (region.slotBytes() < MemoryConfig.WHOLE_SLOT_BYTES) {
            throw new DeviceException(link.where() + " with gso: pass needs memory: {slot: 68KiB}");
        }
        requireSet(link);
        return new WholeSegmentDevice(
                Sides.open(
                        link,
                        of -> new WholeReceiver(of, region, frames),
                        receiver -> new WholeTransmitter(link, receiver)));
    }

    /**
     * What must be set at the interface. Frames go through the interface's qdisc, as the kernel
     * cuts none that go past it (PACKET_QDISC_BYPASS).
     */
    private static void requireSet(LinuxInterface link) throws DeviceException {
        OffloadCheck.requireExactSegments(link);
        if (!link.qdisc().equals("noqueue")) {
            throw new DeviceException(
                    ("%s queues frames in a qdisc (%s), in which pause frames would wait behind"
                                    + " data; run %s")
                            .formatted(link.where(), link.qdisc(), link.commandToSendAtOnce()));
        }
    }

    @Override
    void check(LinuxInterface now) throws DeviceException {
        requireSet(now);
    }

    @Override
    public boolean takesSegments() {
        return true;
    }

    /** Nothing to arm: the socket stays readable while a frame waits. */
    @Override
    public boolean armReceive() {
        return false;
    }
}
