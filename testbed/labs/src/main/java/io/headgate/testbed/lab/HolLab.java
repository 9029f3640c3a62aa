package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.SwitchConfig;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.run.RunningCapture;
import io.headgate.testbed.lab.HolMarks.Way;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Series;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Head-of-line blocking: h1 and h2 congest the port of h4, whose link is slower than the others; a
 * third flow, the victim, goes from h1 to h3, whose link is idle. Where the switch drops, the
 * victim gets what it asks for, and the others lose; where it pauses h1, or grants it no credits,
 * nothing is lost, and the victim waits with what is in front of it. The same traffic under each
 * kind of flow control, one after the other.
 */
public final class HolLab extends Lab {
    // h1's link carries both of its flows. The slow link gives it a half share, which is half of
    // what it sends there; while it is held to that, its other flow gets about half of what it asks
    // for.
    private static final double SLOW_SHARE = 0.4;
    private static final double HOT_SHARE = 0.4;
    private static final double OTHER_HOT_SHARE = 0.8;
    private static final double VICTIM_SHARE = 0.45;
    private static final String VICTIM_PORT = "p3";

    /** What the victim must get, of what it asks for, where nothing stops its host. */
    private static final double LEAST_WITHOUT = 0.9;

    private static final long NS_PER_MS = 1_000_000;

    /**
     * What one kind of flow control came to; rates are of payload, in bits per second.
     *
     * @param lostFrames anywhere
     */
    public record Comparison(
            Mode mode,
            double victimOfferedBps,
            double victimBps,
            double congestedBps,
            long victimLost,
            long lostFrames) {
        public double victimShare() {
            return victimBps / victimOfferedBps;
        }
    }

    /**
     * One kind of flow control, tried.
     *
     * @param victim bits per second that the victim's port sent, over time
     */
    public record Trial(Comparison comparison, SwitchConfig config, Series victim) {}

    private final List<Mode> modes;
    private final List<Way> ways;
    private final List<Trial> trials = new ArrayList<>();
    private final List<HolMarks.Seen> marks = new ArrayList<>();
    private final List<LabFiles.Used> networks = new ArrayList<>();

    /**
     * @param modes of flow control, in the order in which they are tried
     */
    public HolLab(
            LabOptions options,
            List<Mode> modes,
            LabRecords records,
            String command,
            PrintStream out) {
        this(options, modes, List.of(), records, command, out);
    }

    /**
     * The same with detectors of congestion, and what they mark.
     *
     * @param ways kinds of flow control with detectors, in the order in which they are tried
     */
    public static HolLab detecting(
            LabOptions options,
            List<Way> ways,
            LabRecords records,
            String command,
            PrintStream out) {
        return new HolLab(options, List.of(), ways, records, command, out);
    }

    private HolLab(
            LabOptions options,
            List<Mode> modes,
            List<Way> ways,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.modes = List.copyOf(modes);
        this.ways = List.copyOf(ways);
    }

    @Override
    public RunReport run() throws BedException {
        List<Figure> charts = new ArrayList<>();
        plots(() -> charts);
        for (Mode mode : modes) {
            trials.add(run(mode, null, charts));
        }
        for (Way way : ways) {
            trials.add(run(way.mode(), way, charts));
        }
        List<Comparison> all = trials.stream().map(Trial::comparison).toList();
        report.add(section(all));
        if (ways.isEmpty()) {
            all.forEach(one ->
                    report.headline(
                            "of what the victim asks for, " + LosslessRun.with(one.mode),
                            String.format("%.0f %%", 100 * one.victimShare())));
            files.plot(shares(all));
        } else {
            HolMarks.judge(marks, report);
            files.plot(HolMarks.chart(marks));
        }
        for (LabFiles.Used network : networks) {
            files.draw(network);
        }
        return finish();
    }

    /** What was tried, in that order; complete once {@link #run} has ended. */
    public List<Trial> trials() {
        return List.copyOf(trials);
    }

    private Trial run(Mode mode, @Nullable Way way, List<Figure> charts) throws BedException {
        try (LabNetwork own = open()) {
            return run(own, mode, way, charts);
        }
    }

    private Trial run(LabNetwork own, Mode mode, @Nullable Way way, List<Figure> charts)
            throws BedException {
        String word = way == null ? LosslessRun.word(mode) : way.word();
        String name = way == null ? LosslessRun.with(mode) : way.describe();
        RunReport part = new RunReport(word);
        if (way != null) {
            own.prepare(EnumSet.of(Tool.TSHARK));
        }
        Path capture = options.captureDirectory().resolve("capture-" + word + ".pcapng");
        LosslessRun run =
                new LosslessRun(
                        this,
                        own,
                        mode,
                        SLOW_SHARE,
                        way == null ? LosslessRun.Beside.NOTHING : way.settings(),
                        part,
                        capture);
        run.pingAll();
        long rateBps = run.running().config().ports().getFirst().rateBps();
        long otherBps = (long) (rateBps * OTHER_HOT_SHARE);
        long victimBps = (long) (rateBps * VICTIM_SHARE);
        List<Flow> flows =
                List.of(
                        LosslessRun.flow(1, 4, (long) (rateBps * HOT_SHARE)),
                        LosslessRun.flow(2, 4, otherBps),
                        LosslessRun.flow(1, 3, victimBps));
        Phase phase = new Phase("victim " + word, Protocol.UDP, flows, otherBps);
        LosslessRun.Result result = way == null ? run.run(phase) : marked(run, way, phase);
        part.add(Losses.section("Losses", result.losses()));
        run.describe(result);
        String margin = run.describeMargins("Lossless margin");
        run.finish();
        networks.add(result.used("Links " + name, run.network().plan()));
        charts.addAll(run.charts("-" + word, name));
        files.write("switch-" + word + ".yaml", run.switchYaml());
        List<Iperf3.Outcome> outcomes = result.outcome().flows();
        Comparison comparison =
                new Comparison(
                        mode,
                        victimBps,
                        outcomes.get(2).receivedBps(),
                        outcomes.get(0).receivedBps() + outcomes.get(1).receivedBps(),
                        outcomes.get(2).lostDatagrams(),
                        Losses.frames(result.losses()));
        result.holds().doubtRates("what each flow got", options.seconds(), part);
        if (mode == Mode.NONE) {
            control(comparison, result.outcome().flows(), result.losses(), result.holds(), part);
        } else {
            Losses.judge(result.losses(), result.outcome().missedDatagrams(), margin, part);
            if (result.stoppedNs() == 0) {
                part.doubt(Doubt.ofControl("no host was ever stopped, so nothing was in front"));
            }
        }
        report.addAll(part, name);
        return new Trial(comparison, run.running().config(), run.sentBy(VICTIM_PORT));
    }

    /**
     * Without flow control no sender is stopped: the port of h4 drops, and the victim, whose own
     * link is idle, gets what it asks for. Otherwise its rate with flow control proves nothing.
     */
    static void control(
            Comparison seen,
            List<Iperf3.Outcome> flows,
            List<Losses.Loss> losses,
            Holds holds,
            RunReport report) {
        boolean isShort = holds.doubtSenders(flows, 0, report);
        if (seen.victimShare() < LEAST_WITHOUT) {
            String sentence =
                    String.format(
                            Locale.ROOT,
                            "the victim got %.0f %% of what it asked for on an idle link, and %.0f"
                                    + " %% is the least; %s",
                            100 * seen.victimShare(),
                            100 * LEAST_WITHOUT,
                            holds.sentence());
            boolean isHeld =
                    isShort
                            || holds.exceed(LabPlan.HELD_MS * NS_PER_MS)
                            || Losses.areOfMachine(losses);
            report.doubt(new Doubt("the control case: " + sentence, isHeld));
        }
        if (losses.isEmpty()) {
            report.doubt(
                    new Doubt(
                            "the control case: nothing was lost, so the port of h4 was not"
                                    + " congested; "
                                    + holds.sentence(),
                            isShort));
        }
    }

    private LosslessRun.Result marked(LosslessRun run, Way way, Phase phase) throws BedException {
        Path file = options.captureDirectory().resolve("marks-" + way.word() + ".pcapng");
        LosslessRun.Result result;
        try (RunningCapture headers = HolMarks.capture(run, file)) {
            result = run.run(phase);
            marks.add(HolMarks.read(way, headers, run.network().programs(), file));
        }
        return result;
    }

    /** The lab's one result: how much of what it asks for the victim gets. */
    static Figure shares(List<Comparison> all) {
        List<Line> bars = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            double[] share = {100 * all.get(i).victimShare()};
            String word = LosslessRun.word(all.get(i).mode);
            bars.add(new Line(word, Style.BARS, new double[] {i}, share));
        }
        List<String> words = all.stream().map(one -> LosslessRun.word(one.mode)).toList();
        return new Figure(
                "victim",
                "What the victim gets of what it asks for: its own link is idle",
                Axis.words("flow control", words),
                Axis.linear("victim's throughput", "%"),
                bars,
                List.of(Limit.of("asked for", 100, "%")),
                "",
                "");
    }

    private static Section section(List<Comparison> all) {
        Table table = LabColumn.table(Of.HOL);
        for (Comparison one : all) {
            table.row(
                    LosslessRun.word(one.mode),
                    String.format("%.1f", one.victimOfferedBps / 1e6),
                    String.format("%.1f", one.victimBps / 1e6),
                    String.format("%.0f", 100 * one.victimShare()),
                    String.format("%.1f", one.congestedBps / 1e6),
                    Long.toString(one.victimLost),
                    Long.toString(one.lostFrames));
        }
        return new Section("Head-of-line blocking", all, table);
    }
}
