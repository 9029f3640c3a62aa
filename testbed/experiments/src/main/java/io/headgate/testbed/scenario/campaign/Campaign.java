package io.headgate.testbed.scenario.campaign;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.RunThreads;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells of a sweep: first those in virtual time, one on each core; then those of the real
 * bed one by one, because parallel runs would take cores from their own traffic.
 */
public final class Campaign {
    /**
     * The options of a campaign.
     *
     * @param jobs number of parallel cells in virtual time; at least 1
     * @param threads threads of each of these cells
     * @param checking whether invariants are checked after every instant
     * @param traceDirectory directory for recordings of every frame; null: no recordings
     * @param terminal whether {@code progress} is a terminal that can overwrite a line
     * @param capturedLinks links whose frames are captured
     * @param captureDirectory directory for captures; null: no captures
     * @param stateFile file for the ports' counters over time, for a single run; null: no recording
     * @param traceEventsFile file for the paths of frames, for a single run; null: none
     */
    public record Options(
            int jobs,
            RunThreads threads,
            boolean checking,
            @Nullable Path traceDirectory,
            PrintStream progress,
            boolean terminal,
            List<String> capturedLinks,
            @Nullable Path captureDirectory,
            @Nullable Path stateFile,
            @Nullable Path traceEventsFile) {
        public Options {
            capturedLinks = List.copyOf(capturedLinks);
        }

        /** Options with one thread per cell and without captures. */
        public Options(
                int jobs,
                boolean checking,
                @Nullable Path traceDirectory,
                PrintStream progress,
                boolean terminal) {
            this(
                    jobs,
                    RunThreads.ONE,
                    checking,
                    traceDirectory,
                    progress,
                    terminal,
                    List.of(),
                    null,
                    null,
                    null);
        }
    }

    /** Keeps the result of a cell. Any thread, several at once. */
    @FunctionalInterface
    public interface Keeper {
        void keep(CellResult result) throws ScenarioException;
    }

    private final Sweep sweep;
    private final List<Cell> cells;
    private final Options options;
    private final AtomicReference<@Nullable ScenarioException> notKept = new AtomicReference<>();
    private volatile boolean cancelled;

    /**
     * @param cells those cells of the sweep that are run
     */
    public Campaign(Sweep sweep, List<Cell> cells, Options options) {
        this.sweep = sweep;
        this.cells = List.copyOf(cells);
        this.options = options;
    }

    /** Cancels the runs. */
    public void cancel() {
        cancelled = true;
    }

    /** Matches all recordings' names. */
    public static final String TRACE_FILES = "run-[0-9]*.hgtrace";

    /** The file name of a cell's recording in the directory of recordings. */
    public static String traceName(Cell cell) {
        return String.format("run-%04d-%s.hgtrace", cell.index(), cell.bed().word());
    }

    /** Matches all captures' names. */
    public static final String CAPTURE_FILES = "run-[0-9]*.pcapng";

    private static String captureName(Cell cell) {
        return String.format("run-%04d-%s.pcapng", cell.index(), cell.bed().word());
    }

    /**
     * Runs all cells and returns their results in the order of the cells; without cancelled cells.
     */
    public List<CellResult> run() {
        ConcurrentSkipListMap<Integer, CellResult> results = new ConcurrentSkipListMap<>();
        try {
            run(result -> results.put(result.cell().index(), result));
        } catch (ScenarioException e) {
            throw new IllegalStateException("a map keeps everything", e);
        }
        return List.copyOf(results.values());
    }

    /**
     * Runs all cells; may be called only once. Each result is passed on when its cell ends, and not
     * kept here, so that a campaign of many cells needs no more memory than one of few.
     *
     * @param keeper receives each result, except of cancelled cells
     * @throws ScenarioException if a result could not be kept; the others were ended early then
     */
    public void run(Keeper keeper) throws ScenarioException {
        try (ProgressLine progress =
                new ProgressLine(
                        sweep.scenario().about().name(),
                        cells.size(),
                        options.progress(),
                        options.terminal())) {
            runOn(BedKind.VIRTUAL, options.jobs(), progress, keeper);
            runOn(BedKind.NETNS, 1, progress, keeper);
        }
        ScenarioException first = notKept.get();
        if (first != null) {
            throw first;
        }
    }

    private void runOn(BedKind bed, int jobs, ProgressLine progress, Keeper keeper) {
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
                        CellResult result = runCell(place, progress);
                        if (!cancelled) {
                            keep(result, keeper);
                        }
                        progress.at(place, 1);
                    }
                };
        WorkerPool.run(
                "headgate-run-" + bed.word(),
                Math.min(jobs, mine.size()),
                work,
                () -> cancelled = true);
    }

    private void keep(CellResult result, Keeper keeper) {
        try {
            keeper.keep(result);
        } catch (ScenarioException e) {
            // Runs whose results cannot be kept are not worth their time.
            notKept.compareAndSet(null, e);
            cancelled = true;
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
        } catch (ScenarioException e) {
            failure = Reason.of(e);
        } catch (OutOfMemoryError e) {
            failure =
                    "ran out of memory; use fewer runs at a time (--jobs 1) or more memory"
                            + " (HEADGATE_JAVA_OPTS=-Xmx8g)";
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
            public List<String> capturedLinks() {
                return options.capturedLinks();
            }

            @Override
            public @Nullable Path captureFile() {
                Path captures = options.captureDirectory();
                return captures == null ? null : captures.resolve(captureName(cell));
            }

            @Override
            public @Nullable Path stateFile() {
                return options.stateFile();
            }

            @Override
            public @Nullable Path traceEventsFile() {
                return options.traceEventsFile();
            }

            @Override
            public RunThreads threads() {
                return options.threads();
            }

            @Override
            public boolean checking() {
                return options.checking();
            }
        };
    }
}
