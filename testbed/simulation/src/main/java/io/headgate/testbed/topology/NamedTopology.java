package io.headgate.testbed.topology;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;
import io.headgate.config.key.Union;
import io.headgate.testbed.topology.Topologies.Turn;
import java.util.List;
import java.util.Map;

/** A network builder that a topology file chooses by name, with its parameters. */
interface NamedTopology {

    /**
     * Builds the network, without the file's name for it.
     *
     * @param common the properties of links that no parameter describes
     * @throws IllegalArgumentException if the parameters do not go together
     */
    Topology build(LinkSpec common);

    /** One of them; a new one is a record here and a name in this list. */
    final class Any extends Union<NamedTopology> {
        Any() {
            super(
                    NamedTopology.class,
                    List.of(
                            SingleSwitch.class,
                            Dumbbell.class,
                            CongestionTree.class,
                            CongestionSpreading.class,
                            Ring.class,
                            ParkingLot.class,
                            MultiBottleneck.class,
                            Asymmetric.class,
                            LeafSpine.class,
                            FatTree.class,
                            RailOptimised.class,
                            Dragonfly.class),
                    new SingleSwitch(4, LinkSpec.DEFAULT));
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = super.schema();
            schema.put(
                    "x-allowed",
                    "one of %s, such as {single-switch: {hosts: 4}}"
                            .formatted(String.join(", ", names())));
            return schema;
        }
    }

    @Named(says = "One switch s1 with hosts h1 to hN.", allowed = "a mapping, such as {hosts: 4}")
    record SingleSwitch(
            @Key(unit = "hosts", min = "2", max = "128", absent = "4") @Says("Number of hosts.")
                    int hosts,
            @Key @Says("The links of the hosts.") LinkSpec link)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.singleSwitch(hosts, link);
        }
    }

    @Named(
            says = "Hosts l1 to lN at switch s1, a trunk to switch s2, and hosts r1 to rM at s2.",
            allowed = "a mapping, such as {left: 2, right: 2, trunk: {rate: 10Gbps}}")
    record Dumbbell(
            @Key(unit = "hosts", min = "1", max = "127", absent = "2") @Says("Hosts at s1.")
                    int left,
            @Key(unit = "hosts", min = "1", max = "127", absent = "2") @Says("Hosts at s2.")
                    int right,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The link between the switches.") LinkSpec trunk)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.dumbbell(left, right, access, trunk);
        }
    }

    @Named(
            says =
                    "Hosts S0 and S1 at the first of a chain of switches; R0, R1 and the bursters"
                            + " A1 to AN at the last (Zhang et al., SIGCOMM 2021, figure 2).",
            allowed = "a mapping, such as {bursters: 15, chain: 2}")
    record CongestionTree(
            @Key(unit = "hosts", min = "1", max = "120", absent = "15") @Says("Hosts A1 to AN.")
                    int bursters,
            @Key(unit = "switches", min = "2", max = "32", absent = "2")
                    @Says(
                            "Number of switches from T0 to the last. 2: T0 and T2, as in the"
                                    + " paper's test bed.")
                    int chain,
            @Key @Says("The links of S0 and S1.") LinkSpec senders)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.congestionTree(bursters, chain, senders, common);
        }
    }

    @Named(
            says =
                    "Switch A with remote sources A1 to AN and AV, one link to switch B with local"
                            + " sources B1 to BM and the destinations BC and BV (Santos et al.,"
                            + " GLOBECOM 2002, figure 1).",
            allowed = "a mapping, such as {remote: 10, local: 10}")
    record CongestionSpreading(
            @Key(unit = "hosts", min = "1", max = "120", absent = "10") @Says("Sources A1 to AN.")
                    int remote,
            @Key(unit = "hosts", min = "0", max = "120", absent = "10") @Says("Sources B1 to BM.")
                    int local,
            @Key @Says("All links.") LinkSpec link)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.congestionSpreading(remote, local, link);
        }
    }

    @Named(
            says =
                    "Switches s1 to sN in a ring, each with hosts: h1 to hN, or hI-J if there are"
                            + " several per switch.",
            allowed = "a mapping, such as {switches: 3, turn: clockwise}")
    record Ring(
            @Key(unit = "switches", min = "3", max = "64", absent = "3")
                    @Says("Number of switches.")
                    int switches,
            @Key(unit = "hosts", min = "1", max = "126", absent = "1")
                    @Says("Hosts at each switch.")
                    int hostsPerSwitch,
            @Key(absent = "shortest")
                    @Says(
                            "Direction of frames in the ring: the shorter one, or always from s1 to"
                                    + " s2 to s3, in which buffers can wait for one another.")
                    Turn turn,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The links between switches.") LinkSpec trunk)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.ring(switches, hostsPerSwitch, turn, access, trunk);
        }
    }

    @Named(
            says =
                    "Switches s1 to sN+1 in a row; src at the first, dst at the last, and for each"
                            + " link between switches a source xI before it and a sink yI after"
                            + " it.",
            allowed = "a mapping, such as {segments: 2}")
    record ParkingLot(
            @Key(unit = "links", min = "1", max = "63", absent = "2")
                    @Says("Links between switches.")
                    int segments,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The links between switches.") LinkSpec trunk)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.parkingLot(segments, access, trunk);
        }
    }

    @Named(
            says =
                    "Sources A0 and on at switch S0, destinations B0 and on and one more source at"
                            + " S1 (Menikkumbura, Purdue 2022, figure 3.7).",
            allowed = "a mapping, such as {pairs: 5, trunk: {rate: 40Gbps}}")
    record MultiBottleneck(
            @Key(unit = "hosts", min = "2", max = "60", absent = "5")
                    @Says("Sources at S0; S1 has the same number of destinations.")
                    int pairs,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The link between the switches.") LinkSpec trunk)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.multiBottleneck(pairs, access, trunk);
        }
    }

    @Named(
            says =
                    "Slow sources at switch S0 and fast ones at S1, all to B0 at S2 (Menikkumbura,"
                            + " Purdue 2022, figure 3.9b).",
            allowed = "a mapping, such as {slow: 5, fast: 2, slow-link: {rate: 40Gbps}}")
    record Asymmetric(
            @Key(unit = "hosts", min = "1", max = "64", absent = "5") @Says("Sources at S0.")
                    int slow,
            @Key(unit = "hosts", min = "1", max = "64", absent = "2") @Says("Sources at S1.")
                    int fast,
            @Key @Says("The links of the sources at S0.") LinkSpec slowLink,
            @Key @Says("The links of the sources at S1.") LinkSpec fastLink,
            @Key @Says("The links between switches, and the link of B0.") LinkSpec trunk)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.asymmetric(slow, fast, slowLink, fastLink, trunk);
        }
    }

    @Named(
            says =
                    "Two levels: every leaf e1 to eN is linked to every spine c1 to cM; host J of"
                            + " leaf I is hI-J.",
            allowed =
                    "a mapping, such as {leaves: 3, spines: 3, hosts-per-leaf: 30, links-per-pair:"
                            + " 2}")
    record LeafSpine(
            @Key(unit = "switches", min = "1", max = "128", absent = "2")
                    @Says("Switches with hosts.")
                    int leaves,
            @Key(unit = "switches", min = "1", max = "128", absent = "2") @Says("Switches without.")
                    int spines,
            @Key(unit = "hosts", min = "1", max = "127", absent = "2") @Says("Hosts at each leaf.")
                    int hostsPerLeaf,
            @Key(unit = "links", min = "1", max = "16", absent = "1")
                    @Says("Links between each leaf and each spine.")
                    int linksPerPair,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The links between switches.") LinkSpec uplink)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Topologies.leafSpine(leaves, spines, hostsPerLeaf, linksPerPair, access, uplink);
        }
    }

    @Named(
            says =
                    "Switches with k ports in levels (Al-Fares et al., SIGCOMM 2008): edges eP-I,"
                            + " aggregation aP-I, cores cI, and k^3/4 hosts h1 and on, more if"
                            + " oversubscribed.",
            allowed = "a mapping, such as {k: 4}")
    record FatTree(
            @Key(
                            unit = "ports",
                            values = {
                                "2", "4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24",
                                "26", "28", "30", "32"
                            },
                            absent = "4")
                    @Says("Ports of each switch.")
                    @Allowed("an even number from 2 to 32, such as 4")
                    int k,
            @Key(
                            unit = "levels",
                            values = {"2", "3"},
                            absent = "3")
                    @Says("Levels of switches; with 2, k edges eI and k/2 spines cI.")
                    @Allowed("2 or 3")
                    int levels,
            @Key(unit = "hosts", min = "1", max = "16", absent = "1")
                    @Says(
                            "Hosts per uplink of an edge switch: each edge switch has k/2 times"
                                    + " this number.")
                    int oversubscription,
            @Key(unit = "links", min = "1", max = "16", absent = "1")
                    @Says(
                            "Down links per uplink of an aggregation switch, a divisor of k/2; with"
                                    + " two levels 1.")
                    int coreOversubscription,
            @Key @Says("All links.") LinkSpec link,
            @Key @Says("The links between switches, if they differ.") LinkSpec uplink)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Fabrics.fatTree(
                    k,
                    new Fabrics.Shape(levels, oversubscription, coreOversubscription),
                    link,
                    uplink);
        }
    }

    @Named(
            says =
                    "Nodes of accelerators: host gN-R at the node's own switch nN, which is linked"
                            + " to rail switch rG-R of its group for each rail R; frames for"
                            + " accelerator R of another node take rail R. Several groups are"
                            + " linked by spines cI.",
            allowed = "a mapping, such as {nodes: 4, rails: 8}")
    record RailOptimised(
            @Key(unit = "groups", min = "1", max = "64", absent = "2")
                    @Says("Groups of nodes, each with rail switches of its own.")
                    int groups,
            @Key(unit = "nodes", min = "1", max = "127", absent = "2") @Says("Nodes of each group.")
                    int nodes,
            @Key(unit = "rails", min = "1", max = "64", absent = "4")
                    @Says("Accelerators of a node, and rail switches of a group.")
                    int rails,
            @Key(unit = "switches", min = "1", max = "64", absent = "2")
                    @Says("Switches that link the rail switches, if there are several groups.")
                    int spines,
            @Key @Says("The links within a node.") LinkSpec local,
            @Key @Says("The links of nodes to rail switches.") LinkSpec rail,
            @Key @Says("The links of rail switches to spines.") LinkSpec uplink)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Fabrics.railOptimised(groups, nodes, rails, spines, local, rail, uplink);
        }
    }

    @Named(
            says =
                    "Groups of routers dG-I, all linked to each other, with hosts hG-I-J, and links"
                            + " between all groups (Kim et al., ISCA 2008). Paths are minimal.",
            allowed = "a mapping, such as {groups: 9, routers: 4, hosts-per-router: 2}")
    record Dragonfly(
            @Key(unit = "groups", min = "2", max = "256", absent = "5") @Says("Groups of routers.")
                    int groups,
            @Key(unit = "routers", min = "1", max = "64", absent = "2")
                    @Says("Routers of each group.")
                    int routers,
            @Key(unit = "hosts", min = "1", max = "64", absent = "2") @Says("Hosts at each router.")
                    int hostsPerRouter,
            @Key(unit = "links", min = "1", max = "16", absent = "1")
                    @Says("Links between each two groups.")
                    int linksPerPair,
            @Key @Says("The links of the hosts.") LinkSpec access,
            @Key @Says("The links within a group.") LinkSpec local,
            @Key @Says("The links between groups.") LinkSpec global)
            implements NamedTopology {
        @Override
        public Topology build(LinkSpec common) {
            return Fabrics.dragonfly(
                    groups, routers, hostsPerRouter, linksPerPair, access, local, global);
        }
    }
}
