package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.Differences.Row;
import io.headgate.testbed.scenario.SeedTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares the measures of two results' runs, by setting: the differences, and whether the seeds
 * show that they are significant.
 */
final class MeasuredDifferences {
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    /** One setting's runs in both. */
    private static final class Setting {
        /** Two runs have the same seed, so they are not of one setting and cannot be tested. */
        boolean isMixed;

        final Map<String, String> units = new LinkedHashMap<>();
        final Side a = new Side();
        final Side b = new Side();
    }

    private static final class Side {
        final Map<String, Map<Long, Double>> values = new LinkedHashMap<>();
        final Set<String> digests = new LinkedHashSet<>();
        final Set<Long> seeds = new LinkedHashSet<>();

        /** Adds a run; returns whether it is the first with its seed. */
        boolean add(JsonNode run, Map<String, String> units) {
            long seed = run.path("seed").asLong(0);
            if (!seeds.add(seed)) {
                return false;
            }
            digests.add(run.path("digest").asString(""));
            for (JsonNode measure : run.path("measures")) {
                String name = measure.path("name").asString("");
                units.putIfAbsent(name, measure.path("unit").asString(""));
                values.computeIfAbsent(name, _ -> new TreeMap<>())
                        .put(seed, measure.path("value").asDouble(Double.NaN));
            }
            return true;
        }

        boolean isOneRun() {
            return digests.size() == 1 && !digests.contains("");
        }

        Map<Long, Double> of(String measure, boolean isOneRun) {
            Map<Long, Double> all = values.getOrDefault(measure, Map.of());
            long seed = seeds.iterator().next();
            Double first = all.get(seed);
            return isOneRun && first != null ? Map.of(seed, first) : all;
        }
    }

    void add(String setting, JsonNode a, JsonNode b) {
        Setting of = settings.computeIfAbsent(setting, _ -> new Setting());
        boolean isFirstOfA = of.a.add(a, of.units);
        boolean isFirstOfB = of.b.add(b, of.units);
        of.isMixed |= !isFirstOfA || !isFirstOfB;
    }

    /** The differing measures: significant ones first, then the largest differences. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        settings.forEach((name, setting) -> {
            if (setting.isMixed) {
                return;
            }
            boolean isOneRun = setting.a.isOneRun() && setting.b.isOneRun();
            setting.units.forEach((measure, unit) -> {
                Map<Long, Double> a = setting.a.of(measure, isOneRun);
                Map<Long, Double> b = setting.b.of(measure, isOneRun);
                SeedTest test = SeedTest.of(a, b);
                if (!test.isSame() && !(isNone(a) && isNone(b))) {
                    rows.add(new Row(name, "", measure, unit, test));
                }
            });
        });
        rows.sort(
                Comparator.comparing((Row row) -> !row.test().isSignificant())
                        .thenComparingDouble(row -> -apart(row.test())));
        return rows;
    }

    private static boolean isNone(Map<Long, Double> values) {
        return values.values().stream().noneMatch(Double::isFinite);
    }

    /** In %; from nothing to something is the furthest. */
    private static double apart(SeedTest test) {
        double percent = Math.abs(test.percent());
        return Double.isNaN(percent) ? Double.MAX_VALUE : percent;
    }

    /** The kind and number of tests; empty without tests. */
    static String tests(List<Row> rows) {
        List<SeedTest> tests = rows.stream().map(Row::test).toList();
        return SeedTest.tests(tests)
                + SeedTest.ofTests(tests.stream().filter(SeedTest::isTested).count());
    }

    static Table table(List<Row> rows) {
        List<Table.Column<Row>> columns = new ArrayList<>();
        if (rows.stream().anyMatch(row -> !row.others().isEmpty())) {
            columns.add(Table.column("of", Row::others));
        }
        columns.add(Table.column("measure", Row::measureAndUnit));
        columns.add(Table.column(">A", row -> row.test().number(row.test().base())));
        columns.add(Table.column(">B", row -> row.test().number(row.test().mean())));
        columns.add(Table.column(">Δ %", row -> row.test().percentText()));
        if (rows.stream().anyMatch(row -> row.test().isTested())) {
            columns.add(Table.column(">95 % interval of Δ", row -> row.test().intervalText()));
            columns.add(Table.column(">p", row -> row.test().pText()));
            columns.add(Table.column("told apart", row -> row.test().verdict()));
        }
        return Table.of(rows, columns);
    }

    static List<Map<String, @Nullable Object>> maps(List<Row> rows) {
        List<Map<String, @Nullable Object>> maps = new ArrayList<>();
        for (Row row : rows) {
            SeedTest test = row.test();
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            map.put("setting", row.others());
            map.put("measure", row.measure());
            map.put("unit", row.unit());
            map.put("a", finite(test.base()));
            map.put("b", finite(test.mean()));
            map.put("difference", finite(test.difference()));
            map.put("percent", finite(test.percent()));
            map.put("low", finite(test.difference() - test.half()));
            map.put("high", finite(test.difference() + test.half()));
            map.put("p", finite(test.p()));
            map.put("seeds", test.n());
            map.put("test", test.kind().said());
            maps.add(map);
        }
        return maps;
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
