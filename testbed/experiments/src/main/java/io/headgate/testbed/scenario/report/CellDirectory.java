package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.ShellWords;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The directory {@code cells} within {@code --out}: it keeps a sweep that is not complete. {@code
 * sweep.json} says which sweep; each cell that has ended has a file, which is complete as soon as
 * it has its name. So any number of processes, on one machine or on several that share the
 * directory, may write cells of one sweep; a process that is killed loses only the cells that it
 * was running. {@link #remove} deletes the directory once the result is made.
 *
 * <p>If a result of the same sweep exists already, the sweep either continues it or replaces it:
 * the process that begins the sweep decides by {@code --resume}, and {@code sweep.json} keeps the
 * decision for all others.
 */
public final class CellDirectory implements AutoCloseable {
    /** The part of one process that runs all of it. */
    public static final String WHOLE = "whole";

    private static final String NAME = "cells";
    private static final String SWEEP = "sweep.json";
    private static final Pattern CELL = Pattern.compile("cell-([0-9]{6})\\.json");
    private static final String OURS = "{sweep.json,cell-*.json,*.part,*.hgtrace,*.pcapng}";
    private static final String LOCK = ".lock-";

    /**
     * A process holds this lock while it creates or removes a directory of cells. It is a file next
     * to that directory.
     */
    private static final String LAYOUT_LOCK = ".headgate-cells-lock";

    private static final long LAYOUT_WITHIN_S = 60;
    private static final long LOOK_AGAIN_MS = 20;

    private final Path out;
    private final Path directory;
    private final SweepDescription sweep;
    private final BitSet done;
    private final Map<Integer, FileTime> failedBefore;
    private final DirectoryLock lock;
    private final boolean isWhole;
    private boolean closed;

    /**
     * The content of {@code sweep.json}.
     *
     * @param resumed whether a result of this sweep that is there counts for runs without a cell
     */
    private record Begun(SweepDescription sweep, boolean resumed) {}

    private CellDirectory(
            Path out, SweepDescription sweep, BitSet wanted, DirectoryLock lock, boolean isWhole)
            throws IOException, ScenarioException {
        this.out = out;
        this.directory = out.resolve(NAME);
        this.sweep = sweep;
        this.lock = lock;
        this.isWhole = isWhole;
        this.failedBefore = failed(out, wanted);
        this.done = done(out, sweep, wanted);
    }

    /**
     * Prepares a directory for the cells of a sweep, or continues with the existing ones.
     *
     * @param out directory that {@code --out} names; it exists
     * @param wanted cells that will be run
     * @param resume whether those that already exist are kept
     * @param part name of the part of the sweep, such as {@link #WHOLE}: only one process at a time
     *     runs it
     * @throws ScenarioException if runs would be lost, or the directory cannot be used
     */
    public static CellDirectory open(
            Path out, SweepDescription sweep, List<Cell> wanted, boolean resume, String part)
            throws ScenarioException {
        BitSet mine = new BitSet();
        wanted.forEach(cell -> mine.set(cell.index()));
        try {
            DirectoryLock lock = layOut(out, sweep, resume, part);
            try {
                CellDirectory cells = new CellDirectory(out, sweep, mine, lock, part.equals(WHOLE));
                if (!resume && !cells.done.isEmpty()) {
                    throw wouldBeLost(out, sweep, cells.done);
                }
                return cells;
            } catch (IOException | ScenarioException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ScenarioException("cannot use " + out.resolve(NAME) + ": " + Reason.of(e), e);
        }
    }

    /** Makes {@code sweep.json} say of which sweep the cells are, and takes a part of it. */
    private static DirectoryLock layOut(
            Path out, SweepDescription sweep, boolean resume, String part)
            throws IOException, ScenarioException {
        Path directory = out.resolve(NAME);
        try (DirectoryLock _ = lockLayout(out)) {
            Files.createDirectories(directory);
            DirectoryLock lock = lock(directory, part, out);
            try {
                Begun begun = begun(out);
                boolean isOther = begun != null && !begun.sweep.id().equals(sweep.id());
                if (begun != null && isOther) {
                    requireAlone(out, begun.sweep, part);
                    requireNone(out, begun.sweep);
                }
                // A sweep that starts again must not continue a result, nor use the decision of a
                // process that was killed before its first cell.
                boolean isAnew = !resume && indices(out).isEmpty() && isAlone(directory, part);
                if (isOther || isAnew || !Files.exists(directory.resolve(SWEEP))) {
                    // Without sweep.json, the first to go, what stayed is in a result already.
                    removeFiles(directory);
                }
                if (begun == null || isOther || isAnew) {
                    write(directory, SWEEP, CellJson.sweep(sweep, resume));
                }
                return lock;
            } catch (IOException | ScenarioException | RuntimeException e) {
                lock.close();
                throw e;
            }
        }
    }

    private static DirectoryLock lockLayout(Path out) throws IOException, ScenarioException {
        Path file = out.toRealPath().resolve(LAYOUT_LOCK);
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LAYOUT_WITHIN_S);
        while (true) {
            try {
                return DirectoryLock.take(file);
            } catch (DirectoryLock.TakenException e) {
                if (System.nanoTime() - endNs > 0) {
                    throw new ScenarioException(
                            ("another process has used %s for a minute to begin or end a sweep"
                                            + " there (%s); if it hangs, end it, or choose another"
                                            + " directory with --out DIR")
                                    .formatted(out, e.getMessage()),
                            e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MS));
            }
        }
    }

    private static ScenarioException wouldBeLost(Path out, SweepDescription sweep, BitSet done) {
        return new ScenarioException(
                ("%s already has %s of the %s runs of this sweep, from a process that did not"
                                + " finish; add --resume to continue from there, or remove %s to"
                                + " run them again")
                        .formatted(out, done.cardinality(), sweep.cellsInAll(), out.resolve(NAME)));
    }

    /** Cells of another sweep may be a user's work: they are not overwritten. */
    private static void requireNone(Path out, SweepDescription there)
            throws IOException, ScenarioException {
        int cells = indices(out).cardinality();
        if (cells > 0) {
            throw new ScenarioException(
                    ("%s has %s of %s runs of another sweep that is not complete yet (headgate %s);"
                                    + " choose another directory with --out DIR, finish that sweep"
                                    + " with --resume, or remove %s")
                            .formatted(
                                    out,
                                    cells,
                                    there.cellsInAll(),
                                    ShellWords.line(there.request().arguments()),
                                    out.resolve(NAME)));
        }
    }

    /** One that has no cell yet may still be about to write some. */
    private static void requireAlone(Path out, SweepDescription there, String part)
            throws IOException, ScenarioException {
        if (!isAlone(out.resolve(NAME), part)) {
            throw new ScenarioException(
                    "another process is running another sweep into "
                            + out
                            + " (headgate "
                            + ShellWords.line(there.request().arguments())
                            + "); choose another directory with --out DIR, or wait until it has"
                            + " ended");
        }
    }

    /** Whether no process runs another part. Locks without an owner are removed. */
    private static boolean isAlone(Path directory, String part) throws IOException {
        Path real = directory.toRealPath();
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(real, LOCK + "*")) {
            for (Path file : locks) {
                if (!file.equals(real.resolve(LOCK + part))) {
                    DirectoryLock.take(file).close();
                }
            }
            return true;
        } catch (DirectoryLock.TakenException e) {
            return false;
        }
    }

    private static DirectoryLock lock(Path directory, String part, Path out)
            throws IOException, ScenarioException {
        try {
            return DirectoryLock.take(directory.toRealPath().resolve(LOCK + part));
        } catch (DirectoryLock.TakenException e) {
            throw new ScenarioException(
                    "another process is running this part of the sweep into "
                            + out
                            + " ("
                            + e.getMessage()
                            + "); its runs are kept there as they end",
                    e);
        }
    }

    /** Which of these cells are there, whole, and did not fail: in files, or in the result. */
    private static BitSet done(Path out, SweepDescription sweep, BitSet wanted)
            throws IOException, ScenarioException {
        BitSet done = new BitSet();
        for (int cell = wanted.nextSetBit(0); cell >= 0; cell = wanted.nextSetBit(cell + 1)) {
            JsonNode tree = read(out.resolve(NAME).resolve(fileName(cell)), sweep);
            if (tree != null && CellJson.index(tree) == cell && !CellJson.isFailure(tree)) {
                done.set(cell);
            }
        }
        if (done.cardinality() < wanted.cardinality() && countsResult(out, sweep.id())) {
            done.or(ResultReader.done(out));
            done.and(wanted);
        }
        return done;
    }

    /** Which cells of a directory have failed, and when each was written. */
    private static Map<Integer, FileTime> failed(Path out, BitSet wanted) throws IOException {
        Map<Integer, FileTime> failed = new HashMap<>();
        for (int cell = wanted.nextSetBit(0); cell >= 0; cell = wanted.nextSetBit(cell + 1)) {
            Path file = out.resolve(NAME).resolve(fileName(cell));
            try {
                FileTime written = Files.getLastModifiedTime(file);
                JsonNode tree = CellJson.tree(Files.readString(file));
                if (tree != null && CellJson.isFailure(tree)) {
                    failed.put(cell, written);
                }
            } catch (NoSuchFileException e) {
                // Neither has it failed, then.
            }
        }
        return failed;
    }

    /**
     * Whether a directory's result is of this sweep and is continued: the sweep's cells, if any,
     * complete it and do not replace it.
     */
    static boolean countsResult(Path out, String sweepId) throws IOException, ScenarioException {
        Begun begun = begun(out);
        return (begun == null || (begun.resumed && begun.sweep.id().equals(sweepId)))
                && Files.exists(out.resolve(ResultFiles.JSON))
                && ResultReader.sweepId(out).equals(sweepId);
    }

    /** The directory of the cells of a result's directory. */
    static Path in(Path out) {
        return out.resolve(NAME);
    }

    /** The sweep that the cells belong to; null without cells. */
    static @Nullable SweepDescription description(Path out) throws IOException {
        Begun begun = begun(out);
        return begun == null ? null : begun.sweep;
    }

    /** The content of {@code sweep.json}; null if it is missing or not whole. */
    private static @Nullable Begun begun(Path out) throws IOException {
        JsonNode tree = tree(out.resolve(NAME).resolve(SWEEP));
        if (tree == null) {
            return null;
        }
        SweepDescription sweep = CellJson.sweep(tree);
        return sweep == null ? null : new Begun(sweep, CellJson.isResumed(tree));
    }

    /** Whether there are cells that are not in a result yet. */
    static boolean exists(Path out) {
        return Files.exists(out.resolve(NAME).resolve(SWEEP));
    }

    /** A cell's file; null if it is missing, damaged or of another sweep. */
    private static @Nullable JsonNode read(Path file, SweepDescription sweep) throws IOException {
        JsonNode tree = tree(file);
        return tree != null && CellJson.isCellOf(sweep, tree) ? tree : null;
    }

    private static @Nullable JsonNode tree(Path file) throws IOException {
        try {
            return CellJson.tree(Files.readString(file));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Numbers of all cells that have a file, with any content. */
    public static BitSet indices(Path out) throws IOException {
        BitSet indices = new BitSet();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(out.resolve(NAME))) {
            for (Path file : files) {
                Matcher matcher = CELL.matcher(String.valueOf(file.getFileName()));
                if (matcher.matches()) {
                    indices.set(Integer.parseInt(matcher.group(1)));
                }
            }
        } catch (NoSuchFileException e) {
            // None, then.
        }
        return indices;
    }

    /** All existing complete cells of a sweep. */
    static List<CellRecord> cells(Path out, SweepDescription sweep, RunReader reader)
            throws IOException, ScenarioException {
        List<CellRecord> cells = new ArrayList<>();
        BitSet indices = indices(out);
        for (int cell = indices.nextSetBit(0); cell >= 0; cell = indices.nextSetBit(cell + 1)) {
            JsonNode tree = read(out.resolve(NAME).resolve(fileName(cell)), sweep);
            if (tree != null && CellJson.index(tree) == cell) {
                cells.add(CellJson.cell(tree, reader));
            }
        }
        return cells;
    }

    private static String fileName(int cell) {
        return String.format("cell-%06d.json", cell);
    }

    private static void write(Path directory, String name, String text) throws IOException {
        Path part = directory.resolve(name + "." + UUID.randomUUID() + ".part");
        Files.writeString(part, text + "\n");
        Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Numbers of the wanted cells that existed when it was opened. */
    public BitSet done() {
        return (BitSet) done.clone();
    }

    /**
     * Numbers of the wanted cells that exist now. Failed cells are included, unless one had failed
     * when this was opened and was not run since.
     */
    public BitSet ended() throws ScenarioException {
        try {
            BitSet ended = indices(out);
            for (int cell = ended.nextSetBit(0); cell >= 0; cell = ended.nextSetBit(cell + 1)) {
                Path file = directory.resolve(fileName(cell));
                FileTime before = failedBefore.get(cell);
                if ((before != null && before.equals(Files.getLastModifiedTime(file)))
                        || read(file, sweep) == null) {
                    ended.clear(cell);
                }
            }
            if (countsResult(out, sweep.id())) {
                if (exists(out)) {
                    ended.or(ResultReader.done(out));
                } else {
                    // Another process has made the result of them.
                    ended.set(0, sweep.cellsInAll());
                }
            }
            return ended;
        } catch (NoSuchFileException e) {
            // Another process is making the result of them.
            return ended();
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + directory + ": " + Reason.of(e), e);
        }
    }

    /** Directory for recordings and captures of cells, until they move to the result. */
    public Path forRecordings() {
        return directory;
    }

    /**
     * Stores a cell that has ended. Any thread.
     *
     * @throws ScenarioException if it cannot be written
     */
    public void save(CellRecord cell) throws ScenarioException {
        saveLine(cell.result().cell().index(), CellJson.cell(sweep, cell));
    }

    /**
     * Stores a cell that another machine has sent as a line.
     *
     * @return its number; -1 if the line is not a complete cell of this sweep
     * @throws ScenarioException if it cannot be written
     */
    public int saveLine(String line) throws ScenarioException {
        JsonNode tree = CellJson.tree(line);
        if (tree == null || !CellJson.isCellOf(sweep, tree)) {
            return -1;
        }
        int index = CellJson.index(tree);
        if (index < 0 || index >= sweep.cellsInAll()) {
            return -1;
        }
        saveLine(index, line);
        return index;
    }

    private void saveLine(int index, String line) throws ScenarioException {
        try {
            write(directory, fileName(index), line);
        } catch (IOException e) {
            throw new ScenarioException(
                    ("cannot store run %s in %s: %s; the runs stored so far stay, and --resume"
                                    + " continues with them")
                            .formatted(index, directory, e),
                    e);
        }
    }

    /**
     * Removes the cells of a sweep that are in its result. Cells of another sweep and other files
     * stay.
     */
    static void remove(Path out, String sweepId) throws IOException, ScenarioException {
        try (DirectoryLock _ = lockLayout(out)) {
            Begun begun = begun(out);
            if (begun != null && begun.sweep.id().equals(sweepId)) {
                removeFiles(out.resolve(NAME));
                removeEmpty(out.resolve(NAME));
            }
        }
    }

    private static void removeFiles(Path directory) throws IOException {
        // First: cells without it are known to be obsolete.
        Files.deleteIfExists(directory.resolve(SWEEP));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, OURS)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Removes a directory without cells, and locks of parts whose processes were killed. */
    private static void removeEmpty(Path directory) throws IOException {
        if (Files.exists(directory.resolve(SWEEP)) || !isAlone(directory, "")) {
            return;
        }
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // Others have files there.
        }
    }

    /**
     * Releases this part for other processes. If a whole sweep has no cells, removes the directory;
     * with several parts, another process may be about to write its cells. Idempotent.
     */
    @Override
    public void close() throws ScenarioException {
        if (closed) {
            return;
        }
        closed = true;
        try (DirectoryLock _ = lockLayout(out)) {
            lock.close();
            if (isWhole && indices(out).isEmpty() && isAlone(directory, WHOLE)) {
                removeFiles(directory);
            }
            removeEmpty(directory);
        } catch (NoSuchFileException e) {
            // Somebody has removed all of it.
        } catch (IOException e) {
            throw new ScenarioException("cannot clean up " + directory + ": " + Reason.of(e), e);
        }
    }
}
