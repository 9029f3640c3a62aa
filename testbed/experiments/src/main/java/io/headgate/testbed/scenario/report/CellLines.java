package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads cells as lines of text, from machines that do not share files with this one. */
public final class CellLines {
    private CellLines() {}

    /**
     * Stores the cells in a directory, each when it arrives.
     *
     * @return number of lines that were not a complete cell of the sweep that the first description
     *     names
     * @throws ScenarioException if they cannot be stored, or no line describes the sweep
     */
    public static int keep(InputStream from, Path out) throws ScenarioException {
        ResultDirectory.make(out);
        int damaged = 0;
        CellDirectory cells = null;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                SweepDescription sweep = sweep(line);
                if (sweep != null && cells == null) {
                    cells = CellDirectory.open(out, sweep, List.of(), true, "lines");
                } else if (sweep == null
                        && !line.isBlank()
                        && (cells == null || cells.saveLine(line) < 0)) {
                    damaged++;
                }
            }
        } catch (IOException e) {
            throw new ScenarioException("cannot read the lines of runs: " + Reason.of(e), e);
        } finally {
            if (cells != null) {
                cells.close();
            }
        }
        if (cells == null) {
            throw new ScenarioException(
                    "no line identifies the sweep of the runs; lines come from headgate reproduce"
                            + " ... --lines");
        }
        return damaged;
    }

    private static @Nullable SweepDescription sweep(String line) {
        JsonNode tree = CellJson.tree(line);
        return tree == null ? null : CellJson.sweep(tree);
    }
}
