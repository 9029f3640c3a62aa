package io.headgate.testbed.scenario.shipped;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.congestion.Fecn;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.Tcd;
import io.headgate.dataplane.congestion.TcdConfig;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
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
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The test bed of "Congestion Detection in Lossless Networks": flow F0 shares a link with F1, whose
 * destination is congested by bursts; the pauses, or the want of credits, that follow hold up F0,
 * which crosses no congested port.
 */
public final class TcdTestbed implements Scenario {
    private static final Tcd TCD = new Tcd();
    private static final Red RED = new Red();
    private static final Fecn FECN = new Fecn();

    private static final long PS_PER_US = 1_000_000;
    private static final int PRIORITY = TcdRuns.PRIORITY;
    private static final long BURSTS_BEGIN_PS = 2_000 * PS_PER_US;
    private static final long AFTERWARDS_PS = 20_000 * PS_PER_US;
    private static final long INTERVAL_PS = 20 * PS_PER_US;
    private static final double SHARES_OF_US = 1000;
    private static final double EPSILON = 0.04;

    /**
     * How long a machine may hold a thread up on real frames, in the scenario's time: 30 ms at a
     * scale of 100. Ports have headroom for it, and as the next stop of a port may be late by this
     * time, max(Ton) is longer by it.
     */
    private static final long HELD_NS = 300_000;

    // On real frames, a machine that holds a thread up may mark at most this share.
    private static final double MOST_CE = 1;
    private static final double LESS_THAN_BY_LENGTH = 20;

    /** Frames are marked "undetermined" for no longer than this many times max(Ton). */
    private static final int MOST_PERIODS = 5;

    private static final double NEARLY_ALL = 95;

    /**
     * Of frames that arrive while the way is stopped; held threads make pauses longer, and late.
     */
    private static final double MOST_REAL = 80;

    private static final String VICTIM = TcdRuns.VICTIM;
    private static final String CULPRIT = TcdRuns.CULPRIT;
    private static final String TRUNK = "T0/p3";

    private static final String VICTIM_CE = "F0 marked congested";
    private static final String VICTIM_UE = "F0 marked undetermined";
    private static final String CE_SHARE = "F0 marked congested, of all of its frames";
    private static final String UE_SHARE = "F0 marked undetermined while its way is stopped";
    private static final String PAUSED_CE_SHARE = "F0 marked congested while its way is stopped";
    private static final String CULPRIT_SHARE = "F1 marked congested while its way is stopped";
    private static final String LAST_UE = "last undetermined mark behind the last stop";
    private static final String MAX_ON = "max(Ton)";
    private static final String STOPPED = "stopped";
    private static final String STATE = "state";
    private static final String QUEUE = "queue";
    private static final String UE = "marked undetermined";
    private static final String CE = "marked congested";

    private static final String FIGURE_11 = "Zhang et al., TCD (SIGCOMM 2021), figure 11";

    private final UnaryOperator<Topology> network;

    /** With sound switches. */
    public TcdTestbed() {
        this(UnaryOperator.identity());
    }

    /**
     * @param network makes of the network what is run
     */
    TcdTestbed(UnaryOperator<Topology> network) {
        this.network = network;
    }

    @Override
    public About about() {
        return new About(
                "tcd-testbed",
                "A victim of pauses and a congested flow: who is marked, and as what",
                "Zhang et al., \"Congestion Detection in Lossless Networks\" (SIGCOMM 2021),"
                        + " section 5.1.1 and figure 11",
                "With TCD no frame of F0 is marked congested, and F0's frames are marked"
                        + " undetermined while its port is stopped now and then; marking by the"
                        + " queue's length alone marks F0 congested.",
                Set.of(BedKind.VIRTUAL, BedKind.NETNS),
                100);
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                // Of three words, the two that go with pauses and with credits are the default.
                new Parameter(
                        "detect",
                        null,
                        List.of("tcd", "red"),
                        0,
                        0,
                        List.of("tcd", "red", "fecn"),
                        "ternary, by the queue's length, or InfiniBand's rule, with credits"),
                Parameter.words(
                        "flow-control",
                        List.of("pfc", "credits"),
                        "pauses (IEEE 802.1Qbb PFC) or credits (InfiniBand's, over Ethernet)"),
                Parameter.rate("rate", "10Gbps", "10Mbps", "400Gbps", "rate of every link"),
                Parameter.number("load", "0.45", "0.01", "0.49", "of the rate, of F0 and F1 each"),
                Parameter.count("bursters", "2", "1", "30", "hosts that send bursts"),
                Parameter.duration("burst", "10ms", "1ms", "1s", "how long the bursts last"),
                Parameter.size("threshold", "100kB", "1kB", "1MB", "queues longer are long"),
                Parameter.duration("reaction", "20us", "1us", "10ms", "tcd: of pauses"));
    }

    @Override
    public void check(Values values) throws ScenarioException {
        if (values.word("detect").equals("fecn") && values.word("flow-control").equals("pfc")) {
            throw new ScenarioException(
                    "parameter detect cannot be 'fecn' with flow-control pfc: InfiniBand's rule"
                            + " needs credits; allowed are tcd and red, or flow-control credits");
        }
    }

    private static Topology topology(Values values, boolean real) throws ScenarioException {
        // Delays are part of the reaction time that the paper measured.
        LinkSpec link = LinkSpec.of(values.whole("rate"), 4_000);
        PortTraffic ports = ports(values);
        Topology described =
                Topologies.congestionTree(values.count("bursters"), 2, link, link)
                        .withSizes(new Topology.Sizes(TcdRuns.MTU, TcdRuns.BUFFER_BYTES, 0))
                        .withPorts(ports);
        if (!real) {
            return described;
        }
        ports = ports.with("link.own-reaction", HELD_NS).with("link.peer-reaction", HELD_NS);
        if (values.word("detect").equals("tcd")) {
            ports = ports.with(TCD, "max-on", maxOnNs(described) + HELD_NS);
        }
        return described.withPorts(ports);
    }

    /** As the configuration of a port has it; thresholds and credits are the paper's. */
    private static PortTraffic ports(Values values) throws ScenarioException {
        PortTraffic ports =
                values.word("flow-control").equals("pfc")
                        ? Common.pauses(800_000, 770_000)
                        : Common.lossless()
                                .with("flow-control", FlowControlConfig.Mode.CREDITS)
                                .with("credits.update", FlowControlConfig.Credits.Update.PERIODIC)
                                .with("credits.period", 60_000L)
                                .with("credits.block-scale", 3)
                                .with("credits.buffer", 800_000L);
        long threshold = values.whole("threshold");
        return switch (values.word("detect")) {
            case "tcd" ->
                    ports.with(TCD, "kmin", threshold)
                            .with(TCD, "epsilon", EPSILON)
                            .with(TCD, "reaction", values.whole("reaction"));
            case "red" -> ports.with(RED, "kmin", threshold).with(RED, "kmax", threshold);
            default -> ports.with(FECN, "threshold", threshold);
        };
    }

    private static long maxOnNs(Topology topology) {
        SwitchConfig first = NetworkPlan.of(topology, PlanOptions.virtual(1)).switches().getFirst();
        TcdConfig config = first.ports().getFirst().mechanisms().get(TcdConfig.class);
        return Objects.requireNonNull(config).maxOnNs();
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        Values values = cell.values();
        Topology topology = network.apply(topology(values, cell.bed() == BedKind.NETNS));
        String detect = values.word("detect");
        boolean isTernary = detect.equals("tcd");
        List<String> counters =
                new ArrayList<>(
                        List.of(
                                TRUNK + " stopped.ns.p" + PRIORITY,
                                TRUNK + " " + detect + ".marked.p" + PRIORITY));
        if (isTernary) {
            counters.add(TRUNK + " tcd.undetermined.p" + PRIORITY);
            counters.add(TRUNK + " tcd.state.p" + PRIORITY);
        }
        long endPs = BURSTS_BEGIN_PS + values.whole("burst") * Common.PS_PER_NS + AFTERWARDS_PS;
        Recording recording =
                new Recording(INTERVAL_PS, List.of(VICTIM, CULPRIT), List.of(TRUNK))
                        .with(Kind.COUNTER, counters)
                        .with(Kind.MARKS, List.of(VICTIM, CULPRIT));
        Observation seen = Common.run(topology, flows(values), endPs, recording, cell, context);
        GroupFacts victim = seen.group(VICTIM);
        List<Measure> measures =
                new ArrayList<>(
                        List.of(
                                marked(VICTIM_CE, victim.framesMarked()),
                                marked(VICTIM_UE, victim.framesUndetermined()),
                                TcdRuns.congested(CE_SHARE, victim)));
        Series stopped = seen.seriesOf("counter " + counters.getFirst());
        if (isTernary) {
            Series undetermined = seen.seriesOf("counter " + counters.get(2));
            double lateUs = Math.max(0, lastRiseUs(undetermined) - lastRiseUs(stopped));
            measures.add(new Measure(LAST_UE, "us", lateUs));
            measures.add(new Measure(MAX_ON, "us", maxOnNs(topology) / 1e3));
        }
        TcdRuns.Pauses pauses =
                TcdRuns.Pauses.of(seen, stopped.name(), INTERVAL_PS / (double) PS_PER_US);
        measures.add(new Measure(UE_SHARE, "%", pauses.share(VICTIM, "undetermined")));
        measures.add(new Measure(PAUSED_CE_SHARE, "%", pauses.share(VICTIM, "congested")));
        measures.add(new Measure(CULPRIT_SHARE, "%", pauses.share(CULPRIT, "congested")));
        String statement =
                String.format(
                        Locale.ROOT,
                        "of %d frames of F0, %d were marked congested and %d undetermined; %s was"
                                + " stopped now and then from %.1f to %.1f ms, and of %.0f frames of"
                                + " F0 that arrived meanwhile %.1f %% were marked undetermined and"
                                + " %.2f %% congested",
                        victim.framesReceived(),
                        victim.framesMarked(),
                        victim.framesUndetermined(),
                        TRUNK,
                        pauses.fromUs() / 1e3,
                        pauses.toUs() / 1e3,
                        pauses.frames(VICTIM, "arrived"),
                        pauses.share(VICTIM, "undetermined"),
                        pauses.share(VICTIM, "congested"));
        return seen.outcome(measures, List.of(statement));
    }

    private static Measure marked(String name, long frames) {
        return new Measure(name, "frames", frames);
    }

    private static List<FlowSpec> flows(Values values) {
        FrameShape shape = TcdRuns.shape();
        long rateBps = (long) (values.number("rate") * values.number("load"));
        SendPattern steady = new SendPattern.ConstantRate(rateBps, SendPattern.Lateness.FORGONE);
        List<FlowSpec> flows = new ArrayList<>();
        flows.add(
                FlowSpec.greedy(VICTIM, TcdRuns.VICTIM_FROM, TcdRuns.VICTIM_TO, shape)
                        .paced(steady));
        flows.add(
                FlowSpec.greedy(CULPRIT, TcdRuns.CULPRIT_FROM, TcdRuns.CULPRIT_TO, shape)
                        .paced(steady));
        long untilPs = BURSTS_BEGIN_PS + values.whole("burst") * Common.PS_PER_NS;
        for (int burster = 0; burster < values.count("bursters"); burster++) {
            flows.add(
                    FlowSpec.greedy(
                                    "A" + (burster + 1),
                                    TcdRuns.FIRST_BURSTER + burster,
                                    TcdRuns.CULPRIT_TO,
                                    shape)
                            .during(BURSTS_BEGIN_PS, untilPs));
        }
        return flows;
    }

    /** When a counter last grew; 0 if it never did. */
    private static double lastRiseUs(Series counter) {
        double[] values = counter.values();
        for (int i = values.length - 1; i > 0; i--) {
            if (values[i] > values[i - 1]) {
                return counter.timesUs()[i];
            }
        }
        return 0;
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        Conclusions all = new Conclusions(results);
        List<Line> marks = new ArrayList<>();
        List<Line> queues = new ArrayList<>();
        List<Line> stops = new ArrayList<>();
        List<Line> states = new ArrayList<>();
        List<Line> beside = new ArrayList<>();
        for (Conclusions.Run run : all.runs()) {
            check(run, all);
            Style style = isBeside(results, run.result()) ? Style.POINTS : Style.LINE;
            queues.add(run.line(QUEUE, style, "queue " + TRUNK));
            Series stopped = share(run.series(series("stopped.ns")));
            stops.add(Line.of(run.named(STOPPED), style, stopped));
            marks.add(run.line(CE, style, series(run.values().word("detect") + ".marked")));
            if (run.has("detect", "tcd")) {
                marks.add(run.line(UE, style, series("tcd.undetermined")));
                Series undetermined = perMillisecond(run.series("undetermined " + VICTIM));
                beside.add(Line.of(run.named(UE), style, undetermined));
                states.add(run.line(STATE, style, series("tcd.state")));
            }
            run.repeat();
        }
        List<Figure> figures = new ArrayList<>(List.of(marks(marks), queues(queues), stops(stops)));
        if (!states.isEmpty()) {
            figures.add(states(states));
            figures.add(beside(beside));
        }
        return all.with(figures);
    }

    /** Whether it is on real frames, and others are not. */
    private static boolean isBeside(List<CellResult> results, CellResult result) {
        return result.cell().bed() == BedKind.NETNS
                && results.stream().anyMatch(other -> other.cell().bed() == BedKind.VIRTUAL);
    }

    private static String series(String counter) {
        return "counter " + TRUNK + " " + counter + ".p" + PRIORITY;
    }

    /** How much of each millisecond a counter of ns grew by, in percent. */
    private static Series share(Series counter) {
        double[] values = counter.values();
        double[] timesUs = counter.timesUs();
        List<double[]> shares = new ArrayList<>();
        int from = 0;
        for (int i = 1; i < values.length; i++) {
            double elapsedUs = timesUs[i] - timesUs[from];
            if (elapsedUs >= SHARES_OF_US) {
                double stoppedUs = (values[i] - values[from]) / 1e3;
                shares.add(new double[] {timesUs[i], 100 * stoppedUs / elapsedUs});
                from = i;
            }
        }
        return Series.of(STOPPED, "%", shares);
    }

    /** Frames of F0 marked undetermined that arrive in each millisecond. */
    private static Series perMillisecond(Series series) {
        double[] sums =
                new double
                        [(int) (series.timesUs()[series.timesUs().length - 1] / SHARES_OF_US) + 1];
        for (int i = 0; i < series.values().length; i++) {
            sums[(int) (series.timesUs()[i] / SHARES_OF_US)] += series.values()[i];
        }
        double[] timesUs = new double[sums.length];
        Arrays.setAll(timesUs, i -> (i + 1) * SHARES_OF_US);
        return new Series(UE, "frames", timesUs, sums);
    }

    private static Figure beside(List<Line> lines) {
        return new Figure(
                "victim",
                "Frames of F0 that arrive marked undetermined",
                Axis.linear("time", "us"),
                Axis.linear("undetermined in 1\u00a0ms", "frames"),
                lines,
                "F0's frames are marked undetermined while the next switch stops the shared link.",
                "by the millisecond");
    }

    private static Figure marks(List<Line> lines) {
        return new Figure(
                "marks",
                "Frames that the shared link's port has marked",
                Axis.linear("time", "us"),
                Axis.linear("marked", "frames"),
                lines,
                "TCD marks frames undetermined while bursts last, and none congested; marking by"
                        + " length takes the victim's queue for a congested one.",
                "frames of F0 and F1 together, from the beginning on");
    }

    private static Figure queues(List<Line> lines) {
        return new Figure(
                "queue",
                "The shared link's queue",
                Axis.linear("time", "us"),
                Axis.linear("queue", "kB"),
                lines,
                "The queue is long because the next switch stops it, not because more comes than"
                        + " the link carries.",
                "both flows together send less than the link carries");
    }

    private static Figure stops(List<Line> lines) {
        return new Figure(
                "stopped",
                "How much of the time the shared link is stopped",
                Axis.linear("time", "us"),
                Axis.linear("stopped", "%"),
                lines,
                "The next switch stops the link while it is congested itself.",
                "by the millisecond");
    }

    private static Figure states(List<Line> lines) {
        return new Figure(
                "state",
                "The shared link's port: 0 not congested, 1 undetermined, 2 congested",
                Axis.linear("time", "us"),
                Axis.linear("state", ""),
                lines,
                "The port is undetermined while it is stopped now and then, and until its queue is"
                        + " short; it is never congested.",
                "TCD alone has states");
    }

    private static void check(Conclusions.Run run, Conclusions all) {
        boolean isReal = run.result().cell().bed() == BedKind.NETNS;
        double most = isReal ? MOST_REAL : NEARLY_ALL;
        run.atLeast(CULPRIT_SHARE, most, FIGURE_11);
        if (run.has("detect", "tcd")) {
            if (isReal) {
                checkReal(run, all);
            } else {
                run.within(VICTIM_CE, 0, 0, FIGURE_11);
            }
            run.atLeast(UE_SHARE, most, FIGURE_11);
            run.atMost(LAST_UE, MOST_PERIODS * run.measure(MAX_ON), "five times max(Ton)");
        } else if (run.has("detect", "red")) {
            run.atLeast(PAUSED_CE_SHARE, most, FIGURE_11);
        }
    }

    /** At most one frame in a hundred, and a twentieth of what the queue's length marks. */
    private static void checkReal(Conclusions.Run run, Conclusions all) {
        run.atMost(CE_SHARE, MOST_CE, FIGURE_11);
        for (CellResult other : run.alike("flow-control")) {
            if (other.cell().values().word("detect").equals("red")) {
                all.check(
                        Check.atMost(
                                run.named(CE_SHARE) + ", compared with a twentieth of RED's",
                                "%",
                                run.measure(CE_SHARE),
                                other.measure(CE_SHARE) / LESS_THAN_BY_LENGTH,
                                FIGURE_11));
            }
        }
    }
}
