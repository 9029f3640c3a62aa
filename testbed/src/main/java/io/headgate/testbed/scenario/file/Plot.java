package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.List;
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
            Set.of("throughput", "queue", "buffer", "stopped", "rate", "counter");

    /** Whether a series of that name may be there: a kind and what it is of. */
    static boolean isSeries(String y) {
        int blank = y.indexOf(' ');
        return blank > 0 && SERIES.contains(y.substring(0, blank)) && !y.contains(" of ");
    }

    Figure figure(List<Parameter> parameters, List<CellResult> results, String claim) {
        if (ecdf) {
            String group = y.substring(y.indexOf(" of ") + 4);
            return SweepFigures.distribution(results, group, y.startsWith(OF_FLOWS.get(1)));
        }
        return isSeries(y)
                ? overTime(results, claim)
                : SweepFigures.measure(parameters, results, y, layout);
    }

    private Figure overTime(List<CellResult> results, String claim) {
        List<Line> lines = new ArrayList<>();
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
                    lines.add(Line.of(name, Style.LINE, series).in(panel));
                }
            }
        }
        return new Figure(
                SweepFigures.word("time-" + y),
                y + " over time",
                new Axis(TIME, "us", layout.logX()),
                new Axis(y, unit, layout.logY()),
                lines,
                claim,
                lines.isEmpty() ? "no run recorded it" : "");
    }

    private String panel(CellResult result) {
        String facet = layout.facet();
        return facet == null ? "" : facet + " " + result.cell().values().text(facet);
    }
}
