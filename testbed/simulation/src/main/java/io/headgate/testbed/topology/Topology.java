package io.headgate.testbed.topology;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;
import java.util.ArrayList;
import java.util.List;

/**
 * A network: hosts with one link each, switches, and the links between them. Forwarding follows all
 * shortest paths (routed) or one of them (bridge), except where a route says otherwise.
 *
 * @param name of 1 to 32 letters, digits, {@code -} or {@code _}
 * @param mode whether switches bridge by MAC address or route by IP address; a bridge uses one of
 *     several shortest paths for each destination, a router all
 * @param paths how routers choose among them
 * @param sizes capacities of queues and buffers
 * @param mechanisms domain and services of every switch
 * @param ports priorities and flow control, the same at both ends of every link
 * @param hosts by number
 * @param switches by number
 * @param links by number; a switch's ports are its links in this order
 * @param routes exceptions to the shortest paths
 */
@Withers
public record Topology(
        String name,
        SwitchConfig.Mode mode,
        RoutedConfig.Paths paths,
        Sizes sizes,
        Mechanisms.OfSwitches mechanisms,
        PortTraffic ports,
        List<Host> hosts,
        List<Switch> switches,
        List<Link> links,
        List<Route> routes)
        implements TopologyBuilder.With {

    /**
     * @throws IllegalArgumentException in one sentence, if this is not a valid network: names that
     *     are taken twice or unknown, a host without or with several links, parts that cannot reach
     *     each other, routes that go in circles
     */
    public Topology {
        hosts = List.copyOf(hosts);
        switches = List.copyOf(switches);
        links = List.copyOf(links);
        routes = List.copyOf(routes);
        List<GraphChecks.Problem> problems = GraphChecks.check(hosts, switches, links, routes);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "topology '" + name + "': " + problems.getFirst().sentence());
        }
    }

    /**
     * A host. Names of hosts and switches are 1 to 24 letters, digits, {@code -} or {@code _}, and
     * no two are the same.
     *
     * @param obeys false: its card goes on sending when it is asked to stop, and never asks
     * @param hooks test-bed hooks of its link's end, not scaled
     */
    public record Host(String name, boolean obeys, Mechanisms hooks) {
        public Host(String name) {
            this(name, true, Mechanisms.NONE);
        }
    }

    /**
     * A switch.
     *
     * @param seedOffset added to the seed that the run and the name give, where switches must
     *     choose otherwise among equal paths; 0 for most
     */
    @Named(
            says = "A switch.",
            allowed =
                    "a name of 1 to 24 letters, digits, - or _, or a mapping such as {name: s1,"
                            + " seed-offset: 7}",
            alone = "name")
    public record Switch(
            @Key(pattern = TopologyFile.NODE)
                    @Says("The switch's name, unique among hosts and switches.")
                    @Allowed(TopologyFile.NODE_ALLOWED)
                    String name,
            @Key(
                            min = "-9223372036854775808",
                            max = "9223372036854775807",
                            absent = "0",
                            example = "7")
                    @Says(
                            "Added to the seed that is computed from the run's seed and the name,"
                                    + " so that the switch chooses other paths among equal ones.")
                    @Allowed("a whole number of 64 bits, such as 7")
                    long seedOffset) {
        public Switch(String name) {
            this(name, 0);
        }
    }

    /**
     * A link between two nodes; at least one is a switch, unless the network is two hosts.
     *
     * @param cost cost in shortest paths, 1 to {@link #MOST_COST}
     */
    public record Link(String a, String b, LinkSpec spec, int cost) {
        public static final int MOST_COST = 1000;

        public Link {
            if (cost < 1 || cost > MOST_COST) {
                throw new IllegalArgumentException(
                        "a cost of " + cost + ": 1 to " + MOST_COST + " are allowed");
            }
        }

        /** A link that counts once. */
        public Link(String a, String b, LinkSpec spec) {
            this(a, b, spec, 1);
        }

        /** A link between the same nodes with other properties. */
        public Link with(LinkSpec other) {
            return new Link(a, b, other, cost);
        }

        /** Whether a node is one of its ends. */
        public boolean isAt(String node) {
            return a.equals(node) || b.equals(node);
        }

        /** Whether it joins these two, in either order. */
        public boolean joins(String one, String other) {
            return (a.equals(one) && b.equals(other)) || (a.equals(other) && b.equals(one));
        }
    }

    /**
     * An exception to the shortest paths.
     *
     * @param via the neighbours that share the traffic for that host; all links to each are used
     */
    public record Route(
            @Key(pattern = TopologyFile.NODE)
                    @Says("The switch of this route.")
                    @Allowed(TopologyFile.NODE_ALLOWED)
                    String at,
            @Key(pattern = TopologyFile.NODE)
                    @Says("The destination host of the frames.")
                    @Allowed(TopologyFile.NODE_ALLOWED)
                    String to,
            @Key(pattern = TopologyFile.NODE)
                    @Says("The neighbours that share the frames for that host.")
                    @Allowed("a switch, or a list of 1 to 64, such as s2 or [s2, s3]")
                    @Items(min = 1, max = 64, orOne = true, each = TopologyFile.NODE_ALLOWED)
                    List<String> via) {
        public Route {
            via = List.copyOf(via);
        }
    }

    /**
     * The capacities of queues and buffers, the same in all switches.
     *
     * @param mtuBytes largest layer-3 payload in bytes, 576 to 9,000
     * @param queueLimitBytes bytes that one egress queue holds before tail drop
     * @param slotsPerPort maximum number of received frames that one port may still hold; 0: twice
     *     the frames of the MTU that fill a queue
     * @param sharedBytes a buffer that all ports of a switch share; 0: none
     */
    @Withers
    public record Sizes(int mtuBytes, long queueLimitBytes, int slotsPerPort, long sharedBytes)
            implements TopologySizesBuilder.With {
        public static final Sizes DEFAULT = new Sizes(1500, 500_000, 0, 0);

        /** Bytes of a frame in addition to the MTU: Ethernet header and a tag. */
        private static final int OVERHEAD_BYTES = 18;

        private static final int BURST_SLOTS = 64;
        private static final int MIN_SLOTS = 2 * BURST_SLOTS;

        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public Sizes {
            if (mtuBytes < 576 || mtuBytes > 9000) {
                throw new IllegalArgumentException(
                        "an MTU of " + mtuBytes + " bytes: 576 to 9000 are allowed");
            }
            if (queueLimitBytes < mtuBytes + 22 || queueLimitBytes > 1_000_000_000) {
                throw new IllegalArgumentException(
                        "a queue limit of "
                                + queueLimitBytes
                                + " bytes: one frame of the MTU to 1 GB are allowed");
            }
            if (slotsPerPort != 0 && (slotsPerPort < MIN_SLOTS || slotsPerPort > 1 << 20)) {
                throw new IllegalArgumentException(
                        slotsPerPort + " slots per port: 128 to 1048576 are allowed");
            }
            if (sharedBytes < 0 || sharedBytes > 16_000_000_000L) {
                throw new IllegalArgumentException(
                        "a shared buffer of " + sharedBytes + " bytes: 0 to 16 GB are allowed");
            }
        }

        /** The slots of a port: the configured number, or enough for a full queue and a burst. */
        public int slots() {
            if (slotsPerPort != 0) {
                return slotsPerPort;
            }
            long frames = Math.ceilDiv(queueLimitBytes, mtuBytes + OVERHEAD_BYTES);
            long slots = BURST_SLOTS * Math.ceilDiv(2 * frames, BURST_SLOTS) + BURST_SLOTS;
            return Math.toIntExact(Math.clamp(slots, MIN_SLOTS, 1 << 20));
        }
    }

    /** The lossless priorities, 0 to 7; the same at all ports. */
    public List<Integer> losslessPriorities() {
        return new LinkEnds(this, 1).ofSwitch(0).traffic().lossless();
    }

    /**
     * The same network without the links between two nodes, as if they had failed.
     *
     * @throws IllegalArgumentException if no link connects the nodes, or without it hosts cannot
     *     reach each other
     */
    public Topology without(String a, String b) {
        List<Link> left = new ArrayList<>(links);
        if (!left.removeIf(link -> link.joins(a, b))) {
            throw new IllegalArgumentException(
                    "topology '" + name + "': no link between " + a + " and " + b);
        }
        return withLinks(left);
    }

    /**
     * Number of a host.
     *
     * @throws IllegalArgumentException if none has that name
     */
    public int host(String hostName) {
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).name.equals(hostName)) {
                return i;
            }
        }
        throw new IllegalArgumentException("topology '" + name + "' has no host " + hostName);
    }

    /** The rate of a host's link, in bit/s. */
    public long rateBps(int host) {
        return links.stream()
                .filter(link -> link.isAt(hosts.get(host).name))
                .findFirst()
                .orElseThrow()
                .spec
                .rateBps();
    }

    /**
     * Number of a switch.
     *
     * @throws IllegalArgumentException if none has that name
     */
    public int switchNumber(String switchName) {
        for (int i = 0; i < switches.size(); i++) {
            if (switches.get(i).name.equals(switchName)) {
                return i;
            }
        }
        throw new IllegalArgumentException("topology '" + name + "' has no switch " + switchName);
    }

    /** Whether the switches form a loop, in which a flooded frame would never end. */
    public boolean hasLoop() {
        return GraphChecks.hasLoop(new Graph(hosts, switches, links));
    }

    /** Puts a network together, piece by piece. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** See {@link #builder}. */
    public static final class Builder {
        private final String name;
        private final List<Host> hosts = new ArrayList<>();
        private final List<Switch> switches = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final List<Route> routes = new ArrayList<>();
        private SwitchConfig.Mode mode = SwitchConfig.Mode.ROUTED;

        private Builder(String name) {
            this.name = name;
        }

        public Builder mode(SwitchConfig.Mode value) {
            mode = value;
            return this;
        }

        public Builder switchNode(String node) {
            switches.add(new Switch(node));
            return this;
        }

        /** A host, linked to a switch that exists or is added later. */
        public Builder host(String node, String switchName, LinkSpec spec) {
            hosts.add(new Host(node));
            return link(node, switchName, spec);
        }

        /** Switches of a row, numbered from 1. */
        public Builder switches(String prefix, int count) {
            for (int i = 1; i <= count; i++) {
                switchNode(prefix + i);
            }
            return this;
        }

        /** Hosts of a row at one switch, numbered from 1. */
        public Builder hosts(String prefix, int count, String switchName, LinkSpec spec) {
            for (int i = 1; i <= count; i++) {
                host(prefix + i, switchName, spec);
            }
            return this;
        }

        public Builder link(String a, String b, LinkSpec spec) {
            return link(a, b, spec, 1);
        }

        /** A link that counts {@code cost} times in shortest paths. */
        public Builder link(String a, String b, LinkSpec spec, int cost) {
            links.add(new Link(a, b, spec, cost));
            return this;
        }

        public Builder route(String at, String to, String... via) {
            routes.add(new Route(at, to, List.of(via)));
            return this;
        }

        /**
         * The network, without flow control, each flow on one path.
         *
         * @throws IllegalArgumentException as {@link Topology} does
         */
        public Topology build() {
            return new Topology(
                    name,
                    mode,
                    RoutedConfig.Paths.FLOW,
                    Sizes.DEFAULT,
                    Mechanisms.OfSwitches.NONE,
                    PortTraffic.NONE,
                    hosts,
                    switches,
                    links,
                    routes);
        }
    }
}
