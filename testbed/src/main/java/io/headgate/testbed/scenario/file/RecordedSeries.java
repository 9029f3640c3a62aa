package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Flows;
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
    private static final List<String> MARKS = List.of("arrived ", "congested ", "undetermined ");

    private final YamlConfig yaml;
    private final Set<String> derived = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();

    /** Of flows one by one, each at the time at which it began. */
    private final Set<String> ofFlows = new LinkedHashSet<>();

    /**
     * @param flows all that are there from the start
     * @param groups names of all traffic
     */
    RecordedSeries(
            YamlConfig yaml,
            Recording recording,
            List<FlowSpec> flows,
            Set<String> groups,
            Topology topology) {
        this.yaml = yaml;
        groups.forEach(group -> ofFlows.addAll(Flows.single(group)));
        for (Kind kind : Kind.values()) {
            if (kind == Kind.MARKS) {
                for (String group : recording.of(kind)) {
                    MARKS.forEach(what -> names.add(what + group));
                }
            } else if (kind == Kind.ALLOWED) {
                for (String group : recording.of(kind)) {
                    names.addAll(List.of(kind.series(group), "spread " + group));
                }
            } else if (kind != Kind.RATE) {
                recording.of(kind).forEach(of -> names.add(SeriesMeasure.called(kind.series(of))));
            }
        }
        // A file names traffic there, but there is a series of each of its flows.
        names.addAll(AllowedRates.names(recording, flows, topology));
    }

    /** Whether a series is recorded, or made of such. */
    boolean has(String series) {
        return ofFlows.contains(series) || names.contains(series);
    }

    /** Whether any series is that a name with stars stands for; or the one of that name. */
    boolean hasAny(String starred) {
        return has(starred) || !Starred.among(names, starred).isEmpty();
    }

    /** Whether it is a measure of the series that a name with stars stands for. */
    boolean isOfAny(String measure) {
        SeriesMeasure asked = SeriesMeasure.parse(measure);
        return asked != null && Starred.is(asked.of()) && hasAny(asked.of());
    }

    /** Whether the file makes a series itself. */
    boolean isDerived(String series) {
        return derived.contains(series);
    }

    /** Whether any of a sum is recorded, or it is of a series of the file's own. */
    boolean isAny(DerivedSeries.Sum sum) {
        return names.stream()
                .anyMatch(name -> derived.contains(name) ? name.equals(sum.of()) : sum.isOf(name));
    }

    void add(DerivedSeries series) {
        names.add(series.name());
        derived.add(series.name());
    }

    /** Refuses a series that is not recorded. */
    void refuse(String at, String series) {
        yaml.refuse(
                at,
                "the series " + YamlConfig.quote(series) + ", which is not recorded",
                names.isEmpty()
                        ? "a series that 'record' names; it names none"
                        : ScenarioReader.oneOf(series, names));
    }

    /**
     * Whether the text at a place is a measure of a series. One that has another statistic, or is
     * of a series that is not recorded, is one too, but refused.
     */
    boolean isMeasured(String at, String measure) {
        SeriesMeasure parsed = SeriesMeasure.parse(measure);
        int end = measure.indexOf(SeriesMeasure.OF);
        String of =
                parsed != null
                        ? parsed.of()
                        : end < 0 ? "" : measure.substring(end + SeriesMeasure.OF.length());
        boolean hasStatistic = parsed != null;
        boolean isRecorded = has(of);
        if (isRecorded && !hasStatistic) {
            yaml.refuse(
                    at,
                    "the unknown measure " + YamlConfig.quote(measure),
                    SeriesMeasure.STATISTICS + SeriesMeasure.OF + of);
        } else if (hasStatistic && !isRecorded) {
            refuse(at, of);
        }
        return isRecorded || hasStatistic;
    }
}
