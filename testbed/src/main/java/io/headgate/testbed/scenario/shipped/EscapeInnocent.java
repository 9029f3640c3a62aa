package io.headgate.testbed.scenario.shipped;

import io.headgate.config.PortTraffic;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.gfc.Gfc;
import io.headgate.dataplane.gfc.GfcConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.PortFacts;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Flows of h2 and h4 to h5, whose way is free, share switches with those of h1 and h3 to h6, whose
 * link is offered more than it carries: how long the former take, without Escape and with it.
 *
 * <p>Generators are closed loops: a flow, and when it has left the host a pause, whose mean makes
 * the load that is asked for where nothing holds the flow up. Each has connections of its own, that
 * is, one UDP source port: a flow of which no frame has come to a switch yet is not known there,
 * and gets no token. Where a load is 80 %, it is of a sink's link.
 *
 * <p>The dissertation does not give Escape's parameters here. A port remembers as many flows as it
 * has tokens (N of section 4.3.1), which is more than there are; the period is two link delays
 * (section 4.3.2). Pauses begin where they do at its other links of 100 Gb/s (section 3.5; both
 * chapters take the thresholds from the same source).
 */
public final class EscapeInnocent implements Scenario {
    private static final int FRAME_BYTES = 1514;
    private static final int FIRST_PORT = 20_000;
    private static final long ACCESS_BPS = 100_000_000_000L;
    private static final long SINK_BPS = 40_000_000_000L;
    private static final long QUEUE_LIMIT_BYTES = 4_000_000;
    private static final String INNOCENT = "innocent";
    private static final String HEAVY = "heavy";
    private static final String ON = "on";
    private static final String OFF = "off";

    /** In place of pauses and Escape: gentle flow control, by stages or by periods. */
    private static final String BY_STAGES = "gfc-buffer";

    private static final String BY_PERIODS = "gfc-time";
    private static final String LOST = "frames lost";
    private static final String WEBSEARCH = "websearch_rocc";

    /** A mean of fewer is not given. */
    private static final int LEAST_FLOWS = 1000;

    private static final double LEAST_GAIN_PERCENT = 5;

    private static final String SOURCE = "Menikkumbura, dissertation (Purdue, 2022), section 4.6.5";
    private static final String FIGURE = SOURCE + ", figure 4.17: about 10 %";
    private static final String GFC_FIGURE =
            SOURCE + ", figure 4.17: at least 50 % more (WebSearch), 30 % (FB_Hadoop)";

    /** Where classes of sizes end: below them all of which the dissertation says something. */
    private static final Map<String, List<Long>> BOUNDS =
            Map.of(
                    WEBSEARCH,
                    List.of(10_001L, 20_001L, 30_001L, 50_001L, 80_001L, 200_001L, 1_000_001L),
                    "fbhadoop_rocc",
                    List.of(76L, 251L, 351L, 1_001L, 2_516L, 6_327L, 10_033L, 24_095L));

    @Override
    public About about() {
        return new About(
                "escape-innocent",
                "Escape: how long flows take that are blocked behind others' congestion",
                SOURCE + ", figures 4.16 and 4.17",
                "Innocent flows take about 10 % longer without Escape: those of WebSearch below"
                        + " 1 MB (--set workload=websearch_rocc --set duration=1500ms: a"
                        + " minute), and those of FB_Hadoop of all sizes.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(
                        "escape",
                        null,
                        List.of(OFF, ON, BY_STAGES),
                        0,
                        0,
                        List.of(OFF, ON, BY_STAGES, BY_PERIODS),
                        "whether frames may escape; or gentle flow control in place of that"),
                new Parameter(
                        "workload",
                        null,
                        List.of("fbhadoop_rocc"),
                        0,
                        0,
                        List.of("fbhadoop_rocc", WEBSEARCH),
                        "sizes of all flows"),
                Parameter.count("generators", "10", "1", "100", "of each source"),
                Parameter.number("heavy", "0.8", "0", "2", "load of h1, and of h3"),
                Parameter.number("innocent", "0.4", "0.01", "2", "of h2, and of h4"),
                Parameter.duration("delay", "1.5us", "0ns", "1ms", "delay of every link"),
                Parameter.count("tokens", "64", "1", "64", "of Escape"),
                Parameter.count("flows", "64", "1", "1024", "that a port remembers"),
                Parameter.duration("period", "3us", "100ns", "10ms", "between tokens"),
                Parameter.duration("reclaim", "100us", "1us", "1s", "until a token is back"),
                Parameter.size("xoff", "800kB", "10kB", "900kB", "a pause begins"),
                Parameter.size("xon", "790kB", "0B", "890kB", "a pause ends"),
                Parameter.duration("duration", "20ms", "1ms", "10s", "of the run"));
    }

    private static Topology topology(Values values) throws ScenarioException {
        LinkSpec access = LinkSpec.of(ACCESS_BPS, values.whole("delay"));
        LinkSpec sink = LinkSpec.of(SINK_BPS, values.whole("delay"));
        Topology.Builder net = Topology.builder("innocent");
        for (int i = 1; i <= 5; i++) {
            net.switchNode("s" + i);
        }
        net.host("h1", "s2", access).host("h2", "s2", access);
        net.host("h3", "s3", access).host("h4", "s3", access);
        net.host("h5", "s4", sink).host("h6", "s5", sink);
        for (int i = 2; i <= 5; i++) {
            net.link("s" + i, "s1", access);
        }
        PortTraffic ports = Common.pauses(values.whole("xoff"), values.whole("xon"));
        if (values.word("escape").equals(ON)) {
            ports =
                    ports.with(new Escape(), "tokens", values.count("tokens"))
                            .with(new Escape(), "flows", values.count("flows"))
                            .with(new Escape(), "period", values.whole("period"))
                            .with(new Escape(), "reclaim", values.whole("reclaim"));
        }
        if (values.word("escape").startsWith("gfc")) {
            boolean isByStages = values.word("escape").equals(BY_STAGES);
            ports =
                    ports.with(
                            new Gfc(),
                            "form",
                            isByStages ? GfcConfig.Form.BUFFER : GfcConfig.Form.TIME);
        }
        return net.build()
                .withSizes(Topology.Sizes.DEFAULT.withQueueLimitBytes(QUEUE_LIMIT_BYTES))
                .withPorts(ports);
    }

    @Override
    public void check(Values values) throws ScenarioException {
        Common.checkXon(values);
    }

    /** The generators of one source; none at load 0. */
    private static List<ArrivalSpec> generators(
            String name, int source, int sink, double load, Values values)
            throws ScenarioException {
        List<ArrivalSpec> specs = new ArrayList<>();
        SizeDistribution sizes = Workloads.named(values.word("workload"));
        int count = values.count("generators");
        double bits = 8 * sizes.meanBytes();
        // Each flow takes the line, then sleeps.
        double sleepPs = bits * 1e12 * (count / (load * SINK_BPS) - 1.0 / ACCESS_BPS);
        for (int i = 0; i < count && load > 0; i++) {
            FrameShape shape =
                    Common.losslessFrames(FRAME_BYTES)
                            .withSourcePort(FIRST_PORT + 100 * source + i);
            specs.add(
                    ArrivalSpec.of(
                            name,
                            source,
                            List.of(sink),
                            new ArrivalProcess.ClosedLoop(Math.max(0, sleepPs)),
                            sizes,
                            shape));
        }
        return specs;
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        List<ArrivalSpec> sources = new ArrayList<>();
        for (int pair = 0; pair < 4; pair += 2) {
            sources.addAll(generators(HEAVY, pair, 5, values.number("heavy"), values));
            sources.addAll(generators(INNOCENT, pair + 1, 4, values.number("innocent"), values));
        }
        String workload = values.word("workload");
        List<Long> bounds =
                Objects.requireNonNull(BOUNDS.get(workload), "no classes for " + workload);
        Recording recording = Recording.NOTHING.withSizeBounds(bounds);
        Observation seen =
                Beds.run(
                        new Experiment(topology(values), List.of(), sources, durationPs, recording),
                        cell,
                        context);
        List<Measure> measures = new ArrayList<>();
        for (GroupFacts.SizeClass one : seen.group(INNOCENT).bySize()) {
            String name = name(one.toBytes());
            measures.add(new Measure(FLOWS + name, "flows", one.flows()));
            measures.add(new Measure(MEAN + name, "us", one.meanUs()));
        }
        long lost = seen.ports().values().stream().mapToLong(PortFacts::dropped).sum();
        measures.add(new Measure(LOST, "frames", lost));
        return seen.outcome(measures, List.of());
    }

    private static final String FLOWS = "innocent flows ";
    private static final String MEAN = "mean completion of innocent flows ";

    private static String name(long toBytes) {
        return toBytes == Long.MAX_VALUE ? "above" : "to " + (toBytes - 1) + " B";
    }

    /** Flows of classes over all seeds, and their mean. */
    private record Pooled(double flows, double meanUs) {
        static Pooled of(List<CellResult> runs, List<String> names) {
            double flows = 0;
            double sumUs = 0;
            for (CellResult run : runs) {
                for (String name : names) {
                    double own = run.measure(FLOWS + name);
                    flows += own;
                    sumUs += own * run.measure(MEAN + name);
                }
            }
            return new Pooled(flows, flows == 0 ? 0 : sumUs / flows);
        }
    }

    private static List<CellResult> runs(List<CellResult> all, String workload, String escape) {
        return all.stream()
                .filter(run -> run.cell().values().word("workload").equals(workload))
                .filter(run -> run.cell().values().word("escape").equals(escape))
                .toList();
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        all.runs().forEach(run -> run.within(LOST, 0, 0, "theorem 4.4.2: no loss"));
        List<Figure> figures = new ArrayList<>();
        new TreeMap<>(BOUNDS)
                .forEach((workload, bounds) -> {
                    List<CellResult> off = runs(results, workload, OFF);
                    List<CellResult> on = runs(results, workload, ON);
                    if (!off.isEmpty() && !on.isEmpty()) {
                        conclude(workload, bounds, off, on, all, figures);
                    }
                    for (String gfc : List.of(BY_STAGES, BY_PERIODS)) {
                        List<CellResult> rated = runs(results, workload, gfc);
                        if (!rated.isEmpty() && !on.isEmpty()) {
                            concludeGfc(workload, gfc, names(workload, bounds), rated, on, all);
                        }
                    }
                });
        return all.with(figures);
    }

    /** Classes that the dissertation says something of. */
    private static List<String> names(String workload, List<Long> bounds) {
        List<String> names = new ArrayList<>(bounds.stream().map(EscapeInnocent::name).toList());
        if (!workload.equals(WEBSEARCH)) {
            names.add(name(Long.MAX_VALUE));
        }
        return names;
    }

    private static void concludeGfc(
            String workload,
            String gfc,
            List<String> names,
            List<CellResult> rated,
            List<CellResult> on,
            Conclusions all) {
        Pooled with = Pooled.of(on, names);
        Pooled without = Pooled.of(rated, names);
        double percent = 100 * (without.meanUs / with.meanUs - 1);
        all.say(
                String.format(
                        Locale.ROOT,
                        "%s, all these flows: %.1f us with %s (%.0f flows), %.1f us with Escape"
                                + " (%.0f): %.1f %% more",
                        workload,
                        without.meanUs,
                        gfc,
                        without.flows,
                        with.meanUs,
                        with.flows,
                        percent));
        // That there are too few fails where Escape is judged.
        if (Math.min(with.flows, without.flows) >= LEAST_FLOWS) {
            all.check(
                    Check.atLeast(
                            "more with %s than with Escape, %s".formatted(gfc, workload),
                            "%",
                            percent,
                            LEAST_GAIN_PERCENT,
                            GFC_FIGURE));
        }
    }

    private static void conclude(
            String workload,
            List<Long> bounds,
            List<CellResult> off,
            List<CellResult> on,
            Conclusions all,
            List<Figure> figures) {
        List<String> names = names(workload, bounds);
        boolean isWeb = workload.equals(WEBSEARCH);
        Points before = new Points();
        Points after = new Points();
        List<Double> gains = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Gain gain = new Gain(workload, "flows " + names.get(i), List.of(names.get(i)), off, on);
            all.say(gain.said());
            if (gain.isJudged()) {
                double size = bounds.get(Math.min(i, bounds.size() - 1)) / 1e3;
                gains.add(gain.percent());
                before.add(size, gain.without().meanUs);
                after.add(size, gain.with().meanUs);
                all.check(gain.atLeast(0));
            }
        }
        Gain together =
                new Gain(workload, isWeb ? "flows below 1 MB" : "all flows", names, off, on);
        all.say(together.said());
        if (!together.isJudged()) {
            all.check(together.tooFew());
            return;
        }
        all.check(together.atLeast(LEAST_GAIN_PERCENT));
        if (gains.isEmpty()) {
            before.add(bounds.getLast() / 1e3, together.without().meanUs);
            after.add(bounds.getLast() / 1e3, together.with().meanUs);
        } else {
            String what = "less with Escape, %s, mean of the classes".formatted(workload);
            double mean = gains.stream().mapToDouble(gain -> gain).average().orElse(Double.NaN);
            all.check(Check.atLeast(what, "%", mean, LEAST_GAIN_PERCENT, FIGURE));
        }
        figures.add(figure(workload, before, after, together.percent()));
    }

    /** What flows of classes take without Escape and with it. */
    private record Gain(String workload, String name, Pooled without, Pooled with) {
        Gain(
                String workload,
                String name,
                List<String> classes,
                List<CellResult> off,
                List<CellResult> on) {
            this(workload, name, Pooled.of(off, classes), Pooled.of(on, classes));
        }

        double fewest() {
            return Math.min(without.flows, with.flows);
        }

        boolean isJudged() {
            return fewest() >= LEAST_FLOWS;
        }

        double percent() {
            return 100 * (without.meanUs - with.meanUs) / without.meanUs;
        }

        Check atLeast(double percent) {
            String what = "less with Escape, %s, %s".formatted(workload, name);
            return Check.atLeast(what, "%", percent(), percent, FIGURE);
        }

        Check tooFew() {
            return Check.atLeast(
                    "%s, %s that are judged".formatted(workload, name),
                    "flows",
                    fewest(),
                    LEAST_FLOWS,
                    "means of fewer say nothing; a longer duration or more seeds have more");
        }

        String said() {
            if (!isJudged()) {
                return String.format(
                        Locale.ROOT,
                        "%s, %s: %.0f without Escape and %.0f with, too few for a mean (%,d are"
                                + " needed)",
                        workload,
                        name,
                        without.flows,
                        with.flows,
                        LEAST_FLOWS);
            }
            return String.format(
                    Locale.ROOT,
                    "%s, %s: %.1f us without Escape (%.0f flows), %.1f us with (%.0f): %.1f %%"
                            + " less",
                    workload,
                    name,
                    without.meanUs,
                    without.flows,
                    with.meanUs,
                    with.flows,
                    percent());
        }
    }

    private static Figure figure(String workload, Points before, Points after, double percent) {
        return new Figure(
                "completion-" + workload.replace('_', '-'),
                "Completion times of innocent flows, " + workload,
                Axis.linear("size", "kB"),
                Axis.linear("mean completion", "us"),
                List.of(
                        before.line("without Escape", Style.LINE),
                        after.line("with Escape", Style.LINE)),
                "About 10 % more without Escape (figure 4.17).",
                String.format(Locale.ROOT, "%.1f %% less with Escape, all of them", percent));
    }
}
