package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.ShellWords;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cautions;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Differences;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.bed.RealBed;
import io.headgate.testbed.scenario.campaign.CellList;
import io.headgate.testbed.scenario.campaign.WhatIf;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.scenario.report.Result.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Collects the runs of a sweep from cells and results, and draws the conclusions when all are
 * there. The result does not depend on the order of the runs, nor on how often each is given.
 */
public final class Conclusion {
    /** Measures by which two beds are compared, those furthest apart. */
    private static final int MOST_OF_BEDS = 40;

    private final ResultReader.Finder finder;
    private final TreeMap<Integer, CellRecord> cells = new TreeMap<>();
    private @Nullable SweepDescription sweep;
    private @Nullable Path first;
    private @Nullable Scenario scenario;
    private @Nullable RunReader reader;

    private Conclusion(ResultReader.Finder finder) {
        this.finder = finder;
    }

    /**
     * The result of a whole sweep.
     *
     * @param from directories with cells, a result or both, or files of results
     * @param out directory of the result, named in the command that runs missing cells
     * @throws ScenarioException if they are of different sweeps, do not fit together, or runs are
     *     missing
     */
    public static Result merge(List<Path> from, Path out, ResultReader.Finder finder)
            throws ScenarioException {
        Conclusion conclusion = new Conclusion(finder);
        for (Path directory : from) {
            conclusion.add(directory);
        }
        return conclusion.whole(out);
    }

    /**
     * The existing ones of some cells, without conclusions.
     *
     * @param wanted numbers of the cells
     */
    public static Result part(Path from, BitSet wanted, ResultReader.Finder finder)
            throws ScenarioException {
        Conclusion conclusion = new Conclusion(finder);
        conclusion.add(from);
        conclusion.cells.keySet().removeIf(cell -> !wanted.get(cell));
        return conclusion.result();
    }

    /** All existing cells of one sweep, without conclusions. */
    public static Result all(Path from, ResultReader.Finder finder) throws ScenarioException {
        Conclusion conclusion = new Conclusion(finder);
        conclusion.add(from);
        return conclusion.result();
    }

    /** Whether there are cells that are not in a result yet. */
    public static boolean hasCells(Path out) {
        return CellDirectory.exists(out);
    }

    /** Whether the result of a sweep exists and no cells are left to add to it. */
    public static boolean isConcluded(Path out, SweepDescription sweep) throws ScenarioException {
        return Files.exists(out.resolve(ResultFiles.JSON))
                && !hasCells(out)
                && ResultReader.sweepId(out).equals(sweep.id());
    }

    private void add(Path from) throws ScenarioException {
        try {
            SweepDescription here =
                    Files.isDirectory(from) ? CellDirectory.description(from) : null;
            BitSet inCells = new BitSet();
            if (here != null) {
                for (CellRecord cell : CellDirectory.cells(from, here, open(here, from))) {
                    inCells.set(cell.result().cell().index());
                    put(cell);
                }
            }
            // The directory may also hold a result that the cells replace; it does not belong to
            // the sweep.
            if (here == null || CellDirectory.countsResult(from, here.id())) {
                JsonNode root = ResultReader.tree(from);
                here = ResultMapping.read(root, SweepDescription.class);
                for (CellRecord cell : ResultReader.cells(root, open(here, from))) {
                    if (!inCells.get(cell.result().cell().index())) {
                        put(cell);
                    }
                }
            }
        } catch (Disagreement e) {
            throw new ScenarioException(e.getMessage() + " (in " + from + ")", e);
        } catch (IOException | UncheckedIOException e) {
            throw new ScenarioException("cannot read " + from + ": " + Reason.of(e), e);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new ScenarioException(from + " is damaged: " + Reason.of(e), e);
        }
    }

    private RunReader open(SweepDescription here, Path from) throws ScenarioException {
        if (sweep != null && !sweep.id().equals(here.id())) {
            throw new ScenarioException(
                    from
                            + " is of another sweep than "
                            + first
                            + ": scenario, parameters, seeds and beds must be the same, and only"
                            + " --shard and --cells may differ");
        }
        if (reader == null) {
            sweep = here;
            first = from;
            scenario =
                    WhatIf.around(
                            finder.find(here.scenario(), here.file()), here.request().whatIf());
            reader = new RunReader(scenario);
        }
        return reader;
    }

    /** Two that claim to be the same run are not. */
    private static final class Disagreement extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Disagreement(String sentence) {
            super(sentence);
        }
    }

    private void put(CellRecord cell) {
        cells.merge(
                cell.result().cell().index(),
                cell,
                (a, b) -> {
                    requireSame(a.result(), b.result());
                    return CellRecord.BEST_FIRST.compare(a, b) <= 0 ? a : b;
                });
    }

    private static void requireSame(CellResult a, CellResult b) {
        if (a.outcome() == null || b.outcome() == null) {
            return;
        }
        String inA = a.outcome().digest();
        String inB = b.outcome().digest();
        if (!inA.equals(inB)) {
            throw new Disagreement(
                    ("run %s exists twice with different results: its frames have the digests %s"
                                    + " and %s; different versions of Headgate ran it, so leave one"
                                    + " of them out")
                            .formatted(a.cell().index(), inA, inB));
        }
    }

    private Result result() throws ScenarioException {
        if (sweep == null || scenario == null) {
            throw new ScenarioException("there is nothing to merge");
        }
        List<CellResult> runs = new ArrayList<>();
        cells.values().forEach(cell -> runs.add(cell.result()));
        return new Result(scenario, sweep, parts(), runs, null);
    }

    private List<Part> parts() {
        Map<Maker, BitSet> ran = new TreeMap<>(Maker.ORDER);
        Map<Maker, Double> seconds = new TreeMap<>(Maker.ORDER);
        cells.forEach((index, cell) -> {
            ran.computeIfAbsent(cell.maker(), _ -> new BitSet()).set(index);
            seconds.merge(cell.maker(), cell.endedSeconds(), Math::max);
        });
        List<Part> parts = new ArrayList<>();
        ran.forEach((maker, runs) ->
                parts.add(
                        new Part(
                                maker.command(),
                                maker.started(),
                                seconds.getOrDefault(maker, 0.0),
                                CellList.format(runs),
                                maker.environment())));
        return parts;
    }

    private Result whole(Path out) throws ScenarioException {
        Result result = result();
        requireAll(result, out);
        List<CellResult> good =
                result.results().stream().filter(run -> run.failure() == null).toList();
        if (good.isEmpty()) {
            return result;
        }
        try {
            return result.withFindings(withSweep(result.scenario(), good));
        } catch (IllegalArgumentException e) {
            // Such as a series that this version's scenario wants and that one's did not record.
            throw new ScenarioException(
                    "these results do not belong to this version's "
                            + result.sweep().scenario()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * A note on how long a busy machine delayed the real bed, which makes measurements doubtful;
     * empty without a real one.
     */
    private static String heldUp(List<CellResult> runs, boolean passed) {
        // NaN where the run failed, or was not on the real bed.
        double longestUs =
                runs.stream()
                        .flatMapToDouble(run ->
                                DoubleStream.of(
                                        run.measure(RealBed.HELD_UP),
                                        run.measure(RealBed.WOKE_LATE)))
                        .filter(us -> !Double.isNaN(us))
                        .max()
                        .orElse(-1);
        return longestUs < 0
                ? ""
                : "the machine delayed the real test bed by up to "
                        + Numbers.shown(longestUs, "us")
                        + " (in the scenario's time)"
                        + (passed
                                ? ""
                                : "; if that is long compared with the measured times, run less"
                                        + " other work on the machine or use a larger --scale");
    }

    /** What the scenario concludes, and figures over the whole sweep that it has not got itself. */
    private static Findings withSweep(Scenario scenario, List<CellResult> runs) {
        Findings findings = scenario.conclude(runs);
        List<Figure> figures = new ArrayList<>();
        List<Figure> more =
                new ArrayList<>(
                        SweepFigures.automatic(scenario.parameters(), runs, findings.checks()));
        more.addAll(SweepFigures.flows(runs));
        Set<String> names = new HashSet<>();
        findings.figures().forEach(figure -> names.add(figure.name()));
        more.stream().filter(figure -> names.add(figure.name())).forEach(figures::add);
        figures.addAll(findings.figures());
        List<String> statements = new ArrayList<>(byText(findings.statements()));
        statements.addAll(Cautions.refused(runs));
        String heldUp = heldUp(runs, findings.passed());
        if (!heldUp.isEmpty()) {
            statements.add(heldUp);
        }
        List<Findings.Titled> tables = new ArrayList<>(findings.tables());
        Differences beds = beds(scenario.parameters(), runs);
        if (!beds.rows().isEmpty()) {
            tables.add(beds.table());
        }
        return new Findings(findings.checks(), figures, statements, tables);
    }

    /**
     * The differences between the measurements of the real bed and virtual time; empty with one
     * bed.
     */
    static Differences beds(List<Parameter> parameters, List<CellResult> runs) {
        return Differences.of(
                        parameters,
                        runs,
                        Differences.BED,
                        BedKind.VIRTUAL.word(),
                        SweepFigures.measures(runs))
                .furthest(MOST_OF_BEDS);
    }

    /** A statement that is equal in all runs that differ only in their seeds appears once. */
    private static List<String> byText(List<String> statements) {
        Map<Labels.Labelled, List<String>> alike = new LinkedHashMap<>();
        for (String statement : statements) {
            Labels.Labelled said = Labels.split(statement);
            alike.computeIfAbsent(
                            new Labels.Labelled(said.text(), said.withoutSeed()),
                            text -> new ArrayList<>())
                    .add(statement);
        }
        List<String> once = new ArrayList<>();
        alike.forEach((said, all) -> {
            int parts = Labels.split(all.getFirst()).parts().size();
            if (all.size() == 1 || parts == said.parts().size()) {
                once.addAll(all);
            } else {
                List<String> label = new ArrayList<>(said.parts());
                label.add(all.size() + " seeds");
                once.add(said.text() + " (" + String.join(", ", label) + ")");
            }
        });
        return once;
    }

    private void requireAll(Result result, Path out) throws ScenarioException {
        BitSet missing = new BitSet();
        missing.set(0, result.sweep().cellsInAll());
        cells.keySet().forEach(missing::clear);
        if (!missing.isEmpty()) {
            throw new ScenarioException(
                    """
                    %s of %s %s missing; this command runs exactly the missing ones; then repeat the merge:

                        headgate %s

                    Nothing was written; the existing files stay\
                    """
                            .formatted(
                                    missing.cardinality(),
                                    result.sweep().cellsInAll(),
                                    missing.cardinality() == 1 ? "run is" : "runs are",
                                    ShellWords.line(command(result.sweep(), missing, out))));
        }
    }

    /** The command that runs some cells into a directory, and continues after an interruption. */
    public static List<String> command(SweepDescription sweep, BitSet cells, Path out) {
        List<String> words = new ArrayList<>(sweep.request().arguments());
        words.addAll(List.of("--cells", CellList.format(cells)));
        words.addAll(List.of("--resume", "--out", out.toString()));
        return words;
    }

    /** The commits of the program that ran the parts; more than one needs a remark. */
    public static List<String> commits(Result result) {
        return result.parts().stream().map(Part::commit).distinct().toList();
    }
}
