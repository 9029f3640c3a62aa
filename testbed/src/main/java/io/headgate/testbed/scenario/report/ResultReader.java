package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
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
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.campaign.Shard;
import io.headgate.testbed.scenario.report.Result.Part;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads results that a campaign, here or elsewhere, has written. */
public final class ResultReader {
    private static final long MAX_BYTES = 2L << 30;

    private ResultReader() {}

    /** How a scenario is found by its name, or made from its file's text. */
    @FunctionalInterface
    public interface Finder {
        Scenario find(String name, @Nullable ScenarioText file) throws ScenarioException;
    }

    /** The result file of a directory, or the file itself. */
    public static Path fileIn(Path directoryOrFile) {
        return Files.isDirectory(directoryOrFile)
                ? directoryOrFile.resolve("result.json")
                : directoryOrFile;
    }

    /**
     * Reads a result's JSON as it is.
     *
     * @throws ScenarioException if there is none, or it is not one
     */
    public static JsonNode tree(Path directoryOrFile) throws ScenarioException {
        Path file = fileIn(directoryOrFile);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ScenarioException(file + " is larger than 2 GiB");
            }
            JsonNode root = ResultJson.JSON.readTree(file.toFile());
            if (!root.path("format").asString("").equals(ResultJson.FORMAT)
                    || root.path("version").asInt(0) != ResultJson.VERSION) {
                throw new ScenarioException(
                        file
                                + " is no result of this version: format "
                                + ResultJson.FORMAT
                                + ", version "
                                + ResultJson.VERSION
                                + " is allowed");
            }
            return root;
        } catch (NoSuchFileException e) {
            throw new ScenarioException(
                    "there is no result " + file + "; headgate reproduce NAME --out DIR writes one",
                    e);
        } catch (IOException | JacksonException e) {
            throw new ScenarioException(
                    "cannot read " + file + ": " + Words.shown(String.valueOf(e.getMessage())), e);
        }
    }

    /**
     * Reads a result, to be merged or concluded anew. It has no findings.
     *
     * @throws ScenarioException if it cannot be read, or its scenario is not known here
     */
    public static Result read(Path directoryOrFile, Finder finder) throws ScenarioException {
        JsonNode root = tree(directoryOrFile);
        JsonNode text = root.path("scenarioFile");
        ScenarioText file =
                text.isObject()
                        ? new ScenarioText(
                                text.path("path").asString(""), text.path("text").asString(""))
                        : null;
        Scenario scenario = finder.find(root.path("scenario").asString(""), file);
        try {
            List<CellResult> runs = new ArrayList<>();
            for (JsonNode run : root.path("runs")) {
                runs.add(run(run, scenario));
            }
            List<Part> parts = new ArrayList<>();
            for (JsonNode part : root.path("parts")) {
                parts.add(part(part));
            }
            return new Result(
                    scenario,
                    file,
                    root.path("sweepId").asString(""),
                    root.path("runsInAll").asInt(0),
                    texts(root.path("varied")),
                    parts,
                    runs,
                    null);
        } catch (JacksonException | IllegalArgumentException | ScenarioException e) {
            throw new ScenarioException(
                    fileIn(directoryOrFile)
                            + " is damaged: "
                            + Words.shown(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private static Part part(JsonNode part) throws ScenarioException {
        JsonNode shard = part.path("shard");
        return new Part(
                part.path("command").asString(""),
                part.path("started").asString(""),
                part.path("wallSeconds").asDouble(0),
                Shard.parse(shard.path("index").asInt(1) + "/" + shard.path("of").asInt(1)),
                ResultJson.JSON.treeToValue(part.path("environment"), Environment.class));
    }

    private static CellResult run(JsonNode run, Scenario scenario) throws ScenarioException {
        List<Object> values = new ArrayList<>();
        for (Parameter parameter : scenario.parameters()) {
            String text = run.path("parameters").path(parameter.name()).path("text").asString("");
            values.add(parameter.parse(text).getFirst());
        }
        Cell cell =
                new Cell(
                        run.path("run").asInt(-1),
                        new Values(scenario.parameters(), values),
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

    private static Outcome outcome(JsonNode run) {
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
            configuration.put(entry.getKey(), entry.getValue());
        }
        return new Outcome(
                run.path("digest").asString(""),
                measures,
                series,
                texts(run.path("statements")),
                configuration);
    }

    private static double[] numbers(JsonNode list) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.path(i).asDouble(Double.NaN);
        }
        return numbers;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : list) {
            texts.add(text.asString(""));
        }
        return texts;
    }
}
