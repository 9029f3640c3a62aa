package io.headgate.testbed.datacenter;

import io.headgate.control.report.Median;
import io.headgate.control.report.RunReport;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** The figures of the tests that were run: as SVG and PNG, with their numbers as CSV. */
final class DatacenterFigures {
    private static final double MEGA = 1e6;

    private DatacenterFigures() {}

    /** Writes all figures, and adds them to the report. */
    static void write(DatacenterResult result, Path directory, RunReport report)
            throws IOException {
        for (Figure figure : of(result)) {
            report.add(FigureFiles.write(figure, Column.FITTING, directory).titled());
        }
    }

    static List<Figure> of(DatacenterResult result) {
        List<Figure> figures = new ArrayList<>();
        if (!result.buffering().isEmpty()) {
            figures.add(buffers(result));
            figures.add(fill(result));
        }
        if (!result.microbursts().isEmpty()) {
            figures.add(microbursts(result));
        }
        HeadOfLine.Result headOfLine = result.headOfLine();
        if (headOfLine != null) {
            figures.add(headOfLine(headOfLine));
        }
        if (!result.incasts().isEmpty()) {
            figures.addAll(incast(result));
        }
        return figures;
    }

    private static Figure figure(String name, String title, Axis x, Axis y, List<Line> lines) {
        return new Figure(name, title, x, y, lines, "", "");
    }

    private static Axis sizes() {
        return Axis.linear("Frame with FCS", "bytes");
    }

    private static Figure buffers(DatacenterResult result) {
        return figure(
                "buffering",
                "RFC 8239, 3: frames held before the first drop",
                sizes(),
                Axis.linear("Held in all congested ports", "frames"),
                foundAndExpected(
                        Buffering.patterns(),
                        result.buffering(),
                        Buffering.Result::pattern,
                        Buffering.Result::sizeBytes,
                        Buffering.Result::foundFrames,
                        Buffering.Result::expectedFrames));
    }

    private static Figure fill(DatacenterResult result) {
        String pattern = Pattern.toOne(3).name();
        List<Line> lines = new ArrayList<>();
        for (Buffering.Result one : result.buffering()) {
            if (one.pattern().equals(pattern) && !one.fill().isEmpty()) {
                Points points = new Points();
                one.fill()
                        .forEach(look -> points.add((double) look.offered(), (double) look.held()));
                lines.add(points.line(one.sizeBytes() + " bytes", Style.LINE));
            }
        }
        return figure(
                "buffering-fill",
                "RFC 8239, 3: a port is filled, " + pattern,
                Axis.linear("Offered, less what has left", "frames"),
                Axis.linear("Held", "frames"),
                lines);
    }

    private static Figure microbursts(DatacenterResult result) {
        return figure(
                "microburst",
                "RFC 8239, 4: largest burst without loss",
                sizes(),
                Axis.linear("For each sending port", "frames"),
                foundAndExpected(
                        Microburst.patterns(),
                        result.microbursts(),
                        Microburst.Result::pattern,
                        Microburst.Result::sizeBytes,
                        Microburst.Result::burstFrames,
                        Microburst.Result::expectedFrames));
    }

    /** The results of each pattern as points, and the configured limit as a dashed line. */
    private static <T> List<Line> foundAndExpected(
            List<Pattern> patterns,
            List<T> results,
            Function<T, String> pattern,
            ToIntFunction<T> size,
            ToDoubleFunction<T> found,
            ToDoubleFunction<T> expected) {
        List<Line> lines = new ArrayList<>();
        for (Pattern one : patterns) {
            String name = one.name();
            List<T> some =
                    results.stream().filter(each -> pattern.apply(each).equals(name)).toList();
            lines.add(bySize("measured", Style.POINTS, some, size, found).withPanel(name));
            lines.add(
                    bySize("by configuration", Style.DASHED, some, size, expected).withPanel(name));
        }
        return lines;
    }

    /** Medians over the rounds, by frame size. */
    private static <T> Line bySize(
            String name,
            Style style,
            List<T> results,
            ToIntFunction<T> size,
            ToDoubleFunction<T> value) {
        Points points = new Points();
        results.stream()
                .mapToInt(size)
                .distinct()
                .sorted()
                .forEach(bytes ->
                        points.add(
                                bytes,
                                Median.of(
                                        results.stream()
                                                .filter(one -> size.applyAsInt(one) == bytes)
                                                .mapToDouble(value))));
        return points.line(name, style);
    }

    private static Figure headOfLine(HeadOfLine.Result result) {
        List<Line> lines = new ArrayList<>();
        double endSeconds = 0;
        for (HeadOfLine.Trial trial : result.trials()) {
            double[] seconds =
                    Arrays.stream(trial.victim().timesUs()).map(us -> us / MEGA).toArray();
            double[] rates =
                    Arrays.stream(trial.victim().values()).map(bps -> bps / MEGA).toArray();
            endSeconds = Math.max(endSeconds, Arrays.stream(seconds).max().orElse(0));
            lines.add(new Line(trial.word(), Style.LINE, seconds, rates));
        }
        double asked =
                result.trials().stream().mapToDouble(one -> one.victimOfferedBps()).max().orElse(0);
        Points offered = new Points();
        offered.add(0, asked / MEGA);
        offered.add(endSeconds, asked / MEGA);
        lines.add(offered.line("asked for (payload)", Style.DASHED));
        return figure(
                "hol",
                "RFC 8239, 5: rate of the victim's port",
                Axis.linear("Time", "s"),
                Axis.linear("Frames without FCS", "Mb/s"),
                lines);
    }

    private static List<Figure> incast(DatacenterResult result) {
        Points goodput = new Points();
        Points limit = new Points();
        Points shared = new Points();
        Points own = new Points();
        for (Incast.Result one : result.incasts()) {
            double p99Ms = one.latency().p99Us() / 1e3;
            if (one.ownPriority()) {
                own.add(one.statefulFlows(), p99Ms);
            } else {
                goodput.add(one.statefulFlows(), one.totalGoodputBps() / MEGA);
                limit.add(one.statefulFlows(), one.goodputLimitBps() / MEGA);
                shared.add(one.statefulFlows(), p99Ms);
            }
        }
        Axis flows = Axis.linear("stateful flows (TCP)", "");
        return List.of(
                figure(
                        "incast",
                        "RFC 8239, 6: goodput of stateful flows with a stateless one",
                        flows,
                        Axis.linear("goodput", "Mb/s"),
                        List.of(
                                goodput.line("all flows", Style.POINTS),
                                limit.line("limit of the port", Style.DASHED))),
                figure(
                        "incast-latency",
                        "RFC 8239, 6: latency of the stateless flow",
                        flows,
                        Axis.linear("latency p99", "ms"),
                        List.of(
                                shared.line("same priority", Style.POINTS),
                                own.line("higher priority", Style.POINTS))));
    }
}
