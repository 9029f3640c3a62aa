package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A sweep's description and its cells as JSON, each a line: in a file, or one behind the other. */
public final class CellJson {
    private static final String FORMAT = "format";
    private static final String VERSION = "version";
    private static final String OF_SWEEP = "headgate-sweep";
    private static final String OF_CELL = "headgate-cell";
    private static final int THIS_VERSION = 1;

    private CellJson() {}

    /** A sweep's description, in a line. */
    public static String sweep(SweepDescription sweep) {
        return Json.COMPACT.writeValueAsString(description(sweep));
    }

    /** The same for a directory, where a result of the sweep is gone on with or not. */
    static String sweep(SweepDescription sweep, boolean resumed) {
        Map<String, @Nullable Object> map = description(sweep);
        map.put("resumed", resumed);
        return Json.COMPACT.writeValueAsString(map);
    }

    private static Map<String, @Nullable Object> description(SweepDescription sweep) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(FORMAT, OF_SWEEP);
        map.put(VERSION, THIS_VERSION);
        map.put("scenario", sweep.scenario());
        map.put("scenarioFile", sweep.file());
        map.put("request", sweep.request());
        map.put("sweepId", sweep.id());
        map.put("runsInAll", sweep.cellsInAll());
        map.put("varied", sweep.varied());
        return map;
    }

    /** What came of a cell, in a line. */
    public static String cell(SweepDescription sweep, CellRecord cell) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(FORMAT, OF_CELL);
        map.put(VERSION, THIS_VERSION);
        map.put("sweepId", sweep.id());
        map.put("maker", cell.maker());
        map.put("endedSeconds", cell.endedSeconds());
        map.put("run", ResultJson.run(sweep, cell.result(), true));
        return Json.COMPACT.writeValueAsString(map);
    }

    /** A line or a file's text; null if it is not whole. */
    static @Nullable JsonNode tree(String text) {
        try {
            return Json.COMPACT.readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Whether this is a cell of a sweep. */
    static boolean isCellOf(SweepDescription sweep, JsonNode tree) {
        return isOf(tree, OF_CELL) && tree.path("sweepId").asString("").equals(sweep.id());
    }

    static boolean isSweep(JsonNode tree) {
        return isOf(tree, OF_SWEEP);
    }

    static boolean isResumed(JsonNode sweep) {
        return sweep.path("resumed").asBoolean(false);
    }

    /** Whether a line that a task printed says no more than of which sweep its cells are. */
    public static boolean isSweep(String line) {
        JsonNode tree = tree(line);
        return tree != null && isSweep(tree);
    }

    private static boolean isOf(JsonNode tree, String format) {
        return tree.path(FORMAT).asString("").equals(format)
                && tree.path(VERSION).asInt(0) == THIS_VERSION;
    }

    static int index(JsonNode cell) {
        return cell.path("run").path("run").asInt(-1);
    }

    static boolean isFailure(JsonNode cell) {
        return cell.path("run").path("failure").isString();
    }

    /** The cell of a line. */
    static CellRecord cell(JsonNode tree, RunReader reader) throws ScenarioException {
        return new CellRecord(
                reader.read(tree.path("run")),
                reader.maker(tree.path("maker")),
                tree.path("endedSeconds").asDouble(0));
    }

    /** The description in a line, or at the head of a result. */
    static SweepDescription sweep(JsonNode tree) {
        JsonNode text = tree.path("scenarioFile");
        ScenarioText file =
                text.isObject()
                        ? new ScenarioText(
                                text.path("path").asString(""), text.path("text").asString(""))
                        : null;
        JsonNode request = tree.path("request");
        String scenario = tree.path("scenario").asString("");
        return new SweepDescription(
                scenario,
                file,
                request.isObject()
                        ? Json.COMPACT.treeToValue(request, SweepRequest.class)
                        : new SweepRequest(scenario, List.of(), "1", null, null),
                tree.path("sweepId").asString(""),
                tree.path("runsInAll").asInt(0),
                ResultReader.texts(tree.path("varied")));
    }

    static Maker maker(JsonNode tree) {
        return Json.COMPACT.treeToValue(tree, Maker.class);
    }

    static Environment environment(JsonNode tree) {
        return Json.COMPACT.treeToValue(tree, Environment.class);
    }
}
