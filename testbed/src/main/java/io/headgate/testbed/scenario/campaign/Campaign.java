package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells of a sweep: those of virtual time one on each core, then those of the real bed one
 * by one, since they would share the cores with their own traffic. Results come in the order of the
 * cells.
 */
public final class Campaign {
    /**
     * How it is run.
     *
     * @param jobs threads for cells in virtual time; at least 1
     * @param checking whether invariants are checked after every instant
     * @param traceDirectory where recordings of every frame go; null: there are none
     * @param terminal whether {@code progress} is a terminal that can draw a line anew
     */
    public record Options(
            int jobs,
            boolean checking,
            @Nullable Path traceDirectory,
            PrintStream progress,
            boolean terminal) {}

    private final Sweep sweep;
    private final List<Cell> cells;
    private final Options options;
    private final AtomicReferenceArray<@Nullable CellResult> results;
    private volatile boolean cancelled;

    /**
     * @param cells of the sweep, those to be run
     */
    public Campaign(Sweep sweep, List<Cell> cells, Options options) {
        this.sweep = sweep;
        this.cells = List.copyOf(cells);
        this.options = options;
        this.results = new AtomicReferenceArray<>(cells.size());
    }

    /** Ends runs early; {@link #run} then returns with failures in the place of outcomes. */
    public void cancel() {
        cancelled = true;
    }

    /** Matches all recordings' names. */
    public static final String TRACE_FILES = "run-[0-9]*.hgtrace";

    /** Where a cell's recording is, below the directory of recordings. */
    public static String traceName(Cell cell) {
        return String.format("run-%04d-%s.hgtrace", cell.index(), cell.bed().word());
    }

    /** Runs all cells to their ends. Once only. */
    public List<CellResult> run() {
        try (ProgressLine progress =
                new ProgressLine(
                        sweep.scenario().about().name(),
                        cells.size(),
                        options.progress(),
                        options.terminal())) {
            runOn(BedKind.VIRTUAL, options.jobs(), progress);
            runOn(BedKind.NETNS, 1, progress);
        }
        return IntStream.range(0, cells.size()).mapToObj(this::resultAt).toList();
    }

    private CellResult resultAt(int place) {
        CellResult result = results.get(place);
        return result == null ? new CellResult(cells.get(place), null, "was not run", 0) : result;
    }

    private void runOn(BedKind bed, int jobs, ProgressLine progress) {
        List<Integer> mine =
                IntStream.range(0, cells.size())
                        .filter(i -> cells.get(i).bed() == bed)
                        .boxed()
                        .toList();
        AtomicInteger next = new AtomicInteger();
        Runnable work =
                () -> {
                    for (int i = next.getAndIncrement();
                            i < mine.size() && !cancelled;
                            i = next.getAndIncrement()) {
                        int place = mine.get(i);
                        results.set(place, runCell(place, progress));
                        progress.at(place, 1);
                    }
                };
        int threads = Math.min(jobs, mine.size());
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] =
                    Thread.ofPlatform().daemon().name("headgate-run-" + bed.word() + i).start(work);
        }
        for (Thread worker : workers) {
            join(worker);
        }
    }

    /** Waits even when interrupted: the worker is told to end, and does. */
    private void join(Thread worker) {
        boolean interrupted = false;
        while (worker.isAlive()) {
            try {
                worker.join();
            } catch (InterruptedException e) {
                interrupted = true;
                cancelled = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace") // asked for by the environment
    private CellResult runCell(int place, ProgressLine progress) {
        Cell cell = cells.get(place);
        long startNs = System.nanoTime();
        Outcome outcome = null;
        String failure = null;
        try {
            outcome = sweep.scenario().run(cell, context(place, cell, progress));
            if (cancelled) {
                failure = "was ended early";
            }
        } catch (ScenarioException e) {
            failure = String.valueOf(e.getMessage());
        } catch (OutOfMemoryError e) {
            failure =
                    "ran out of memory; fewer at a time (--jobs 1) or more of it"
                            + " (HEADGATE_JAVA_OPTS=-Xmx8g) mends it";
        } catch (RuntimeException | AssertionError e) {
            failure =
                    "internal error: "
                            + e
                            + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
            if ("1".equals(System.getenv("HEADGATE_DEBUG"))) {
                e.printStackTrace();
            }
        }
        if (failure != null && !cancelled) {
            progress.say(sweep.label(cell) + ": " + failure);
        }
        double wallSeconds = (System.nanoTime() - startNs) / 1e9;
        return new CellResult(cell, failure == null ? outcome : null, failure, wallSeconds);
    }

    private RunContext context(int place, Cell cell, ProgressLine progress) {
        Path traces = options.traceDirectory();
        return new RunContext() {
            @Override
            public void progress(double fraction) {
                progress.at(place, Math.min(fraction, 0.999));
            }

            @Override
            public boolean isCancelled() {
                return cancelled;
            }

            @Override
            public void say(String line) {
                progress.say(sweep.cells().size() == 1 ? line : sweep.label(cell) + ": " + line);
            }

            @Override
            public @Nullable Path traceFile() {
                return traces == null ? null : traces.resolve(traceName(cell));
            }

            @Override
            public boolean checking() {
                return options.checking();
            }
        };
    }
}
