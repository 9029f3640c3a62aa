package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A figure that a scenario file asks for.
 *
 * @param y a measure, a series, or with {@code ecdf} what flows needed
 * @param ecdf whether the distribution over flows is drawn
 */
record Plot(String y, SweepFigures.Layout layout, boolean ecdf) {
    static final String TIME = "time";
    static final List<String> OF_FLOWS = List.of("completion of ", "slowdown of ");

    /** What can be over time. */
    private static final Set<String> SERIES =
            Set.of("throughput", "queue", "buffer", "headroom", "stopped", "on", "rate", "counter");

    /** Whether a series of that name may be there: a kind and what it is of. */
    static boolean isSeries(String y) {
        int blank = y.indexOf(' ');
        return blank > 0 && SERIES.contains(y.substring(0, blank)) && !y.contains(" of ");
    }

    /** Why there is nothing to draw, in a sentence; empty if there is. */
    String lacks(List<Parameter> parameters, List<CellResult> results) {
        if (results.stream().noneMatch(this::isIn)) {
            return y + " is not drawn: no run has it";
        }
        if (ecdf || isSeries(y)) {
            return "";
        }
        List<Parameter> varied = SweepFigures.varied(parameters, results);
        String x = layout.x();
        boolean isVaried = varied.stream().anyMatch(one -> x == null || one.name().equals(x));
        if (isVaried) {
            return "";
        }
        String one = x == null ? "each parameter" : x;
        return y
                + " is not drawn: "
                + one
                + " has one value here, and "
                + (x == null ? "--set NAME=A,B" : "--set " + x + "=A,B")
                + " gives it several";
    }

    private boolean isIn(CellResult result) {
        if (ecdf) {
            Flows flows = Flows.of(result.outcomeOrThrow(), group());
            return flows != null && flows.finishedUs().length > 0;
        }
        return isSeries(y)
                ? result.outcomeOrThrow().series().stream().anyMatch(one -> one.name().equals(y))
                : !Double.isNaN(result.measure(y));
    }

    /** The group of flows that an ECDF shows. */
    private String group() {
        return y.substring(y.indexOf(" of ") + 4);
    }

    Figure figure(
            List<Parameter> parameters,
            List<CellResult> results,
            String claim,
            Map<Cell, Definition> definitions) {
        if (ecdf) {
            return SweepFigures.distribution(results, group(), y.startsWith(OF_FLOWS.get(1)));
        }
        return isSeries(y)
                ? overTime(results, claim, definitions)
                : SweepFigures.measure(parameters, results, y, layout);
    }

    private Figure overTime(
            List<CellResult> results, String claim, Map<Cell, Definition> definitions) {
        String kind = y.substring(0, y.indexOf(' '));
        String of = y.substring(kind.length() + 1);
        List<Line> lines = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        String unit = "";
        for (CellResult result : results) {
            for (Series series : result.outcomeOrThrow().series()) {
                if (series.name().equals(y)) {
                    unit = series.unit();
                    String panel = panel(result);
                    List<String> others =
                            Labels.split(Labels.behind(y, results, result)).parts().stream()
                                    .filter(part -> !part.equals(panel))
                                    .toList();
                    String label = String.join(", ", others);
                    String name = label.isEmpty() ? y : y + " (" + label + ")";
                    lines.add(Line.of(name, OverTime.style(result, kind), series).in(panel));
                    OverTime.limits(kind, result, definitions)
                            .apply(of)
                            .forEach(limit -> limits.add(limit.to(lines.getLast())));
                }
            }
        }
        return new Figure(
                SweepFigures.word("time-" + y),
                y + " over time",
                layout.logX() ? new Axis(TIME, "us", true) : OverTime.axis(definitions.values()),
                new Axis(y, unit, layout.logY()),
                lines,
                limits,
                claim,
                "");
    }

    private String panel(CellResult result) {
        String facet = layout.facet();
        return facet == null ? "" : facet + " " + result.cell().values().text(facet);
    }
}
