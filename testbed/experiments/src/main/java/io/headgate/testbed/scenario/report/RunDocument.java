package io.headgate.testbed.scenario.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of one run.
 *
 * @param failure reason in one sentence; null if it did not fail
 * @param digest null if it failed, like all components after it
 * @param series null in the short form, like all components after it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RunDocument(
        int run,
        Map<String, Parameter> parameters,
        long seed,
        BedKind bed,
        double scale,
        double wallSeconds,
        String again,
        @JsonInclude @JsonSetter(nulls = Nulls.SET) @Nullable String failure,
        @JsonSetter(nulls = Nulls.SET) @Nullable String digest,
        @Nullable List<Measure> measures,
        @Nullable List<String> statements,
        @Nullable List<Series> series,
        @JsonSetter(nulls = Nulls.SET) @Nullable Map<String, Object> configuration,
        @Nullable List<LinkLoad> links) {

    /** A parameter's value: in its base unit or a word, and as a person writes it. */
    record Parameter(Object value, String text) {}

    /**
     * @param whole whether series and configuration are included
     */
    static RunDocument of(SweepDescription sweep, CellResult run, boolean whole) {
        Cell cell = run.cell();
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        cell.values()
                .texts()
                .forEach((name, text) ->
                        parameters.put(
                                name,
                                new Parameter(
                                        ResultMapping.plain(cell.values().value(name)), text)));
        Outcome outcome = run.outcome();
        Outcome all = whole ? outcome : null;
        return new RunDocument(
                cell.index(),
                parameters,
                cell.seed(),
                cell.bed(),
                cell.scale(),
                run.wallSeconds(),
                sweep.replay(cell),
                run.failure(),
                outcome == null ? null : outcome.digest(),
                outcome == null ? null : outcome.measures(),
                outcome == null ? null : outcome.statements(),
                all == null ? null : all.series(),
                all == null ? null : all.configuration(),
                all == null ? null : all.links());
    }
}
