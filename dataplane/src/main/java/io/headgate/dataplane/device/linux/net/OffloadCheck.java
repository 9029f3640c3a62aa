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
 * Whether an interface delivers frames as they were on a wire. One of our own may join what it
 * receives; the other end of a veth may leave to its hardware what a veth does not do.
 */
public final class OffloadCheck {
    /** What joins received frames into longer ones, at our end. */
    public static final Set<Offload> JOINING = Set.of(Offload.GRO, Offload.LRO);

    /** What leaves a frame unfinished, at the other end of a veth. */
    public static final Set<Offload> UNFINISHED =
            Set.of(Offload.TX_CHECKSUM, Offload.TSO, Offload.GSO);

    private OffloadCheck() {}

    /**
     * Looks at both ends.
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
                    "%s joins received frames into longer ones, which cannot be forwarded; run %s"
                            .formatted(link.where(), link.commandToSwitchOff(joining)));
        }
        Optional<LinuxInterface> peer = link.peer();
        if (peer.isPresent() && !both(unseen, peer.get()).isEmpty()) {
            boolean segments = peer.get().offloads().contains(Offload.TSO);
            throw new DeviceException(
                    "%s would receive %s, since its other end %s leaves %s to hardware; run %s"
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
     * Looks at our end, where TCP segments pass whole: what the kernel joins on receipt it says how
     * to cut again (GRO); a card that joins says not enough (LRO).
     *
     * @throws DeviceException with the command that fixes it
     */
    public static void requireExactSegments(LinuxInterface link) throws DeviceException {
        Set<Offload> joining = both(Set.of(Offload.LRO), link);
        if (!joining.isEmpty()) {
            throw new DeviceException(
                    "%s joins received frames into longer ones, which cannot be cut again; run %s"
                            .formatted(link.where(), link.commandToSwitchOff(joining)));
        }
    }

    /**
     * Linux' own device at the far end of a VXLAN tunnel over a veth, where it can be found and
     * leaves checksums to hardware: nothing in what the tunnel brings says so.
     *
     * @param netns where {@code local} is; null or empty: our own
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

    /** The command that has an interface finish its frames, in quotes. */
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
