package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.bench.EndGuard;
import io.headgate.control.report.Environment;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.RunThreads;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.report.CellDirectory;
import io.headgate.testbed.scenario.report.CellJson;
import io.headgate.testbed.scenario.report.CellRecord;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.ResultJson;
import io.headgate.testbed.scenario.report.ResultReader;
import io.headgate.testbed.scenario.report.SweepDescription;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs cells of a sweep on this machine: all of them, a part, or on behalf of a machine that
 * collects them.
 */
final class SweepRun {
    /**
     * The options of a sweep's run.
     *
     * @param threads threads of each run
     * @param resume whether existing cells are kept
     * @param column width of figures in a paper
     * @param stateFile file in which a single run is recorded for the page; null: none
     * @param traceEventsFile file for the paths of a single run's frames; null: none
     * @param left files outside the result that its report names
     */
    record Options(
            String command,
            boolean resume,
            int runsAtOnce,
            RunThreads threads,
            boolean checking,
            boolean trace,
            List<String> capturedLinks,
            boolean json,
            Column column,
            boolean terminal,
            @Nullable Path stateFile,
            @Nullable Path traceEventsFile,
            List<Path> left) {
        Options {
            left = List.copyOf(left);
            capturedLinks = List.copyOf(capturedLinks);
        }
    }

    private final Sweep sweep;
    private final SweepDescription description;
    private final Options options;
    private final Maker maker;
    private final long startNs = System.nanoTime();
    private boolean began;

    SweepRun(Sweep sweep, SweepDescription description, Options options) {
        this.sweep = sweep;
        this.description = description;
        this.options = options;
        this.maker = new Maker(options.command, Instant.now().toString(), Environment.here());
    }

    Sweep sweep() {
        return sweep;
    }

    SweepDescription description() {
        return description;
    }

    Options options() {
        return options;
    }

    /** Called when cells begin to run. */
    void begin() {
        began = true;
    }

    /** Whether cells were run, so that a later error is not one of the command line. */
    boolean began() {
        return began;
    }

    ResultReader.Finder finder() {
        return (_, _) -> sweep.scenario();
    }

    CellRecord record(CellResult result) {
        return new CellRecord(result, maker, (System.nanoTime() - startNs) / 1e9);
    }

    private PrintStream progress() {
        return options.json ? System.err : System.out;
    }

    /**
     * @param recordings where recordings and captures go; null: none are made
     */
    private Campaign campaign(List<Cell> cells, @Nullable Path recordings, PrintStream to) {
        return new Campaign(
                sweep,
                cells,
                new Campaign.Options(
                        options.runsAtOnce,
                        options.threads,
                        options.checking,
                        options.trace ? recordings : null,
                        to,
                        options.terminal,
                        options.capturedLinks,
                        options.capturedLinks.isEmpty() ? null : recordings,
                        options.stateFile,
                        options.traceEventsFile));
    }

    static List<Cell> without(List<Cell> cells, BitSet done) {
        return cells.stream().filter(cell -> !done.get(cell.index())).toList();
    }

    /** Runs all cells that do not exist yet, and draws the conclusions. */
    int whole(Path out) throws ScenarioException {
        try (ResultDirectory directory = ResultDirectory.open(out);
                CellDirectory cells =
                        CellDirectory.open(
                                out,
                                description,
                                sweep.cells(),
                                options.resume,
                                CellDirectory.WHOLE)) {
            sayReplaced(directory, progress());
            AtomicInteger kept = new AtomicInteger(cells.done().cardinality());
            sayResumed(kept.get(), sweep.cells().size());
            Campaign campaign =
                    campaign(
                            without(sweep.cells(), cells.done()),
                            cells.forRecordings(),
                            progress());
            String stays =
                    directory.replaces() ? ", and the one in " + directory.path() + " stays." : ".";
            go(
                    campaign,
                    cell -> {
                        cells.save(cell);
                        kept.incrementAndGet();
                    },
                    () ->
                            "ended early; no result is written"
                                    + stays
                                    + keptSentence(kept.get(), out),
                    cells::close,
                    directory::close);
            Result result = Conclusion.merge(List.of(out), out, finder());
            directory.publish(result, options.column, options.left);
            return ResultPrinter.print(result, directory.path(), options.json);
        }
    }

    private interface Keeper {
        void keep(CellRecord cell) throws ScenarioException;
    }

    /** Runs cells and keeps each; returns the number of failed ones. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the other method is a safe one, too
    private int go(
            Campaign campaign,
            Keeper keeper,
            Supplier<String> endedEarly,
            EndGuard.Work<ScenarioException>... leave)
            throws ScenarioException {
        AtomicInteger failed = new AtomicInteger();
        begin();
        EndGuard.run(
                () ->
                        campaign.run(result -> {
                            keeper.keep(record(result));
                            failed.addAndGet(result.failure() == null ? 0 : 1);
                        }),
                campaign::cancel,
                endedEarly,
                leave);
        return failed.get();
    }

    static void sayReplaced(ResultDirectory directory, PrintStream to) {
        if (directory.replaces()) {
            to.println(
                    "There is a result in "
                            + directory.path()
                            + ". The result of this run replaces it at the end.");
        }
    }

    private void sayResumed(int done, int of) {
        if (options.resume && done > 0) {
            progress().println(done + " of " + of + " runs are there already.");
        }
    }

    private String keptSentence(int kept, Path out) {
        return kept == 0
                ? ""
                : (" %s of %s runs are kept in %s, and the same command with --resume continues"
                                + " from there.")
                        .formatted(kept, sweep.cells().size(), out);
    }

    private static BitSet numbers(List<Cell> cells) {
        BitSet numbers = new BitSet();
        cells.forEach(cell -> numbers.set(cell.index()));
        return numbers;
    }

    /** The name of a part: the same for the same cells, different for others. */
    static String partName(List<Cell> mine) {
        return "part-" + UUID.nameUUIDFromBytes(numbers(mine).toByteArray());
    }

    /** Runs the cells of a part that do not exist yet; a merge draws the conclusions. */
    int part(Path out, List<Cell> mine) throws ScenarioException {
        ResultDirectory.make(out);
        try (CellDirectory cells =
                CellDirectory.open(out, description, mine, options.resume, partName(mine))) {
            sayResumed(cells.done().cardinality(), mine.size());
            AtomicInteger kept = new AtomicInteger(cells.done().cardinality());
            Campaign campaign =
                    campaign(without(mine, cells.done()), cells.forRecordings(), progress());
            int failed =
                    go(
                            campaign,
                            cell -> {
                                cells.save(cell);
                                kept.incrementAndGet();
                            },
                            () -> "ended early." + keptSentence(kept.get(), out),
                            cells::close);
            if (options.json) {
                System.out.println(ResultJson.brief(Conclusion.part(out, numbers(mine), finder())));
            } else {
                System.out.println(
                        "\nPART: "
                                + (failed == 0 ? "" : failed + " failed; ")
                                + mine.size()
                                + " of "
                                + sweep.cells().size()
                                + (sweep.cells().size() == 1 ? " run" : " runs")
                                + " belong to this shard, and are in "
                                + out
                                + "; headgate reproduce merge evaluates all shards.");
            }
            return failed == 0 ? 0 : 1;
        }
    }

    /** Prints each cell as a line when it ends, and writes no files. */
    int lines(List<Cell> mine) throws ScenarioException {
        PrintStream out = System.out;
        print(out, CellJson.sweep(description));
        Campaign campaign = campaign(mine, null, new PrintStream(PrintStream.nullOutputStream()));
        int failed =
                go(
                        campaign,
                        cell -> print(out, CellJson.cell(description, cell)),
                        () -> "ended early; the printed runs are complete.");
        return failed == 0 ? 0 : 1;
    }

    /** A line of its own also where another process was killed within one, on the same output. */
    private static void print(PrintStream out, String line) throws ScenarioException {
        synchronized (out) {
            out.print("\n" + line + "\n");
            if (out.checkError()) {
                throw new ScenarioException("the reader of this task's output has closed it");
            }
        }
    }
}
