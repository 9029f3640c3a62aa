package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
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
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The simulated network of "Congestion Detection in Lossless Networks", as its authors' published
 * configuration has it: five switches in a row, F0 and F1 at half the rate, and fifteen hosts that
 * send a burst each to F1's destination every 47.5 us. No host has a rate control.
 */
public final class TcdSimulation implements Scenario {
    private static final long PS_PER_US = 1_000_000;
    private static final int SWITCHES = 5;
    private static final int BURSTERS = 15;
    private static final long BETWEEN_BURSTS_PS = 47_500_000;
    private static final long BURSTS_BEGIN_PS = 1_000 * PS_PER_US;
    private static final long AFTERWARDS_PS = 2_000 * PS_PER_US;

    private static final String VICTIM = TcdRuns.VICTIM;
    private static final String CULPRIT = TcdRuns.CULPRIT;

    /** The port towards the last switch, which is what that pauses. */
    private static final String LAST_HOP = "T3/p2";

    private static final String STOPPED =
            "counter " + LAST_HOP + " stopped.ns.p" + TcdRuns.PRIORITY;
    private static final String VICTIM_CE = "F0 marked congested";
    private static final String CE_SHARE = "F0 marked congested while its way is paused";
    private static final String UE_SHARE = "F0 marked undetermined while its way is paused";
    private static final String WITHOUT_UE = "bursts without a frame of F0 marked undetermined";
    private static final String CULPRIT_CE = "F1 marked congested while F0's way is paused";
    private static final String PAUSED = "bursts while F0's way is paused";

    private static final String SOURCE =
            "Zhang et al., TCD (SIGCOMM 2021), the authors' simulator configuration";
    private static final double MOST = 95;

    /** The rest leaves the last hop while bursts are over and its queue only drains. */
    private static final double MOST_OF_CULPRIT = 80;

    @Override
    public About about() {
        return new About(
                "tcd-simulation",
                "Bursts behind a chain of five switches: who is marked, and as what",
                "Zhang et al., \"Congestion Detection in Lossless Networks\" (SIGCOMM 2021), the"
                        + " simulated network of its microbenchmarks",
                "While its way is paused, F0, which meets no congested port, is marked"
                        + " undetermined by TCD and congested by RED; F1, which does, is marked"
                        + " congested by both.");
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.words(
                        "detect", List.of("tcd", "red"), "ternary, or by the queue's length"),
                Parameter.count("bursts", "106", "5", "1000", "bursts, one every 47.5 us"),
                Parameter.duration(
                        "max-on",
                        "97us",
                        "1us",
                        "1ms",
                        "tcd: max(Ton); the default is the authors'"));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        String detect = values.word("detect");
        List<String> counters =
                new ArrayList<>(
                        List.of(
                                LAST_HOP + " stopped.ns.p" + TcdRuns.PRIORITY,
                                LAST_HOP + " " + detect + ".marked.p" + TcdRuns.PRIORITY));
        if (detect.equals("tcd")) {
            counters.add(LAST_HOP + " tcd.state.p" + TcdRuns.PRIORITY);
        }
        Recording recording =
                new Recording(BETWEEN_BURSTS_PS, List.of(VICTIM, CULPRIT), List.of(LAST_HOP))
                        .with(Kind.COUNTER, counters)
                        .with(Kind.MARKS, List.of(VICTIM, CULPRIT));
        Topology topology =
                TcdRuns.simulated(
                        BURSTERS,
                        SWITCHES,
                        TcdRuns.RATE_BPS / 2,
                        TcdRuns.XOFF_BYTES,
                        detect.equals("tcd"),
                        values.whole("max-on"));
        int bursts = values.count("bursts");
        List<ArrivalSpec> sources =
                TcdRuns.bursts(BURSTERS, bursts, BETWEEN_BURSTS_PS, BURSTS_BEGIN_PS);
        Observation seen =
                Beds.run(
                        new Experiment(topology, flows(), sources, endPs(bursts), recording),
                        cell,
                        context);
        TcdRuns.Pauses pauses =
                TcdRuns.Pauses.of(seen, STOPPED, BETWEEN_BURSTS_PS / (double) PS_PER_US);
        List<Measure> measures =
                List.of(
                        new Measure(VICTIM_CE, "frames", seen.group(VICTIM).framesMarked()),
                        new Measure(CE_SHARE, "%", pauses.share(VICTIM, "congested")),
                        new Measure(UE_SHARE, "%", pauses.share(VICTIM, "undetermined")),
                        new Measure(PAUSED, "bursts", pauses.intervals(VICTIM)),
                        new Measure(WITHOUT_UE, "bursts", pauses.without(VICTIM, "undetermined")),
                        new Measure(CULPRIT_CE, "%", pauses.share(CULPRIT, "congested")));
        String statement =
                String.format(
                        Locale.ROOT,
                        "F0's way was paused from %.0f to %.0f us; of %.0f frames of F0 that came"
                                + " meanwhile, %.2f %% were marked congested and %.2f %%"
                                + " undetermined",
                        pauses.fromUs(),
                        pauses.toUs(),
                        pauses.frames(VICTIM, "arrived"),
                        pauses.share(VICTIM, "congested"),
                        pauses.share(VICTIM, "undetermined"));
        return seen.outcome(measures, List.of(statement));
    }

    /** Until all bursts have arrived: R1's link shares its rate among them and F1. */
    private static long endPs(int bursts) {
        double drainingS =
                bursts
                        * (BURSTERS + 1.0)
                        * TcdRuns.BURST_BYTES
                        * 8
                        * TcdRuns.CELL_BYTES
                        / TcdRuns.MTU
                        / TcdRuns.RATE_BPS;
        return BURSTS_BEGIN_PS + (long) (drainingS * 1e12) + AFTERWARDS_PS;
    }

    private static List<FlowSpec> flows() {
        return List.of(
                FlowSpec.greedy(VICTIM, TcdRuns.VICTIM_FROM, TcdRuns.VICTIM_TO, TcdRuns.shape()),
                FlowSpec.greedy(
                        CULPRIT, TcdRuns.CULPRIT_FROM, TcdRuns.CULPRIT_TO, TcdRuns.shape()));
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> marks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            boolean isTernary = run.has("detect", "tcd");
            run.atLeast(PAUSED, 1, SOURCE);
            run.atLeast(isTernary ? UE_SHARE : CE_SHARE, MOST, SOURCE);
            run.atLeast(CULPRIT_CE, MOST_OF_CULPRIT, SOURCE);
            if (isTernary) {
                run.within(VICTIM_CE, 0, 0, SOURCE);
                run.within(WITHOUT_UE, 0, 0, SOURCE);
            }
            for (String mark : List.of("congested", "undetermined")) {
                marks.add(run.line("F0 " + mark, Style.LINE, mark + " " + VICTIM));
            }
            queues.add(run.line("queue", Style.LINE, "queue " + LAST_HOP));
            run.repeat();
        }
        return all.with(marks(marks), queues(queues));
    }

    private static Figure marks(List<Line> lines) {
        return new Figure(
                "marks",
                "Frames of F0 that arrive marked",
                Axis.linear("time", "us"),
                Axis.linear("marked in 47.5\u00a0µs", "frames"),
                lines,
                "While F0's way is paused TCD marks its frames undetermined and none congested; by"
                        + " the queue's length they are congested.",
                "frames of F0 at R0");
    }

    private static Figure queues(List<Line> lines) {
        return new Figure(
                "queue",
                "The queue towards the last switch",
                Axis.linear("time", "us"),
                Axis.linear("queue", "kB"),
                lines,
                "The queue is long because the last switch pauses it.",
                "F0 and F1 together send no more than the link carries");
    }
}
