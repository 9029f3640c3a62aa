package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.bed.AllowedRates;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The series that a file records: what measures of series can be of. */
final class RecordedSeries {
    private final YamlConfig yaml;
    private final Set<String> names = new LinkedHashSet<>();

    /**
     * @param flows all that are there from the start
     */
    RecordedSeries(YamlConfig yaml, Recording recording, List<FlowSpec> flows, Topology topology) {
        this.yaml = yaml;
        for (Kind kind : Kind.values()) {
            if (kind != Kind.RATE) {
                recording.of(kind).forEach(of -> names.add(SeriesMeasure.called(kind.series(of))));
            }
        }
        // A file names traffic there, but there is a series of each of its flows.
        names.addAll(AllowedRates.names(recording, flows, topology));
    }

    /**
     * Whether the text at a place is a measure of a series. One that has another statistic, or is
     * of a series that is not recorded, is one too, but refused.
     */
    boolean isMeasured(String at, String measure) {
        int end = measure.indexOf(SeriesMeasure.OF);
        String of = end < 0 ? "" : measure.substring(end + SeriesMeasure.OF.length());
        boolean hasStatistic = SeriesMeasure.parse(measure) != null;
        boolean isRecorded = names.contains(of);
        if (isRecorded && !hasStatistic) {
            yaml.refuse(
                    at,
                    "the unknown measure " + YamlConfig.quote(measure),
                    SeriesMeasure.STATISTICS + SeriesMeasure.OF + of);
        } else if (hasStatistic && !isRecorded) {
            yaml.refuse(
                    at,
                    "the series " + YamlConfig.quote(of) + ", which is not recorded",
                    names.isEmpty()
                            ? "a series that 'record' names; it names none"
                            : ScenarioReader.oneOf(of, names));
        }
        return isRecorded || hasStatistic;
    }
}
