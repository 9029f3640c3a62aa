package io.headgate.testbed.scenario.report;

import io.headgate.config.Withers;
import io.headgate.control.report.Environment;
import io.headgate.testbed.scenario.Cautions;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The complete result of a campaign, or of a part of one.
 *
 * @param sweep the sweep; {@code results} has fewer runs if this is a part
 * @param parts process, time and command of each part: one, or those that were merged
 * @param findings null if runs are missing, so that no conclusion is possible
 */
@Withers
public record Result(
        Scenario scenario,
        SweepDescription sweep,
        List<Part> parts,
        List<CellResult> results,
        @Nullable Findings findings)
        implements ResultBuilder.With {
    public Result {
        parts = List.copyOf(parts);
        results = List.copyOf(results);
    }

    /** The content of a scenario's file. */
    public record ScenarioText(String path, String text) {}

    /**
     * The process that made some of the runs.
     *
     * @param runs numbers of the runs, such as {@code 0..38:2}
     */
    public record Part(
            String command,
            String started,
            double wallSeconds,
            String runs,
            Environment environment) {
        String commit() {
            return environment.commit() + (environment.localChanges() ? " with local changes" : "");
        }
    }

    /** Units of all measures, by the measures' names in their order. */
    SortedMap<String, String> units() {
        SortedMap<String, String> units = new TreeMap<>();
        for (CellResult run : results) {
            run.measures().forEach(measure -> units.putIfAbsent(measure.name(), measure.unit()));
        }
        return units;
    }

    /** The verdict on the whole result. */
    public enum Verdict {
        /** Everything was as expected. */
        PASS,
        /** All runs exist, and no expectation was given. */
        MEASURED,
        /** Something was not, or a run failed. */
        FAIL,
        /** Not all runs are here. */
        PART
    }

    public Verdict verdict() {
        if (results.stream().anyMatch(result -> result.failure() != null)) {
            return Verdict.FAIL;
        }
        if (findings == null || results.size() < sweep.cellsInAll()) {
            return Verdict.PART;
        }
        if (findings.checks().isEmpty()) {
            return Verdict.MEASURED;
        }
        return findings.passed() ? Verdict.PASS : Verdict.FAIL;
    }

    /** Cautions about the statistics, one sentence each, without its full stop. */
    public List<String> warnings() {
        return Cautions.of(results);
    }

    /** Sentences on runs that failed, one for each cause, with the command that runs one again. */
    public List<String> failures() {
        Map<String, List<Cell>> byCause = new LinkedHashMap<>();
        for (CellResult result : results) {
            if (result.failure() != null) {
                byCause.computeIfAbsent(result.failure(), cause -> new ArrayList<>())
                        .add(result.cell());
            }
        }
        List<String> failures = new ArrayList<>();
        byCause.forEach((cause, cells) -> {
            Cell first = cells.getFirst();
            String which =
                    cells.size() == 1
                            ? "run " + first.index()
                            : cells.size() + " runs, the first of them " + first.index() + ",";
            failures.add(which + " failed: " + cause + " (again: " + sweep.replay(first) + ")");
        });
        return failures;
    }

    /** The verdict with its reason, in a sentence: the same on a terminal, in JSON and in HTML. */
    public String headline() {
        List<Check> all = findings == null ? List.of() : findings.checks();
        long passed = all.stream().filter(Check::passed).count();
        Verdict verdict = verdict();
        return verdict
                + ": "
                + switch (verdict) {
                    case PASS -> passed + " of " + all.size() + " as expected.";
                    case MEASURED ->
                            "no expectation applies to these runs, so nothing was checked.";
                    case FAIL -> failed(all.size(), passed);
                    case PART -> runs(results.size()) + " of a larger sweep.";
                };
    }

    private String failed(int checks, long passed) {
        List<String> why = new ArrayList<>();
        long failed = results.stream().filter(run -> run.failure() != null).count();
        if (failed > 0) {
            why.add(failed + " of " + runs(results.size()) + " failed");
        }
        if (passed < checks) {
            String of = checks + (checks == 1 ? " check" : " checks");
            why.add((checks - passed) + " of " + of + " not as expected");
        }
        return String.join("; ", why) + ".";
    }

    private static String runs(int count) {
        return count + (count == 1 ? " run" : " runs");
    }
}
