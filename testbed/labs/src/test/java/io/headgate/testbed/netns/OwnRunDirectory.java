package io.headgate.testbed.netns;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives tests with devices a /run of their JVM's own, so that several JVMs can run them. There are
 * the names of namespaces and the records of labs, and each lab that starts sweeps up after those
 * that were killed: also after one that another JVM's test has killed to see that. What names lead
 * to is gone with the JVM, however it ends.
 *
 * <p>The thread that runs tests has it, and all threads and processes that come from it.
 */
public final class OwnRunDirectory implements BeforeAllCallback, BeforeEachCallback {
    private static final String WITH_DEVICES = "netns";

    /** These run the launcher as users do, on the machine as it is. */
    private static final String PROGRAMS = "programs";

    private static final int CLONE_NEWNS = 0x20000;
    private static final AtomicBoolean IS_MADE = new AtomicBoolean();

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        require(context);
    }

    /** A class may have tests of both kinds. */
    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        require(context);
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
