package io.headgate.testbed.topology;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of a topology file; {@link TopologyReader} builds the network from it. */
record TopologyFile(
        @Key(pattern = "^[A-Za-z0-9_-]{1,32}$")
                @Says("The network's name in every output.")
                @Allowed("1 to 32 letters, digits, - or _, such as incast")
                String name,
        @Key
                @Says(
                        "Whether switches bridge by MAC address on one of the shortest paths, or"
                                + " route by IP address over all shortest paths, as set by paths.")
                @Otherwise(
                        "depends on the builder: bridge for trees, otherwise routed; without a"
                                + " builder: routed")
                SwitchConfig.@Nullable Mode mode,
        @Inline RoutedConfig.Paths paths,
        @Key(name = "mtu", unit = "bytes", min = "576", max = "9000", absent = "1500")
                @Says("The largest layer-3 payload, everywhere.")
                @Allowed("a whole number of bytes from 576 to 9000, such as 1500")
                int mtuBytes,
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "500kB")
                @Says(
                        "Capacity of one egress queue of a switch; when it is full, arriving frames"
                                + " are dropped (tail drop).")
                long queueLimitBytes,
        @Key(unit = "frames", min = "128", max = "1048576", example = "1024")
                @Says("Maximum number of frames that a switch holds for one ingress port.")
                @Otherwise("twice the number of frames of the MTU that fill a queue")
                int slotsPerPort,
        @Key Memory memory,
        @Inline Mechanisms.OfSwitches mechanisms,
        @Key(pattern = "^[a-z0-9-]{1,64}$")
                @Says(
                        "A rate control: ports get the congestion mechanism that it needs. Not"
                                + " together with 'congestion' of 'ports'.")
                @Allowed("the name of a rate control, such as dcqcn, or none")
                @Nullable String forControl,
        @Key(codec = PortTraffic.Keys.class)
                @Says(
                        "Settings of priorities and flow control for all ports of switches and"
                                + " hosts, with the keys of a switch's port.")
                @Otherwise("no flow control")
                @Allowed(
                        "a mapping, such as {flow-control: pfc, classify: {trust: dscp}, buffers:"
                                + " {xoff: 800kB, xon: 770kB}}")
                PortTraffic ports,
        @Key @Says("Defaults of all links.") LinkSpec link,
        @Key(codec = NamedTopology.Any.class)
                @Says("A named network: exactly one.")
                @Otherwise("hosts, switches and links")
                @Nullable NamedTopology builder,
        @Key
                @Says(
                        "Hosts, in the order of their numbers; each has one link, given here by at"
                                + " or below in links.")
                @Otherwise("those of the builder")
                @Allowed(
                        "a list of 2 to 10000 hosts, such as [{name: h1, at: s1}, {name: h2, at:"
                                + " s1}]")
                @Items(min = 2, max = 10000)
                List<Host> hosts,
        @Key
                @Says("Switches, in the order of their numbers.")
                @Otherwise("those of the builder")
                @Allowed("a list of at most 4096 switches, such as [s1, s2]")
                @Items(max = 4096)
                List<Topology.Switch> switches,
        @Key
                @Says(
                        "The links; with a builder, additional links. A switch's ports are its"
                                + " links in this order, after the links of hosts.")
                @Allowed("a list of links, such as [{between: [s1, s2], rate: 100Gbps}]")
                @Items(max = 100000, each = "a mapping with between, such as {between: [s1, s2]}")
                List<Link> links,
        @Key
                @Says("Exceptions to the shortest paths.")
                @Allowed("a list of routes, such as [{at: s1, to: h3, via: s2}]")
                @Items(
                        max = 100000,
                        each = "a mapping with at, to and via, such as {at: s1, to: h3, via: s2}")
                List<Topology.Route> routes,
        @Key(pattern = NODE)
                @Says("Pairs of nodes whose links have failed.")
                @Allowed("a list of pairs, such as [[s1, s6], [s2, s3]]")
                @Items(max = 10000, each = PAIR_ALLOWED)
                List<@Items(min = 2, max = 2, each = NODE_ALLOWED) List<String>> down) {

    /** A name of a host or a switch. */
    static final String NODE = "^[A-Za-z0-9_-]{1,24}$";

    static final String NODE_ALLOWED = "1 to 24 letters, digits, - or _, such as s1";
    private static final String PAIR_ALLOWED = "two names, such as [s1, s2]";

    /** A host, with the link that it has at a switch, if {@code at} names one. */
    @Named(
            says = "A host.",
            allowed =
                    "a name of 1 to 24 letters, digits, - or _, not all and no number (an address"
                            + " to programs), or a mapping such as {name: h1, at: s1, rate: 40Gbps}",
            alone = "name")
    record Host(
            @Key(pattern = "^(?!(all|[0-9]+|0[xX][0-9A-Fa-f]*)$)[A-Za-z0-9_-]{1,24}$")
                    @Says("The host's name, unique among hosts and switches.")
                    @Allowed(
                            "1 to 24 letters, digits, - or _, such as h1, but not all and no number"
                                    + " (an address to programs)")
                    String name,
            @Key(pattern = NODE)
                    @Says("The switch that it is linked to.")
                    @Otherwise("a link of links")
                    @Allowed(NODE_ALLOWED)
                    @Nullable String at,
            @Inline LinkSpec link) {}

    /** A link between two nodes. */
    record Link(
            @Key(pattern = NODE)
                    @Says("The two nodes that it joins.")
                    @Allowed(PAIR_ALLOWED)
                    @Items(min = 2, max = 2, each = NODE_ALLOWED)
                    List<String> between,
            @Inline LinkSpec spec,
            @Key(min = "1", max = "1000", absent = "1", example = "10")
                    @Says("The weight of the link in shortest paths.")
                    int cost) {}

    @Named(says = "The memory of each switch.", allowed = "a mapping, such as {shared: 12MB}")
    record Memory(
            @Key(quantity = SIZE, min = "0B", max = "16GB", absent = "0B")
                    @Says(
                            "Size of a buffer that all ports of a switch share, like the ports of a"
                                    + " switch chip: their thresholds depend on its free part. Only"
                                    + " with alpha in the buffers of ports; 0B: no shared buffer.")
                    long sharedBytes) {}
}
