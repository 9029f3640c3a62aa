package io.headgate.config;

import java.net.InetAddress;
import java.util.List;

/**
 * How a routing switch finds next hops and their MAC addresses.
 *
 * @param routes static routes; the networks of its ports need none
 * @param neighbourTimeoutNs a neighbour's MAC address is asked for again after this long
 * @param neighbourEntries most neighbours, over all ports: 16 to 65,536, of which one ingress port
 *     fills at most four fifths
 * @param neighbours those whose MAC addresses are given, and neither asked for nor forgotten
 */
public record RoutedConfig(
        List<Route> routes,
        long neighbourTimeoutNs,
        int neighbourEntries,
        List<StaticNeighbour> neighbours) {

    /** Most neighbours where nothing is said. */
    public static final int NEIGHBOUR_ENTRIES = 4096;

    public RoutedConfig {
        routes = List.copyOf(routes);
        neighbours = List.copyOf(neighbours);
    }

    /** No static neighbours. */
    public RoutedConfig(List<Route> routes, long neighbourTimeoutNs) {
        this(routes, neighbourTimeoutNs, NEIGHBOUR_ENTRIES, List.of());
    }

    /** A prefix and the next hops that share it (equal-cost multipath). */
    public record Route(InterfaceAddress prefix, List<InetAddress> nextHops) {
        public Route {
            nextHops = List.copyOf(nextHops);
        }
    }

    /** A neighbour in the network of a port. {@code mac}: the low 48 bits. */
    public record StaticNeighbour(InetAddress address, long mac) {}
}
