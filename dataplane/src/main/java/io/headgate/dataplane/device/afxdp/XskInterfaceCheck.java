package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.Offload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks the interface of an AF_XDP port. An XDP program sees a frame's bytes, but not the kernel's
 * data about them: a checksum that the sender left to hardware, or a VLAN tag that was removed. An
 * interface that is known to deliver such frames is refused, with a message that names the fix.
 */
public final class XskInterfaceCheck {
    private static final int ETHERNET_HEADER_BYTES = 14;

    /** Two VLAN tags may come on top of the interface's MTU. */
    private static final int TAGS_BYTES = 8;

    /** Work that a veth's other end would leave undone. */
    private static final Set<Offload> UNDONE_BY_PEER =
            EnumSet.of(Offload.TX_CHECKSUM, Offload.TSO, Offload.TX_VLAN, Offload.TX_STAG);

    /** What an interface of ours would do to received frames. */
    private static final Set<Offload> DONE_TO_RECEIVED =
            EnumSet.of(Offload.RX_VLAN, Offload.RX_STAG, Offload.LRO, Offload.GRO);

    private static final int ETHTOOL_GCHANNELS = 0x3c;

    /** struct ethtool_channels: nine words; counts of receive and of combined channels. */
    private static final int CHANNELS_BYTES = 36;

    private static final int RX_COUNT_OFFSET = 20;
    private static final int COMBINED_COUNT_OFFSET = 32;

    private XskInterfaceCheck() {}

    /**
     * Checks all requirements.
     *
     * @param controlFd any socket of the interface's namespace
     * @throws DeviceException names the first requirement that is not met
     */
    static void check(LinuxInterface port, int queue, int controlFd, XskUmem umem)
            throws DeviceException {
        if (!port.ethernet()) {
            throw new DeviceException(
                    "interface " + port.where() + " has no Ethernet frames; use another one");
        }
        checkMtu(port, umem);
        checkQueues(port, queue, controlFd);
        checkPeer(port);
    }

    /** Checks a veth's other end for offloads that it must not use while the port is open. */
    static void checkPeer(LinuxInterface port) throws DeviceException {
        Optional<LinuxInterface> peer = port.peer();
        if (peer.isPresent()) {
            checkPeer(port, peer.get());
        } else if (port.hasPeer()) {
            throw new DeviceException(
                    ("the other end of %s is in a network namespace without a name or a process"
                                    + " here, so it is not known whether its frames arrive without"
                                    + " checksums or VLAN tags, which AF_XDP cannot detect; name"
                                    + " the namespace with 'ip netns attach NAME PID', or use"
                                    + " device kind afpacket")
                            .formatted(port.where()));
        }
    }

    private static void checkMtu(LinuxInterface port, XskUmem umem) throws DeviceException {
        int largest = umem.maxFrameBytes() - ETHERNET_HEADER_BYTES - TAGS_BYTES;
        if (port.mtuBytes() > largest) {
            throw new DeviceException(
                    ("interface %s has an MTU of %d bytes, but AF_XDP with slots of %d bytes"
                                    + " carries at most %d; lower it with %s at both ends, or use"
                                    + " device kind afpacket")
                            .formatted(
                                    port.where(),
                                    port.mtuBytes(),
                                    umem.region().slotBytes(),
                                    largest,
                                    Structs.command(
                                            port.netns(),
                                            "ip link set %s mtu %d"
                                                    .formatted(
                                                            port.name(),
                                                            Math.min(largest, 1500)))));
        }
    }

    private static void checkQueues(LinuxInterface port, int queue, int controlFd)
            throws DeviceException {
        int queues = receiveQueues(port.name(), controlFd);
        if (queue < 0 || queue >= queues) {
            throw new DeviceException(
                    "interface %s has no receive queue %s; allowed: 0 to %s"
                            .formatted(port.where(), queue, queues - 1));
        }
        if (queues > 1) {
            throw new DeviceException(
                    ("interface %s receives on %s queues, but an AF_XDP port on only one; reduce"
                                    + " them with %s (or 'rx 1 tx 1' instead of 'combined 1')")
                            .formatted(
                                    port.where(),
                                    queues,
                                    Structs.command(
                                            port.netns(),
                                            "ethtool -L " + port.name() + " combined 1")));
        }
    }

    private static void checkPeer(LinuxInterface port, LinuxInterface peer) throws DeviceException {
        Set<Offload> undone = EnumSet.copyOf(UNDONE_BY_PEER);
        undone.retainAll(peer.offloads());
        if (!undone.isEmpty()) {
            throw new DeviceException(
                    ("frames sent at %s would arrive at %s without checksums or VLAN tags, which"
                                    + " AF_XDP cannot detect; switch that off with %s")
                            .formatted(
                                    peer.where(), port.where(), peer.commandToSwitchOff(undone)));
        }
    }

    /**
     * Makes the interface deliver received frames unchanged.
     *
     * @return what was switched off, for {@link #restore}
     */
    static Set<Offload> keepFramesWhole(LinuxInterface port) throws DeviceException {
        Set<Offload> switchedOff = EnumSet.noneOf(Offload.class);
        for (Offload offload : DONE_TO_RECEIVED) {
            if (port.offloads().contains(offload)) {
                port.set(offload, false);
                switchedOff.add(offload);
            }
        }
        return switchedOff;
    }

    /**
     * Makes all frames sent on a veth take the same path to its other end. With TSO on, frames from
     * a socket go through the kernel's backlog, where XDP frames can overtake them (veth_xmit).
     *
     * @return what was switched off, for {@link #restore}
     */
    static Set<Offload> keepOrder(LinuxInterface port) throws DeviceException {
        if (!port.hasPeer() || !port.offloads().contains(Offload.TSO)) {
            return Set.of();
        }
        port.set(Offload.TSO, false);
        return EnumSet.of(Offload.TSO);
    }

    /** Names of offloads, for the user. */
    static String labels(Set<Offload> offloads) {
        return offloads.stream().map(Offload::label).collect(Collectors.joining(", "));
    }

    /** Switches offloads on again, if possible. */
    static void restore(LinuxInterface port, Set<Offload> switchedOff) {
        for (Offload offload : switchedOff) {
            try {
                port.set(offload, true);
            } catch (DeviceException gone) {
                return; // interface or namespace is no more, and its settings with it
            }
        }
    }

    /** Receive queues in use; 1 where the driver does not say. */
    private static int receiveQueues(String name, int controlFd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment channels = arena.allocate(CHANNELS_BYTES, 8);
            channels.set(JAVA_INT, 0, ETHTOOL_GCHANNELS);
            MemorySegment ifreq = arena.allocate(Structs.IFREQ_BYTES, 8);
            Structs.setInterfaceName(ifreq, name);
            ifreq.set(ADDRESS, Structs.IFREQ_UNION_OFFSET, channels);
            if (Files.ioctl(new Errno(), controlFd, Structs.SIOCETHTOOL, ifreq) < 0) {
                return 1;
            }
            int receive = channels.get(JAVA_INT, RX_COUNT_OFFSET);
            return Math.max(1, receive + channels.get(JAVA_INT, COMBINED_COUNT_OFFSET));
        }
    }

    /** The message for an interface whose other end takes no XDP frames. */
    static String takesNoXdpFrames(LinuxInterface port) throws DeviceException {
        Optional<LinuxInterface> peer = port.peer();
        return ("%s sends bursts through its socket, because its other end does not accept XDP"
                        + " frames; %s")
                .formatted(
                        port.where(),
                        peer.isPresent()
                                ? "correct that with "
                                        + Structs.command(
                                                peer.get().netns(),
                                                "ethtool -K " + peer.get().name() + " gro on")
                                : "only an interface whose driver has ndo_xdp_xmit accepts them");
    }
}
