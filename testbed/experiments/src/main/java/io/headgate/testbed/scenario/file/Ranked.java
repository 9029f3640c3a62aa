package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Seeds;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table that a scenario file asks for. It ranks the values of a parameter by each of some
 * measures: first, next and last, in each setting of all other parameters, by means over seeds.
 * Values that differ by less than a hundredth count as equal.
 */
record Ranked(
        @Key(max = "200", example = "Who wins where") @Says("Title of the table.") String title,
        @Key(max = "32") @Says("The parameter whose values are ranked.") @Allowed(Said.A_PARAMETER)
                String by,
        @Key(max = "100")
                @Says("Measures for which a larger value is better.")
                @Allowed(Said.MEASURES)
                @Items(max = 20, orOne = true, each = Said.A_MEASURE)
                List<String> most,
        @Key(max = "100")
                @Says("Measures for which a smaller value is better.")
                @Allowed("a list of measures, such as [mean completion of web]")
                @Items(max = 20, orOne = true, each = "a measure, such as mean completion of web")
                List<String> least,
        @Key(max = "100")
                @Says(
                        "A measure: only values that reach the given share of its maximum are"
                                + " ranked.")
                @Otherwise("all are ranked")
                @Allowed(Said.A_MEASURE)
                String among,
        @Key(codec = Said.Amount.class, absent = "0.8")
                @Says("With among: the share.")
                @Allowed("a number, such as 0.8")
                double share) {
    private static final double SAME = 0.01;
    private static final int NAMED = 3;

    /** The mean of one value's runs. */
    private record Place(String value, double mean) {
        boolean isSame(Place other) {
            return Math.abs(mean - other.mean) <= SAME * Math.abs(mean);
        }
    }

    private record Row(String setting, String measure, String unit, List<Place> places) {
        private List<Place> sameAs(Place place) {
            return places.stream().filter(place::isSame).toList();
        }

        String named(List<Place> some) {
            String names =
                    some.stream().limit(NAMED).map(Place::value).collect(Collectors.joining(", "));
            String more = some.size() > NAMED ? " and " + (some.size() - NAMED) + " more" : "";
            return names + more + ": " + Numbers.shown(some.getFirst().mean, unit);
        }

        String first() {
            return named(sameAs(places.getFirst()));
        }

        /** The best of the values that are not first; empty if that is the last. */
        String next() {
            return places.stream()
                    .filter(place ->
                            !places.getFirst().isSame(place) && !place.isSame(places.getLast()))
                    .findFirst()
                    .map(place -> named(sameAs(place)))
                    .orElse("");
        }

        String last() {
            return named(sameAs(places.getLast()));
        }
    }

    /** The table with those measures of another one that it lacks. */
    Ranked with(Ranked other) {
        return new Ranked(
                title,
                by,
                Stream.concat(most.stream(), other.most.stream()).distinct().toList(),
                Stream.concat(least.stream(), other.least.stream()).distinct().toList(),
                among,
                share);
    }

    List<String> measures() {
        return Stream.of(most, least, among.isEmpty() ? List.<String>of() : List.of(among))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    Findings.Titled of(List<Parameter> parameters, List<CellResult> results) {
        List<String> others =
                SweepFigures.varied(parameters, results).stream()
                        .map(Parameter::name)
                        .filter(name -> !name.equals(by))
                        .toList();
        Map<String, List<List<CellResult>>> settings = new LinkedHashMap<>();
        for (List<CellResult> runs : Seeds.bySetting(results).values()) {
            String setting =
                    others.stream()
                            .map(name -> name + " " + runs.getFirst().cell().values().text(name))
                            .collect(Collectors.joining(", "));
            settings.computeIfAbsent(setting, _ -> new ArrayList<>()).add(runs);
        }
        List<Row> rows = new ArrayList<>();
        settings.forEach((setting, all) -> {
            double largest =
                    all.stream()
                            .mapToDouble(runs -> mean(runs, among))
                            .filter(Double::isFinite)
                            .max()
                            .orElse(0);
            for (String measure : Stream.concat(most.stream(), least.stream()).toList()) {
                List<Place> places =
                        all.stream()
                                .filter(runs ->
                                        measure.equals(among)
                                                || among.isEmpty()
                                                || mean(runs, among) >= share * largest)
                                .map(runs ->
                                        new Place(
                                                runs.getFirst().cell().values().text(by),
                                                mean(runs, measure)))
                                .filter(place -> Double.isFinite(place.mean))
                                .sorted(order(measure))
                                .toList();
                if (places.size() > 1 && !places.getFirst().isSame(places.getLast())) {
                    String unit = SweepFigures.unit(results, measure);
                    rows.add(new Row(setting, measure, unit, places));
                }
            }
        });
        return new Findings.Titled(
                title,
                Table.of(
                        rows,
                        Table.column("setting", Row::setting),
                        Table.column("by", Row::measure),
                        Table.column("first", Row::first),
                        Table.column("next", Row::next),
                        Table.column("last", Row::last)));
    }

    private Comparator<Place> order(String measure) {
        Comparator<Place> byMean = Comparator.comparingDouble(Place::mean);
        return most.contains(measure) ? byMean.reversed() : byMean;
    }

    private static double mean(List<CellResult> runs, String measure) {
        return runs.stream().mapToDouble(run -> run.measure(measure)).average().orElse(0);
    }
}
