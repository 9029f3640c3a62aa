package io.headgate.testbed.scenario.report;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.Result.Part;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Concludes from runs, once all of them are there; puts shards together. */
public final class Conclusion {
    private static final int NAMED = 5;

    private Conclusion() {}

    /** The result with findings, if all its runs are there and one at least did not fail. */
    public static Result of(Result result) {
        List<CellResult> good =
                result.results().stream().filter(run -> run.failure() == null).toList();
        if (good.isEmpty() || result.results().size() < result.cellsInAll()) {
            return result;
        }
        Findings findings = result.scenario().conclude(good);
        return new Result(
                result.scenario(),
                result.file(),
                result.sweepId(),
                result.cellsInAll(),
                result.varied(),
                result.parts(),
                result.results(),
                findings);
    }

    /**
     * Puts shards of one sweep together, in the order of the runs.
     *
     * @throws ScenarioException if they are of different sweeps, overlap, or runs are missing
     */
    public static Result merge(List<Path> from, ResultReader.Finder finder)
            throws ScenarioException {
        Map<Integer, Path> whose = new HashMap<>();
        List<CellResult> runs = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        Result first = null;
        for (Path directory : from) {
            Result result = ResultReader.read(directory, finder);
            first = first == null ? result : first;
            requireSame(first, from.getFirst(), result, directory);
            for (CellResult run : result.results()) {
                Path other = whose.put(run.cell().index(), directory);
                if (other != null) {
                    throw new ScenarioException(
                            "run "
                                    + run.cell().index()
                                    + " is in "
                                    + other
                                    + " and in "
                                    + directory
                                    + "; each shard is merged once");
                }
                runs.add(run);
            }
            parts.addAll(result.parts());
        }
        if (first == null) {
            throw new ScenarioException("there is nothing to merge");
        }
        requireAll(first, whose);
        runs.sort(Comparator.comparingInt(run -> run.cell().index()));
        Result all =
                new Result(
                        first.scenario(),
                        first.file(),
                        first.sweepId(),
                        first.cellsInAll(),
                        first.varied(),
                        parts,
                        runs,
                        null);
        try {
            return of(all);
        } catch (IllegalArgumentException e) {
            // Such as a series that this version's scenario wants and that one's did not record.
            throw new ScenarioException(
                    "these results are not of this version's "
                            + first.scenario().about().name()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static void requireSame(Result first, Path firstFrom, Result result, Path from)
            throws ScenarioException {
        if (!first.sweepId().equals(result.sweepId())) {
            throw new ScenarioException(
                    from
                            + " is of another sweep than "
                            + firstFrom
                            + ": scenario, parameters, seeds and beds must be the same, and only"
                            + " --shard may differ");
        }
    }

    private static void requireAll(Result first, Map<Integer, Path> whose)
            throws ScenarioException {
        BitSet missing = new BitSet();
        missing.set(0, first.cellsInAll());
        whose.keySet().forEach(index -> missing.clear(Math.max(0, index)));
        if (!missing.isEmpty()) {
            List<String> named = missing.stream().limit(NAMED).mapToObj(Integer::toString).toList();
            throw new ScenarioException(
                    missing.cardinality()
                            + " of "
                            + first.cellsInAll()
                            + " runs are missing (first "
                            + String.join(", ", named)
                            + "): all shards are needed");
        }
    }

    /** Commits by which the parts were run; more than one wants a word. */
    public static List<String> commits(Result result) {
        return result.parts().stream()
                .map(part ->
                        part.environment().commit()
                                + (part.environment().localChanges() ? " with local changes" : ""))
                .distinct()
                .toList();
    }
}
