package io.headgate.testbed.topology;

import static io.headgate.testbed.topology.Topologies.range;
import static io.headgate.testbed.topology.Topologies.require;

import io.headgate.config.SwitchConfig.Mode;

/** Fabrics of data centres and training clusters. They route, and share links among equal paths. */
public final class Fabrics {
    private Fabrics() {}

    /**
     * The sizes of a fat tree's levels.
     *
     * @param levels levels of switches, 2 or 3
     * @param oversubscription hosts for each uplink of an edge switch, 1 to 16
     * @param coreOversubscription down links for each uplink of an aggregation switch; a divisor of
     *     k/2, and 1 with two levels
     */
    public record Shape(int levels, int oversubscription, int coreOversubscription) {}

    /**
     * A fat tree of switches with k ports (Al-Fares et al., "A Scalable, Commodity Data Center
     * Network Architecture", SIGCOMM 2008). Three levels: k pods of k/2 edge switches {@code eP-I}
     * and k/2 aggregation switches {@code aP-I}, (k/2)^2 core switches {@code cI}. Two levels: k
     * edge switches {@code eI} and k/2 spines {@code cI}. Hosts are {@code h1} and on, k/2 at each
     * edge switch. More hosts at each edge, or fewer cores, oversubscribe it: edge switches then
     * have more ports than k.
     *
     * @param k even, 2 to 32
     * @param access links of hosts
     * @param uplink links between switches
     */
    public static Topology fatTree(int k, Shape shape, LinkSpec access, LinkSpec uplink) {
        require(
                k >= 2 && k <= 32 && k % 2 == 0,
                "a fat tree of k = " + k + ": even numbers from 2 to 32 are allowed");
        range("levels", shape.levels, 2, 3);
        range("hosts for each uplink", shape.oversubscription, 1, 16);
        int half = k / 2;
        int most = shape.levels == 2 ? 1 : half;
        require(
                shape.coreOversubscription >= 1
                        && shape.coreOversubscription <= most
                        && half % shape.coreOversubscription == 0,
                "a core oversubscription of "
                        + shape.coreOversubscription
                        + (shape.levels == 2
                                ? ": with two levels only 1 is allowed"
                                : ": divisors of k/2 = " + half + " are allowed"));
        Topology.Builder net = Topology.builder("fat-tree").mode(Mode.ROUTED);
        int hosts = half * shape.oversubscription;
        return shape.levels == 2
                ? twoLevels(net, k, hosts, access, uplink)
                : threeLevels(net, k, hosts, half / shape.coreOversubscription, access, uplink);
    }

    private static Topology twoLevels(
            Topology.Builder net, int k, int hosts, LinkSpec access, LinkSpec uplink) {
        for (int i = 0; i < k; i++) {
            addEdge(net, "e" + (i + 1), i, hosts, access);
        }
        net.switches("c", k / 2);
        for (int i = 1; i <= k; i++) {
            for (int spine = 1; spine <= k / 2; spine++) {
                net.link("e" + i, "c" + spine, uplink);
            }
        }
        return net.build();
    }

    private static void addEdge(
            Topology.Builder net, String edge, int number, int hosts, LinkSpec access) {
        net.switchNode(edge);
        for (int j = 1; j <= hosts; j++) {
            net.host("h" + (number * hosts + j), edge, access);
        }
    }

    private static Topology threeLevels(
            Topology.Builder net, int k, int hosts, int up, LinkSpec access, LinkSpec uplink) {
        int half = k / 2;
        for (int pod = 1; pod <= k; pod++) {
            for (int i = 1; i <= half; i++) {
                addEdge(net, "e" + pod + "-" + i, (pod - 1) * half + i - 1, hosts, access);
            }
            net.switches("a" + pod + "-", half);
        }
        net.switches("c", half * up);
        for (int pod = 1; pod <= k; pod++) {
            for (int i = 1; i <= half; i++) {
                for (int j = 1; j <= half; j++) {
                    net.link("e" + pod + "-" + i, "a" + pod + "-" + j, uplink);
                }
            }
            // Aggregation switch i of every pod has the i-th group of core switches.
            for (int i = 1; i <= half; i++) {
                for (int j = 1; j <= up; j++) {
                    net.link("a" + pod + "-" + i, "c" + ((i - 1) * up + j), uplink);
                }
            }
        }
        return net.build();
    }

    /**
     * A cluster of nodes with one accelerator for each rail: host {@code gN-R} is accelerator R of
     * node N, at the node's own switch {@code nN}, which is linked to rail switch {@code rG-R} of
     * its group for each R. Traffic for accelerator R of another node leaves by rail R, so that it
     * stays on that rail (Wang et al., "Rail-only", HotI 2024; collective libraries do the same
     * with node-local links). Rail switches of several groups are linked by spines {@code cI}.
     *
     * @param groups of nodes with rail switches of their own, 1 to 64
     * @param nodes of each group, 1 to 127
     * @param rails accelerators of a node, 1 to 64
     * @param spines where there are several groups, 1 to 64
     * @param local links within a node
     * @param rail links of nodes to rail switches
     * @param uplink links of rail switches to spines
     */
    public static Topology railOptimised(
            int groups,
            int nodes,
            int rails,
            int spines,
            LinkSpec local,
            LinkSpec rail,
            LinkSpec uplink) {
        range("groups", groups, 1, 64);
        range("nodes", nodes, 1, GraphChecks.MAX_PORTS - 1);
        range("rails", rails, 1, GraphChecks.MAX_PORTS / 2);
        range("spines", spines, 1, 64);
        requireHosts((long) groups * nodes * rails);
        Topology.Builder net = Topology.builder("rail-optimised").mode(Mode.ROUTED);
        int all = groups * nodes;
        for (int node = 1; node <= all; node++) {
            net.switchNode("n" + node).hosts("g" + node + "-", rails, "n" + node, local);
        }
        int tops = groups == 1 ? 0 : spines;
        for (int group = 1; group <= groups; group++) {
            net.switches("r" + group + "-", rails);
        }
        net.switches("c", tops);
        for (int node = 1; node <= all; node++) {
            for (int r = 1; r <= rails; r++) {
                net.link("n" + node, "r" + groupOf(node, nodes) + "-" + r, rail);
            }
        }
        for (int group = 1; group <= groups; group++) {
            for (int r = 1; r <= rails; r++) {
                for (int spine = 1; spine <= tops; spine++) {
                    net.link("r" + group + "-" + r, "c" + spine, uplink);
                }
            }
        }
        addRails(net, all, nodes, rails, tops);
        return net.build();
    }

    private static int groupOf(int node, int nodes) {
        return (node - 1) / nodes + 1;
    }

    private static void addRails(Topology.Builder net, int all, int nodes, int rails, int spines) {
        for (int to = 1; to <= all; to++) {
            for (int r = 1; r <= rails; r++) {
                String host = "g" + to + "-" + r;
                for (int at = 1; at <= all; at++) {
                    if (at != to) {
                        net.route("n" + at, host, "r" + groupOf(at, nodes) + "-" + r);
                    }
                }
                for (int spine = 1; spine <= spines; spine++) {
                    net.route("c" + spine, host, "r" + groupOf(to, nodes) + "-" + r);
                }
            }
        }
    }

    /**
     * The cost of a global link: more than any path within two groups, less than two global links.
     */
    private static final int GLOBAL_COST = 3;

    /**
     * A dragonfly (Kim et al., "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008):
     * groups of routers {@code dG-I}, all linked to each other, with hosts {@code hG-I-J}; each
     * group has links to every other group, spread over its routers. Paths are minimal: at most one
     * link within a group, one between groups, and one within the other group.
     *
     * @param groups 2 to 256
     * @param routers of each group, 1 to 64
     * @param hosts of each router, 1 to 64
     * @param linksPerPair links between each two groups, 1 to 16
     * @param access links of hosts
     * @param local links within a group
     * @param global links between groups
     */
    public static Topology dragonfly(
            int groups,
            int routers,
            int hosts,
            int linksPerPair,
            LinkSpec access,
            LinkSpec local,
            LinkSpec global) {
        range("groups", groups, 2, 256);
        range("routers in each group", routers, 1, 64);
        range("hosts at each router", hosts, 1, 64);
        range("links per pair", linksPerPair, 1, 16);
        requireHosts((long) groups * routers * hosts);
        int perRouter = Math.ceilDiv((groups - 1) * linksPerPair, routers);
        range("links to other groups at a router", perRouter, 1, GraphChecks.MAX_PORTS);
        Topology.Builder net = Topology.builder("dragonfly").mode(Mode.ROUTED);
        for (int g = 1; g <= groups; g++) {
            for (int i = 1; i <= routers; i++) {
                String router = g + "-" + i;
                net.switchNode("d" + router).hosts("h" + router + "-", hosts, "d" + router, access);
            }
        }
        for (int g = 1; g <= groups; g++) {
            for (int i = 1; i <= routers; i++) {
                for (int j = i + 1; j <= routers; j++) {
                    net.link("d" + g + "-" + i, "d" + g + "-" + j, local);
                }
            }
        }
        // Group g's channels go to groups g + 1, g + 2 and on, a router's share after the other.
        for (int g = 0; g < groups; g++) {
            for (int other = g + 1; other < groups; other++) {
                for (int i = 0; i < linksPerPair; i++) {
                    int there = (other - g - 1) * linksPerPair + i;
                    int back = (groups - 1 - (other - g)) * linksPerPair + i;
                    net.link(
                            "d" + (g + 1) + "-" + (there / perRouter + 1),
                            "d" + (other + 1) + "-" + (back / perRouter + 1),
                            global,
                            GLOBAL_COST);
                }
            }
        }
        return net.build();
    }

    private static void requireHosts(long hosts) {
        range("hosts", Math.toIntExact(hosts), 2, GraphChecks.MAX_HOSTS);
    }
}
