package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
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
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the scenarios after chapter 3 of Menikkumbura's dissertation (Purdue, 2022) have in common:
 * lossless ports with RoCC, hosts that follow it, fair rates and queues over time.
 */
final class RoccRuns {
    static final String DISSERTATION = "Menikkumbura, dissertation (Purdue, 2022)";

    static final String RATE = "fair rate";
    static final String QUEUE = "queue";

    /** How many times its reference a queue's axis shows. */
    static final double SHOWN_REFERENCES = 2.5;

    /** Most lines over time that a reader can follow. */
    private static final int MOST_LINES = 6;

    private static final String ALLOWED = "rate ";
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

    /** Samples of a mean. */
    private static final int MEAN_OF = 25;

    private static final int MTU = 1000;
    private static final int FRAME_BYTES = MTU + 14;
    static final int WIRE_BYTES = FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES;
    private static final long QUEUE_LIMIT_BYTES = 800_000;

    /** Packets of a reliable connection under way: more than any control lets. */
    private static final int WINDOW = 4_096;

    private static final long HYSTERESIS_BYTES = 10_000;
    private static final double KBPS_PER_GBPS = 1e6;

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

    private static String counter(String port) {
        return port + " rocc.rate.p" + Common.PRIORITY;
    }

    /**
     * Runs flows, and records throughputs of groups, and fair rates and queues of ports: {@code
     * fair rate s1/p4}, in Gb/s, and {@code queue s1/p4}.
     */
    static Observation observe(
            Topology topology,
            List<FlowSpec> flows,
            List<String> groups,
            List<String> ports,
            long durationNs,
            Cell cell,
            RunContext context)
            throws ScenarioException {
        Recording recording =
                recording(groups, ports)
                        .with(Kind.COUNTER, ports.stream().map(RoccRuns::counter).toList());
        long durationPs = durationNs * Common.PS_PER_NS;
        Observation seen = Common.run(topology, flows, durationPs, recording, cell, context);
        List<Series> all = new ArrayList<>();
        for (Series series : seen.series()) {
            all.add(series.name().startsWith("counter ") ? fairRate(series) : series);
        }
        return seen.withSeries(all);
    }

    /** Of throughputs and rates of groups, and of queues of ports. */
    static Recording recording(List<String> groups, List<String> ports) {
        return new Recording(INTERVAL_PS, groups, ports)
                .with(Kind.RATE, groups.size() <= MOST_RATES ? groups : List.of());
    }

    private static Series fairRate(Series counter) {
        String name = counter.name().replace("counter ", RATE + " ");
        return counter.map(
                name.substring(0, name.lastIndexOf(' ')), "Gb/s", kbps -> kbps / KBPS_PER_GBPS);
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

    /**
     * How long after a time all means, each over half a millisecond, up to another time are within
     * a share of a target; NaN if the last is not. With many flows the steps of announced rates are
     * large, and single values swing about the target.
     */
    static double settledUs(
            Series series, double fromUs, double toUs, double target, double share) {
        double[] times = series.timesUs();
        double[] values = series.values();
        double settledUs = Double.NaN;
        double sum = 0;
        for (int last = 0; last < values.length && times[last] < toUs; last++) {
            sum += values[last] - (last < MEAN_OF ? 0 : values[last - MEAN_OF]);
            int first = last - MEAN_OF + 1;
            if (first >= 0 && times[first] >= fromUs) {
                boolean isNear = Math.abs(sum / MEAN_OF - target) <= share * target;
                boolean isFirst = Double.isNaN(settledUs);
                settledUs = !isNear ? Double.NaN : isFirst ? times[first] - fromUs : settledUs;
            }
        }
        return settledUs;
    }

    /** Expects that nothing was lost. */
    static void checkLossless(Conclusions.Run run) {
        run.atMost("frames dropped", 0, "lossless ports");
    }

    /** Names of flows, from D0 on. */
    static List<String> names(int flows) {
        return IntStream.range(0, flows).mapToObj(flow -> "D" + flow).toList();
    }

    /** Measures of what flows have, on the wire, for {@link #shares}. */
    static Outcome shared(List<String> names, Observation seen) {
        return seen.outcome(
                names.stream().map(name -> settledThroughput(name, seen)).toList(), List.of());
    }

    /** Expects each flow to have what a source says, in Gb/s, by its name. */
    static void checkShares(Conclusions.Run run, Map<String, Double> expectedGbps, String source) {
        expectedGbps.forEach((name, gbps) -> run.near(rateOf(name), gbps, RATE_TOLERANCE, source));
    }

    /**
     * What each flow has.
     *
     * @param names of flows
     * @param check what else is expected of a run than that nothing is lost
     * @param says the source's figure, in a sentence
     */
    static Findings shares(
            List<CellResult> results,
            List<String> names,
            Consumer<Conclusions.Run> check,
            String says) {
        Conclusions all = new Conclusions(results);
        for (Conclusions.Run run : all.runs()) {
            check.accept(run);
            checkLossless(run);
            run.say(
                    names.stream()
                            .map(name ->
                                    String.format(
                                            Locale.ROOT,
                                            "%s %.2f",
                                            name,
                                            run.measure(rateOf(name))))
                            .collect(Collectors.joining(", ", "", " Gb/s on the wire")));
        }
        return all.with(
                throughputs(results, names, says, all.said()), allowed(results, says, all.said()));
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

    /** How fast each host lets its flow send, over time, of all runs. */
    static Figure allowed(List<CellResult> results, String says, String found) {
        Map<String, String> names = new LinkedHashMap<>();
        for (CellResult result : results) {
            List<Series> all = result.outcomeOrThrow().series();
            for (Series series : all) {
                if (series.name().startsWith(ALLOWED)) {
                    // The name of its host behind it says nothing where a flow has only one.
                    String flow = series.name().split(" ")[1];
                    String start = ALLOWED + flow + " ";
                    long hosts = all.stream().filter(one -> one.name().startsWith(start)).count();
                    names.put(
                            series.name(),
                            hosts == 1 ? flow : series.name().substring(ALLOWED.length()));
                }
            }
        }
        return flows(
                new Figure(
                        "allowed-rates",
                        "How fast each host lets its flow send",
                        Axis.linear("time", "us"),
                        Axis.linear("rate on the wire", "Gb/s"),
                        List.of(),
                        says,
                        found),
                results,
                names,
                Style.LINE);
    }

    /**
     * Fair rates and queues of a port, over time, of all runs.
     *
     * @param referenceKb to which the queue of a run is held
     */
    static List<Figure> figures(
            List<CellResult> results,
            String port,
            ToDoubleFunction<Values> referenceKb,
            String says,
            String found) {
        List<Line> rates = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        List<Limit> references = new ArrayList<>();
        double highestKb = 0;
        for (Conclusions.Run run : new Conclusions(results).runs()) {
            double kB = referenceKb.applyAsDouble(run.values());
            highestKb = Math.max(highestKb, kB);
            String at = " " + portOf(port, run.values());
            rates.add(run.line(RATE, Style.LINE, RATE + at));
            queues.add(run.line(QUEUE, Style.LINE, QUEUE + at));
            references.add(Limit.of("reference", kB, "kB").to(queues.getLast()));
        }
        return List.of(
                new Figure(
                        "fair-rate",
                        "The fair rate that the switch computes",
                        Axis.linear("time", "us"),
                        Axis.linear(RATE, "Gb/s"),
                        rates,
                        says,
                        found),
                new Figure(
                        QUEUE,
                        "The queue before the congested link",
                        Axis.linear("time", "us"),
                        // Before hosts receive the first fair rate it is a hundred times that.
                        Axis.linear(QUEUE, "kB").cutAt(SHOWN_REFERENCES * highestKb),
                        queues,
                        references,
                        "The queue is stable at its reference.",
                        found));
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
