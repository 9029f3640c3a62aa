package io.headgate.testbed.scenario.report;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Reads runs of one scenario back. What many of them have in common, parameters and configuration,
 * is there once for all that one reader has read: ten thousand runs would not fit otherwise.
 */
final class RunReader {
    private final Scenario scenario;
    private final Map<List<String>, Values> values = new HashMap<>();
    private final Map<JsonNode, JsonNode> configurations = new HashMap<>();
    private final Map<JsonNode, Maker> makers = new HashMap<>();

    RunReader(Scenario scenario) {
        this.scenario = scenario;
    }

    /**
     * One run.
     *
     * @throws ScenarioException if a parameter's value is none that the scenario allows
     */
    CellResult read(JsonNode run) throws ScenarioException {
        Cell cell =
                new Cell(
                        run.path("run").asInt(-1),
                        values(run.path("parameters")),
                        run.path("seed").asLong(0),
                        BedKind.valueOf(run.path("bed").asString("").toUpperCase(Locale.ROOT)),
                        run.path("scale").asDouble(1));
        JsonNode failure = run.path("failure");
        return new CellResult(
                cell,
                run.has("measures") ? outcome(run) : null,
                failure.isString() ? failure.asString() : null,
                run.path("wallSeconds").asDouble(0));
    }

    /** Who ran it. */
    Maker maker(JsonNode maker) {
        return makers.computeIfAbsent(maker, CellJson::maker);
    }

    private Values values(JsonNode parameters) throws ScenarioException {
        List<String> texts = new ArrayList<>();
        for (Parameter parameter : scenario.parameters()) {
            texts.add(parameters.path(parameter.name()).path("text").asString(""));
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

    private Outcome outcome(JsonNode run) {
        List<Measure> measures = new ArrayList<>();
        for (JsonNode one : run.path("measures")) {
            measures.add(
                    new Measure(
                            one.path("name").asString(""),
                            one.path("unit").asString(""),
                            one.path("value").asDouble(Double.NaN)));
        }
        List<Series> series = new ArrayList<>();
        for (JsonNode one : run.path("series")) {
            series.add(
                    new Series(
                            one.path("name").asString(""),
                            one.path("unit").asString(""),
                            numbers(one.path("timesUs")),
                            numbers(one.path("values"))));
        }
        Map<String, Object> configuration = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : run.path("configuration").properties()) {
            JsonNode node = entry.getValue();
            JsonNode known = configurations.putIfAbsent(node, node);
            configuration.put(entry.getKey(), known == null ? node : known);
        }
        return new Outcome(
                run.path("digest").asString(""),
                measures,
                series,
                ResultReader.texts(run.path("statements")),
                configuration,
                links(run.path("links")));
    }

    private static List<LinkLoad> links(JsonNode list) {
        List<LinkLoad> links = new ArrayList<>();
        for (JsonNode one : list) {
            links.add(
                    new LinkLoad(
                            share(one, "shareAtoB"),
                            share(one, "shareBtoA"),
                            one.path("pausesAtoB").asLong(0),
                            one.path("pausesBtoA").asLong(0)));
        }
        return links;
    }

    private static double share(JsonNode load, String key) {
        double share = load.path(key).asDouble(0);
        if (share >= 0 && share <= 1) {
            return share;
        }
        throw new IllegalArgumentException(key + " of a link is " + share + "; allowed: 0 to 1");
    }

    private static double[] numbers(JsonNode list) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.path(i).asDouble(Double.NaN);
        }
        return numbers;
    }
}
