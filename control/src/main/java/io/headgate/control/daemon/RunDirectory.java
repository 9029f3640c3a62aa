package io.headgate.control.daemon;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.linux.OpenFileLock;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which a running switch keeps its counters, its control socket and its process
 * id: {@code /run/headgate/switches/NAME}; {@code $XDG_RUNTIME_DIR/headgate/switches} for users
 * other than root; or where {@code HEADGATE_RUN_DIR} says.
 *
 * <p>A lock on a file in it shows that the switch runs. The kernel releases that lock however the
 * process ends. Directories are made and removed under a lock on their parent, so a start and a
 * clean-up cannot meet half-way.
 */
public final class RunDirectory implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String PID = "pid";

    private final Path base;
    private final Path directory;
    private final OpenFileLock lock;
    private final Thread atEnd =
            Thread.ofPlatform().name("headgate-run-directory").unstarted(this::closeAtEnd);
    private volatile boolean isOpen;
    private boolean closed;

    private RunDirectory(Path base, Path directory, OpenFileLock lock) {
        this.base = base;
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Name of a system property with the meaning of {@code HEADGATE_RUN_DIR}; it takes precedence.
     */
    public static final String PROPERTY = "headgate.run.dir";

    private static final Path OF_ROOT = Path.of("/run", "headgate", "switches");

    /** The directory of the directories of this user's switches. */
    public static Path base() {
        String chosen = chosen();
        if (!chosen.isEmpty()) {
            return Path.of(chosen, "switches");
        }
        if (Files.isWritable(Path.of("/run"))) {
            return OF_ROOT;
        }
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (runtime != null && !runtime.isEmpty() && Files.isWritable(Path.of(runtime))) {
            return Path.of(runtime, "headgate", "switches");
        }
        return Path.of(System.getProperty("java.io.tmpdir"), "headgate-" + uid(), "switches");
    }

    /** The user's number, which exists also without an entry in passwd. */
    private static String uid() {
        try {
            return Objects.toString(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            return System.getProperty("user.name");
        }
    }

    private static String chosen() {
        String chosen = System.getProperty(PROPERTY, System.getenv("HEADGATE_RUN_DIR"));
        return chosen == null ? "" : chosen;
    }

    /**
     * The directories of the directories of switches that this user may see: the user's own and
     * root's.
     */
    public static List<Path> bases() {
        Path own = base();
        return !chosen().isEmpty() || own.equals(OF_ROOT) ? List.of(own) : List.of(own, OF_ROOT);
    }

    /** The control socket of a switch. */
    public static Path socket(Path base, String name) {
        return base.resolve(name).resolve("control");
    }

    public static Path counters(Path base, String name) {
        return base.resolve(name).resolve("counters");
    }

    /**
     * Makes the directory of a switch that starts.
     *
     * @throws DaemonException if a switch of that name runs, or it cannot be made
     */
    public static RunDirectory claim(Path base, String name) throws DaemonException {
        try (OpenFileLock _ = gate(base)) {
            Path directory = base.resolve(name);
            Files.createDirectories(directory);
            OpenFileLock lock = OpenFileLock.tryTake(directory.resolve(LOCK));
            if (lock == null) {
                throw new DaemonException(
                        ("a switch named %s already runs%s; stop it with 'headgate switch stop"
                                        + " --switch %s', or give this switch another name")
                                .formatted(name, holder(directory), name));
            }
            RunDirectory claimed = new RunDirectory(base, directory, lock);
            try {
                claimed.leaveNothing();
                // Keeps other users out until the socket in it has its mode.
                Files.setPosixFilePermissions(
                        directory, PosixFilePermissions.fromString("rwx------"));
                empty(directory);
                Files.writeString(directory.resolve(PID), ProcessHandle.current().pid() + "\n");
            } catch (IOException e) {
                claimed.forgetEnd();
                lock.close();
                throw e;
            }
            return claimed;
        } catch (IOException e) {
            throw new DaemonException(
                    ("cannot use %s for the files of running switches (%s); set HEADGATE_RUN_DIR to"
                                    + " a writable directory")
                            .formatted(base, Reason.of(e)),
                    e);
        }
    }

    /**
     * Makes the process remove the directory even if a signal ends it while it is still starting.
     * Must run before others can see the process: a reader of the process id may send a signal at
     * once.
     */
    private void leaveNothing() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(atEnd);
        } catch (IllegalStateException ends) {
            remove(directory);
            throw new IOException("the process received a termination signal", ends);
        }
    }

    private void forgetEnd() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException e) {
            // It ends already, and the hook finds this done.
            return;
        }
    }

    private void closeAtEnd() {
        if (isOpen) {
            return; // the owner of the switch closes it
        }
        try {
            close();
        } catch (DaemonException e) {
            System.err.println("headgate: " + e.getMessage());
        }
    }

    private static OpenFileLock gate(Path base) throws IOException {
        Files.createDirectories(base);
        return OpenFileLock.await(base.resolve(".lock"));
    }

    private static String holder(Path directory) {
        try {
            return " (process " + Files.readString(directory.resolve(PID)).strip() + ")";
        } catch (IOException unknown) {
            return "";
        }
    }

    /** Removes everything except the lock file. */
    private static void empty(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (!LOCK.equals(Objects.toString(file.getFileName()))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /**
     * Names of switches whose process is gone but whose directory is not.
     *
     * @param remove whether the directories are removed
     */
    public static List<String> leftOvers(Path base, boolean remove) {
        List<String> found = new ArrayList<>();
        if (!Files.isDirectory(base)) {
            return found;
        }
        try (OpenFileLock _ = gate(base);
                DirectoryStream<Path> directories =
                        Files.newDirectoryStream(base, Files::isDirectory)) {
            for (Path directory : directories) {
                if (isLeftOver(directory, remove)) {
                    found.add(Objects.toString(directory.getFileName()));
                }
            }
        } catch (IOException mayNotLook) {
            return found;
        }
        return found;
    }

    /**
     * Whether a directory is left over; false if we may not read it, as another user's in a shared
     * directory.
     */
    private static boolean isLeftOver(Path directory, boolean remove) {
        try (OpenFileLock lock = OpenFileLock.tryTake(directory.resolve(LOCK))) {
            if (lock != null && remove) {
                remove(directory);
            }
            return lock != null;
        } catch (IOException mayNotLook) {
            return false;
        }
    }

    private static void remove(Path directory) throws IOException {
        empty(directory);
        Files.deleteIfExists(directory.resolve(LOCK));
        Files.deleteIfExists(directory);
    }

    /** Names of switches that have a directory here, running or not, sorted. */
    public static List<String> names(Path base) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> directories =
                Files.newDirectoryStream(base, Files::isDirectory)) {
            directories.forEach(path -> names.add(Objects.toString(path.getFileName())));
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException mayNotLook) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Lets other users read the counters, once they can no longer use the socket. */
    void open() throws IOException {
        isOpen = true;
        forgetEnd();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Removes the directory. Idempotent. */
    @Override
    public void close() throws DaemonException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        forgetEnd();
        try (OpenFileLock _ = gate(base);
                lock) {
            remove(directory);
        } catch (IOException e) {
            throw new DaemonException("cannot remove " + directory + ": " + Reason.of(e), e);
        }
    }

    /**
     * Id of the process that holds a switch's directory, as it wrote it there; null if it wrote
     * none.
     */
    public static @Nullable Long pid(Path base, String name) {
        try {
            return Long.valueOf(Files.readString(base.resolve(name).resolve(PID)).strip());
        } catch (IOException | NumberFormatException unknown) {
            return null;
        }
    }
}
