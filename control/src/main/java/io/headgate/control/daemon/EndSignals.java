package io.headgate.control.daemon;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jline.utils.Signals;

/**
 * Handles ^C and TERM for a command that ends in order at the first signal. The JVM is not yet
 * shutting down then: during shutdown, deleteOnExit accepts no more files and libraries cannot
 * start their work. The second signal ends the process at once.
 */
public final class EndSignals {
    private static final Map<String, Integer> NUMBERS = Map.of("INT", 2, "TERM", 15);
    private static final int KILLED = 128;

    private EndSignals() {}

    /** The exit code that a shell sees for a process ended by a signal. */
    public static int exitCode(String signal) {
        return KILLED + NUMBERS.getOrDefault(signal, 0);
    }

    /**
     * Handles the first signal from now on.
     *
     * @param end called once with {@code INT} or {@code TERM}, on a thread of its own
     */
    public static void first(Consumer<String> end) {
        AtomicBoolean told = new AtomicBoolean();
        for (String signal : NUMBERS.keySet()) {
            Signals.register(
                    signal,
                    () ->
                            // An exit waits for the shutdown hooks, which a signal's own thread
                            // must not.
                            Thread.ofPlatform()
                                    .daemon()
                                    .name("headgate-signal")
                                    .start(() -> {
                                        if (told.compareAndSet(false, true)) {
                                            end.accept(signal);
                                        } else {
                                            System.exit(exitCode(signal));
                                        }
                                    }));
        }
    }
}
