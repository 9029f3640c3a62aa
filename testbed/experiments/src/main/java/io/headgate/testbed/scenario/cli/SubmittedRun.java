package io.headgate.testbed.scenario.cli;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.EndGuard;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.CellList;
import io.headgate.testbed.scenario.campaign.ProgressLine;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.report.CellDirectory;
import io.headgate.testbed.scenario.report.CellJson;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.SweepDescription;
import io.headgate.testbed.scenario.submit.FollowedSubmitter;
import io.headgate.testbed.scenario.submit.Follower;
import io.headgate.testbed.scenario.submit.Submitter;
import io.headgate.testbed.scenario.submit.Tasks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Submits the cells of a sweep to other machines, again if some are missing, and builds the result.
 */
final class SubmittedRun {
    /** Linux takes no argument of more than 131,071 bytes. */
    private static final int MOST_LIST = 100_000;

    private final SweepRun here;
    private final Sweep sweep;
    private final SweepDescription description;
    private final SweepRun.Options options;
    private final int wantedTasks;
    private final PrintStream progress;

    /**
     * @param wantedTasks number of tasks; 0: computed from the first cell's time
     */
    SubmittedRun(SweepRun here, int wantedTasks, PrintStream progress) {
        this.here = here;
        this.sweep = here.sweep();
        this.description = here.description();
        this.options = here.options();
        this.wantedTasks = wantedTasks;
        this.progress = progress;
    }

    /** The text that would be submitted for these cells. */
    String script(Submitter submitter, List<Cell> cells) throws ScenarioException {
        if (cells.isEmpty()) {
            throw new ScenarioException(
                    "--cells and --shard leave no run for these tasks: there is nothing to submit");
        }
        return submitter.script(tasks(cells, count(cells, null)));
    }

    /** Tasks for these cells; where naming them is too long for a command, for the first ones. */
    private Tasks tasks(List<Cell> cells, int count) {
        BitSet numbers = new BitSet();
        cells.forEach(cell -> numbers.set(cell.index()));
        if (CellList.format(numbers).length() > MOST_LIST) {
            return tasks(cells.subList(0, cells.size() / 2), count);
        }
        return new Tasks(description, numbers, Math.min(count, cells.size()), options.checking());
    }

    /** Submits until all cells exist, or until no new ones come. */
    int run(FollowedSubmitter submitter, Path out) throws ScenarioException {
        // What a process that was killed had nearly put into its place is there then.
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            SweepRun.sayReplaced(directory, progress);
        }
        ResultDirectory.make(out);
        try (CellDirectory cells =
                CellDirectory.open(
                        out, description, sweep.cells(), options.resume(), "submitted")) {
            BitSet done = cells.ended();
            int count = 0;
            while (done.cardinality() < sweep.cells().size()) {
                if (count == 0) {
                    count = count(SweepRun.without(sweep.cells(), done), cells);
                    done = cells.ended();
                }
                int before = done.cardinality();
                List<Cell> left = SweepRun.without(sweep.cells(), done);
                if (!left.isEmpty()) {
                    submit(submitter, tasks(left, count), cells, out);
                    done = cells.ended();
                    if (done.cardinality() == before) {
                        progress.println("None of these runs has ended: they are not tried again.");
                        break;
                    }
                }
            }
        }
        return conclude(out);
    }

    private void submit(FollowedSubmitter submitter, Tasks tasks, CellDirectory cells, Path out)
            throws ScenarioException {
        progress.println(tasks.title() + ".");
        try (ProgressLine line =
                new ProgressLine(
                        description.scenario(),
                        tasks.cells().cardinality(),
                        progress,
                        options.terminal())) {
            Arrivals arrivals = new Arrivals(tasks, cells, out, line);
            here.begin();
            EndGuard.run(
                    () -> submitter.run(tasks, arrivals),
                    submitter::cancel,
                    () ->
                            "cancelled. Finished runs are kept in "
                                    + out
                                    + ", and the same command with --resume continues from there.",
                    cells::close);
            arrivals.sayRefused();
        }
    }

    /** Receives the cells of followed tasks. */
    private static final class Arrivals implements Follower {
        private final Tasks tasks;
        private final CellDirectory cells;
        private final Path out;
        private final ProgressLine line;
        private final List<Integer> places;
        private int refused;
        private String firstRefused = "";

        Arrivals(Tasks tasks, CellDirectory cells, Path out, ProgressLine line) {
            this.tasks = tasks;
            this.cells = cells;
            this.out = out;
            this.line = line;
            this.places = tasks.cells().stream().boxed().toList();
        }

        private void arrived(int cell) {
            int place = Collections.binarySearch(places, cell);
            if (place >= 0) {
                line.at(place, 1);
            }
        }

        @Override
        public void look() throws ScenarioException {
            try {
                BitSet there = CellDirectory.indices(out);
                there.and(tasks.cells());
                there.stream().forEach(this::arrived);
            } catch (IOException e) {
                throw new ScenarioException("cannot look into " + out + ": " + Reason.of(e), e);
            }
        }

        @Override
        public void line(String text) throws ScenarioException {
            int cell = cells.saveLine(text);
            if (cell >= 0) {
                arrived(cell);
            } else if (!text.isBlank() && !CellJson.isSweep(text)) {
                firstRefused = refused == 0 ? text : firstRefused;
                refused++;
            }
        }

        void sayRefused() {
            if (refused > 0) {
                say(
                        refused
                                + (refused == 1 ? " line" : " lines")
                                + " from tasks: not a complete run of this sweep, and ignored; the"
                                + " first is "
                                + Words.shown(firstRefused));
            }
        }

        @Override
        public void say(String sentence) {
            line.say(sentence);
        }
    }

    private int conclude(Path out) throws ScenarioException {
        if (Conclusion.isConcluded(out, description)) {
            // A merge that was submitted, too, has done it.
            return ResultPrinter.print(
                    Conclusion.merge(List.of(out), out, here.finder()), out, options.json());
        }
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            Result result = Conclusion.merge(List.of(out), out, here.finder());
            directory.publish(result, options.column(), List.of());
            return ResultPrinter.print(result, out, options.json());
        }
    }

    /**
     * Number of tasks. If not given, the first cell runs here to measure its time, at most for the
     * time that a task should take: a cell that takes longer is a task of its own.
     */
    private int count(List<Cell> left, @Nullable CellDirectory keep) throws ScenarioException {
        if (wantedTasks > 0) {
            return wantedTasks;
        }
        Cell first = left.getFirst();
        progress.println(
                "Running the first cell here to measure its time (at most "
                        + Math.round(Tasks.SECONDS)
                        + " s; --tasks N leaves that out)…");
        AtomicReference<@Nullable CellResult> came = new AtomicReference<>();
        Campaign campaign =
                new Campaign(
                        sweep,
                        List.of(first),
                        new Campaign.Options(
                                1, options.checking(), null, progress, options.terminal()));
        EndGuard.run(
                () -> runFor(Tasks.SECONDS, campaign, came, keep),
                campaign::cancel,
                () -> "ended early; nothing was submitted.",
                () -> {
                    if (keep != null) {
                        keep.close();
                    }
                });
        return Tasks.countFor(left.size(), came.get());
    }

    private void runFor(
            double seconds,
            Campaign campaign,
            AtomicReference<@Nullable CellResult> came,
            @Nullable CellDirectory keep)
            throws ScenarioException {
        CompletableFuture<Void> end =
                CompletableFuture.runAsync(
                        campaign::cancel,
                        CompletableFuture.delayedExecutor((long) seconds, TimeUnit.SECONDS));
        try {
            campaign.run(result -> {
                came.set(result);
                if (keep != null) {
                    keep.save(here.record(result));
                }
            });
        } finally {
            end.cancel(false);
        }
    }
}
