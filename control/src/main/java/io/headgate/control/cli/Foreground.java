package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jline.utils.Signals;

/** A daemon that runs in the foreground, with its metrics, until ^C or TERM. */
final class Foreground {
    private final PrintWriter out;

    Foreground(PrintWriter out) {
        this.out = out;
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * Serves the metrics if that was asked for, and says that the daemon runs. On a signal both
     * end.
     *
     * @return ends the metrics, for a daemon that ends without a signal
     * @throws DaemonException if metrics cannot be served; the daemon is closed then
     */
    Runnable run(
            AutoCloseable daemon,
            String name,
            MetricsOption metrics,
            Supplier<MetricSnapshots> snapshots)
            throws DaemonException {
        Runnable endMetrics;
        try {
            endMetrics = metrics.start(snapshots, name, this::say);
        } catch (DaemonException e) {
            close(daemon);
            throw e;
        }
        Thread onSignal =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            endMetrics.run();
                            close(daemon);
                        });
        Runtime.getRuntime().addShutdownHook(onSignal);
        // Exit status 0, as service managers expect after SIGTERM. The exit waits for the shutdown
        // hooks, so it must not run in the signal's own thread.
        Signals.register("TERM", () -> Thread.ofPlatform().start(() -> System.exit(0)));
        say(name + ": running as process " + ProcessHandle.current().pid() + "; ^C stops it");
        return endMetrics;
    }

    private void close(AutoCloseable daemon) {
        try {
            daemon.close();
        } catch (Exception e) {
            say("could not stop cleanly: " + Reason.of(e));
        }
    }
}
