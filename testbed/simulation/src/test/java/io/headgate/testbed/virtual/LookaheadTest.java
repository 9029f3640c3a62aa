package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.hpcc.Hpcc;
import io.headgate.hostagent.rate.hpcc.HpccConfig;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowLog;
import io.headgate.testbed.traffic.MarkSeries;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens does not depend on whether nodes are run together, one by one, or by threads. */
class LookaheadTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long US = 1_000_000;
    private static final long END_PS = 3_000 * US;
    private static final FrameShape SHAPE = FrameShape.udp(1000).withPriority(3, 26);
    private static final RunOptions OPTIONS = RunOptions.of(7);
    private static final Map<Topology, List<String>> BY_ONE = new HashMap<>();

    @ParameterizedTest
    @ValueSource(strings = {"none", "pfc", "credits"})
    void nodesRunOneByOneDoWhatTheyDoTogether(String flowControl) {
        Topology topology = leafSpine(LinkFaults.NONE, 1_000, flowControl);
        assertSameInEveryWay(topology);
    }

    /** The shortest link says how long a turn is, the others carry what it is too short for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 300, 7_000})
    void alsoWhereLinksAreOfDifferentLengths(long fabricDelayNs) {
        Topology topology = leafSpine(LinkFaults.NONE, fabricDelayNs, "credits");
        assertSameInEveryWay(topology);
    }

    /** Three switches in a ring are on no two sides; four are. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void alsoInRings(int switches) {
        LinkSpec links = LinkSpec.of(RATE_BPS, 1_000);
        Topology topology =
                Topologies.ring(switches, 8 / switches + 1, Topologies.Turn.SHORTEST, links, links)
                        .withPorts(ports("none"));
        assertSameInEveryWay(topology);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void alsoByThreads(int threads) {
        Topology topology = leafSpine(LinkFaults.NONE, 1_000, "credits");
        assertThat(run(topology, OPTIONS.withThreads(threads), false)).isEqualTo(byOne(topology));
    }

    /** Hosts are on both sides, so that two that speak are in one turn. */
    @Test
    void alsoByThreadsInATree() {
        Topology topology =
                Topologies.fatTree(4, LinkSpec.of(RATE_BPS, 5_000)).withPorts(ports("pfc"));
        assertThat(run(topology, OPTIONS.withThreads(3), false)).isEqualTo(byOne(topology));
    }

    /** Its nodes are on one side; and what is looked at from outside is driven part by part. */
    @Test
    void alsoByThreadsInARingAndInstantByInstant() {
        LinkSpec links = LinkSpec.of(RATE_BPS, 1_000);
        Topology topology =
                Topologies.ring(3, 3, Topologies.Turn.SHORTEST, links, links)
                        .withPorts(ports("pfc"));
        List<String> byOne = byOne(topology);
        assertThat(run(topology, OPTIONS.withThreads(3), false)).isEqualTo(byOne);
        assertThat(run(topology, OPTIONS.withThreads(3), true)).isEqualTo(byOne);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "pfc", "credits"})
    void alsoOverLinksThatLoseRepeatReorderDelayAndFail(String flowControl) {
        LinkFaults faults =
                LinkFaults.NONE
                        .withLossProbability(0.01)
                        .withRepeatProbability(0.01)
                        .withReorderProbability(0.01)
                        .withReorderDelayPs(5 * US)
                        .withJitterPs(US)
                        .withDownMeanPs(20 * US)
                        .withUpMeanPs(1_000 * US);
        Topology topology = leafSpine(faults, 1_000, flowControl);
        assertSameInEveryWay(topology);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFlowThatIsAddedWhileTheRunStandsStillStartsAtOnce(boolean together) {
        Topology topology = Topologies.singleSwitch(4, LinkSpec.of(RATE_BPS, 1_000));
        VirtualRun run = new VirtualRun(RunOptions.of(7));
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        traffic.start(FlowSpec.greedy("busy", 2, 3, SHAPE));
        if (together) {
            run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> {});
        }
        run.runUntil(100 * US);
        Flow late = traffic.start(FlowSpec.greedy("late", 0, 1, SHAPE).during(100 * US, 200 * US));
        run.runUntil(300 * US);
        assertThat(late.statistics().firstArrivalPs()).isLessThan(105 * US);
        assertThat(late.statistics().framesReceived()).isGreaterThan(100);
    }

    private static Topology leafSpine(LinkFaults faults, long fabricDelayNs, String flowControl) {
        return Topologies.leafSpine(
                        2,
                        2,
                        4,
                        1,
                        LinkSpec.of(RATE_BPS, 1_000).withFaults(faults),
                        LinkSpec.of(RATE_BPS, fabricDelayNs).withFaults(faults))
                .withMode(Mode.ROUTED)
                .withPorts(ports(flowControl));
    }

    private static PortTraffic ports(String flowControl) {
        return PortTrafficReader.read(
                """
                {flow-control: %s, classify: {trust: dscp},
                 congestion: {red: {kmin: 5kB, kmax: 50kB, pmax: 1, priorities: [3]}, telemetry: {}}}
                """
                        .formatted(flowControl));
    }

    private static void assertSameInEveryWay(Topology topology) {
        List<String> together = run(topology, OPTIONS, true);
        assertThat(byOne(topology)).isEqualTo(together);
        assertThat(run(topology, OPTIONS.withReadAheadPorts(0), false)).isEqualTo(together);
    }

    /** Facts of the run whose nodes run one by one by one thread; several tests ask for some. */
    private static List<String> byOne(Topology topology) {
        return BY_ONE.computeIfAbsent(topology, _ -> run(topology, OPTIONS, false));
    }

    /** Everything that can be known of a run afterwards. */
    private static List<String> run(Topology topology, RunOptions options, boolean together) {
        VirtualRun run = new VirtualRun(options);
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
        Traffic traffic = network.traffic(new Traffic.Options(200 * US, false));
        ThroughputSeries series = traffic.group("web").recordThroughput(10 * US);
        MarkSeries marks = traffic.group("loop").recordMarks(100 * US);
        start(traffic);
        if (together) {
            run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> {});
        }
        run.runUntil(END_PS);
        List<String> facts = new ArrayList<>();
        facts.add("%016x %d %d".formatted(run.digest(), run.frameHops(), run.dutyCalls()));
        for (int interval = 0; interval < series.intervals(); interval++) {
            facts.add(interval + ": " + series.bytes(interval));
        }
        for (int interval = 0; interval < END_PS / (100 * US); interval++) {
            facts.add(interval + ": " + marks.frames(interval));
        }
        for (FlowGroup group : traffic.groups()) {
            facts.add(
                    "%s: %d of %d, %d of %d, %d ps in all, %d at most"
                            .formatted(
                                    group.name(),
                                    group.flowsFinished(),
                                    group.flowsStarted(),
                                    group.framesReceived(),
                                    group.framesSent(),
                                    group.delaySumPs(),
                                    group.delayMaxPs()));
        }
        assertThat(traffic.group("web").flowsFinished()).isGreaterThan(10);
        assertThat(traffic.group("chain").flowsFinished()).isGreaterThan(10);
        assertThat(traffic.group("rdma").flowsFinished()).isPositive();
        long obeyed = 0;
        for (int host = 0; host < traffic.devices().size(); host++) {
            obeyed += network.host(host).engine().noticeCounters().get(NoticeCounter.OBEYED);
        }
        assertThat(obeyed).as("notifications of DCQCN's receivers").isGreaterThan(10);
        for (Flow flow : traffic.flows()) {
            facts.add(flow.group().name() + " " + flow.allowedBps() + " b/s");
        }
        for (FlowLog.Entry entry : traffic.log().entries()) {
            facts.add(
                    "%s %d.%d: %d, %d"
                            .formatted(
                                    entry.group().name(),
                                    entry.sourceHost(),
                                    entry.number(),
                                    entry.finishedPs(),
                                    entry.acknowledgedPs()));
        }
        for (TrafficDevice host : traffic.devices()) {
            facts.add(host.address().name() + ": " + host.framesLate() + " late");
        }
        for (VirtualNode node : run.nodes()) {
            node.engine()
                    .counters()
                    .entries()
                    .forEach(one ->
                            facts.add(
                                    "%s %s: %d"
                                            .formatted(
                                                    node.name(),
                                                    one.label(),
                                                    node.engine().counters().value(one))));
        }
        return facts;
    }

    private static void start(Traffic traffic) {
        startSources(traffic);
        startStopped(traffic);
        startChain(traffic);
        startConnections(traffic);
    }

    /** Each flow begins when its host has the one before it, and one from a neighbour. */
    private static void startChain(Traffic traffic) {
        int hosts = traffic.devices().size();
        List<FlowSpec> specs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int host = 3 * i % hosts;
            FlowSpec fromNeighbour =
                    FlowSpec.greedy("chain", (host + 1) % hosts, host, SHAPE).withSizeBytes(3_000);
            List<FlowSpec.After> after = new ArrayList<>();
            after.add(new FlowSpec.After(2 * i, i % 2 * US));
            if (i > 0) {
                after.add(new FlowSpec.After(2 * i - 1, 0));
            }
            FlowSpec next =
                    FlowSpec.greedy("chain", host, (host + 3) % hosts, SHAPE)
                            .withSizeBytes(5_000)
                            .withAfter(after);
            specs.add(fromNeighbour);
            specs.add(i % 3 == 0 ? next.withWindowFrames(4) : next);
        }
        traffic.start(specs, traffic::start);
    }

    /** Reliable connections, alone and with HPCC, and what DCQCN's receivers notify of. */
    private static void startConnections(Traffic traffic) {
        int hosts = traffic.devices().size();
        FrameShape connection =
                FrameShape.messages(1082, new FrameShape.Messages(Verb.WRITE, 10_000, false, 0));
        SendPattern hpcc =
                new SendPattern.Controlled(
                        new Hpcc().use(HpccConfig.of(HpccConfig.Parameters.PUBLISHED, 13_000)));
        SendPattern dcqcn =
                new SendPattern.Controlled(
                        new Dcqcn().use(DcqcnConfig.of(Map.of("cnp-interval", "4us"))));
        for (int host = 0; host < hosts; host++) {
            FlowSpec plain =
                    FlowSpec.greedy("rdma", host, (host + 5) % hosts, SHAPE)
                            .withWindowFrames(32)
                            .withShape(connection)
                            .withSizeBytes(50_000);
            traffic.start(plain);
            if (host > 1) {
                traffic.start(plain.between(host, 1).withPattern(hpcc));
            }
            if (host % 3 == 1 && host < hosts - 1) {
                FrameShape marked = SHAPE.withEcn(FrameShape.ECT_0);
                traffic.start(
                        FlowSpec.greedy("dcqcn", host, hosts - 1, marked)
                                .withSizeBytes(300_000)
                                .withPattern(dcqcn));
            }
        }
    }

    private static void startSources(Traffic traffic) {
        SizeDistribution web = SizeDistribution.fixed(20_000);
        SizeDistribution small = Workloads.named("googlerpc2008_hpcc");
        List<Integer> all = List.of(0, 1, 2, 3, 4, 5, 6, 7);
        for (int host : all) {
            traffic.start(
                    ArrivalSpec.of(
                                    "web",
                                    host,
                                    all,
                                    ArrivalProcess.Poisson.forLoad(web, RATE_BPS, 0.2),
                                    web,
                                    SHAPE)
                            .withWindowFrames(20));
            traffic.start(
                    ArrivalSpec.of(
                            "loop",
                            host,
                            all,
                            new ArrivalProcess.ClosedLoop(20 * US),
                            small,
                            FrameShape.rocev2(1082)));
        }
        ArrivalSpec.incast("in", List.of(1, 2, 5, 6), 3, 20_000, 500 * US, 0, SHAPE)
                .forEach(traffic::start);
    }

    private static void startStopped(Traffic traffic) {
        traffic.start(FlowSpec.greedy("stopped", 4, 1, SHAPE).during(0, 100 * US));
        for (int i = 1; i < 100; i++) {
            // Some stop while their last frame arrives, and some before their first is sent.
            FlowSpec spec =
                    FlowSpec.greedy("stopped", i % 8, (i + 3) % 8, SHAPE)
                            .withPattern(
                                    new SendPattern.ConstantRate(
                                            1_000_000_000, SendPattern.Lateness.MADE_UP))
                            .during(i * 20L * US, i * (20L * US + 1_311_000));
            traffic.start(i % 3 == 0 ? spec.withWindowFrames(4) : spec);
        }
    }
}
