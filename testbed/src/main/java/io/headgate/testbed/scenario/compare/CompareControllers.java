package io.headgate.testbed.scenario.compare;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.control.report.Table;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All published controls on one bottleneck, under the same conditions: senders to one receiver on
 * reliable connections, over lossless ports. What the link carries, the queue before it, and how
 * equal the shares are.
 */
public final class CompareControllers implements Scenario {
    private static final String SOURCE = "the control's own paper";
    private static final int MTU = 1_068;
    static final int PRIORITY = 3;
    static final int WIRE_OVERHEAD_BYTES = Ethernet.WIRE_OVERHEAD_BYTES;
    static final int FRAME_BYTES = MTU + 14;
    private static final int ACK_BYTES = 64;
    private static final int WINDOW = 4_096;
    private static final long DELAY_NS = 1_500;
    private static final long INTERVAL_PS = 20_000_000;
    private static final long HYSTERESIS_BYTES = 10_000;
    private static final long QUEUE_LIMIT_BYTES = 8_000_000;
    static final String CONTROL = "control";
    private static final String RATE = "rate";
    private static final String SENDERS = "senders";
    private static final String DURATION = "duration";
    private static final String QUEUE = "queue";
    private static final String UTILISATION = "utilisation";
    private static final String FAIRNESS = "fairness";
    private static final String P95 = "queue, 95th percentile";
    private static final long PS_PER_NS = 1_000;
    private static final int DSCP = 26;

    /** From this part of a run on all has settled. */
    private static final double SETTLED = 0.75;

    /** Each link twice in a round trip. */
    private static final int LINKS = 2;

    private static final double QUEUE_TOLERANCE = 0.1;

    @Override
    public About about() {
        return new About(
                "compare-controllers",
                "Published controls on one bottleneck",
                "the papers of each, in hostagent/rate-controls.md",
                "Each control fills the link with equal shares, and where its paper says at which"
                        + " queue it rests, it rests there. Flows begin at times drawn by the seed:"
                        + " --seed 1..5.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(CONTROL, Controller.words(), "what flows have"),
                Parameter.count(SENDERS, "2,10", "1", "100", "hosts that send"),
                Parameter.rate(RATE, "40Gbps,100Gbps", "10Gbps", "400Gbps", "of every link"),
                Parameter.size("xoff", "2MB", "100kB", "4MB", "of an ingress, at which it pauses"),
                Parameter.duration(
                        "stagger", "100us", "1ns", "1s", "time over which flows begin, at random"),
                Parameter.duration(DURATION, "100ms", "1ms", "10s", "of the run"));
    }

    private static PortTraffic lossless(long xoffBytes) {
        return Controller.lossless()
                .with("flow-control", FlowControlConfig.Mode.PFC)
                .with("buffers.xoff", xoffBytes)
                .with("buffers.xon", xoffBytes - HYSTERESIS_BYTES);
    }

    private static Topology topology(Values values) {
        long rateBps = values.whole(RATE);
        int hosts = values.count(SENDERS) + 1;
        return Topologies.singleSwitch(hosts, LinkSpec.of(rateBps, DELAY_NS))
                .withSizes(new Topology.Sizes(MTU, QUEUE_LIMIT_BYTES, 0))
                .withPorts(Controller.of(values).ports(lossless(values.whole("xoff")), rateBps));
    }

    private static FlowSpec flow(String name, int from, int to, long startPs, Values values)
            throws ScenarioException {
        Controller controller = Controller.of(values);
        FrameShape shape =
                FrameShape.messages(
                                FRAME_BYTES,
                                new FrameShape.Messages(
                                        Verb.SEND, FrameShape.Messages.DEFAULT_BYTES, false))
                        .withPriority(PRIORITY, DSCP);
        return new FlowSpec(
                name,
                from,
                to,
                startPs,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                new SendPattern.Controlled(controller.use(values.whole(RATE))),
                WINDOW,
                controller.shape(shape));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int senders = values.count(SENDERS);
        List<String> names = IntStream.range(0, senders).mapToObj(flow -> "f" + flow).toList();
        List<FlowSpec> flows = new ArrayList<>();
        NamedRandom starts = NamedRandom.of(cell.seed(), "flows", "starts");
        for (int i = 0; i < senders; i++) {
            long startPs = starts.nextLong(values.whole("stagger")) * PS_PER_NS;
            flows.add(flow(names.get(i), i, senders, startPs, values));
        }
        Recording recording = new Recording(INTERVAL_PS, names, List.of(port(values)));
        long durationPs = values.whole(DURATION) * PS_PER_NS;
        Experiment experiment =
                new Experiment(topology(values), flows, List.of(), durationPs, recording);
        Observation seen = Beds.run(experiment, cell, context);
        return seen.outcome(measures(names, values, seen), List.of());
    }

    /** The port to the receiver. */
    private static String port(Values values) {
        return "s1/p" + (values.count(SENDERS) + 1);
    }

    /** What flows have in a run's last quarter, together, and what the queue is then. */
    private static List<Measure> measures(List<String> names, Values values, Observation seen) {
        double fromUs = seen.durationUs() * SETTLED;
        double sum = 0;
        double squares = 0;
        for (String name : names) {
            Series series = seen.seriesOf("throughput " + name);
            double gbps = series.mean(fromUs, Double.POSITIVE_INFINITY);
            sum += gbps;
            squares += gbps * gbps;
        }
        double onWire = FRAME_BYTES + WIRE_OVERHEAD_BYTES + Controller.of(values).moreBytes();
        double carriedBps = sum * 1e9 * onWire / FRAME_BYTES;
        Series queue = seen.seriesOf(QUEUE + " " + port(values));
        int first = 0;
        while (queue.timesUs()[first] < fromUs) {
            first++;
        }
        double[] lengths = Arrays.copyOfRange(queue.values(), first, queue.values().length);
        return List.of(
                new Measure(UTILISATION, "%", 100 * carriedBps / values.whole(RATE)),
                new Measure(FAIRNESS, "", sum * sum / (names.size() * squares)),
                new Measure(QUEUE, "kB", Arrays.stream(lengths).average().orElse(Double.NaN)),
                new Measure(P95, "kB", Flows.percentile(lengths, 95)));
    }

    /** Time of a data packet there and its acknowledgement back, over empty links. */
    private static double roundTripUs(double rateBps) {
        double bytes = FRAME_BYTES + ACK_BYTES + 2.0 * WIRE_OVERHEAD_BYTES;
        return LINKS * (2 * DELAY_NS / 1e3 + bytes * 8e6 / rateBps);
    }

    /** The runs of all seeds of one control, rate and number of senders. */
    private record Group(Controller controller, long rateBps, int senders, List<CellResult> runs) {

        static Group of(Values values) {
            return new Group(
                    Controller.of(values), values.whole(RATE), values.count(SENDERS), List.of());
        }

        static List<Group> of(List<CellResult> results) {
            return results.stream()
                    .collect(
                            Collectors.groupingBy(
                                    result -> of(result.cell().values()),
                                    LinkedHashMap::new,
                                    Collectors.toList()))
                    .entrySet()
                    .stream()
                    .map(entry -> entry.getKey().with(entry.getValue()))
                    .toList();
        }

        private Group with(List<CellResult> all) {
            return new Group(controller, rateBps, senders, all);
        }

        double queueKb() {
            return controller.queueKb(senders, rateBps, roundTripUs((double) rateBps));
        }

        String spread(String measure, String format) {
            DoubleSummaryStatistics all =
                    runs.stream()
                            .collect(Collectors.summarizingDouble(run -> run.measure(measure)));
            return all.getMin() == all.getMax()
                    ? String.format(Locale.ROOT, format, all.getAverage())
                    : String.format(
                            Locale.ROOT,
                            format + " (" + format + " to " + format + ")",
                            all.getAverage(),
                            all.getMin(),
                            all.getMax());
        }
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        for (CellResult result : results) {
            String dropped = Labels.behind("frames dropped", results, result);
            checks.add(
                    Check.atMost(
                            dropped,
                            "frames",
                            result.measure("frames dropped"),
                            0,
                            "lossless ports"));
            checkQueue(result, results, checks);
            Values values = result.cell().values();
            Series queue = result.outcomeOrThrow().series(QUEUE + " " + port(values));
            String name = Labels.behind(QUEUE, results, result);
            queues.add(Line.of(name, Style.LINE, queue).in(values.text(CONTROL)));
        }
        Figure figure =
                new Figure(
                        QUEUE,
                        "The queue before the congested link",
                        Axis.linear("time", "us"),
                        Axis.linear(QUEUE, "kB"),
                        queues,
                        "Each queue comes to rest where the control's paper says.",
                        "the table has the means of all runs");
        return new Findings(
                checks,
                List.of(figure),
                List.of(),
                List.of(
                        new Findings.Titled(
                                "Means of the last quarter over all seeds (least to largest)",
                                table(Group.of(results)))));
    }

    private static void checkQueue(
            CellResult result, List<CellResult> results, List<Check> checks) {
        Group group = Group.of(result.cell().values());
        double kbytes = group.queueKb();
        boolean isSettled =
                result.cell().values().whole(DURATION) >= group.controller().settledNs();
        if (isSettled && !Double.isNaN(kbytes)) {
            checks.add(
                    Check.near(
                            Labels.behind(QUEUE, results, result),
                            "kB",
                            result.measure(QUEUE),
                            kbytes,
                            QUEUE_TOLERANCE,
                            SOURCE));
        }
    }

    private static Table table(List<Group> groups) {
        return Table.of(
                groups,
                Table.column("control", group -> group.controller().word()),
                Table.column(">Gb/s", group -> group.rateBps() / 1_000_000_000),
                Table.column(">senders", Group::senders),
                Table.column(">use, %", group -> group.spread(UTILISATION, "%.1f")),
                Table.column(">queue, kB", group -> group.spread(QUEUE, "%.1f")),
                Table.number(">closed form, kB", "%.1f", Group::queueKb),
                Table.column(">p95, kB", group -> group.spread(P95, "%.0f")),
                Table.column(">Jain", group -> group.spread(FAIRNESS, "%.4f")));
    }
}
