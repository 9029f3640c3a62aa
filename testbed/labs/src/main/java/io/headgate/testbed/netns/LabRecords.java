package io.headgate.testbed.netns;

import io.headgate.config.Reason;
import io.headgate.control.report.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Records of the objects that labs make, one file per lab, written before the object itself is
 * made. A file whose process has ended tells the next lab what is left over.
 */
public final class LabRecords {
    /** Where the files are. */
    public static final Path DIRECTORY = Path.of("/run/headgate/labs");

    /** A namespace of no inode yet: about to be made. */
    public static final long NOT_MADE = 0;

    private static final Path NAMESPACES = Path.of("/run/netns");
    private final Path directory;

    /**
     * @param directory made when needed
     */
    public LabRecords(Path directory) {
        this.directory = directory;
    }

    /**
     * A namespace by name and inode: a later one that another user gave the same name is not ours.
     */
    public record Namespace(String name, long inode) {}

    /**
     * The record of one lab.
     *
     * @param processStart when the process started, in clock ticks since boot: a number that a
     *     later process of the same id does not have
     */
    public record Lab(String id, long pid, long processStart, List<Namespace> namespaces) {
        public Lab {
            namespaces = List.copyOf(namespaces);
        }

        boolean isAlive() {
            return processStart == startOf(pid).orElse(-1L);
        }
    }

    /** This process's next lab. */
    public static Lab ours(String id, List<Namespace> namespaces) {
        long pid = ProcessHandle.current().pid();
        return new Lab(id, pid, startOf(pid).orElse(-1L), namespaces);
    }

    /** Start time of a process, if there is one: field 22 of proc_pid_stat(5). */
    static Optional<Long> startOf(long pid) {
        try {
            String stat =
                    Files.readString(
                            Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name before it is in parentheses and may hold anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return fields.length > 19 && !fields[0].equals("Z")
                    ? Optional.of(Long.parseLong(fields[19]))
                    : Optional.empty();
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException gone) {
            return Optional.empty();
        }
    }

    /** A directory of the lab's own for what need not outlive it. */
    public Path scratch(String id) throws BedException {
        Path scratch = directory.resolve(id);
        return BedException.unless(
                "cannot make " + scratch, () -> Files.createDirectories(scratch));
    }

    /** Writes or replaces a lab's record. */
    public void write(Lab lab) throws BedException {
        Path file = file(lab.id);
        try {
            Files.createDirectories(directory);
            Path fresh = directory.resolve(lab.id + ".new");
            Files.write(fresh, Json.COMPACT.writeValueAsBytes(lab));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BedException(
                    "cannot note in " + file + " what to remove later: " + Reason.of(e), e);
        }
    }

    /** All labs on record, the living and the dead; an unreadable record is skipped. */
    public List<Lab> all() {
        List<Lab> labs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.json")) {
            for (Path file : files) {
                Lab lab = read(file);
                if (lab != null) {
                    labs.add(lab);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        } catch (IOException e) {
            return labs;
        }
        return labs;
    }

    private static @Nullable Lab read(Path file) {
        try {
            Lab lab = Json.COMPACT.readValue(Files.readAllBytes(file), Lab.class);
            String name = Objects.toString(file.getFileName());
            return name.equals(lab.id + ".json") ? lab : null;
        } catch (IOException | JacksonException | NullPointerException damaged) {
            return null;
        }
    }

    /** Forgets a lab, with its scratch directory. */
    public void forget(String id) {
        try {
            Path scratch = directory.resolve(id);
            if (Files.isDirectory(scratch)) {
                try (Stream<Path> files = Files.walk(scratch)) {
                    for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(file);
                    }
                }
            }
            Files.deleteIfExists(directory.resolve(id + ".new"));
            Files.deleteIfExists(file(id));
        } catch (IOException | UncheckedIOException e) {
            // The record stays and the next lab sweeps again.
            return;
        }
    }

    private Path file(String id) {
        return directory.resolve(id + ".json");
    }

    /** The inode of the namespace of that name, if there is one. */
    public static Optional<Long> inodeOf(String netns) {
        try {
            return Files.getAttribute(NAMESPACES.resolve(netns), "unix:ino") instanceof Long inode
                    ? Optional.of(inode)
                    : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
