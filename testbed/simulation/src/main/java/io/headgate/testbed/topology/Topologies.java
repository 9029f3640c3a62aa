package io.headgate.testbed.topology;

import io.headgate.config.SwitchConfig.Mode;

/**
 * Builders of the networks that experiments use. Trees bridge, so that a frame crosses them
 * unchanged; networks with several paths route. Every method throws IllegalArgumentException, in
 * one sentence, if a number is out of its range or the result is not a valid network.
 */
public final class Topologies {
    private Topologies() {}

    static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    static void range(String what, int value, int least, int most) {
        require(
                value >= least && value <= most,
                value + " " + what + ": " + least + " to " + most + " are allowed");
    }

    /**
     * One switch {@code s1} with hosts {@code h1} to {@code hN}.
     *
     * @param hosts 2 to 128
     */
    public static Topology singleSwitch(int hosts, LinkSpec link) {
        range("hosts", hosts, 2, GraphChecks.MAX_PORTS);
        return Topology.builder("single-switch")
                .mode(Mode.BRIDGE)
                .switchNode("s1")
                .hosts("h", hosts, "s1", link)
                .build();
    }

    /**
     * Hosts {@code l1} to {@code lN} at switch {@code s1}, a trunk to switch {@code s2}, and there
     * hosts {@code r1} to {@code rM}.
     *
     * @param left 1 to 127
     * @param right 1 to 127
     */
    public static Topology dumbbell(int left, int right, LinkSpec access, LinkSpec trunk) {
        range("hosts on the left", left, 1, GraphChecks.MAX_PORTS - 1);
        range("hosts on the right", right, 1, GraphChecks.MAX_PORTS - 1);
        return Topology.builder("dumbbell")
                .mode(Mode.BRIDGE)
                .switches("s", 2)
                .hosts("l", left, "s1", access)
                .hosts("r", right, "s2", access)
                .link("s1", "s2", trunk)
                .build();
    }

    /**
     * The network of Zhang et al., "Congestion Detection in Lossless Networks" (SIGCOMM 2021),
     * figure 2: hosts {@code S0} and {@code S1} at the first of a chain of switches, and at the
     * last {@code R0}, {@code R1} and the bursters {@code A1} to {@code AN}. A flow S1 to R1 meets
     * the bursts to R1; a flow S0 to R0 is held up behind it, though its own way is free. The test
     * bed of section 5.1.1 has T0 directly at T2: a chain of two.
     *
     * @param bursters 1 to 120
     * @param chain switches from T0 to the last, 2 to 32; of two, the last is T2
     * @param senders the links of S0 and S1
     * @param link all others
     */
    public static Topology congestionTree(
            int bursters, int chain, LinkSpec senders, LinkSpec link) {
        range("bursters", bursters, 1, 120);
        range("switches in a chain", chain, 2, 32);
        Topology.Builder net = Topology.builder("congestion-tree").mode(Mode.BRIDGE);
        String last = chain == 2 ? "T2" : "T" + (chain - 1);
        for (int i = 0; i < chain - 1; i++) {
            net.switchNode("T" + i);
        }
        net.switchNode(last);
        net.host("S0", "T0", senders).host("S1", "T0", senders);
        net.host("R0", last, link).host("R1", last, link);
        net.hosts("A", bursters, last, link);
        for (int i = 0; i < chain - 1; i++) {
            net.link("T" + i, i == chain - 2 ? last : "T" + (i + 1), link);
        }
        return net.build();
    }

    /**
     * The network of Santos, Turner and Janakiraman, "Evaluation of Congestion Detection Mechanisms
     * for InfiniBand Switches" (GLOBECOM 2002), figure 1: switch {@code A} with the remote sources
     * {@code A1} to {@code AN} and the victim's {@code AV}, one link to switch {@code B} with the
     * local sources {@code B1} to {@code BM}, the congested destination {@code BC} and the victim's
     * {@code BV}.
     *
     * @param remote 1 to 120
     * @param local 0 to 120
     */
    public static Topology congestionSpreading(int remote, int local, LinkSpec link) {
        range("remote sources", remote, 1, 120);
        range("local sources", local, 0, 120);
        return Topology.builder("congestion-spreading")
                .mode(Mode.BRIDGE)
                .switchNode("A")
                .switchNode("B")
                .hosts("A", remote, "A", link)
                .host("AV", "A", link)
                .hosts("B", local, "B", link)
                .host("BC", "B", link)
                .host("BV", "B", link)
                .link("A", "B", link)
                .build();
    }

    /** Which way frames go round a ring. */
    public enum Turn {
        /** The shorter way; where both are equal, both. */
        SHORTEST,
        /** From s1 to s2, to s3 and on: the buffers of a ring then wait for one another. */
        CLOCKWISE
    }

    /**
     * Switches {@code s1} to {@code sN} in a ring, each with hosts. With one host each they are
     * {@code h1} to {@code hN}, as in figure 4.6 of Menikkumbura's dissertation (Purdue, 2022),
     * whose flows of two hops deadlock clockwise; with several, host j of switch i is {@code hi-j}.
     *
     * @param switches 3 to 64
     * @param hostsPerSwitch 1 to 126
     */
    public static Topology ring(
            int switches, int hostsPerSwitch, Turn turn, LinkSpec access, LinkSpec link) {
        range("switches in a ring", switches, 3, 64);
        range("hosts per switch", hostsPerSwitch, 1, GraphChecks.MAX_PORTS - 2);
        Topology.Builder net = Topology.builder("ring").mode(Mode.ROUTED);
        for (int i = 1; i <= switches; i++) {
            net.switchNode("s" + i);
            for (int j = 1; j <= hostsPerSwitch; j++) {
                net.host(ringHost(i, j, hostsPerSwitch), "s" + i, access);
            }
        }
        for (int i = 1; i <= switches; i++) {
            net.link("s" + i, "s" + (i % switches + 1), link);
        }
        if (turn == Turn.CLOCKWISE) {
            for (int at = 1; at <= switches; at++) {
                for (int to = 1; to <= switches; to++) {
                    for (int j = 1; j <= hostsPerSwitch && to != at; j++) {
                        net.route(
                                "s" + at,
                                ringHost(to, j, hostsPerSwitch),
                                "s" + (at % switches + 1));
                    }
                }
            }
        }
        return net.build();
    }

    private static String ringHost(int i, int j, int hostsPerSwitch) {
        return hostsPerSwitch == 1 ? "h" + i : "h" + i + "-" + j;
    }

    /**
     * A parking lot: switches {@code s1} to {@code sN+1} in a row, a long flow's source {@code src}
     * at the first and sink {@code dst} at the last, and for each of the N links between switches a
     * source {@code xI} before it and a sink {@code yI} behind it.
     *
     * @param segments links between switches, 1 to 63
     */
    public static Topology parkingLot(int segments, LinkSpec access, LinkSpec trunk) {
        range("segments", segments, 1, 63);
        Topology.Builder net =
                Topology.builder("parking-lot").mode(Mode.BRIDGE).switches("s", segments + 1);
        net.host("src", "s1", access).host("dst", "s" + (segments + 1), access);
        for (int i = 1; i <= segments; i++) {
            net.host("x" + i, "s" + i, access).host("y" + i, "s" + (i + 1), access);
        }
        for (int i = 1; i <= segments; i++) {
            net.link("s" + i, "s" + (i + 1), trunk);
        }
        return net.build();
    }

    /**
     * Two bottlenecks in a row (Menikkumbura, figure 3.7): sources {@code A0} to {@code AN} at
     * switch {@code S0}, destinations {@code B0} to {@code BN} and one more source {@code BN+1} at
     * switch {@code S1}. The flow from A0 to B0 crosses both bottlenecks, that from BN+1 to B0 the
     * second alone.
     *
     * @param pairs sources at S0, 2 to 60; 5 in the figure
     */
    public static Topology multiBottleneck(int pairs, LinkSpec access, LinkSpec trunk) {
        range("pairs", pairs, 2, 60);
        Topology.Builder net =
                Topology.builder("multi-bottleneck")
                        .mode(Mode.BRIDGE)
                        .switchNode("S0")
                        .switchNode("S1");
        for (int i = 0; i < pairs; i++) {
            net.host("A" + i, "S0", access);
        }
        for (int i = 0; i < pairs; i++) {
            net.host("B" + i, "S1", access);
        }
        return net.host("B" + pairs, "S1", access).link("S0", "S1", trunk).build();
    }

    /**
     * Sources at unequal links (Menikkumbura, figure 3.9b): the slow ones {@code A0} and on at
     * switch {@code S0}, the fast ones, numbered on, at {@code S1}, both switches at {@code S2},
     * and there the destination {@code B0}.
     *
     * @param slow 1 to 64; 5 in the figure
     * @param fast 1 to 64; 2 in the figure
     * @param trunk the links between switches and of B0
     */
    public static Topology asymmetric(
            int slow, int fast, LinkSpec slowLink, LinkSpec fastLink, LinkSpec trunk) {
        range("slow sources", slow, 1, 64);
        range("fast sources", fast, 1, 64);
        Topology.Builder net =
                Topology.builder("asymmetric")
                        .mode(Mode.BRIDGE)
                        .switchNode("S0")
                        .switchNode("S1")
                        .switchNode("S2");
        for (int i = 0; i < slow + fast; i++) {
            net.host("A" + i, i < slow ? "S0" : "S1", i < slow ? slowLink : fastLink);
        }
        return net.host("B0", "S2", trunk).link("S0", "S2", trunk).link("S1", "S2", trunk).build();
    }

    /**
     * Two levels: every leaf {@code e1} to {@code eN} is linked to every spine {@code c1} to {@code
     * cM}; host j of leaf i is {@code hi-j}.
     *
     * @param linksPerPair links between each leaf and each spine, 1 to 16
     * @param access links of hosts
     * @param uplink links between switches
     */
    public static Topology leafSpine(
            int leaves,
            int spines,
            int hostsPerLeaf,
            int linksPerPair,
            LinkSpec access,
            LinkSpec uplink) {
        range("leaves", leaves, 1, GraphChecks.MAX_PORTS);
        range("spines", spines, 1, GraphChecks.MAX_PORTS);
        range("links per pair", linksPerPair, 1, 16);
        range("hosts per leaf", hostsPerLeaf, 1, GraphChecks.MAX_PORTS - 1);
        Topology.Builder net = Topology.builder("leaf-spine").mode(Mode.ROUTED);
        for (int leaf = 1; leaf <= leaves; leaf++) {
            net.switchNode("e" + leaf).hosts("h" + leaf + "-", hostsPerLeaf, "e" + leaf, access);
        }
        net.switches("c", spines);
        for (int leaf = 1; leaf <= leaves; leaf++) {
            for (int spine = 1; spine <= spines; spine++) {
                for (int i = 0; i < linksPerPair; i++) {
                    net.link("e" + leaf, "c" + spine, uplink);
                }
            }
        }
        return net.build();
    }

    /**
     * Three levels of switches with k ports, all links alike; see {@link Fabrics#fatTree}.
     *
     * @param k even, 2 to 32
     */
    public static Topology fatTree(int k, LinkSpec link) {
        return Fabrics.fatTree(k, new Fabrics.Shape(3, 1, 1), link, link);
    }
}
