package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Reason;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.RunningCapture;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Which frames are marked, and how, if a victim of pauses or of missing credits waits in the same
 * card as a congested flow: h1's card is stopped by the switch, so its queue is long, though it is
 * not congested (Zhang et al., "Congestion Detection in Lossless Networks", SIGCOMM 2021). Cards
 * and switch have the same detector; every frame that leaves the switch is captured, and tshark
 * reads its mark.
 */
public final class HolMarks {
    private static final String VICTIM_PORT = "p3";
    private static final String CONGESTED_PORT = "p4";
    private static final int HEADERS_BYTES = 128;
    private static final long TSHARK_MS = 180_000;
    private static final int FIELDS = 3;
    private static final double MOST_SHARE = 0.01;
    private static final double MOST_OF_RED = 0.05;

    /** Unmodified applications do not declare that they react to marks: their cards do. */
    private static final String DECLARED = ", ecn: ect1";

    /** What marks frames. */
    public enum Detector {
        /** Ternary: pauses and credits. */
        TCD,
        /** By the queue's length alone. */
        RED,
        /** InfiniBand's rule, which depends on credits. */
        FECN;

        /** As the command line writes it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private boolean works(Mode mode) {
            return mode == Mode.CREDITS || this != FECN;
        }
    }

    /**
     * A kind of flow control with a detector.
     *
     * @param mode pauses or credits
     */
    public record Way(Mode mode, Detector detector) {
        /** With pauses first, then with credits, each with all of these that work there. */
        public static List<Way> all(List<Detector> detectors) {
            List<Way> ways = new ArrayList<>();
            for (Mode mode : List.of(Mode.PFC, Mode.CREDITS)) {
                for (Detector detector : detectors) {
                    if (detector.works(mode)) {
                        ways.add(new Way(mode, detector));
                    }
                }
            }
            return ways;
        }

        String word() {
            return LosslessRun.word(mode) + "-" + detector.word();
        }

        String describe() {
            return detector.word() + " " + LosslessRun.with(mode);
        }

        /**
         * The same for the switch's ports and the cards. How late a pause or a grant may take
         * effect is how long the lab lets a worker be held, so max(Ton) is what follows from that.
         */
        LosslessRun.Beside settings() {
            String threshold =
                    switch (detector) {
                        case TCD ->
                                "kmin: 50kB, "
                                        + (mode == Mode.PFC
                                                ? "reaction: " + LabPlan.HELD_MS + "ms"
                                                : "max-on: "
                                                        + (LosslessRun.CREDIT_PERIOD_MS
                                                                + LabPlan.HELD_MS)
                                                        + "ms");
                        case RED -> "kmin: 50kB, kmax: 50kB";
                        case FECN -> "threshold: 50kB, mark: ecn";
                    };
            String ports =
                    ", congestion: {%s: {%s, priorities: [%d]}}"
                            .formatted(detector.word(), threshold, LosslessRun.PRIORITY);
            return new LosslessRun.Beside(ports, DECLARED, LabPlan.HELD_MS);
        }
    }

    /** Frames of a port, and how many of them left it marked. */
    public record Count(long frames, long congested, long undetermined) {
        double share(long marked) {
            return frames == 0 ? 0 : (double) marked / frames;
        }
    }

    /** What one way came to, at the victim's port and at the congested one. */
    public record Seen(Way way, Count victim, Count congested) {}

    private HolMarks() {}

    /** Captures the headers of what leaves by both ports from now on. */
    static RunningCapture capture(LosslessRun run, Path file) throws BedException {
        CaptureRequest request =
                new CaptureRequest(
                        List.of(VICTIM_PORT, CONGESTED_PORT),
                        Set.of(CaptureRequest.Point.OUT),
                        "proto udp",
                        HEADERS_BYTES,
                        0);
        try {
            return run.running().startCapture(request, file);
        } catch (CaptureException e) {
            throw new BedException(Reason.of(e), e);
        }
    }

    /**
     * Ends a capture, and has it read.
     *
     * @throws BedException if it could not be written, or not be read
     */
    static Seen read(Way way, RunningCapture capture, Programs programs, Path file)
            throws BedException {
        capture.close();
        String problem = capture.problem();
        if (problem != null) {
            throw new BedException(problem);
        }
        List<String> command =
                List.of(
                        "env",
                        "WIRESHARK_CONFIG_DIR=/nonexistent",
                        "HOME=/nonexistent",
                        "tshark",
                        "-n",
                        "-r",
                        file.toString(),
                        "-d",
                        "udp.port==1-65535,data",
                        "-T",
                        "fields",
                        "-e",
                        "frame.interface_name",
                        "-e",
                        "frame.number",
                        "-e",
                        "ip.dsfield.ecn");
        Programs.Result result = programs.run(null, TSHARK_MS, command);
        if (!result.ok()) {
            throw new BedException("tshark cannot read " + file + ": " + result.lastLine());
        }
        return new Seen(
                way, count(result.output(), VICTIM_PORT), count(result.output(), CONGESTED_PORT));
    }

    private static Count count(String output, String port) {
        long[] by = new long[4];
        output.lines()
                .map(line -> line.split("\t", -1))
                // tshark's warnings come in between.
                .filter(fields -> fields.length == FIELDS && fields[0].equals(port))
                .forEach(fields -> by[Integer.parseInt(fields[2])]++);
        return new Count(by[0] + by[1] + by[2] + by[3], by[3], by[2]);
    }

    /** The table of all, and what is wrong with them. */
    static void judge(List<Seen> all, RunReport report) {
        report.add(section(all));
        for (Seen one : all) {
            String name = one.way.describe() + ": ";
            Count victim = one.victim;
            if (victim.frames == 0) {
                report.problem(name + "nothing of the victim was captured");
            } else if (one.way.detector == Detector.TCD) {
                judgeTernary(name, one, all, report);
            } else if (one.way.detector == Detector.RED && victim.congested == 0) {
                report.problem(name + "the victim was never marked: it did not wait");
            }
            if (one.way.detector == Detector.TCD) {
                String where = ", " + LosslessRun.with(one.way.mode);
                report.headline(
                        "of the victim's frames marked undetermined by TCD" + where,
                        percent(victim.share(victim.undetermined)) + " %");
                report.headline(
                        "marked congested by TCD" + where,
                        percent(victim.share(victim.congested)) + " %");
            }
            if (one.way.detector != Detector.FECN && one.congested.congested == 0) {
                report.problem(name + "what crosses the congested port was never marked");
            }
        }
    }

    private static void judgeTernary(String name, Seen one, List<Seen> all, RunReport report) {
        Count victim = one.victim;
        if (victim.undetermined == 0) {
            report.problem(name + "the victim was never marked undetermined");
        }
        if (victim.share(victim.congested) > MOST_SHARE) {
            report.problem(
                    name
                            + String.format(
                                    Locale.ROOT,
                                    "%.1f %% of the victim's frames were marked congested, and at"
                                            + " most 1 %% may be",
                                    100 * victim.share(victim.congested)));
        }
        for (Seen other : all) {
            if (other.way.equals(new Way(one.way.mode, Detector.RED))
                    && victim.share(victim.congested)
                            > MOST_OF_RED * other.victim.share(other.victim.congested)) {
                report.problem(
                        name
                                + "the victim was marked congested more than a twentieth as often as by"
                                + " the queue's length");
            }
        }
    }

    /** The lab's one result: how the victim's frames are marked, which wait but congest nothing. */
    static Figure chart(List<Seen> all) {
        List<String> words = all.stream().map(one -> one.way.word()).toList();
        double[] at = IntStream.range(0, all.size()).asDoubleStream().toArray();
        return new Figure(
                "marks",
                "How the victim's frames are marked: its own link is idle",
                Axis.words("flow control and detector", words),
                Axis.linear("victim's frames", "%"),
                List.of(
                        bars("congested", at, all, Count::congested),
                        bars("undetermined", at, all, Count::undetermined)),
                "",
                "");
    }

    private static Line bars(
            String name, double[] at, List<Seen> all, ToLongFunction<Count> marked) {
        double[] percent =
                all.stream()
                        .map(Seen::victim)
                        .mapToDouble(one -> 100 * one.share(marked.applyAsLong(one)))
                        .toArray();
        return new Line(name, Style.BARS, at, percent);
    }

    private static Section section(List<Seen> all) {
        Table table = LabColumn.table(Of.MARKS);
        for (Seen one : all) {
            Count victim = one.victim;
            table.row(
                    one.way.detector.word(),
                    LosslessRun.word(one.way.mode),
                    Long.toString(victim.frames),
                    Long.toString(victim.congested),
                    percent(victim.share(victim.congested)),
                    Long.toString(victim.undetermined),
                    percent(victim.share(victim.undetermined)),
                    Long.toString(one.congested.frames),
                    percent(one.congested.share(one.congested.congested)));
        }
        return new Section(
                "Marks",
                all,
                "as tshark reads them in what the switch sent to h3, the victim's receiver, and to"
                        + " h4:",
                table);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }
}
