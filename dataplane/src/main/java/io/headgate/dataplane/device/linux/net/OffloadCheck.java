package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an interface delivers frames as they were on a wire. Our own interface may join
 * received frames; the other end of a veth may leave work to hardware that a veth does not have.
 */
public final class OffloadCheck {
    /** Offloads at our end that join received frames into longer ones. */
    public static final Set<Offload> JOINING = Set.of(Offload.GRO, Offload.LRO);

    /** Offloads at the other end of a veth that leave a frame unfinished. */
    public static final Set<Offload> UNFINISHED =
            Set.of(Offload.TX_CHECKSUM, Offload.TSO, Offload.GSO);

    private OffloadCheck() {}

    /**
     * Checks both ends.
     *
     * @param unseen offloads that the other end of a veth must not use, since the device cannot
     *     correct their effect
     * @throws DeviceException with the command that fixes it
     */
    public static void requireWholeFrames(LinuxInterface link, Set<Offload> unseen)
            throws DeviceException {
        Set<Offload> joining = both(JOINING, link);
        if (!joining.isEmpty()) {
            throw new DeviceException(
                    "%s merges received frames into longer ones, which cannot be forwarded; run %s"
                            .formatted(link.where(), link.commandToSwitchOff(joining)));
        }
        Optional<LinuxInterface> peer = link.peer();
        if (peer.isPresent() && !both(unseen, peer.get()).isEmpty()) {
            boolean segments = peer.get().offloads().contains(Offload.TSO);
            throw new DeviceException(
                    "%s would receive %s, because its other end %s leaves %s to hardware; run %s"
                            .formatted(
                                    link.where(),
                                    segments
                                            ? "TCP in frames longer than its MTU"
                                            : "frames without a right checksum",
                                    peer.get().where(),
                                    segments ? "segmentation" : "checksums",
                                    commandToFinish(peer.get())));
        }
    }

    /**
     * Checks our end for a device that passes TCP segments whole: the kernel's GRO describes how to
     * cut joined frames again, a card's LRO does not describe enough.
     *
     * @throws DeviceException with the command that fixes it
     */
    public static void requireExactSegments(LinuxInterface link) throws DeviceException {
        Set<Offload> joining = both(Set.of(Offload.LRO), link);
        if (!joining.isEmpty()) {
            throw new DeviceException(
                    ("%s merges received frames into longer ones, which cannot be split again; run"
                                    + " %s")
                            .formatted(link.where(), link.commandToSwitchOff(joining)));
        }
    }

    /**
     * Linux' VXLAN device at the far end of a tunnel over a veth, if it can be found and leaves
     * checksums to hardware: the tunnel's frames do not show this.
     *
     * @param netns namespace of {@code local}; null or empty: our own
     * @param local the tunnel's address at our end
     */
    public static Optional<LinuxInterface> unfinishedTunnel(
            @Nullable String netns, InetAddress local, int vxlanId) throws DeviceException {
        String name = NetworkNamespace.call(netns, () -> interfaceOf(local));
        Optional<LinuxInterface> peer =
                name.isEmpty() ? Optional.empty() : LinuxInterface.read(netns, name).peer();
        // The link below would finish what the tunnel leaves to it, if it were to.
        if (peer.isEmpty() || !peer.get().offloads().contains(Offload.TX_CHECKSUM)) {
            return Optional.empty();
        }
        return LinuxInterface.all(peer.get().netns()).stream()
                .filter(far ->
                        far.vxlanId() == vxlanId && far.offloads().contains(Offload.TX_CHECKSUM))
                .findFirst();
    }

    private static String interfaceOf(InetAddress address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found == null ? "" : found.getName();
        } catch (SocketException unknown) {
            return "";
        }
    }

    /** The command that makes an interface finish its frames, in quotes. */
    public static String commandToFinish(LinuxInterface link) {
        return link.commandToSwitchOff(both(UNFINISHED, link));
    }

    private static Set<Offload> both(Set<Offload> wrong, LinuxInterface link) {
        Set<Offload> found = EnumSet.noneOf(Offload.class);
        found.addAll(wrong);
        found.retainAll(link.offloads());
        return found;
    }
}
