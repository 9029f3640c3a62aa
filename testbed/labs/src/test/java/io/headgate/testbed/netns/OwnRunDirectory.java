package io.headgate.testbed.netns;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives tests with devices a /run of their JVM's own, so that several JVMs can run them. There are
 * the names of namespaces and the records of labs, and each lab that starts sweeps up after those
 * that were killed: also after one that another JVM's test has killed to see that. A class that
 * leaves something there fails, as other users of the machine could not find it.
 *
 * <p>The thread that runs tests has it, and all threads and processes that come from it. Threads
 * that are older than the first test with devices, such as those that handle signals, have the
 * machine's. What names lead to is gone with the JVM, however it ends, unless a process that it
 * started lives on: then no later lab sweeps it up.
 */
public final class OwnRunDirectory
        implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    private static final String WITH_DEVICES = "netns";

    /** These run the launcher as users do, on the machine as it is. */
    private static final String PROGRAMS = "programs";

    private static final int CLONE_NEWNS = 0x20000;

    /**
     * Is kept once for the JVM, though the directory is a thread's: one thread runs all tests. With
     * several, all but the first would have the machine's.
     */
    private static final AtomicBoolean IS_MADE = new AtomicBoolean();

    /** What earlier classes left: one of them failed for it. */
    private static final Set<Path> LEFT = new HashSet<>();

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        require(context);
    }

    /** A class may have tests of both kinds. */
    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        require(context);
    }

    /** After what the class itself does at its end. */
    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (IS_MADE.get() && !context.getRequiredTestClass().isMemberClass()) {
            requireNothingNew(context.getDisplayName());
        }
    }

    /** Requires that there are no names of namespaces and records of labs but known ones. */
    static void requireNothingNew(String by) throws IOException {
        Set<Path> there = new HashSet<>();
        for (Path directory : List.of(Path.of("/run/netns"), LabRecords.DIRECTORY)) {
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.list(directory)) {
                    files.forEach(there::add);
                }
            }
        }
        Set<Path> fresh = new TreeSet<>(there);
        fresh.removeAll(LEFT);
        LEFT.addAll(fresh);
        LEFT.retainAll(there);
        if (!fresh.isEmpty()) {
            throw new AssertionError(by + " leaves behind " + fresh);
        }
    }

    private static void require(ExtensionContext context) throws IOException {
        if (context.getTags().contains(WITH_DEVICES)
                && !context.getTags().contains(PROGRAMS)
                && Privilege.of() == Privilege.ROOT
                && IS_MADE.compareAndSet(false, true)) {
            int made = Threads.unshare(new Errno(), CLONE_NEWNS);
            if (made < 0) {
                throw new IOException("cannot make a mount namespace: " + Errno.describe(made));
            }
            mount("--make-rprivate", "/");
            // As it is elsewhere: only root may write there.
            mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run");
        }
    }

    private static void mount(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("mount"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
    }
}
