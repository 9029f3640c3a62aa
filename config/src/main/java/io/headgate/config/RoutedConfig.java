package io.headgate.config;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.config.key.When;
import java.net.InetAddress;
import java.util.List;

/** The configuration of a routing switch: how it finds next hops and their MAC addresses. */
@Withers
public record RoutedConfig(
        @Key
                @Says("Static routes.")
                @Allowed(
                        "a list of at most 65536 routes, such as [{prefix: 10.9.0.0/16, via:"
                                + " 10.0.1.2}]")
                @Items(
                        max = 65_536,
                        each =
                                "a mapping with prefix and via, such as {prefix: 10.9.0.0/16, via:"
                                        + " 10.0.1.2}")
                List<Route> routes,
        @Key(quantity = DURATION, min = "1s", max = "86400s", absent = "60s")
                @Says(
                        "A neighbour's MAC address is resolved again after this time (RFC 1122,"
                                + " section 2.3.2.1).")
                long neighbourTimeoutNs,
        @Key(unit = "neighbours", min = "16", max = "65536", absent = "4096")
                @Says(
                        "Maximum number of neighbours of all ports. Traffic from one port can fill"
                                + " at most four fifths of the table, so that room is left for the"
                                + " others (RFC 6583).")
                @Fixed("the table is laid out at the start")
                int neighbourEntries,
        @Key
                @Says("Neighbours with given MAC addresses: never resolved, never aged out.")
                @Allowed(
                        "a list of at most 65536 neighbours, such as [{address: 10.0.1.2, mac:"
                                + " \"02:00:00:00:00:01\"}]")
                @Fixed("the table is filled at the start")
                @Items(
                        max = 65_536,
                        each =
                                "a mapping with address and mac, such as {address: 10.0.1.2, mac:"
                                        + " \"02:00:00:00:00:01\"}")
                List<StaticNeighbour> neighbours,
        @Inline Paths paths)
        implements RoutedConfigBuilder.With {

    public RoutedConfig {
        routes = List.copyOf(routes);
        neighbours = List.copyOf(neighbours);
    }

    /** A prefix and the next hops that share it (equal-cost multipath). */
    public record Route(
            @Key(codec = Addresses.Prefixed.class)
                    @Says("The destination network; 0.0.0.0/0 or ::/0 is the default route.")
                    @Allowed(
                            "a network with its prefix length, such as 10.9.0.0/16 or"
                                    + " 2001:db8:9::/48")
                    InterfaceAddress prefix,
            @Key(name = "via")
                    @Says(
                            "The next hops that share the route (equal-cost multipath), each in"
                                    + " the network of a port.")
                    @Allowed(
                            "an address, or a list of 1 to 64, such as 10.0.1.2 or [10.0.1.2,"
                                    + " 10.0.2.2]")
                    @Items(
                            min = 1,
                            max = 64,
                            orOne = true,
                            codec = Addresses.Plain.class,
                            each = Addresses.PLAIN_ALLOWED)
                    List<InetAddress> nextHops) {
        public Route {
            nextHops = List.copyOf(nextHops);
        }
    }

    /** A neighbour in the network of a port. {@code mac}: the low 48 bits. */
    public record StaticNeighbour(
            @Key(codec = Addresses.Plain.class)
                    @Says("The neighbour's address, in the network of a port.")
                    @Allowed(Addresses.PLAIN_ALLOWED)
                    InetAddress address,
            @Key(codec = Addresses.Mac.class)
                    @Says("The neighbour's unicast MAC address.")
                    @Allowed(Addresses.MAC_ALLOWED)
                    long mac) {}

    /**
     * The traffic that a router keeps on one path if a route has several next hops.
     *
     * @param gapNs pause of a flow after which its next packet may take another path; 0 unless
     *     flowlets
     * @param entries flowlets that an ingress port tells apart; 0 unless flowlets
     */
    @Withers
    public record Paths(
            @Key(name = "paths", absent = "flow")
                    @Says(
                            "What uses one path if a route has several next hops: each flow, by a"
                                    + " seeded hash of its 5-tuple (ECMP); each flowlet, at random,"
                                    + " where a pause of the flow begins a new flowlet (CONGA,"
                                    + " LetFlow); or each packet, at random (packet spraying), so"
                                    + " that flows arrive reordered.")
                    @Fixed("the choice is built into the ingress ports at the start")
                    Unit unit,
            @Key(
                            name = "flowlet-gap",
                            quantity = DURATION,
                            min = "1ns",
                            max = "10s",
                            absent = "500us")
                    @Says(
                            "Minimum pause of a flow after which its next packet begins a new"
                                    + " flowlet.")
                    @Fixed("the choice is built into the ingress ports at the start")
                    @When(
                            key = "paths",
                            is = {"flowlet"})
                    long gapNs,
            @Key(
                            name = "flowlet-entries",
                            unit = "flowlets",
                            min = "16",
                            max = "1048576",
                            absent = "1024")
                    @Says(
                            "Number of flowlet entries per ingress port; flows are hashed to"
                                    + " entries, and flows of one entry share a path.")
                    @Fixed("the table is laid out at the start")
                    @When(
                            key = "paths",
                            is = {"flowlet"})
                    int entries)
            implements RoutedConfigPathsBuilder.With {
        /** Each flow on one path. */
        public static final Paths FLOW = new Paths(Unit.FLOW, 0, 0);

        /** What stays on one path. */
        public enum Unit {
            FLOW,
            FLOWLET,
            PACKET
        }
    }
}
