package io.headgate.control.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jline.utils.Signals;

/**
 * Handles SIGHUP: from a person it means "read your file again"; from a terminal that closes, the
 * end.
 */
public final class Hangup {
    private static final Path TERMINAL = Path.of("/dev/tty");
    private static final int KILLED_BY_HANGUP = 129;

    private Hangup() {}

    /**
     * From now on, a hang-up makes this process read its configuration again.
     *
     * @param reload called on a thread of its own
     */
    public static void reloads(Runnable reload) {
        boolean hadTerminal = hasTerminal();
        Signals.register(
                "HUP",
                () -> {
                    if (hadTerminal && !hasTerminal()) {
                        // The exit waits for the shutdown hooks, which a signal's thread must not.
                        Thread.ofPlatform().start(() -> System.exit(KILLED_BY_HANGUP));
                    } else {
                        reload.run();
                    }
                });
    }

    private static boolean hasTerminal() {
        try (FileChannel terminal = FileChannel.open(TERMINAL, StandardOpenOption.READ)) {
            return terminal.isOpen();
        } catch (IOException e) {
            return false;
        }
    }
}
