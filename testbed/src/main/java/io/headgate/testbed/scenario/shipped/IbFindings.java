package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What runs of {@link IbMarking} show: its figures, and the paper's statements about them. */
final class IbFindings {
    private static final String PAPER = "Santos et al. (GLOBECOM 2002), ";
    private static final int BUFFER = 4;
    private static final int LARGE_BUFFER = 12;

    private final List<CellResult> results;
    private final List<Check> checks = new ArrayList<>();

    IbFindings(List<CellResult> results) {
        this.results = results;
    }

    Findings all() {
        for (CellResult result : results) {
            ofOne(result);
        }
        orderOfSchemes();
        trendsOfBuffers();
        List<Figure> figures = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        for (CellResult result : results) {
            figures.add(rates(result));
            result.outcomeOrThrow()
                    .statements()
                    .forEach(s -> statements.add(Common.named(s, results, result)));
        }
        if (results.stream().map(IbFindings::buffer).distinct().count() > 1) {
            figures.add(
                    overBuffers(
                            "utilisation", "Use of the root link", "%", IbMarking.ROOT, "4 (a)"));
            figures.add(overBuffers("fairness", "Remote over local", "", IbMarking.RATIO, "4 (b)"));
        }
        return new Findings(checks, figures, statements);
    }

    private static int buffer(CellResult result) {
        return (int) result.cell().values().number("buffer");
    }

    private static String scheme(CellResult result) {
        return text(result, "scheme");
    }

    private static String text(CellResult result, String parameter) {
        return result.cell().values().text(parameter);
    }

    private @Nullable CellResult of(String scheme, int buffer) {
        return of(scheme, buffer, results.stream());
    }

    private static @Nullable CellResult of(String scheme, int buffer, Stream<CellResult> among) {
        return among.filter(result -> scheme(result).equals(scheme) && buffer(result) == buffer)
                .findFirst()
                .orElse(null);
    }

    private void ofOne(CellResult result) {
        if (buffer(result) != BUFFER) {
            return;
        }
        switch (scheme(result)) {
            case "none" -> {
                near(result, IbMarking.VICTIM, 4, 1, "figure 2");
                near(result, IbMarking.INTER_SWITCH, 32.5, 1, "figure 2");
            }
            case "naive" -> near(result, IbMarking.LOCAL, 90, 3, "figure 3 (a)");
            case "input" -> atLeast(result, IbMarking.ROOT, 90, "figure 3 (b)");
            case "output-8" -> atLeast(result, IbMarking.ROOT, 90, "figure 3 (d)");
            default -> {
                // What is said of the others compares them.
            }
        }
    }

    private void near(CellResult result, String what, double value, double points, String figure) {
        checks.add(
                Check.within(
                        Common.named(what, results, result),
                        "%",
                        result.measure(what),
                        value,
                        points,
                        PAPER + figure));
    }

    private void atLeast(CellResult result, String what, double limit, String figure) {
        checks.add(
                Check.atLeast(
                        Common.named(what, results, result),
                        "%",
                        result.measure(what),
                        limit,
                        PAPER + figure));
    }

    /** Of two runs, one has more of something; nothing where one was not made. */
    private void more(
            String what,
            String unit,
            @Nullable CellResult most,
            @Nullable CellResult least,
            String source) {
        if (most != null && least != null) {
            checks.add(
                    Check.atLeast(
                            Common.named(what, results, most)
                                    + " above "
                                    + scheme(least)
                                    + " with "
                                    + buffer(least),
                            unit,
                            most.measure(what),
                            Math.nextUp(least.measure(what)),
                            PAPER + source));
        }
    }

    private void orderOfSchemes() {
        CellResult none = of("none", BUFFER);
        CellResult naive = of("naive", BUFFER);
        CellResult input = of("input", BUFFER);
        CellResult four = of("output-4", BUFFER);
        CellResult eight = of("output-8", BUFFER);
        for (String scheme : List.of("naive", "input", "output-4", "output-8")) {
            more(IbMarking.VICTIM, "%", of(scheme, BUFFER), none, "figure 3: no spreading");
        }
        more(IbMarking.RATIO, "", input, naive, "figure 3 (b): fairer than naive");
        more(IbMarking.RATIO, "", four, input, "figure 3 (c): fairer than input-triggered");
        more(IbMarking.RATIO, "", eight, input, "figure 3 (d): fairer than input-triggered");
        more(IbMarking.ROOT, "%", eight, four, "figure 3 (c), (d): a low threshold wastes");
        more(IbMarking.ROOT, "%", input, four, "figure 3 (b), (c): a low threshold wastes");
    }

    /**
     * Of runs with a victim that always sends: with one for a fifth of the time they are others.
     */
    private void trendsOfBuffers() {
        more(IbMarking.RATIO, "", always("input", 4), always("input", 2), "figure 4 (b)");
        more(IbMarking.RATIO, "", always("input", 8), always("input", 4), "figure 4 (b)");
        CellResult four = always("output-4", LARGE_BUFFER);
        CellResult six = always("output-6", LARGE_BUFFER);
        CellResult eight = always("output-8", LARGE_BUFFER);
        more(IbMarking.ROOT, "%", six, four, "figure 4 (a)");
        if (six != null) {
            atLeast(six, IbMarking.ROOT, 90, "figure 4 (a)");
        }
        more(IbMarking.RATIO, "", eight, four, "figure 4 (b): local flows' share falls");
        more(IbMarking.RATIO, "", eight, always("output-16", LARGE_BUFFER), "figure 4 (b)");
    }

    private @Nullable CellResult always(String scheme, int buffer) {
        Stream<CellResult> all = results.stream();
        return of(scheme, buffer, all.filter(result -> text(result, "victim").equals("always")));
    }

    private Figure rates(CellResult result) {
        List<Line> lines = new ArrayList<>();
        for (String name : List.of("root link", "inter-switch link", "local", "remote", "victim")) {
            lines.add(Line.of(name, Style.STEP, result.outcomeOrThrow().series(name)));
        }
        String name = "rates-" + scheme(result) + "-" + buffer(result);
        return new Figure(
                name,
                "Rates, marking: " + scheme(result) + ", buffers of " + buffer(result) + " packets",
                Axis.time(result.cell().values().number("duration") / 1e3),
                Axis.linear("share of a link", "%"),
                lines,
                "Figures 2 and 3: without marks the victim gets next to nothing, with any scheme"
                        + " its share; which flows pay for it differs.",
                "in intervals of 2 ms");
    }

    private Figure overBuffers(
            String name, String title, String unit, String measure, String figure) {
        Map<String, Points> byScheme = new LinkedHashMap<>();
        for (CellResult result : results) {
            byScheme.computeIfAbsent(scheme(result), s -> new Points())
                    .add(buffer(result), result.measure(measure));
        }
        List<Line> lines = new ArrayList<>();
        byScheme.forEach((scheme, points) -> lines.add(points.line(scheme, Style.LINE)));
        return new Figure(
                name,
                title + " over the buffers' size",
                Axis.linear("buffer", "packets"),
                Axis.linear(title.toLowerCase(java.util.Locale.ROOT), unit),
                lines,
                measure.equals(IbMarking.RATIO) ? List.of(new Limit("fair", 1)) : List.of(),
                "Figure "
                        + figure
                        + ": a threshold of 4 wastes, one of 6 does not; with a victim that always"
                        + " sends, one of 8 favours remote flows more than 4 and 16.",
                "mean of the last four fifths of each run");
    }
}
