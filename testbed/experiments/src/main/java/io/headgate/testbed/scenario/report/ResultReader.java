package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.campaign.CellList;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.scenario.report.Result.Part;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/** Reads results that a campaign, here or elsewhere, has written. */
public final class ResultReader {
    private static final long MAX_BYTES = 2L << 30;

    private ResultReader() {}

    /** Finds a scenario by its name, or makes it from its file's text. */
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
     * Reads a result's JSON without conversion.
     *
     * @throws ScenarioException if the file does not exist, or is not a result
     */
    public static JsonNode tree(Path directoryOrFile) throws ScenarioException {
        Path file = fileIn(directoryOrFile);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ScenarioException(file + " is larger than 2 GiB");
            }
            JsonNode root = Json.INDENTED.readTree(file.toFile());
            if (!root.path("format").asString("").equals(ResultJson.FORMAT)
                    || root.path("version").asInt(0) != ResultJson.VERSION) {
                throw new ScenarioException(
                        "%s is not a result of this version: format %s, version %s is allowed"
                                .formatted(file, ResultJson.FORMAT, ResultJson.VERSION));
            }
            return root;
        } catch (NoSuchFileException e) {
            throw new ScenarioException(
                    "there is no result " + file + "; headgate reproduce NAME --out DIR writes one",
                    e);
        } catch (IOException | JacksonException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * Id of the sweep that a result belongs to. In the file it comes before the runs, which may be
     * gigabytes.
     */
    static String sweepId(Path directoryOrFile) throws ScenarioException {
        Path file = fileIn(directoryOrFile);
        try (JsonParser json = Json.INDENTED.createParser(file.toFile())) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                JsonToken value = json.nextToken();
                if (name.equals("sweepId") && value == JsonToken.VALUE_STRING) {
                    return json.getString();
                }
                json.skipChildren();
            }
            return "";
        } catch (JacksonException e) {
            throw unreadable(file, e);
        }
    }

    /** Numbers of the runs of a result that did not fail. */
    static BitSet done(Path directoryOrFile) throws ScenarioException {
        Path file = fileIn(directoryOrFile);
        BitSet done = new BitSet();
        try (JsonParser json = Json.INDENTED.createParser(file.toFile())) {
            json.nextToken();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                if (!name.equals(ResultJson.RUNS)) {
                    json.skipChildren();
                    continue;
                }
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    JsonNode run = json.readValueAsTree();
                    int index = run.path("run").asInt(-1);
                    if (index >= 0 && !run.path("failure").isString()) {
                        done.set(index);
                    }
                }
            }
            return done;
        } catch (JacksonException e) {
            throw unreadable(file, e);
        }
    }

    private static ScenarioException unreadable(Path file, Exception e) {
        return new ScenarioException("cannot read " + file + ": " + Words.shown(Reason.of(e)), e);
    }

    /** The cells of a result, each with the process that ran it. */
    static List<CellRecord> cells(JsonNode root, RunReader reader) throws ScenarioException {
        int inAll = root.path("runsInAll").asInt(0);
        Map<Integer, Part> whose = new HashMap<>();
        for (JsonNode tree : root.path("parts")) {
            Part part = ResultMapping.read(tree, Part.class);
            BitSet mine = new BitSet();
            if (part.runs().isEmpty()) {
                mine.set(0, inAll);
            } else {
                mine = CellList.parse(part.runs(), inAll);
            }
            mine.stream().forEach(run -> whose.putIfAbsent(run, part));
        }
        List<CellRecord> cells = new ArrayList<>();
        for (JsonNode tree : root.path(ResultJson.RUNS)) {
            RunDocument run = ResultMapping.read(tree, RunDocument.class);
            Part part = whose.get(run.run());
            if (part == null) {
                throw new IllegalArgumentException("no part has the origin of run " + run.run());
            }
            Maker maker = new Maker(part.command(), part.started(), part.environment());
            cells.add(new CellRecord(reader.read(run), reader.maker(maker), part.wallSeconds()));
        }
        return cells;
    }
}
