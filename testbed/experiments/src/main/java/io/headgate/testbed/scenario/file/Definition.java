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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a scenario file after its parameters have been replaced.
 *
 * @param findings the findings that it derives from its runs
 * @param warnings sentences about keys that have no effect on the real bed; empty if it does not
 *     run there
 */
record Definition(About about, Experiment experiment, Wanted findings, List<String> warnings) {
    /**
     * The measures, expectations, sentences and figures that a scenario file asks for.
     *
     * @param classes classes of flows by size, by their names, as in {@link Flows#sizeClass}
     * @param places places of the expectations in the file; all that 'for' makes from one have the
     *     same
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

    /** Its figures, by their names or their places. */
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

    /** Names of the recorded series that its own figures draw, directly or in derived series. */
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

    /**
     * Reads a file's text with its parameters replaced, and keeps what it last read: a run is
     * looked at before it, while it runs and after it, and each of these asks what the file says.
     */
    static final class Last {
        /** Enough for runs at the same time; texts may list flows by the megabyte. */
        private static final int KEPT = 8;

        private final Function<String, Definition> reading;

        private final Map<String, Definition> last =
                new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Definition> eldest) {
                        return size() > KEPT;
                    }
                };

        Last(Function<String, Definition> reading) {
            this.reading = reading;
        }

        /** The content of a text. Cells of a sweep may ask at the same time. */
        Definition of(String text) {
            Definition known = known(text);
            if (known == null) {
                known = reading.apply(text);
                keep(text, known);
            }
            return known;
        }

        private synchronized @Nullable Definition known(String text) {
            return last.get(text);
        }

        private synchronized void keep(String text, Definition definition) {
            last.put(text, definition);
        }
    }
}
