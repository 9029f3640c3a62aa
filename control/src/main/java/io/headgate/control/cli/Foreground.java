package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.jline.utils.Signals;

/** Runs a daemon in the foreground, with its servers for metrics and page, until ^C or TERM. */
final class Foreground {
    private final PrintWriter out;

    Foreground(PrintWriter out) {
        this.out = out;
    }

    /** The servers of a daemon. */
    @FunctionalInterface
    interface Servers {
        /** Starts them; returns the action that ends them. */
        Runnable start(Consumer<String> log) throws DaemonException;
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * Serves metrics and page if requested, and says that the daemon runs. A signal ends all of
     * them.
     *
     * @return the action that ends the servers, for a daemon that ends without a signal
     * @throws DaemonException if they cannot be started; the daemon is then closed
     */
    Runnable run(AutoCloseable daemon, String name, Servers servers) throws DaemonException {
        Runnable endServers;
        try {
            endServers = servers.start(this::say);
        } catch (DaemonException e) {
            close(daemon);
            throw e;
        }
        Thread onSignal =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            endServers.run();
                            close(daemon);
                        });
        Runtime.getRuntime().addShutdownHook(onSignal);
        // Exit status 0, as service managers expect after SIGTERM. The exit waits for the shutdown
        // hooks, so it must not run in the signal's own thread.
        Signals.register("TERM", () -> Thread.ofPlatform().start(() -> System.exit(0)));
        say(name + ": running as process " + ProcessHandle.current().pid() + "; ^C stops it");
        return endServers;
    }

    private void close(AutoCloseable daemon) {
        try {
            daemon.close();
        } catch (Exception e) {
            say("could not stop cleanly: " + Reason.of(e));
        }
    }
}
