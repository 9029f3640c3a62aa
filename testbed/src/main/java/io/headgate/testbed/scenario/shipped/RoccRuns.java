package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the scenarios after chapter 3 of Menikkumbura's dissertation (Purdue, 2022) have in common:
 * lossless ports with RoCC, hosts that follow it, fair rates and queues over time.
 */
final class RoccRuns {
    static final String DISSERTATION = "Menikkumbura, dissertation (Purdue, 2022)";

    static final String QUEUE = "queue";

    /** How many times its reference a queue's axis shows. */
    static final double SHOWN_REFERENCES = 2.5;

    /** Most lines over time that a reader can follow. */
    private static final int MOST_LINES = 6;

    static final double RATE_TOLERANCE = 0.05;
    static final double QUEUE_TOLERANCE = 0.1;

    /** Links of the authors' simulations, and how long their hosts take to follow. */
    static final long DELAY_NS = 1_500;

    private static final long REACTION_NS = 15_000;

    /** Their links where nothing else is said, with the period that is published for these. */
    static final long RATE_BPS = 40_000_000_000L;

    static final long PERIOD_NS = 40_000;
    static final long XOFF_BYTES = 500_000;

    static final Rocc ROCC = new Rocc();

    private static final long INTERVAL_PS = 20_000_000;

    /** From this part of a run on all has settled. */
    private static final double SETTLED = 0.75;

    /** Of more flows it is not recorded how fast each may send. */
    private static final int MOST_RATES = 16;

    private static final int MTU = 1000;
    private static final int FRAME_BYTES = MTU + 14;
    static final int WIRE_BYTES = FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES;
    private static final long QUEUE_LIMIT_BYTES = 800_000;

    /** Packets of a reliable connection under way: more than any control lets. */
    private static final int WINDOW = 4_096;

    private static final long HYSTERESIS_BYTES = 10_000;

    private RoccRuns() {}

    /** Ports with pauses from a length on; RoCC has what is published for their links. */
    static PortTraffic ports(long xoffBytes) {
        return losslessPorts(xoffBytes).with(ROCC, "priorities", List.of(Common.PRIORITY));
    }

    /** Ports with pauses from a length on, and nothing else. */
    static PortTraffic losslessPorts(long xoffBytes) {
        return Common.pauses(xoffBytes, xoffBytes - HYSTERESIS_BYTES);
    }

    /** A network with such ports. */
    static Topology on(Topology plain, PortTraffic ports) {
        return plain.withSizes(new Topology.Sizes(MTU, QUEUE_LIMIT_BYTES, 0)).withPorts(ports);
    }

    /** Senders and a receiver at one switch with such ports. */
    static Topology star(int senders, long rateBps, PortTraffic ports) {
        return on(Topologies.singleSwitch(senders + 1, LinkSpec.of(rateBps, DELAY_NS)), ports);
    }

    /** A host that follows congestion points whose periods lie between two. */
    static RoccReactionConfig reaction(long shortestNs, long longestNs) {
        return new RoccReactionConfig(REACTION_NS, shortestNs, longestNs * 11 / 8);
    }

    /** The same for congestion points at links of 40 Gb/s. */
    static RoccReactionConfig reaction() {
        return reaction(PERIOD_NS, PERIOD_NS);
    }

    /** A flow whose application sends at a rate, on the wire, while it may. */
    static FlowSpec flow(
            String name, int from, int to, long demandBps, RoccReactionConfig reaction) {
        return flow(name, from, to, FrameShape.NOT_ECT)
                .paced(
                        new SendPattern.Controlled(
                                new RoccReactionMechanism().use(reaction), demandBps));
    }

    /** A flow of the frames that all of these have. */
    static FlowSpec flow(String name, int from, int to, int ecn) {
        FrameShape shape = Common.losslessFrames(FRAME_BYTES);
        return FlowSpec.greedy(name, from, to, shape.withEcn(ecn));
    }

    /** A flow of the same frames by a reliable connection, whose acknowledgements say more. */
    static FlowSpec reliable(String name, int from, int to, SendPattern pattern) {
        FrameShape shape =
                FrameShape.messages(
                                FRAME_BYTES,
                                new FrameShape.Messages(
                                        Verb.SEND, FrameShape.Messages.DEFAULT_BYTES, false))
                        .withPriority(Common.PRIORITY, Common.DSCP);
        long bytes = FlowSpec.UNLIMITED;
        return new FlowSpec(name, from, to, 0, Long.MAX_VALUE, bytes, pattern, WINDOW, shape);
    }

    /** Of throughputs and rates of groups, and of queues of ports. */
    static Recording recording(List<String> groups, List<String> ports) {
        return new Recording(INTERVAL_PS, groups, ports)
                .with(Kind.RATE, groups.size() <= MOST_RATES ? groups : List.of());
    }

    /** The mean of a series in the run's last quarter, by when it has settled. */
    static Measure settled(String what, Series series, Observation seen) {
        double fromUs = seen.durationUs() * SETTLED;
        return new Measure(what, series.unit(), series.mean(fromUs, Double.POSITIVE_INFINITY));
    }

    /** What a group of flows has then, on the wire. */
    static Measure settledThroughput(String group, Observation seen) {
        Measure frames = settled(rateOf(group), seen.seriesOf("throughput " + group), seen);
        double wire = (double) WIRE_BYTES / FRAME_BYTES;
        return new Measure(frames.name(), frames.unit(), frames.value() * wire);
    }

    static String rateOf(String group) {
        return "rate of " + group;
    }

    /** Expects that nothing was lost. */
    static void checkLossless(Conclusions.Run run) {
        run.atMost("frames dropped", 0, "lossless ports");
    }

    /** Names of flows, from D0 on. */
    static List<String> names(int flows) {
        return IntStream.range(0, flows).mapToObj(flow -> "D" + flow).toList();
    }

    /** What each group has, over time, of all runs. */
    static Figure throughputs(
            List<CellResult> results, List<String> groups, String says, String found) {
        Map<String, String> names = new LinkedHashMap<>();
        groups.forEach(group -> names.put("throughput " + group, group));
        return flows(
                new Figure(
                        "throughput",
                        "What each flow has",
                        Axis.linear("time", "us"),
                        Axis.linear("throughput, frames without FCS", "Gb/s"),
                        List.of(),
                        says,
                        found),
                results,
                names,
                Style.STEP);
    }

    /**
     * The same figure with a series of each flow and run; of many flows with their mean and
     * extremes.
     *
     * @param names of flows, by those of series, not all of which every run must have
     */
    private static Figure flows(
            Figure figure, List<CellResult> results, Map<String, String> names, Style style) {
        List<Line> lines = new ArrayList<>();
        for (Conclusions.Run run : new Conclusions(results).runs()) {
            List<Series> all =
                    run.result().outcomeOrThrow().series().stream()
                            .filter(series -> names.containsKey(series.name()))
                            .toList();
            if (names.size() <= MOST_LINES) {
                all.forEach(series -> {
                    String flow = names.getOrDefault(series.name(), series.name());
                    lines.add(Line.of(run.named(flow), style, series));
                });
            } else if (!all.isEmpty()) {
                lines.add(extremes(run.named("mean"), all));
            }
        }
        String many = ": the mean of " + names.size() + ", from the slowest to the fastest";
        return figure.with(figure.title() + (names.size() > MOST_LINES ? many : ""), lines);
    }

    /** The mean of series of the same times, within a band from the least to the largest. */
    private static Line extremes(String name, List<Series> all) {
        double[] times = all.getFirst().timesUs();
        double[] mean = new double[times.length];
        double[] least = new double[times.length];
        double[] most = new double[times.length];
        for (int i = 0; i < times.length; i++) {
            int at = i;
            DoubleSummaryStatistics of =
                    all.stream().mapToDouble(one -> one.values()[at]).summaryStatistics();
            mean[i] = of.getAverage();
            least[i] = of.getMin();
            most[i] = of.getMax();
        }
        return new Line(name, Style.LINE, times, mean, least, most);
    }

    /** The port's name; {@code *} stands for the port after those of all senders. */
    static String portOf(String port, Values values) {
        return port.equals(RECEIVER) ? receiver(values.count("senders")) : port;
    }

    /** In place of a port: that of the receiver, which comes after the senders. */
    static final String RECEIVER = "*";

    static String receiver(int senders) {
        return "s1/p" + (senders + 1);
    }
}
