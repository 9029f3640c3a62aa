package io.headgate.testbed.scenario.compare;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.control.report.Table;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
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
import io.headgate.testbed.scenario.bed.Recording.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All rate controls in the same networks under the same conditions: reliable connections over
 * lossless ports. What links carry, queues, shares, completion times, pauses, and how soon shares
 * are alike.
 */
public final class CompareControllers implements Scenario {
    private static final String SOURCE = "the control's own paper";
    private static final int ACK_BYTES = 64;
    private static final long INTERVAL_PS = 20_000_000;
    private static final long HYSTERESIS_BYTES = 10_000;
    static final String CONTROL = "control";
    static final String NETWORK = "network";
    private static final long PS_PER_NS = 1_000;

    /** Each link twice in a round trip. */
    private static final int LINKS = 2;

    private static final double QUEUE_TOLERANCE = 0.1;

    /** Longest queues that a figure has room for with those of a few frames, in kB. */
    private static final double SHOWN_KB = 1_000;

    @Override
    public About about() {
        return new About(
                "compare-controllers",
                "Rate controls side by side",
                "the papers of each, in hostagent/rate-controls.md",
                "On a bottleneck each control fills the link with equal shares, and where its paper"
                        + " says at which queue it rests, it rests there. Which is best depends on the"
                        + " network: no paper compares them all. Flows begin at times drawn by the"
                        + " seed: --seed 1..5.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        NETWORK,
                        Network.words(),
                        "N flows to one receiver, or N of a size at once; two bottlenecks in a row;"
                                + " a flow behind another's pauses; flows of FB_Hadoop's sizes"
                                + " between two leaves"),
                Parameter.words(
                        CONTROL,
                        Controller.all().stream().map(Controller::word).toList(),
                        "what flows have; also any of a jar (--plugins)"),
                Parameter.count(Network.SENDERS, "10", "2", "100", "N: hosts that send"),
                Parameter.rate(Network.RATE, "40Gbps", "10Gbps", "400Gbps", "of the fastest links"),
                Parameter.size(
                        Network.SIZE,
                        "500kB",
                        "1kB",
                        "100MB",
                        "of a flow of an incast, or behind a pause"),
                Parameter.size(
                        Network.XOFF,
                        "2MB",
                        "100kB",
                        "4MB",
                        "of an ingress, at which it pauses; a tenth where pauses are the subject (victim)"),
                Parameter.duration(
                        Network.STAGGER,
                        "100us",
                        "1ns",
                        "1s",
                        "time over which flows without end begin, at random"),
                Parameter.duration(Network.DURATION, "10ms", "1ms", "10s", "of the run"));
    }

    private static Controller controller(Values values) {
        return Controller.of(values.word(CONTROL));
    }

    private static PortTraffic lossless(long xoffBytes) {
        return Controller.lossless()
                .with("flow-control", FlowControlConfig.Mode.PFC)
                .with("buffers.xoff", xoffBytes)
                .with("buffers.xon", xoffBytes - HYSTERESIS_BYTES);
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Network network = Network.of(values);
        Controller controller = controller(values);
        NamedRandom starts = NamedRandom.of(cell.seed(), "flows", "starts");
        Network.Traffic traffic = network.traffic(values, controller, starts);
        List<String> lasting = List.copyOf(traffic.shares().keySet());
        List<String> watched = network.watched(values);
        Experiment experiment =
                new Experiment(
                        network.topology(values, controller, lossless(network.xoffBytes(values))),
                        traffic.flows(),
                        traffic.arrivals(),
                        values.whole(Network.DURATION) * PS_PER_NS,
                        new Recording(INTERVAL_PS, lasting, watched));
        Observation seen = Beds.run(experiment, cell, context);
        Series queue = longest(watched, seen);
        List<Measure> measures =
                Judged.of(network, values, controller.moreBytes(), traffic, seen, queue);
        Stream<Series> others =
                seen.series().stream()
                        .filter(each -> !each.name().startsWith(Kind.QUEUE.series("")));
        return seen.withSeries(Stream.concat(Stream.of(queue), others).toList())
                .outcome(measures, List.of());
    }

    /** The longest queue of some ports at each time. */
    private static Series longest(List<String> ports, Observation seen) {
        Series first = seen.seriesOf(Kind.QUEUE.series(ports.getFirst()));
        double[] most = first.values().clone();
        for (String port : ports) {
            double[] values = seen.seriesOf(Kind.QUEUE.series(port)).values();
            for (int i = 0; i < most.length; i++) {
                most[i] = Math.max(most[i], values[i]);
            }
        }
        return new Series(Judged.QUEUE, first.unit(), first.timesUs(), most);
    }

    /** For a data packet there and its acknowledgement back, over empty links. */
    private static double roundTripUs(double rateBps) {
        double bytes = Senders.FRAME_BYTES + ACK_BYTES + 2.0 * Ethernet.WIRE_OVERHEAD_BYTES;
        return LINKS * (2 * Network.DELAY_NS / 1e3 + bytes * 8e6 / rateBps);
    }

    /** Where the control's paper has the queue rest, if it rests by the run's end. */
    private static double queueKb(Values values) {
        Controller controller = controller(values);
        long rateBps = values.whole(Network.RATE);
        boolean isJudged =
                Network.of(values) == Network.BOTTLENECK
                        && values.whole(Network.DURATION) >= controller.settledNs();
        return isJudged
                ? controller.queueKb(
                        values.count(Network.SENDERS), rateBps, roundTripUs((double) rateBps))
                : Double.NaN;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        List<Check> checks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        for (CellResult result : results) {
            checks.add(
                    Check.atMost(
                            Labels.behind("frames dropped", results, result),
                            "frames",
                            result.measure("frames dropped"),
                            0,
                            "lossless ports"));
            String name = Labels.behind(Judged.QUEUE, results, result);
            double kbytes = queueKb(result.cell().values());
            if (!Double.isNaN(kbytes)) {
                double seen = result.measure(Judged.QUEUE);
                checks.add(Check.near(name, "kB", seen, kbytes, QUEUE_TOLERANCE, SOURCE));
            }
            queues.add(
                    Line.of(name, Style.LINE, result.outcomeOrThrow().series(Judged.QUEUE))
                            .in(result.cell().values().text(CONTROL)));
        }
        Figure figure =
                new Figure(
                        Judged.QUEUE,
                        "The longest queue, of each control",
                        Axis.linear("time", "us"),
                        Axis.linear(Judged.QUEUE, "kB").cutAt(SHOWN_KB),
                        queues,
                        "Each queue of a bottleneck comes to rest where the control's paper says.",
                        "the tables have the means of all runs");
        return new Findings(checks, List.of(figure), List.of(), tables(results));
    }

    private static List<Findings.Titled> tables(List<CellResult> results) {
        Map<String, List<Group>> byPlace =
                Group.of(results).stream()
                        .collect(
                                Collectors.groupingBy(
                                        group -> group.place(results),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<Findings.Titled> tables = new ArrayList<>();
        List<Ranking> rankings = new ArrayList<>();
        byPlace.forEach((place, groups) -> {
            rankings.addAll(Ranking.of(place, groups));
            tables.add(new Findings.Titled(title(place, groups), table(groups)));
        });
        if (!rankings.isEmpty()) {
            String title =
                    "Who wins where, of those with at least 80 % of the largest use: means over all"
                            + " seeds, the same within a hundredth";
            tables.addFirst(new Findings.Titled(title, Ranking.table(rankings)));
        }
        return tables;
    }

    private static String title(String place, List<Group> groups) {
        Network network = groups.getFirst().network();
        boolean isSettled = network == Network.BOTTLENECK || network == Network.MULTI_BOTTLENECK;
        return place
                + (isSettled ? ": the last quarter" : "")
                + (groups.getFirst().runs().size() > 1 ? " (least to largest of all seeds)" : "");
    }

    private static Table table(List<Group> groups) {
        List<Table.Column<Group>> columns = new ArrayList<>();
        columns.add(Table.column("control", Group::control));
        add(columns, groups, ">use, %", Judged.USE, "%.1f");
        add(columns, groups, ">queue, kB", Judged.QUEUE, "%.1f");
        if (groups.stream().anyMatch(group -> !Double.isNaN(queueKb(group.values())))) {
            columns.add(Table.number(">closed form, kB", "%.1f", group -> queueKb(group.values())));
        }
        add(columns, groups, ">p99, kB", Judged.P99, "%.0f");
        add(columns, groups, ">Jain", Judged.FAIRNESS, "%.4f");
        add(columns, groups, ">mean completion, us", Judged.COMPLETION, "%.0f");
        add(columns, groups, ">p99, us", Judged.SLOWEST, "%.0f");
        add(columns, groups, ">pauses", Judged.PAUSES, "%.0f");
        add(columns, groups, ">stopped, us", Judged.STOPPED, "%.0f");
        add(columns, groups, ">convergence, us", Judged.CONVERGENCE, "%.0f");
        return Table.of(groups, columns);
    }

    /** A column for what any of these has and is not 0 for all. */
    private static void add(
            List<Table.Column<Group>> columns,
            List<Group> groups,
            String heading,
            String measure,
            String format) {
        if (groups.stream().anyMatch(group -> group.has(measure) && group.mean(measure) != 0)) {
            columns.add(Table.column(heading, group -> group.spread(measure, format)));
        }
    }
}
