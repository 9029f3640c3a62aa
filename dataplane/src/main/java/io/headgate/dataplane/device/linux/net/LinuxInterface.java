package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's data about an interface, at one moment. Read by ioctl and rtnetlink from inside its
 * namespace, because sysfs shows the namespace in which it was mounted.
 *
 * @param netns the namespace's name; empty: our own
 * @param index the interface's number in its namespace, never used again while the system runs
 * @param mac MAC address in the low 48 bits; 0 if it has none
 * @param mtuBytes largest payload of a frame
 * @param ethernet whether its frames begin with an Ethernet header
 * @param up whether it was set up
 * @param carrier whether it is up and has a carrier
 * @param promiscuous whether it was set promiscuous by hand (a socket's membership does not show)
 * @param kind rtnetlink's word, e.g. {@code veth}, {@code tun}, {@code bridge}; empty for hardware
 * @param driver ethtool's word; empty if it has none
 * @param vxlanId VXLAN network identifier of a {@code vxlan}; -1 for any other
 * @param peerIndex index of a veth's other end, or of the interface below it; 0 if none
 * @param peerNamespaceId number of the peer's namespace as this one numbers them; -1: this one
 * @param transmitQueueFrames its {@code txqueuelen}
 * @param qdisc its queueing discipline, by {@code tc}'s name; {@code noqueue}: none
 * @param heldQueues number of queues that programs hold, of a TAP with several queues; else 0
 * @param offloads offloads that are switched on
 * @param statistics since the interface was made
 */
public record LinuxInterface(
        String netns,
        String name,
        int index,
        long mac,
        int mtuBytes,
        boolean ethernet,
        boolean up,
        boolean carrier,
        boolean promiscuous,
        String kind,
        String driver,
        int vxlanId,
        int peerIndex,
        int peerNamespaceId,
        int transmitQueueFrames,
        String qdisc,
        int heldQueues,
        Set<Offload> offloads,
        Statistics statistics) {

    private static final int ARPHRD_ETHER = 1;
    private static final int IFF_UP = 0x1;
    private static final int IFF_RUNNING = 0x40;
    private static final int IFF_PROMISC = 0x100;

    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MTU = 4;
    private static final int IFLA_LINK = 5;
    private static final int IFLA_QDISC = 6;
    private static final int IFLA_TXQLEN = 13;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_INFO_KIND = 1;
    private static final int IFLA_INFO_DATA = 2;
    private static final int IFLA_TUN_NUM_QUEUES = 8;
    private static final int IFLA_VXLAN_ID = 1;
    private static final int IFLA_STATS64 = 23;
    private static final int IFLA_LINK_NETNSID = 37;
    private static final int STATS64_MIN_BYTES = 8 * 8;

    /** Frames and bytes since the interface was made; {@code dropped} is the interface's own. */
    public record Statistics(
            long receivedFrames,
            long transmittedFrames,
            long receivedBytes,
            long transmittedBytes,
            long receiveErrors,
            long transmitErrors,
            long receiveDropped,
            long transmitDropped) {}

    public LinuxInterface {
        offloads = Set.copyOf(offloads);
    }

    /**
     * Reads one interface.
     *
     * @param netns name of its namespace; null or empty: our own
     * @throws DeviceException if namespace or interface is missing, or permission is missing
     */
    public static LinuxInterface read(@Nullable String netns, String name) throws DeviceException {
        Structs.requireInterfaceName(name);
        for (LinuxInterface candidate : all(netns)) {
            if (candidate.name.equals(name)) {
                return candidate;
            }
        }
        String inside = netns == null ? "" : netns;
        throw new DeviceException(
                "there is no interface %s; %s lists the interfaces"
                        .formatted(
                                Structs.where(name, inside),
                                inside.isEmpty() ? "'ip link'" : "'ip -n " + inside + " link'"));
    }

    /** Reads all interfaces of a namespace, in the order of their indices. */
    public static List<LinuxInterface> all(@Nullable String netns) throws DeviceException {
        String inside = netns == null ? "" : netns;
        return NetworkNamespace.call(
                inside,
                () -> {
                    List<LinuxInterface> found = new ArrayList<>();
                    try (Netlink netlink = new Netlink();
                            Ethtool ethtool = new Ethtool()) {
                        netlink.links(link -> found.add(parse(inside, link, ethtool)));
                    }
                    return found;
                });
    }

    private static LinuxInterface parse(String netns, MemorySegment link, Ethtool ethtool) {
        MemorySegment attributes = link.asSlice(Netlink.IFINFOMSG_BYTES);
        int type = link.get(ValueLayout.JAVA_SHORT, 2) & 0xFFFF;
        int flags = link.get(ValueLayout.JAVA_INT, 8);
        String name = Netlink.text(Netlink.attribute(attributes, IFLA_IFNAME));
        MemorySegment linkInfo = Netlink.attribute(attributes, IFLA_LINKINFO);
        return new LinuxInterface(
                netns,
                name,
                link.get(ValueLayout.JAVA_INT, 4),
                mac(Netlink.attribute(attributes, IFLA_ADDRESS)),
                integer(Netlink.attribute(attributes, IFLA_MTU), 0),
                type == ARPHRD_ETHER,
                (flags & IFF_UP) != 0,
                (flags & (IFF_UP | IFF_RUNNING)) == (IFF_UP | IFF_RUNNING),
                (flags & IFF_PROMISC) != 0,
                Netlink.text(Netlink.attribute(linkInfo, IFLA_INFO_KIND)),
                ethtool.driver(name),
                ofKind("vxlan", linkInfo, IFLA_VXLAN_ID, -1),
                integer(Netlink.attribute(attributes, IFLA_LINK), 0),
                integer(Netlink.attribute(attributes, IFLA_LINK_NETNSID), -1),
                integer(Netlink.attribute(attributes, IFLA_TXQLEN), 0),
                Netlink.text(Netlink.attribute(attributes, IFLA_QDISC)),
                ofKind("tun", linkInfo, IFLA_TUN_NUM_QUEUES, 0),
                ethtool.offloads(name),
                statistics(Netlink.attribute(attributes, IFLA_STATS64)));
    }

    /** A number that interfaces of a kind alone have. */
    private static int ofKind(String kind, MemorySegment linkInfo, int attribute, int absent) {
        MemorySegment data = Netlink.attribute(linkInfo, IFLA_INFO_DATA);
        return Netlink.text(Netlink.attribute(linkInfo, IFLA_INFO_KIND)).equals(kind)
                ? integer(Netlink.attribute(data, attribute), absent)
                : absent;
    }

    private static long mac(MemorySegment address) {
        if (address.byteSize() != 6) {
            return 0;
        }
        long mac = 0;
        for (int index = 0; index < 6; index++) {
            mac = mac << 8 | (address.get(ValueLayout.JAVA_BYTE, index) & 0xFF);
        }
        return mac;
    }

    private static int integer(MemorySegment value, int absent) {
        return value.byteSize() < 4 ? absent : value.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    private static Statistics statistics(MemorySegment stats) {
        if (stats.byteSize() < STATS64_MIN_BYTES) {
            return new Statistics(0, 0, 0, 0, 0, 0, 0, 0);
        }
        long[] words = new long[8];
        for (int index = 0; index < words.length; index++) {
            words[index] = stats.get(ValueLayout.JAVA_LONG_UNALIGNED, index * 8L);
        }
        return new Statistics(
                words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]);
    }

    /** The name of the interface for the user, with its namespace. */
    public String where() {
        return Structs.where(name, netns);
    }

    /** Its name as devices show it, after that of its namespace. */
    public String shown() {
        return netns.isEmpty() ? name : netns + "/" + name;
    }

    /** Whether it is an end of a veth. */
    public boolean hasPeer() {
        return kind.equals("veth") && peerIndex != 0;
    }

    /**
     * The other end of a veth, if it is in a namespace that has a name, is our own, or belongs to a
     * process that we can see; in the last case its {@link #netns} is a file of that process.
     *
     * @throws DeviceException if a namespace cannot be entered
     */
    public Optional<LinuxInterface> peer() throws DeviceException {
        if (!hasPeer()) {
            return Optional.empty();
        }
        if (peerNamespaceId < 0) {
            return withIndex(netns);
        }
        for (String candidate : NetworkNamespace.names()) {
            if (isPeerNamespace(candidate)) {
                return withIndex(candidate);
            }
        }
        int pid = (int) ProcessHandle.current().pid();
        if (namespaceId(Netlink.NETNSA_PID, pid) == peerNamespaceId) {
            return withIndex("");
        }
        for (String candidate : NetworkNamespace.ofProcesses()) {
            if (isPeerNamespace(candidate)) {
                return withIndex(candidate);
            }
        }
        return Optional.empty();
    }

    private boolean isPeerNamespace(String candidate) throws DeviceException {
        Errno errno = new Errno();
        int fd = Files.open(errno, NetworkNamespace.path(candidate).toString(), Files.O_RDONLY);
        if (fd < 0) {
            return false;
        }
        try {
            return namespaceId(Netlink.NETNSA_FD, fd) == peerNamespaceId;
        } finally {
            Files.close(errno, fd);
        }
    }

    private int namespaceId(int attribute, int value) throws DeviceException {
        return NetworkNamespace.call(
                netns,
                () -> {
                    try (Netlink netlink = new Netlink()) {
                        return netlink.namespaceId(attribute, value);
                    }
                });
    }

    private Optional<LinuxInterface> withIndex(String peerNetns) throws DeviceException {
        for (LinuxInterface candidate : all(peerNetns)) {
            if (candidate.index == peerIndex) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /**
     * The command that switches offloads off, in quotes, to be run from outside the namespace.
     *
     * @param which offloads to switch off
     */
    public String commandToSwitchOff(Set<Offload> which) {
        StringBuilder command = new StringBuilder("ethtool -K " + name);
        for (Offload offload : EnumSet.copyOf(which)) {
            command.append(' ').append(offload.label()).append(" off");
        }
        return Structs.command(netns, command.toString());
    }

    /** The command that removes a qdisc that holds frames, in quotes. */
    public String commandToSendAtOnce() {
        return Structs.command(netns, "tc qdisc replace dev " + name + " root noqueue");
    }

    /**
     * Switches an offload on or off, as {@code ethtool -K} does.
     *
     * @throws DeviceException if the kernel refuses
     */
    public void set(Offload offload, boolean on) throws DeviceException {
        set(ethtool -> ethtool.set(name, offload, on), "switch " + offload.label() + " of");
    }

    /** Sets the interface up or down. */
    public void setUp(boolean on) throws DeviceException {
        set(ethtool -> ethtool.setFlag(name, IFF_UP, on), on ? "set up" : "set down");
    }

    /** Makes it receive frames for any address, also after a socket is closed. */
    public void setPromiscuous(boolean on) throws DeviceException {
        set(ethtool -> ethtool.setFlag(name, IFF_PROMISC, on), "change promiscuity of");
    }

    /** Sets the MTU, in bytes of a frame's payload. */
    public void setMtuBytes(int bytes) throws DeviceException {
        set(ethtool -> ethtool.setMtu(name, bytes), "set an MTU of " + bytes + " bytes on");
    }

    /**
     * Sets how many frames can wait in it, or before it, while it is busy: its {@code txqueuelen}.
     */
    public void setTransmitQueueFrames(int frames) throws DeviceException {
        // By ioctl it would need root of the machine, also in a namespace of our own.
        NetworkNamespace.call(
                netns,
                () -> {
                    try (Netlink netlink = new Netlink()) {
                        require(
                                netlink.setLink(index, IFLA_TXQLEN, frames),
                                "set a queue of " + frames + " frames on");
                        return null;
                    }
                });
    }

    private void set(ToIntFunction<Ethtool> call, String action) throws DeviceException {
        NetworkNamespace.call(
                netns,
                () -> {
                    try (Ethtool ethtool = new Ethtool()) {
                        require(call.applyAsInt(ethtool), action);
                        return null;
                    }
                });
    }

    private void require(int result, String action) throws DeviceException {
        if (result < 0) {
            String why =
                    result == -Errno.EPERM
                            ? "that needs CAP_NET_ADMIN; run as root"
                            : Errno.describe(result);
            throw new DeviceException("cannot " + action + " " + where() + ": " + why);
        }
    }
}
