package io.headgate.testbed.scenario;

import io.headgate.config.Withers;
import io.headgate.control.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Compares settings that differ in only one parameter: the difference of each measure, and whether
 * the seeds show that it is significant.
 *
 * @param by the parameter in which they differ, or {@link #BED}
 * @param to the value that all others are compared with
 * @param rows one row per setting and measure, ordered by setting, then by measure
 * @param tested number of tests, including those of omitted rows
 */
@Withers
public record Differences(String by, String to, List<Row> rows, long tested)
        implements DifferencesBuilder.With {
    /** Compares beds instead of the values of a parameter. */
    public static final String BED = "bed";

    /**
     * One measure of two settings.
     *
     * @param others the other varied parameters, such as {@code senders 4}; empty: none
     * @param value value of {@code by}
     */
    public record Row(String others, String value, String measure, String unit, SeedTest test) {
        public String measureAndUnit() {
            return unit.isEmpty() ? measure : measure + " (" + unit + ")";
        }
    }

    public Differences {
        rows = List.copyOf(rows);
    }

    /**
     * Compares each setting with the one that has the value {@code to} instead of its own.
     *
     * @param measures names; those that neither setting has are left out
     */
    public static Differences of(
            List<Parameter> parameters,
            List<CellResult> results,
            String by,
            String to,
            List<String> measures) {
        Function<CellResult, String> value = value(by);
        List<String> others =
                SweepFigures.varied(parameters, results).stream()
                        .map(Parameter::name)
                        .filter(name -> !name.equals(by))
                        .toList();
        // Of results with several beds each bed is compared with itself.
        boolean manyBeds =
                !by.equals(BED) && results.stream().map(r -> r.cell().bed()).distinct().count() > 1;
        Map<String, Map<String, List<CellResult>>> settings = new LinkedHashMap<>();
        for (CellResult result : results) {
            settings.computeIfAbsent(
                            result.cell().label(others, false, manyBeds),
                            _ -> new LinkedHashMap<>())
                    .computeIfAbsent(value.apply(result), _ -> new ArrayList<>())
                    .add(result);
        }
        List<Row> rows = new ArrayList<>();
        settings.forEach((setting, runs) -> {
            List<CellResult> base = runs.get(to);
            for (Map.Entry<String, List<CellResult>> other : runs.entrySet()) {
                if (base == null || other.getKey().equals(to)) {
                    continue;
                }
                for (String measure : measures) {
                    SeedTest test = SeedTest.of(base, other.getValue(), measure);
                    if (!Double.isNaN(test.base()) || !Double.isNaN(test.mean())) {
                        String unit = SweepFigures.unit(results, measure);
                        rows.add(new Row(setting, other.getKey(), measure, unit, test));
                    }
                }
            }
        });
        return new Differences(
                by, to, rows, rows.stream().filter(row -> row.test.isTested()).count());
    }

    /** Gives a run's value of a parameter, or its bed. */
    public static Function<CellResult, String> value(String by) {
        return by.equals(BED)
                ? result -> result.cell().bed().word()
                : result -> result.cell().values().text(by);
    }

    /** The values that runs have, in their order. */
    public static List<String> values(List<CellResult> results, String by) {
        Set<String> values = new LinkedHashSet<>();
        results.forEach(result -> values.add(value(by).apply(result)));
        return List.copyOf(values);
    }

    /**
     * The rows with a difference between two existing values, the largest first; differences to 0
     * have no relative size and come last.
     */
    public Differences furthest(int most) {
        return withRows(
                rows.stream()
                        .filter(row -> !row.test.isSame() && !Double.isNaN(row.test.difference()))
                        .sorted(
                                Comparator.comparingDouble(row ->
                                        Double.isNaN(row.test.percent())
                                                ? Double.MAX_VALUE
                                                : -Math.abs(row.test.percent())))
                        .limit(most)
                        .toList());
    }

    /** The table of all rows, with the kind of test above. */
    public Findings.Titled table() {
        List<Table.Column<Row>> columns = new ArrayList<>();
        if (rows.stream().anyMatch(row -> !row.others.isEmpty())) {
            columns.add(Table.column("of", Row::others));
        }
        columns.add(Table.column(by, Row::value));
        columns.add(Table.column("measure", Row::measureAndUnit));
        columns.add(Table.column(">" + to, row -> row.test.number(row.test.base())));
        columns.add(Table.column(">here", row -> row.test.number(row.test.mean())));
        columns.add(Table.column(">Δ", row -> SeedTest.signed(row.test.difference())));
        columns.add(Table.column(">Δ %", row -> row.test.percentText()));
        columns.add(Table.column(">95 % interval of Δ", row -> row.test.intervalText()));
        columns.add(Table.column(">p", row -> row.test.pText()));
        columns.add(Table.column("told apart", row -> row.test.verdict()));
        return new Findings.Titled(title(), Table.of(rows, columns));
    }

    private String title() {
        List<SeedTest> tests = rows.stream().map(Row::test).toList();
        return "Means compared with %s %s; %s%s"
                .formatted(by, to, SeedTest.tests(tests), SeedTest.ofTests(tested));
    }
}
