package io.headgate.testbed.scenario.compare;

import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Where controls are compared: the links, and who sends to whom. N is the number of senders. */
enum Network {
    /** N flows without end to one receiver. */
    BOTTLENECK {
        @Override
        Topology topology(Values values, Controller controller) {
            return star(values);
        }

        @Override
        List<String> watched(Values values) {
            return List.of(receiver(values));
        }

        @Override
        Traffic traffic(Values values, Controller controller, NamedRandom random) {
            int senders = values.count(SENDERS);
            long rateBps = values.whole(RATE);
            Senders by = new Senders(controller, rateBps);
            Traffic traffic = new Traffic();
            for (int i = 0; i < senders; i++) {
                long startPs = startPs(values, random);
                FlowSpec flow = by.flow("f" + i, i, senders, startPs, FlowSpec.UNLIMITED);
                traffic.lasting(flow, (double) rateBps / senders);
            }
            return traffic;
        }
    },
    /** N flows of a size to one receiver, begun at once. */
    INCAST {
        @Override
        Topology topology(Values values, Controller controller) {
            return star(values);
        }

        @Override
        List<String> watched(Values values) {
            return List.of(receiver(values));
        }

        @Override
        Traffic traffic(Values values, Controller controller, NamedRandom random) {
            int senders = values.count(SENDERS);
            Senders by = new Senders(controller, values.whole(RATE));
            Traffic traffic = new Traffic();
            for (int i = 0; i < senders; i++) {
                traffic.flows.add(by.flow(SIZED, i, senders, 0, values.whole(SIZE)));
            }
            return traffic;
        }
    },
    /**
     * The dissertation's figure 3.7 with N / 2 pairs, at least three: f0 crosses the link between
     * the switches with all but the last, and shares its receiver's link with the last.
     */
    MULTI_BOTTLENECK {
        private static final double OVERLOAD = 1.25;

        private int pairs(Values values) {
            return Math.max(3, values.count(SENDERS) / 2);
        }

        private long accessBps(Values values) {
            return (long) (values.whole(RATE) * OVERLOAD / pairs(values));
        }

        @Override
        Topology topology(Values values, Controller controller) {
            return Topologies.multiBottleneck(
                    pairs(values),
                    LinkSpec.of(accessBps(values), DELAY_NS),
                    LinkSpec.of(values.whole(RATE), DELAY_NS));
        }

        @Override
        List<String> watched(Values values) {
            return List.of("S0/p" + (pairs(values) + 1), "S1/p1");
        }

        @Override
        Traffic traffic(Values values, Controller controller, NamedRandom random) {
            int pairs = pairs(values);
            long accessBps = accessBps(values);
            Senders by = new Senders(controller, accessBps);
            double narrowBps = accessBps / 2.0;
            double wideBps = (values.whole(RATE) - narrowBps) / (pairs - 1);
            Traffic traffic = new Traffic();
            for (int i = 0; i <= pairs; i++) {
                boolean isLast = i == pairs;
                // Hosts are numbered A0 and on, B0 and on.
                int from = isLast ? 2 * pairs : i;
                int to = isLast ? pairs : pairs + i;
                long startPs = startPs(values, random);
                traffic.lasting(
                        by.flow("f" + i, from, to, startPs, FlowSpec.UNLIMITED),
                        isLast || i == 0 ? narrowBps : wideBps);
            }
            return traffic;
        }
    },
    /**
     * A flow whose own way is free, behind another that meets N flows of a size at its receiver's
     * link; both have half of a link. Ports pause at a tenth of {@code xoff}.
     */
    VICTIM {
        @Override
        Topology topology(Values values, Controller controller) {
            long rateBps = values.whole(RATE);
            return Topologies.congestionTree(
                    values.count(SENDERS),
                    2,
                    LinkSpec.of(rateBps / 2, DELAY_NS),
                    LinkSpec.of(rateBps, DELAY_NS));
        }

        @Override
        long xoffBytes(Values values) {
            return values.whole(XOFF) / 10;
        }

        @Override
        List<String> watched(Values values) {
            return List.of("T2/p2");
        }

        @Override
        double fromUs(Values values) {
            return values.whole(DURATION) / 1e3 / 5;
        }

        @Override
        Traffic traffic(Values values, Controller controller, NamedRandom random) {
            long rateBps = values.whole(RATE);
            Senders slow = new Senders(controller, rateBps / 2);
            Senders fast = new Senders(controller, rateBps);
            Traffic traffic = new Traffic();
            traffic.lasting(slow.flow("victim", 0, 2, 0, FlowSpec.UNLIMITED), rateBps / 2.0);
            traffic.flows.add(slow.flow("culprit", 1, 3, 0, FlowSpec.UNLIMITED));
            long startPs = (long) (fromUs(values) * 1e6);
            for (int i = 0; i < values.count(SENDERS); i++) {
                traffic.flows.add(fast.flow(SIZED, 4 + i, 3, startPs, values.whole(SIZE)));
            }
            return traffic;
        }
    },
    /**
     * Two leaves with N / 2 hosts each, two spines for up to five of them and one for each 2.5
     * more. All send to all, Poisson arrivals of FB_Hadoop's sizes (as in HPCC's paper), at a load
     * of 0.6 for four fifths of the run. For a control that needs bridges there is one spine, at
     * links as fast as all together.
     */
    LEAF_SPINE {
        private static final int LEAVES = 2;
        private static final double LOAD = 0.6;

        private int hosts(Values values) {
            return Math.max(1, values.count(SENDERS) / LEAVES);
        }

        private int spines(Values values) {
            return Math.max(2, (int) Math.ceil(hosts(values) / 2.5));
        }

        @Override
        Topology topology(Values values, Controller controller) {
            long rateBps = values.whole(RATE);
            LinkSpec access = LinkSpec.of(rateBps, DELAY_NS);
            int spines = spines(values);
            return controller.needsBridges()
                    ? tree(hosts(values), access, LinkSpec.of(rateBps * spines, DELAY_NS))
                    : Topologies.leafSpine(LEAVES, spines, hosts(values), 1, access, access);
        }

        private Topology tree(int hosts, LinkSpec access, LinkSpec up) {
            Topology.Builder net =
                    Topology.builder("leaf-spine").mode(Mode.BRIDGE).switchNode("c1");
            for (int leaf = 1; leaf <= LEAVES; leaf++) {
                net.switchNode("e" + leaf);
                for (int j = 1; j <= hosts; j++) {
                    net.host("h" + leaf + "-" + j, "e" + leaf, access);
                }
            }
            for (int leaf = 1; leaf <= LEAVES; leaf++) {
                net.link("e" + leaf, "c1", up);
            }
            return net.build();
        }

        @Override
        List<String> watched(Values values) {
            return IntStream.rangeClosed(1, LEAVES)
                    .boxed()
                    .flatMap(leaf ->
                            IntStream.rangeClosed(1, hosts(values) + 1)
                                    .mapToObj(port -> "e" + leaf + "/p" + port))
                    .toList();
        }

        @Override
        Traffic traffic(Values values, Controller controller, NamedRandom random) {
            Senders by = new Senders(controller, values.whole(RATE));
            SizeDistribution sizes = Workloads.named("fbhadoop_hpcc");
            List<Integer> all = IntStream.range(0, LEAVES * hosts(values)).boxed().toList();
            long untilPs = values.whole(DURATION) * 800;
            Traffic traffic = new Traffic();
            for (int from : all) {
                traffic.arrivals.add(by.arrivals(SIZED, from, all, sizes, LOAD, untilPs));
            }
            return traffic;
        }
    };

    static final String SENDERS = "senders";
    static final String RATE = "rate";
    static final String SIZE = "size";
    static final String XOFF = "xoff";
    static final String STAGGER = "stagger";
    static final String DURATION = "duration";

    /** The group of all flows with a size. */
    static final String SIZED = "sized";

    static final long DELAY_NS = 1_500;
    private static final String KEY = "network";
    private static final long QUEUE_LIMIT_BYTES = 8_000_000;
    private static final long PS_PER_NS = 1_000;

    /** From this part of a run on flows without end have settled. */
    private static final double SETTLED = 0.75;

    /**
     * Who sends.
     *
     * @param flows from their beginnings on
     * @param shares of flows without end, in bits a second on the wire, if all are treated alike
     */
    record Traffic(List<FlowSpec> flows, List<ArrivalSpec> arrivals, Map<String, Double> shares) {
        Traffic() {
            this(new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
        }

        private void lasting(FlowSpec flow, double shareBps) {
            flows.add(flow);
            shares.put(flow.name(), shareBps);
        }

        double lastStartUs() {
            return flows.stream().mapToLong(FlowSpec::startPs).max().orElse(0) / 1e6;
        }
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Network::word).toList();
    }

    static Network of(Values values) {
        String word = values.word(KEY);
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findAny()
                .orElseThrow();
    }

    abstract Topology topology(Values values, Controller controller);

    abstract Traffic traffic(Values values, Controller controller, NamedRandom random);

    /** Ports whose queues are judged, the longest of them at each time. */
    abstract List<String> watched(Values values);

    /** The length at which an ingress pauses. */
    long xoffBytes(Values values) {
        return values.whole(XOFF);
    }

    /** From when on a run is judged; what flows with a size have, from the beginning. */
    double fromUs(Values values) {
        return this == BOTTLENECK || this == MULTI_BOTTLENECK
                ? values.whole(DURATION) / 1e3 * SETTLED
                : 0;
    }

    /** Links whose ports have what a control needs. */
    Topology topology(Values values, Controller controller, PortTraffic lossless) {
        return topology(values, controller)
                .withSizes(new Topology.Sizes(Senders.MTU, QUEUE_LIMIT_BYTES, 0))
                .withPorts(controller.ports(lossless, values.whole(RATE)));
    }

    private static Topology star(Values values) {
        return Topologies.singleSwitch(
                values.count(SENDERS) + 1, LinkSpec.of(values.whole(RATE), DELAY_NS));
    }

    private static String receiver(Values values) {
        return "s1/p" + (values.count(SENDERS) + 1);
    }

    private static long startPs(Values values, NamedRandom random) {
        return random.nextLong(values.whole(STAGGER)) * PS_PER_NS;
    }
}
