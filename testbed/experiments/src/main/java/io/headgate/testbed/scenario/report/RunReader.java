package io.headgate.testbed.scenario.report;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs of one scenario back. Equal parameters and configurations of the runs that one reader
 * has read share one object: otherwise ten thousand runs would not fit into memory.
 */
final class RunReader {
    private final Scenario scenario;
    private final Map<List<String>, Values> values = new HashMap<>();
    private final Map<Object, Object> configurations = new HashMap<>();
    private final Map<Maker, Maker> makers = new HashMap<>();

    RunReader(Scenario scenario) {
        this.scenario = scenario;
    }

    CellResult read(RunDocument run) throws ScenarioException {
        if (run.digest() == null && run.failure() == null) {
            throw new IllegalArgumentException(
                    "run " + run.run() + " has neither a digest nor a failure");
        }
        return new CellResult(
                new Cell(run.run(), values(run.parameters()), run.seed(), run.bed(), run.scale()),
                run.digest() == null ? null : outcome(run, run.digest()),
                run.failure(),
                run.wallSeconds());
    }

    Maker maker(Maker maker) {
        return makers.computeIfAbsent(maker, same -> same);
    }

    private Values values(Map<String, RunDocument.Parameter> parameters) throws ScenarioException {
        List<String> texts = new ArrayList<>();
        for (Parameter parameter : scenario.parameters()) {
            RunDocument.Parameter value = parameters.get(parameter.name());
            texts.add(value == null ? "" : value.text());
        }
        Values known = values.get(texts);
        if (known != null) {
            return known;
        }
        List<Object> parsed = new ArrayList<>();
        for (Parameter parameter : scenario.parameters()) {
            parsed.add(parameter.parse(texts.get(parsed.size())).getFirst());
        }
        Values read = new Values(scenario.parameters(), parsed);
        values.put(texts, read);
        return read;
    }

    private Outcome outcome(RunDocument run, String digest) {
        Map<String, Object> configuration =
                new LinkedHashMap<>(Objects.requireNonNullElse(run.configuration(), Map.of()));
        configuration.replaceAll((_, part) -> configurations.computeIfAbsent(part, same -> same));
        return new Outcome(
                digest,
                orNone(run.measures()),
                orNone(run.series()),
                orNone(run.statements()),
                configuration,
                orNone(run.links()),
                List.of());
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
