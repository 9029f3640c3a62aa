package io.headgate.dataplane.device.afpacket;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Any Ethernet interface of Linux through AF_PACKET, with a mapped ring in each direction
 * (packet(7), Documentation/networking/packet_mmap). Both sides copy.
 *
 * <p>A VLAN tag that the kernel removed is put back; a checksum that the sender left to hardware is
 * completed; frames longer than the MTU allows (segmentation left to hardware) are dropped as
 * OVERSIZE. These drops would stop TCP, so opening refuses an interface if its own settings, or
 * those of the other end of its veth (where that can be found), produce such frames.
 *
 * <p>A deleted interface never comes back ({@link #isGone}), also if another one with its name
 * appears: the owner closes the device and opens a new one. After an interface was down or without
 * carrier, the device continues by itself.
 *
 * <p>Drops: interface statistics cover all programs, so frames that another program lost when it
 * transmitted on the same interface also count as KERNEL_TX.
 */
public final class AfPacketDevice extends PacketDevice {
    /** What the other end of a veth may not leave undone; checksums are completed here. */
    private static final Set<Offload> UNSEEN = Set.of(Offload.TSO);

    private final AfPacketReceiver receiver;
    private final AfPacketTransmitter transmitter;

    private AfPacketDevice(Sides<AfPacketReceiver, AfPacketTransmitter> sides, int ringFrames) {
        super(sides, "mapped rings of " + ringFrames + " frames, copying");
        this.receiver = sides.receiver();
        this.transmitter = sides.transmitter();
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
                    ("a ring of %s frames for '%s' is not possible: a power of two from 64 to 65536"
                                    + " is needed")
                            .formatted(ringFrames, interfaceName));
        }
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        requireUsable(link, region);
        OffloadCheck.requireWholeFrames(link, UNSEEN);
        return new AfPacketDevice(
                Sides.open(
                        link,
                        of -> new AfPacketReceiver(of, region, ringFrames),
                        receiver -> new AfPacketTransmitter(link, ringFrames, receiver)),
                ringFrames);
    }

    /**
     * Opens an interface on which frames of several TCP segments pass whole.
     *
     * @param frames maximum number of frames waiting in the kernel
     */
    public static PortDevice openForSegments(
            @Nullable String netns, String interfaceName, FrameRegion region, int frames)
            throws DeviceException {
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        requireUsable(link, region);
        return WholeSegmentDevice.open(link, region, frames);
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
                    ("%s has an MTU of %s bytes, more than a slot of the switch's memory can hold"
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
    void check(LinuxInterface now) throws DeviceException {
        OffloadCheck.requireWholeFrames(now, UNSEEN);
    }

    /** Supported: the kernel stamps each frame that it puts into the ring. */
    @Override
    public boolean showAges(long @Nullable [] agesNs) {
        receiver.showAges(agesNs);
        return true;
    }

    @Override
    public int completed(Frame[] into, int limit) {
        transmitter.sendRest();
        return 0;
    }

    @Override
    public boolean armReceive() {
        return receiver.arm();
    }
}
