package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.bed.AllowedRates;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The series that a scenario file records; measures of series can use these. */
final class RecordedSeries {
    private static final List<String> MARKS = List.of("arrived ", "congested ", "undetermined ");

    private final YamlConfig yaml;
    private final Set<String> derived = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();

    /**
     * The traffic of each series of single flows (one value per flow, at the time at which it
     * began), and of each series derived from such.
     */
    private final Map<String, String> ofFlows = new HashMap<>();

    RecordedSeries(YamlConfig yaml, Recording recording, TrafficReader traffic, Topology topology) {
        this.yaml = yaml;
        for (FlowSpec flow : traffic.flows()) {
            if (flow.sizeBytes() != FlowSpec.UNLIMITED) {
                addFlows(flow.name());
            }
        }
        traffic.arrivals().forEach(source -> addFlows(source.name()));
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
        names.addAll(AllowedRates.names(recording, traffic.flows(), topology));
    }

    private void addFlows(String group) {
        Flows.single(group).forEach(name -> ofFlows.put(name, group));
    }

    /**
     * Whether a name, which may have stars, matches a series. Stars do not match series of single
     * flows, which have different times.
     */
    static boolean isMeant(String name, String series) {
        return name.equals(series)
                || (!Flows.isSingle(series) && !Starred.among(List.of(series), name).isEmpty());
    }

    /**
     * Refuses series that have no times in common, so that nothing is made of them one by one:
     * those of flows, with those of other flows or with samples.
     */
    private String ofOneTime(String at, List<String> all) {
        Set<String> times = new LinkedHashSet<>();
        for (String name : all) {
            List<String> meant = Starred.is(name) ? Starred.among(names, name) : List.of(name);
            meant.forEach(one -> times.add(ofFlows.getOrDefault(one, "")));
        }
        if (times.size() > 1) {
            yaml.refuse(
                    at,
                    String.join(" with ", all),
                    "series of the same times: of one traffic's flows, or none of flows");
        }
        return times.size() == 1 ? times.iterator().next() : "";
    }

    /** Whether a series is recorded, or derived from recorded ones. */
    boolean has(String series) {
        return ofFlows.containsKey(series) || names.contains(series);
    }

    /** Whether a name, which may have stars, matches any series. */
    boolean hasAny(String starred) {
        return has(starred) || !Starred.among(names, starred).isEmpty();
    }

    /** Whether it is a measure of series that a name with stars matches. */
    boolean isOfAny(String measure) {
        SeriesMeasure asked = SeriesMeasure.parse(measure);
        return asked != null && Starred.is(asked.of()) && hasAny(asked.of());
    }

    /** Whether the file itself derives a series. */
    boolean isDerived(String series) {
        return derived.contains(series);
    }

    /** Whether any series of a sum is recorded, or it is computed from a series of the file. */
    boolean isAny(DerivedSeries sum) {
        return names.stream()
                .anyMatch(
                        name -> derived.contains(name) ? name.equals(sum.of()) : sum.isSumOf(name));
    }

    void add(String at, DerivedSeries series) {
        String flows = ofOneTime(at, series.names());
        if (!flows.isEmpty()) {
            ofFlows.put(series.name(), flows);
        }
        names.add(series.name());
        derived.add(series.name());
    }

    /** Refuses a series that is not recorded. */
    void refuse(String at, String series) {
        if (Flows.isSingle(series)) {
            yaml.refuse(
                    at,
                    "the series " + YamlConfig.quote(series),
                    "such a series of traffic with 'size' or 'arrivals'");
            return;
        }
        yaml.refuse(
                at,
                "the series " + YamlConfig.quote(series) + ", which is not recorded",
                names.isEmpty()
                        ? "a series of 'record'; it has none"
                        : ScenarioReader.oneOf(series, names));
    }

    /**
     * Whether the text at a place is a measure of a series. A measure with an unknown statistic or
     * of an unrecorded series also counts, but is rejected.
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
