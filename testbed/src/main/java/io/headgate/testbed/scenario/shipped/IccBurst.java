package io.headgate.testbed.scenario.shipped;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.icc.Icc;
import io.headgate.hostagent.icc.IccEquations;
import io.headgate.hostagent.icc.IccReactionConfig;
import io.headgate.hostagent.icc.IccReactionMechanism;
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
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.compare.Published;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the scenarios after ICC (Wang et al., "Congestion Control Using In-Network Telemetry for
 * Lossless Datacenters", 2023) have in common: its figure 3, links of 100 Gb/s and 5 us, as far as
 * the text describes it.
 *
 * <pre>
 *   h1, h2 to h16 - s0 - P0 - s1 - P1 - s2 - r0, r1
 *                             hb
 * </pre>
 *
 * <p>h1 sends F1 to r0; h2 to h16 send 60 flows of 64 KB to r1, and hb sends 60 as well. All flows
 * but hb's pass P0, and all pass P1. F0, "for comparison", would share r0's link with F1, which
 * could not have 100 Gb/s then, as the text says it has: it is left out, as in section 5.1. That hb
 * is at s1 is a choice: only so P1 is congested. So is where a port pauses, a share of the 5 MB of
 * a switch with 17 ports. The paper names no number of hosts.
 *
 * <p>A recovery is counted from the end of the last short flow: 7.7 MB take P1 0.61 ms, longer than
 * the 0.4 ms that ICC's recovery takes in the paper.
 */
public final class IccBurst {
    static final String PAPER = "Wang et al., ICC (CMC 75(1), 2023)";
    static final String LONG = "F1";
    static final String SHORT = "burst";
    static final String QUEUE = "queue s0/p17";
    static final String STOPPED = "stopped h1";
    static final String THROUGHPUT = "throughput " + LONG;

    static final String PAUSES = "pauses of all ports";
    static final String STOPPED_TIME = "time for which ports and hosts were stopped";
    static final String LAST_PAUSE = "last pause of F1's host, since the burst";
    static final String BURST_END = "last short flow's end, since the burst";
    static final String RECOVERY =
            "F1's recovery or the run's end, since the last short flow's end";
    static final String AT_END = "F1's rate at the end, of that before the burst";
    static final String STEADY = "queue of s0 in the last quarter";
    static final String PEAK = "queue of s0, highest";
    static final String DROP = "queue of s0 down to a tenth of its peak, since the burst";

    private static final String KEY = "control";
    static final String ICC = "icc";
    static final String PRINTED = "icc-printed";

    /** The controls that the paper compares ICC with, with the parameters of their papers. */
    private static final List<Published> OTHERS =
            List.of(Published.DCQCN, Published.TIMELY, Published.PCN);

    private static final long RATE_BPS = 100_000_000_000L;
    private static final long DELAY_NS = 5_000;
    private static final int SENDERS = 15;
    private static final int FLOWS = 60;
    private static final int MTU = 1_068;
    private static final int FRAME_BYTES = MTU + 14;
    private static final int WINDOW = 4_096;
    private static final long QUEUE_LIMIT_BYTES = 800_000;

    /** An eighth of what is left, as in the simulator of DCQCN's and HPCC's authors. */
    private static final int ALPHA_EXPONENT = -3;

    private static final long INTERVAL_PS = 20_000_000;
    private static final long RECOVERY_NS = 1_000_000;
    private static final double RECOVERED = 0.95;
    private static final int SUSTAINED = 5;
    private static final double TENTH = 0.1;

    /** F1's rate is back if it is within this of what it was, at the run's end. */
    private static final double LEAST_PERCENT = 95;

    /** Where the paper's figure has an order only, or more than this. */
    private static final double FASTER = 1.3;

    private IccBurst() {}

    static Parameter control() {
        List<String> words = new ArrayList<>(List.of(ICC, PRINTED));
        OTHERS.forEach(each -> words.add(each.word()));
        return Parameter.words(
                KEY,
                words,
                "what controls the flows: ICC with consistent formulas, or as printed; DCQCN, TIMELY"
                        + " or PCN");
    }

    static List<Parameter> parameters(String size, String duration) {
        return List.of(
                control(),
                Parameter.size("size", size, "1MB", "10GB", "of F1"),
                Parameter.size("short", "64KiB", "1kB", "10MB", "of each short flow"),
                Parameter.duration("begin", "500us", "100us", "1s", "when the short flows start"),
                Parameter.size("buffer", "5MB", "1MB", "100MB", "that the ports of a switch share"),
                Parameter.size("qd", "25kB", "1kB", "500kB", "ICC's Qd"),
                Parameter.duration("duration", duration, "1ms", "10s", "of the run"));
    }

    /** Null: ICC. */
    private static @Nullable Published other(Values values) {
        return OTHERS.stream()
                .filter(each -> each.word().equals(values.word(KEY)))
                .findAny()
                .orElse(null);
    }

    private static Topology topology(Values values) {
        LinkSpec link = LinkSpec.of(RATE_BPS, DELAY_NS);
        Topology.Builder net =
                Topology.builder("icc").switchNode("s0").switchNode("s1").switchNode("s2");
        for (int i = 1; i <= SENDERS + 1; i++) {
            net.host("h" + i, "s0", link);
        }
        net.host("hb", "s1", link).host("r0", "s2", link).host("r1", "s2", link);
        net.link("s0", "s1", link).link("s1", "s2", link);
        PortTraffic ports =
                Common.lossless()
                        .with("flow-control", FlowControlConfig.Mode.PFC)
                        .with("buffers.alpha", ALPHA_EXPONENT);
        Published other = other(values);
        ports =
                other == null
                        ? ports.with(new Icc(), "priorities", List.of(Common.PRIORITY))
                        : other.ports(ports, RATE_BPS);
        return net.build()
                .withSizes(new Topology.Sizes(MTU, QUEUE_LIMIT_BYTES, 0, values.whole("buffer")))
                .withPorts(ports);
    }

    private static Mechanisms.Use use(Values values) throws ScenarioException {
        Published other = other(values);
        if (other != null) {
            return other.use(RATE_BPS);
        }
        boolean isPrinted = values.word(KEY).equals(PRINTED);
        return new IccReactionMechanism()
                .use(
                        new IccReactionConfig(
                                isPrinted ? IccEquations.PRINTED : IccEquations.CONSISTENT,
                                values.whole("qd"),
                                0,
                                0,
                                0,
                                IccReactionConfig.Increase.REPORT,
                                0,
                                RECOVERY_NS));
    }

    private static FlowSpec flow(String name, int from, int to, long bytes, Values values)
            throws ScenarioException {
        FrameShape shape =
                FrameShape.messages(
                                FRAME_BYTES,
                                new FrameShape.Messages(
                                        Verb.SEND, FrameShape.Messages.DEFAULT_BYTES, false))
                        .withPriority(Common.PRIORITY, 26)
                        .withEcn(FrameShape.ECT_0);
        return new FlowSpec(
                name,
                from,
                to,
                0,
                Long.MAX_VALUE,
                bytes,
                new SendPattern.Controlled(use(values)),
                WINDOW,
                shape);
    }

    /** Runs F1 and the short flows. */
    static Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        int hb = SENDERS + 1;
        int r0 = hb + 1;
        int r1 = hb + 2;
        long beginPs = values.whole("begin") * Common.PS_PER_NS;
        List<FlowSpec> flows = new ArrayList<>();
        flows.add(flow(LONG, 0, r0, values.whole("size"), values));
        for (int i = 0; i < 2 * FLOWS; i++) {
            int from = i < FLOWS ? 1 + i % SENDERS : hb;
            flows.add(
                    flow(SHORT, from, r1, values.whole("short"), values)
                            .during(beginPs, Long.MAX_VALUE));
        }
        Recording recording =
                new Recording(INTERVAL_PS, List.of(LONG, SHORT), List.of("s0/p17"))
                        .with(Kind.STOPPED, List.of("h1"))
                        .with(Kind.RATE, List.of(LONG));
        long durationPs = values.whole("duration") * Common.PS_PER_NS;
        Observation seen =
                Common.run(topology(values), flows, durationPs, recording, cell, context);
        return seen.outcome(measures(seen, values.whole("begin") / 1e3), List.of());
    }

    private static List<Measure> measures(Observation seen, double beginUs) {
        Outcome outcome = new Outcome("", List.of(), seen.series(), List.of(), Map.of());
        Flows shorts = Objects.requireNonNull(Flows.of(outcome, SHORT));
        double endUs = beginUs;
        for (int i = 0; i < shorts.count(); i++) {
            // One that has not finished has no end.
            endUs = Math.max(endUs, shorts.startUs()[i] + shorts.completionUs()[i]);
        }
        double pauses = 0;
        double stoppedUs = 0;
        for (Measure measure : seen.ofBed()) {
            pauses += measure.name().startsWith("pauses sent of") ? measure.value() : 0;
            stoppedUs += measure.name().startsWith("time stopped of") ? measure.value() : 0;
        }
        Series queue = seen.seriesOf(QUEUE);
        return List.of(
                new Measure(PAUSES, "pauses", pauses),
                new Measure(STOPPED_TIME, "us", stoppedUs),
                new Measure(
                        LAST_PAUSE,
                        "us",
                        Math.max(0, lastAbove(seen.seriesOf(STOPPED), 0) - beginUs)),
                new Measure(BURST_END, "us", endUs - beginUs),
                new Measure(RECOVERY, "us", recoveredUs(seen, beginUs, endUs) - endUs),
                new Measure(AT_END, "%", atEndPercent(seen, beginUs)),
                new Measure(
                        STEADY,
                        "kB",
                        queue.mean(0.75 * seen.durationUs(), Double.POSITIVE_INFINITY)),
                new Measure(PEAK, "kB", queue.max()),
                new Measure(DROP, "us", lastAbove(queue, TENTH * queue.max()) - beginUs));
    }

    /** The last time at which a series is above a level. */
    private static double lastAbove(Series series, double level) {
        double lastUs = 0;
        for (int i = 0; i < series.values().length; i++) {
            lastUs = series.values()[i] > level ? series.timesUs()[i] : lastUs;
        }
        return lastUs;
    }

    /**
     * The time from which F1 has what it had before the burst, to the run's end; that end if it has
     * not then. Means of some samples count: what waited behind a pause arrives at the link's rate.
     */
    private static double recoveredUs(Observation seen, double beginUs, double endUs) {
        Series series = seen.seriesOf(THROUGHPUT);
        double level = RECOVERED * series.mean(beginUs / 2, beginUs);
        double sinceUs = endUs;
        int count = series.values().length;
        for (int i = 0; i + SUSTAINED <= count; i++) {
            double mean =
                    Arrays.stream(series.values(), i, i + SUSTAINED).average().orElse(Double.NaN);
            if (mean < level) {
                boolean isLast = i + SUSTAINED == count;
                sinceUs = isLast ? seen.durationUs() : series.timesUs()[i + 1];
            }
        }
        return Math.max(endUs, sinceUs);
    }

    private static double atEndPercent(Observation seen, double beginUs) {
        Series series = seen.seriesOf(THROUGHPUT);
        double[] values = series.values();
        int from = Math.max(0, values.length - SUSTAINED);
        double atEnd = Arrays.stream(values, from, values.length).average().orElse(Double.NaN);
        return 100 * atEnd / series.mean(beginUs / 2, beginUs);
    }

    /** The runs like another one, but with these controls. */
    static List<CellResult> with(Conclusions.Run run, List<Published> controls) {
        return run.alike("size", "short", "begin", "buffer", "duration").stream()
                .filter(result ->
                        controls.stream().anyMatch(each -> each.word().equals(word(result))))
                .toList();
    }

    /** As a person writes the control of a run. */
    static String name(CellResult result) {
        return word(result).toUpperCase(Locale.ROOT);
    }

    private static String word(CellResult result) {
        return result.cell().values().word(KEY);
    }

    /** Expects the measure of these controls to be at least {@code least} times ICC's. */
    static void times(
            Conclusions all,
            Conclusions.Run run,
            List<Published> controls,
            String measure,
            double least,
            String source) {
        for (CellResult other : with(run, controls)) {
            all.check(
                    Check.atLeast(
                            run.named("%s, %s's of ICC's".formatted(measure, name(other))),
                            "times",
                            other.measure(measure) / run.measure(measure),
                            least,
                            source));
        }
    }

    /** The queue of the first switch before, during and after a burst. */
    public static final class States implements Scenario {
        private static final String FIGURE = PAPER + ", figure 11";

        /** A hundredth of what is on its way in a round trip of 40 us. */
        private static final double NEAR_ZERO_KB = 5;

        @Override
        public About about() {
            return new About(
                    "icc-states",
                    "ICC: the queue of a switch under a burst",
                    FIGURE,
                    "Without bursts ICC's queue is almost zero; after one it drops abruptly, and stays"
                            + " at or near zero.");
        }

        @Override
        public List<Parameter> parameters() {
            return IccBurst.parameters("10GB", "4ms");
        }

        @Override
        public Outcome run(Cell cell, RunContext context) throws ScenarioException {
            return IccBurst.run(cell, context);
        }

        @Override
        public Findings conclude(List<CellResult> results) {
            Conclusions all = new Conclusions(results);
            List<Line> lines = new ArrayList<>();
            for (Conclusions.Run run : all.runs()) {
                run.atMost("frames dropped", 0, "lossless ports");
                lines.add(run.line("s0", Style.LINE, QUEUE));
                if (run.has("control", ICC)) {
                    run.atMost(STEADY, NEAR_ZERO_KB, FIGURE);
                    times(all, run, OTHERS, DROP, FASTER, FIGURE);
                }
                run.say(
                        "queue %.1f kB in the last quarter, %.0f kB at most, down to a tenth %.0f us after the burst's begin"
                                .formatted(
                                        run.measure(STEADY), run.measure(PEAK), run.measure(DROP)));
            }
            return all.with(
                    new Figure(
                            "queue",
                            "The queue of s0 before its link to s1",
                            Axis.linear("time", "us"),
                            Axis.linear("queue", "kB"),
                            lines,
                            "Figure 11: ICC's drops abruptly after the burst and stays near zero.",
                            all.said()));
        }
    }

    /** How long a burst holds a long flow back. */
    public static final class Recovery implements Scenario {
        private static final String FIGURE_5 =
                PAPER + ", figure 5: ICC 0.4 ms, PCN 1.4, TIMELY 1.8, DCQCN 2.5";
        private static final String FIGURE_4 = PAPER + ", figure 4: ICC's pauses end first";
        private static final double MOST_US = 800;

        @Override
        public About about() {
            return new About(
                    "icc-recovery",
                    "ICC: a long flow after a burst of short ones",
                    PAPER + ", figures 4 and 5",
                    "With ICC the pauses of F1's way end at 1.1 ms, earlier than with the others, and"
                            + " F1 has its rate again 0.4 ms after the burst, with PCN 1.4, with"
                            + " TIMELY 1.8 and with DCQCN 2.5 ms.");
        }

        @Override
        public List<Parameter> parameters() {
            return IccBurst.parameters("10GB", "4ms");
        }

        @Override
        public Outcome run(Cell cell, RunContext context) throws ScenarioException {
            return IccBurst.run(cell, context);
        }

        @Override
        public Findings conclude(List<CellResult> results) {
            Conclusions all = new Conclusions(results);
            List<Line> rates = new ArrayList<>();
            List<Line> stops = new ArrayList<>();
            for (Conclusions.Run run : all.runs()) {
                run.atMost("frames dropped", 0, "lossless ports");
                rates.add(run.line(LONG, Style.STEP, THROUGHPUT));
                stops.add(run.line("h1", Style.STEP, STOPPED));
                if (run.has("control", ICC)) {
                    run.atMost(RECOVERY, MOST_US, FIGURE_5);
                    run.atLeast(AT_END, LEAST_PERCENT, FIGURE_5);
                    times(all, run, OTHERS, RECOVERY, FASTER, FIGURE_5);
                    times(all, run, OTHERS, LAST_PAUSE, FASTER, FIGURE_4);
                }
                run.say(
                        "recovery %s%.0f us after the last short flow, which ended %.0f us after the burst's begin; last pause at %.0f us"
                                .formatted(
                                        run.measure(AT_END) < LEAST_PERCENT ? "not within " : "",
                                        run.measure(RECOVERY),
                                        run.measure(BURST_END),
                                        run.measure(LAST_PAUSE)));
            }
            return all.with(
                    new Figure(
                            "throughput",
                            "F1 under a burst of short flows",
                            Axis.linear("time", "us"),
                            Axis.linear("throughput, frames without FCS", "Gb/s"),
                            rates,
                            "Figure 5: ICC recovers first.",
                            all.said()),
                    new Figure(
                            "pauses",
                            "How much of the time F1's host is paused",
                            Axis.linear("time", "us"),
                            Axis.linear("paused", "%"),
                            stops,
                            "Figure 4: ICC's pauses end first.",
                            all.said()));
        }
    }

    /**
     * How many pauses a burst causes, and how long flows take. The paper has the 99th percentile of
     * short flows 2.7 times longer with PCN than with ICC, and 3.4 times with TIMELY. That cannot
     * be in this network: P1 carries the burst in 0.69 ms, and with PCN and TIMELY the last short
     * flow ends at 0.75 ms or sooner. Only DCQCN, whose cuts leave P1 idle, leaves room for it.
     */
    public static final class Victims implements Scenario {
        private static final String FIGURE_9 =
                PAPER + ", figure 9: 56 % fewer than DCQCN, 63 % than TIMELY, 38 % than PCN";
        private static final String FIGURE_10 = PAPER + ", figure 10: ";
        private static final String LONG_FCT = "mean completion of " + LONG;
        private static final String SHORT_FCT = "p99 completion of " + SHORT;
        private static final double FEWER_PERCENT = 30;

        @Override
        public About about() {
            return new About(
                    "icc-victims",
                    "ICC: pauses of a burst, and how long flows take",
                    PAPER + ", figures 9 and 10",
                    "ICC has 56 % fewer pauses than DCQCN, 63 % fewer than TIMELY and 38 % fewer than"
                            + " PCN; F1 takes 2.3, 2.2 and 1.7 times less, and the slowest 1 % of"
                            + " the short flows 3.5, 3.4 and 2.7 times less.");
        }

        @Override
        public List<Parameter> parameters() {
            return IccBurst.parameters("100MB", "100ms");
        }

        @Override
        public Outcome run(Cell cell, RunContext context) throws ScenarioException {
            return IccBurst.run(cell, context);
        }

        @Override
        public Findings conclude(List<CellResult> results) {
            Conclusions all = new Conclusions(results);
            List<Line> lines = new ArrayList<>();
            for (Conclusions.Run run : all.runs()) {
                run.atMost("frames dropped", 0, "lossless ports");
                lines.add(run.line(LONG, Style.STEP, THROUGHPUT));
                if (run.has("control", ICC)) {
                    for (CellResult other : with(run, OTHERS)) {
                        double ratio = run.measure(PAUSES) / other.measure(PAUSES);
                        all.check(
                                Check.atLeast(
                                        run.named("pauses fewer than %s's".formatted(name(other))),
                                        "%",
                                        100 * (1 - ratio),
                                        FEWER_PERCENT,
                                        FIGURE_9));
                    }
                    String longs = FIGURE_10 + "2.3, 2.2 and 1.7 times";
                    List<Published> dcqcn = List.of(Published.DCQCN);
                    List<Published> slow = List.of(Published.DCQCN, Published.TIMELY);
                    times(all, run, slow, LONG_FCT, FASTER, longs);
                    // With PCN as with ICC, F1 waits little but for the burst itself.
                    times(all, run, List.of(Published.PCN), LONG_FCT, 1, longs);
                    times(all, run, dcqcn, SHORT_FCT, FASTER, FIGURE_10 + "3.5 times");
                }
                run.say(
                        "%.0f pauses of %.0f us, F1 %.0f us, 99th percentile of the short flows %.0f us"
                                .formatted(
                                        run.measure(PAUSES),
                                        run.measure(STOPPED_TIME),
                                        run.measure(LONG_FCT),
                                        run.measure(SHORT_FCT)));
            }
            return all.with(
                    new Figure(
                            "throughput",
                            "F1 from its beginning to its end",
                            Axis.linear("time", "us"),
                            Axis.linear("throughput, frames without FCS", "Gb/s"),
                            lines,
                            "Figure 10: F1 takes 2.3 times less with ICC than with DCQCN, 2.2 than with"
                                    + " TIMELY, 1.7 than with PCN.",
                            all.said()));
        }
    }
}
