package io.headgate.dataplane.forwarding;

import io.headgate.config.InterfaceAddress;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The routes of a switch: a longest prefix match gives a group of equal next hops. Immutable,
 * shared by all ingress halves; a look-up allocates nothing.
 *
 * <p>One hash table per prefix length that occurs, the longest searched first (Waldvogel et al.,
 * SIGCOMM 1997, without its binary search: configured tables have few lengths).
 */
public final class RouteTable {
    /** Result of a look-up if no prefix matches. */
    public static final int NO_ROUTE = -1;

    /** The group of the switch's own addresses. */
    public static final int LOCAL = 0;

    /**
     * The group of addresses to which nothing is sent: a network's own address and its broadcast.
     */
    public static final int DISCARD = 1;

    // Words of a next hop, side by side.
    private static final int PORT = 0;
    private static final int HIGH = 1;
    private static final int LOW = 2;
    private static final int HOP_SHIFT = 2;

    private final Ipv4PrefixTable ipv4;
    private final PrefixTable ipv6;

    // By group: where the words of its next hops begin, and how many next hops there are.
    private final int[] firstHop;
    private final int[] hops;
    private final long[] words;

    private RouteTable(Ipv4PrefixTable ipv4, PrefixTable ipv6, List<List<NextHop>> groups) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
        int total = groups.stream().mapToInt(List::size).sum();
        firstHop = new int[groups.size()];
        hops = new int[groups.size()];
        words = new long[total << HOP_SHIFT];
        int at = 0;
        for (int group = 0; group < groups.size(); group++) {
            firstHop[group] = at;
            hops[group] = groups.get(group).size();
            for (NextHop hop : groups.get(group)) {
                words[at + PORT] = hop.port;
                words[at + HIGH] = hop.high;
                words[at + LOW] = hop.low;
                at += 1 << HOP_SHIFT;
            }
        }
    }

    /** A next hop: port and neighbour address; 0 and 0: the destination itself is the neighbour. */
    record NextHop(int port, long high, long low) {}

    /** The group of an IPv4 destination, or {@link #NO_ROUTE}. */
    public int lookupIpv4(int destination) {
        return ipv4.lookup(destination);
    }

    /** The group of an IPv6 destination, or {@link #NO_ROUTE}. */
    public int lookupIpv6(long high, long low) {
        return ipv6.lookup(high, low);
    }

    /** Number of next hops in a group. */
    public int hops(int group) {
        return hops[group];
    }

    /** The egress port of a group's next hop, counted from 0. */
    public int port(int group, int hop) {
        return (int) word(group, hop, PORT);
    }

    /** The neighbour's address, or 0 and 0 if that is the destination itself. */
    public long high(int group, int hop) {
        return word(group, hop, HIGH);
    }

    public long low(int group, int hop) {
        return word(group, hop, LOW);
    }

    private long word(int group, int hop, int word) {
        return words[firstHop[group] + (hop << HOP_SHIFT) + word];
    }

    /** Number of groups, {@link #LOCAL} and {@link #DISCARD} included. */
    public int groups() {
        return hops.length;
    }

    /** Collects routes; the last one added for a prefix is used. */
    static final class Builder {
        private final Ipv4PrefixTable.Builder ipv4 = new Ipv4PrefixTable.Builder();
        private final PrefixTable.Builder ipv6 = new PrefixTable.Builder();
        private final List<List<NextHop>> groups = new ArrayList<>();
        private final Map<List<NextHop>, Integer> groupOf = new LinkedHashMap<>();

        Builder() {
            groups.add(List.of());
            groups.add(List.of());
        }

        /** The group of these next hops; routes with the same next hops share one group. */
        int group(List<NextHop> nextHops) {
            return groupOf.computeIfAbsent(
                    List.copyOf(nextHops),
                    added -> {
                        groups.add(added);
                        return groups.size() - 1;
                    });
        }

        void add(InetAddress prefix, int length, int group) {
            long high = IpAddress.high(prefix);
            long low = IpAddress.low(prefix);
            if (prefix.getAddress().length == 4) {
                ipv4.put((int) low, length, group);
            } else {
                ipv6.put(high, low, length, group);
            }
        }

        void addIpv4(int address, int group) {
            ipv4.put(address, Integer.SIZE, group);
        }

        RouteTable build() {
            return new RouteTable(ipv4.build(), ipv6.build(), groups);
        }
    }

    /**
     * The routes of a configuration: its ports' networks, its static routes, and the switch's own
     * addresses.
     *
     * @throws IllegalArgumentException if a next hop is on no port's network
     */
    public static RouteTable of(SwitchConfig config) {
        Builder builder = new Builder();
        for (RoutedConfig.Route route : config.routed().routes()) {
            List<NextHop> nextHops = new ArrayList<>();
            for (InetAddress hop : route.nextHops()) {
                nextHops.add(
                        new NextHop(
                                portTowards(config, hop), IpAddress.high(hop), IpAddress.low(hop)));
            }
            builder.add(
                    route.prefix().address(),
                    route.prefix().prefixLength(),
                    builder.group(nextHops));
        }
        for (int port = 0; port < config.ports().size(); port++) {
            int group = builder.group(List.of(new NextHop(port, 0, 0)));
            for (InterfaceAddress own : config.ports().get(port).addresses()) {
                builder.add(own.address(), own.prefixLength(), group);
                discardEndsOf(own, builder);
            }
        }
        for (PortConfig port : config.ports()) {
            for (InterfaceAddress own : port.addresses()) {
                addOwn(own.address(), builder);
            }
        }
        InterfaceAddress loopback = config.address();
        if (loopback != null) {
            addOwn(loopback.address(), builder);
        }
        return builder.build();
    }

    private static void addOwn(InetAddress address, Builder builder) {
        builder.add(address, address.getAddress().length * 8, LOCAL);
    }

    /** Directed broadcasts are not forwarded (RFC 2644). */
    private static void discardEndsOf(InterfaceAddress own, Builder builder) {
        if (own.address().getAddress().length != 4
                || own.prefixLength() > 30
                || own.prefixLength() == 0) {
            return;
        }
        int hostMask = -1 >>> own.prefixLength();
        int address = (int) IpAddress.low(own.address());
        builder.addIpv4(address & ~hostMask, DISCARD);
        builder.addIpv4(address | hostMask, DISCARD);
    }

    /**
     * The port with the network of a neighbour; if networks are nested, the smallest.
     *
     * @throws IllegalArgumentException if it is on no port's network
     */
    public static int portTowards(SwitchConfig config, InetAddress hop) {
        int best = -1;
        int bestLength = -1;
        for (int port = 0; port < config.ports().size(); port++) {
            for (InterfaceAddress own : config.ports().get(port).addresses()) {
                if (own.prefixLength() > bestLength && contains(own, hop)) {
                    best = port;
                    bestLength = own.prefixLength();
                }
            }
        }
        if (best < 0) {
            throw new IllegalArgumentException(
                    "next hop " + hop.getHostAddress() + " is on no port's network");
        }
        return best;
    }

    private static boolean contains(InterfaceAddress network, InetAddress address) {
        int bits = network.address().getAddress().length * 8;
        if (bits != address.getAddress().length * 8) {
            return false;
        }
        int length = 128 - bits + network.prefixLength();
        return ((IpAddress.high(network.address()) ^ IpAddress.high(address))
                                & PrefixTable.maskHigh(length))
                        == 0
                && ((IpAddress.low(network.address()) ^ IpAddress.low(address))
                                & PrefixTable.maskLow(length))
                        == 0;
    }
}
