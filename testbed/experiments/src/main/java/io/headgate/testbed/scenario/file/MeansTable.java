package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Seeds;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table that a scenario file asks for: a row for each setting, with the varied parameters and the
 * means of measures over its seeds.
 */
record MeansTable(
        @Key(max = "120", example = "Means of all seeds") @Says("Title of the table.") String title,
        @Key(max = "100")
                @Says("Measures; -: no run of the row has this measure.")
                @Allowed(Said.MEASURES)
                @Items(min = 1, max = 20, each = Said.A_MEASURE)
                List<String> columns) {
    private static final double BYTES_PER_KB = 1e3;

    /** The table with those columns of another one that it lacks. */
    MeansTable with(MeansTable other) {
        List<String> all = Stream.concat(columns.stream(), other.columns.stream()).toList();
        return new MeansTable(title, all.stream().distinct().toList());
    }

    Findings.Titled of(List<Parameter> parameters, List<CellResult> results) {
        List<Table.Column<List<CellResult>>> all = new ArrayList<>();
        for (Parameter one : SweepFigures.varied(parameters, results)) {
            all.add(
                    Table.column(
                            (one.unit() == null ? "" : ">") + one.name(),
                            runs -> runs.getFirst().cell().values().text(one.name())));
        }
        for (String measure : columns) {
            String unit = SweepFigures.unit(results, measure);
            // As series of queues and buffers are, next to which they stand.
            boolean isBytes = unit.equals("byte");
            String shown = isBytes ? "kB" : unit;
            String heading = shown.isEmpty() ? measure : measure + " (" + shown + ")";
            double divisor = isBytes ? BYTES_PER_KB : 1;
            all.add(Table.column(">" + heading, runs -> mean(measure, divisor, runs)));
        }
        return new Findings.Titled(title, Table.of(Seeds.bySetting(results).values(), all));
    }

    /** With the least and the largest, where they differ. */
    private static String mean(String measure, double divisor, List<CellResult> runs) {
        DoubleSummaryStatistics all =
                runs.stream()
                        .mapToDouble(run -> run.measure(measure))
                        .filter(Double::isFinite)
                        .map(value -> value / divisor)
                        .summaryStatistics();
        if (all.getCount() == 0) {
            return "-";
        }
        String mean = Numbers.text(all.getAverage());
        return all.getMin() == all.getMax()
                ? mean
                : "%s (%s to %s)"
                        .formatted(mean, Numbers.text(all.getMin()), Numbers.text(all.getMax()));
    }
}
