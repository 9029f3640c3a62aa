package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.campaign.Shard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a campaign, or a shard of one, left.
 *
 * @param sweepId the same for all shards of one sweep
 * @param cellsInAll runs of the whole sweep; {@code results} has fewer where this is a shard
 * @param parts on which machine, when, by which command: one, or those that were merged
 * @param findings null where runs are missing, so that nothing can be concluded
 */
public record Result(
        Scenario scenario,
        @Nullable ScenarioText file,
        String sweepId,
        int cellsInAll,
        List<String> varied,
        List<Part> parts,
        List<CellResult> results,
        @Nullable Findings findings) {
    public Result {
        varied = List.copyOf(varied);
        parts = List.copyOf(parts);
        results = List.copyOf(results);
    }

    /** A scenario that came from a file: what was in it. */
    public record ScenarioText(String path, String text) {}

    /** Where and how some of the runs were made. */
    public record Part(
            String command,
            String started,
            double wallSeconds,
            Shard shard,
            Environment environment) {}

    /** What there is to say of it all. */
    public enum Verdict {
        /** Everything was as expected. */
        PASS,
        /** Something was not, or a run failed. */
        FAIL,
        /** Not all runs are here. */
        PART
    }

    public Verdict verdict() {
        if (results.stream().anyMatch(result -> result.failure() != null)) {
            return Verdict.FAIL;
        }
        if (findings == null || results.size() < cellsInAll) {
            return Verdict.PART;
        }
        return findings.passed() ? Verdict.PASS : Verdict.FAIL;
    }

    /** Sentences on runs that failed, each with the command that runs it again. */
    public List<String> failures() {
        List<String> failures = new ArrayList<>();
        for (CellResult result : results) {
            if (result.failure() != null) {
                failures.add(
                        "run "
                                + result.cell().index()
                                + " failed: "
                                + result.failure()
                                + " (again: "
                                + replay(result.cell())
                                + ")");
            }
        }
        return failures;
    }

    /** The command that runs a single cell again. */
    public String replay(Cell cell) {
        StringBuilder command = new StringBuilder("headgate reproduce ");
        command.append(file == null ? scenario.about().name() : file.path());
        command.append(" --seed ").append(cell.seed());
        command.append(" --bed ").append(cell.bed().word());
        if (cell.scale() != 1) {
            command.append(" --scale ").append(Csv.number(cell.scale()));
        }
        cell.values()
                .texts()
                .forEach((name, text) ->
                        command.append(" --set ").append(name).append('=').append(text));
        return command.toString();
    }

    /** The runs' cells, varied parameters first told in a few words. */
    public String label(Cell cell) {
        boolean manySeeds = results.stream().anyMatch(r -> r.cell().seed() != cell.seed());
        boolean manyBeds = results.stream().anyMatch(r -> r.cell().bed() != cell.bed());
        String label = cell.label(varied, manySeeds, manyBeds);
        return label.isEmpty() ? "run" : label;
    }
}
