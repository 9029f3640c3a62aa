package io.headgate.testbed.scenario.report;

import io.headgate.config.Reason;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The directory that {@code --out} names, while a result is made for it. Only one run at a time can
 * use it. Until {@link #publish} the new result is in a directory of its own, so that a run that is
 * cancelled, fails or is killed leaves the earlier result as it was.
 *
 * <p>That directory is inside {@code --out}, not next to it: {@code --out} may be a mount point or
 * a working directory, and may hold other files, which stay unchanged.
 */
public final class ResultDirectory implements AutoCloseable {
    private static final String CAPTURES = "captures";

    /**
     * Directory in which a result is made: complete once it has its result.json, which is written
     * last.
     */
    static final String MAKING = ".headgate-new";

    private static final String LOCK = ".headgate-lock";
    private static final String ANOTHER =
            "; choose another directory for the result with --out DIR";

    private final Path directory;
    private final Path making;
    private final boolean isNew;
    private final DirectoryLock lock;
    private boolean replaces;
    private boolean closed;

    private ResultDirectory(Path directory, boolean isNew, DirectoryLock lock) {
        this.directory = directory;
        this.making = directory.resolve(MAKING);
        this.isNew = isNew;
        this.lock = lock;
    }

    /**
     * Locks a directory, and creates it if it does not exist.
     *
     * @throws ScenarioException if another run has it, if it cannot be written into, or if it holds
     *     something other than a result of Headgate
     */
    public static ResultDirectory open(Path directory) throws ScenarioException {
        boolean isNew = !Files.exists(directory);
        make(directory);
        try {
            DirectoryLock lock = DirectoryLock.take(directory.toRealPath().resolve(LOCK));
            ResultDirectory taken = new ResultDirectory(directory, isNew, lock);
            try {
                taken.prepare();
            } catch (IOException | ScenarioException e) {
                lock.close();
                throw e;
            }
            return taken;
        } catch (DirectoryLock.TakenException e) {
            throw new ScenarioException(
                    ("another run is writing its result into %s (%s), and one of the two would be"
                                    + " lost; wait until it has ended, or choose another directory"
                                    + " with --out DIR")
                            .formatted(directory, e.getMessage()),
                    e);
        } catch (ScenarioException e) {
            throw new ScenarioException(e.getMessage() + ANOTHER, e);
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot use " + directory + ": " + Reason.of(e) + ANOTHER, e);
        }
    }

    /**
     * Creates a directory for results, if it does not exist.
     *
     * @throws ScenarioException if it cannot be made or written into
     */
    public static void make(Path directory) throws ScenarioException {
        String cannot = "cannot make the directory " + directory;
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw new ScenarioException(e.getFile() + " is not a directory" + ANOTHER, e);
        } catch (AccessDeniedException e) {
            throw new ScenarioException(cannot + ": no permission" + ANOTHER, e);
        } catch (FileSystemException e) {
            String why = e.getReason() == null ? "" : ": " + e.getReason();
            throw new ScenarioException(cannot + why + ANOTHER, e);
        } catch (IOException e) {
            throw new ScenarioException(cannot + ": " + Reason.of(e) + ANOTHER, e);
        }
        if (!Files.isWritable(directory)) {
            throw new ScenarioException("cannot write into " + directory + ANOTHER);
        }
    }

    private void prepare() throws IOException, ScenarioException {
        if (hasResult(making)) {
            // Its run was killed while it put the result in its place.
            if (hasResult(directory)) {
                removeEarlier();
            }
            moveUp();
        }
        removeTree(making);
        replaces = hasResult(directory);
        if (replaces) {
            ResultReader.tree(directory);
        }
        Files.createDirectory(making);
    }

    private static boolean hasResult(Path directory) {
        return Files.exists(directory.resolve(ResultFiles.JSON));
    }

    /** Whether there is an earlier result, which {@link #publish} replaces. */
    public boolean replaces() {
        return replaces;
    }

    /** The result's path after publication. */
    public Path path() {
        return directory;
    }

    /** Directory for the files of the new result. */
    public Path making() {
        return making;
    }

    /**
     * Writes a result, replaces the earlier one with it, and removes the cells from which it was
     * made. Recordings and captures of its runs, which are in the directory of the cells or of an
     * earlier result that this one continues, move with it.
     *
     * @param column how wide figures are
     * @param left files that the run left elsewhere; the report links to them
     * @throws ScenarioException if a file cannot be written, removed or moved
     */
    public void publish(Result result, Column column, List<Path> left) throws ScenarioException {
        String sweep = result.sweep().id();
        try {
            // Before result.json: what has it is whole, and may be moved by another process.
            boolean goesOn = CellDirectory.countsResult(directory, sweep);
            link(Comparison.TRACES, Campaign.TRACE_FILES, goesOn);
            link(CAPTURES, Campaign.CAPTURE_FILES, goesOn);
        } catch (IOException e) {
            throw new ScenarioException(
                    "cannot move recordings in " + directory + ": " + Reason.of(e), e);
        }
        ResultFiles.write(result, making, column, left.stream().map(this::fromHere).toList());
        publish();
        try {
            CellDirectory.remove(directory, sweep);
        } catch (IOException e) {
            throw new ScenarioException(
                    "the result is whole in "
                            + directory
                            + ", but its cells cannot be removed: "
                            + Reason.of(e),
                    e);
        }
    }

    /** As the report reaches it: by the way from its directory if it is in that. */
    private String fromHere(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        Path here = directory.toAbsolutePath().normalize();
        return (whole.startsWith(here) ? here.relativize(whole) : whole).toString();
    }

    /** Recordings of a result's runs, in their order. */
    public static List<Path> recordings(Path directory) throws ScenarioException {
        return ofRuns(directory.resolve(Comparison.TRACES), Campaign.TRACE_FILES);
    }

    /** Captures of a result's runs, in their order. */
    public static List<Path> captures(Path directory) throws ScenarioException {
        return ofRuns(directory.resolve(CAPTURES), Campaign.CAPTURE_FILES);
    }

    private static List<Path> ofRuns(Path directory, String files) throws ScenarioException {
        try {
            return found(directory, files);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + directory + ": " + Reason.of(e), e);
        }
    }

    /** Files that match, sorted; a link to a directory is not ours. */
    private static List<Path> found(Path directory, String files) throws IOException {
        List<Path> all = new ArrayList<>();
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, files)) {
                found.forEach(all::add);
            }
        }
        all.sort(null);
        return all;
    }

    private void link(String name, String files, boolean goesOn) throws IOException {
        Path to = making.resolve(name);
        link(CellDirectory.in(directory), files, to);
        if (goesOn) {
            link(directory.resolve(name), files, to);
        }
    }

    /** The files also keep their old names, so a process that is killed here has lost none. */
    private static void link(Path from, String files, Path to) throws IOException {
        for (Path file : found(from, files)) {
            Path link = Files.createDirectories(to).resolve(String.valueOf(file.getFileName()));
            if (!Files.exists(link)) {
                linkOrCopy(file, link);
            }
        }
    }

    private static void linkOrCopy(Path from, Path to) throws IOException {
        try {
            Files.createLink(to, from);
        } catch (UnsupportedOperationException | FileSystemException e) {
            // Some file systems know no links.
            Files.copy(from, to);
        }
    }

    /**
     * Replaces the earlier result with the new one. All its files are removed, recordings included,
     * because one could be mistaken for the new result's. Other files stay.
     */
    void publish() throws ScenarioException {
        try {
            removeEarlier();
            moveUp();
        } catch (IOException | UncheckedIOException e) {
            throw new ScenarioException(
                    ("cannot move the result into %s: %s; the complete result is in %s, and the"
                                    + " next run into %s moves it there")
                            .formatted(directory, Reason.of(e), making, directory),
                    e);
        }
    }

    private void removeEarlier() throws IOException, ScenarioException {
        // Also without a result next to them: an interrupted run leaves such files.
        remove(directory.resolve(Comparison.TRACES), Campaign.TRACE_FILES);
        remove(directory.resolve(CAPTURES), Campaign.CAPTURE_FILES);
        if (!hasResult(directory)) {
            return;
        }
        Path figures = directory.resolve(ResultFiles.FIGURES);
        for (JsonNode figure : ResultReader.tree(directory).path(ResultFiles.FIGURES)) {
            remove(figures, figure.path("name").asString("") + ".{svg,pdf,png,csv}");
        }
        remove(figures, NetworkPictures.FILES);
        for (String name : ResultFiles.SINGLE) {
            Files.deleteIfExists(directory.resolve(name));
        }
        // Last: it lists the other files to remove.
        Files.delete(directory.resolve(ResultFiles.JSON));
    }

    private static void remove(Path directory, String files) throws IOException {
        for (Path file : found(directory, files)) {
            Files.delete(file);
        }
    }

    private void moveUp() throws IOException {
        for (Path file : tree(making)) {
            Path to = directory.resolve(making.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(to);
            } else if (!file.equals(making.resolve(ResultFiles.JSON))) {
                move(file, to);
            }
        }
        // Last: with it the result is in its place.
        move(making.resolve(ResultFiles.JSON), directory.resolve(ResultFiles.JSON));
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** All below a directory and itself, a directory before what is in it; none if it is not. */
    private static List<Path> tree(Path directory) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            return found.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void removeTree(Path directory) throws IOException {
        for (Path file : tree(directory).reversed()) {
            Files.delete(file);
        }
    }

    /**
     * Releases the directory. An unpublished result is removed, unless it is complete and could not
     * be moved to its place. Idempotent.
     *
     * @throws ScenarioException if it cannot be removed
     */
    @Override
    public void close() throws ScenarioException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            try (lock) {
                if (!hasResult(making)) {
                    removeTree(making);
                }
            }
            if (isNew) {
                Files.delete(directory);
            }
        } catch (DirectoryNotEmptyException e) {
            // It has the result now.
        } catch (IOException e) {
            throw new ScenarioException("cannot clean up " + directory + ": " + Reason.of(e), e);
        }
    }
}
