package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.bed.Experiment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a scenario file says, its parameters replaced.
 *
 * @param warnings what of it does nothing on the real bed, in sentences; none without that bed
 */
record Definition(
        About about,
        Experiment experiment,
        List<Expectation> expectations,
        List<Plot> plots,
        List<String> warnings) {
    Definition {
        expectations = List.copyOf(expectations);
        plots = List.copyOf(plots);
        warnings = List.copyOf(warnings);
    }

    /** Measures of series that its expectations and figures name. */
    List<SeriesMeasure> ofSeries() {
        return Stream.concat(
                        expectations.stream().map(Expectation::measure),
                        plots.stream().map(Plot::y))
                .distinct()
                .map(SeriesMeasure::parse)
                .filter(Objects::nonNull)
                .toList();
    }
}
