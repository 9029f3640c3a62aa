package io.headgate.testbed.scenario.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A sweep's description and its cells as JSON, one per line: each in its own file, or in one
 * stream.
 */
public final class CellJson {
    private static final String FORMAT = "format";
    private static final String VERSION = "version";
    private static final String OF_SWEEP = "headgate-sweep";
    private static final String OF_CELL = "headgate-cell";
    private static final int THIS_VERSION = 1;

    private CellJson() {}

    /**
     * A sweep's description.
     *
     * @param resumed in a directory: whether a result of this sweep that is there counts for runs
     *     without a cell; else null
     */
    private record Sweep(
            String format,
            int version,
            @JsonUnwrapped SweepDescription sweep,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean resumed) {}

    /**
     * The result of a cell.
     *
     * @param endedSeconds with a fraction, always
     */
    private record Ended(
            String format,
            int version,
            String sweepId,
            Maker maker,
            Double endedSeconds,
            RunDocument run) {}

    /** A sweep's description as a line. */
    public static String sweep(SweepDescription sweep) {
        return line(new Sweep(OF_SWEEP, THIS_VERSION, sweep, null));
    }

    /** A sweep's description for a directory, with whether a result of the sweep is continued. */
    static String sweep(SweepDescription sweep, boolean resumed) {
        return line(new Sweep(OF_SWEEP, THIS_VERSION, sweep, resumed));
    }

    /** The result of a cell as a line. */
    public static String cell(SweepDescription sweep, CellRecord cell) {
        return line(
                new Ended(
                        OF_CELL,
                        THIS_VERSION,
                        sweep.id(),
                        cell.maker(),
                        cell.endedSeconds(),
                        RunDocument.of(sweep, cell.result(), true)));
    }

    private static String line(Object document) {
        return ResultMapping.COMPACT.writeValueAsString(document);
    }

    /** Parses a line or a file's text; null if it is incomplete. */
    static @Nullable JsonNode tree(String text) {
        try {
            return Json.COMPACT.readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }

    static boolean isCellOf(SweepDescription sweep, JsonNode tree) {
        return isOf(tree, OF_CELL) && tree.path("sweepId").asString("").equals(sweep.id());
    }

    static boolean isSweep(JsonNode tree) {
        return isOf(tree, OF_SWEEP);
    }

    static boolean isResumed(JsonNode sweep) {
        return sweep.path("resumed").asBoolean(false);
    }

    /** Whether a line that a task printed has only the description of its cells' sweep. */
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

    static CellRecord cell(JsonNode tree, RunReader reader) throws ScenarioException {
        Ended ended = ResultMapping.read(tree, Ended.class);
        return new CellRecord(
                reader.read(ended.run()), reader.maker(ended.maker()), ended.endedSeconds());
    }

    /** The description in a line; null if the line has none, or is damaged. */
    static @Nullable SweepDescription sweep(JsonNode tree) {
        try {
            return isSweep(tree) ? ResultMapping.read(tree, SweepDescription.class) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
