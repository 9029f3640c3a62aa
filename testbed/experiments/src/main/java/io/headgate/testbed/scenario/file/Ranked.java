package io.headgate.testbed.scenario.file;

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
 * A table that a scenario file asks for: which values of a parameter are first, next and last by
 * each of some measures, in each setting of all others, by means over seeds. What differs by less
 * than a hundredth counts as the same.
 *
 * @param by the parameter
 * @param most measures of which more is better
 * @param least measures of which less is better
 * @param among the measure of which a value has at least {@code share} of the most, or it is ranked
 *     by this alone; one that has no such number, by nothing; empty: all are ranked
 */
record Ranked(
        String title,
        String by,
        List<String> most,
        List<String> least,
        String among,
        double share) {
    private static final double SAME = 0.01;
    private static final int NAMED = 3;

    Ranked {
        most = List.copyOf(most);
        least = List.copyOf(least);
    }

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

        /** The best of those that are not first; where that is the last, nothing. */
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

    /** The same with the measures of another that it lacks. */
    Ranked with(Ranked other) {
        return new Ranked(
                title,
                by,
                Stream.concat(most.stream(), other.most.stream()).distinct().toList(),
                Stream.concat(least.stream(), other.least.stream()).distinct().toList(),
                among,
                share);
    }

    /** Measures that it names. */
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
