package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Window;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a scenario file says, its parameters replaced.
 *
 * @param findings what it makes of its runs
 * @param warnings what of it does nothing on the real bed, in sentences; none without that bed
 */
record Definition(About about, Experiment experiment, Wanted findings, List<String> warnings) {
    /**
     * What is measured of runs, expected of them, said and drawn.
     *
     * @param classes of flows by size, by their names, as {@link Flows#sizeClass} has them
     * @param places of expectations in the file; all that 'for' makes of one have the same
     * @param window the part of a run whose flows and bytes are measured; null: all of it
     */
    record Wanted(
            Map<String, Map<String, Object>> classes,
            List<DerivedSeries> series,
            List<OwnMeasure> measures,
            List<Expectation> expectations,
            List<String> places,
            List<Saying> sayings,
            List<Plot> plots,
            List<MeansTable> tables,
            List<Ranked> ranked,
            List<Compared> compared,
            @Nullable Window window) {
        Wanted {
            classes = new LinkedHashMap<>(classes);
            places = List.copyOf(places);
            plots = List.copyOf(plots);
            compared = List.copyOf(compared);
        }
    }

    Definition {
        warnings = List.copyOf(warnings);
    }

    OwnMeasure.Times times() {
        return OwnMeasure.Times.of(experiment.recording().intervalPs(), experiment.durationPs());
    }

    /** Its figures, by what they are called, or by their places. */
    Map<String, Plot> plots() {
        Map<String, Plot> plots = new LinkedHashMap<>();
        findings.plots()
                .forEach(plot ->
                        plots.put(
                                plot.said().name().isEmpty()
                                        ? "#" + plots.size()
                                        : plot.said().name(),
                                plot));
        return plots;
    }

    /** Measures of series that its expectations, sentences and figures name. */
    List<SeriesMeasure> ofSeries() {
        return Stream.of(
                        findings.expectations().stream().map(Expectation::judged),
                        findings.sayings().stream().flatMap(one -> one.measures().stream()),
                        findings.plots().stream().flatMap(one -> one.y().stream()),
                        findings.tables().stream().flatMap(one -> one.columns().stream()),
                        findings.ranked().stream().flatMap(one -> one.measures().stream()),
                        findings.compared().stream().flatMap(one -> one.measures().stream()))
                .flatMap(names -> names)
                .distinct()
                .map(SeriesMeasure::parse)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Names of series that its own figures have, as they are or in what is made of them. */
    Set<String> drawn(List<Series> recorded) {
        Set<String> drawn = new HashSet<>();
        Set<String> own =
                findings.series().stream().map(DerivedSeries::name).collect(Collectors.toSet());
        for (Plot plot : findings.plots()) {
            drawn.addAll(plot.y());
            findings.series().stream()
                    .filter(made -> plot.y().contains(made.name()))
                    .forEach(made ->
                            recorded.stream()
                                    .map(Series::name)
                                    .filter(name -> made.isOf(name, !own.contains(name)))
                                    .forEach(drawn::add));
        }
        return drawn;
    }
}
