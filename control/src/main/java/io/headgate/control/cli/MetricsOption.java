package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.metrics.MetricsAddress;
import io.headgate.control.metrics.MetricsServer;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --metrics} of commands that run something. */
public final class MetricsOption {
    @Option(
            names = "--metrics",
            paramLabel = "ADDRESS",
            converter = MetricsAddress.class,
            description =
                    "Serves the counters to Prometheus over HTTP: 9400 (on this machine only),"
                            + " 0.0.0.0:9400, [::1]:9400.")
    private @Nullable InetSocketAddress address;

    /** Starts serving if the option is given; returns the action that ends it. */
    public Runnable start(Supplier<MetricSnapshots> metrics, String what, Consumer<String> log)
            throws DaemonException {
        if (address == null) {
            return () -> {};
        }
        try {
            MetricsServer server = MetricsServer.start(address, metrics);
            log.accept(what + ": metrics at " + server.url());
            return server::close;
        } catch (IOException refused) {
            throw new DaemonException(
                    "cannot serve metrics at %s:%s: %s"
                            .formatted(
                                    address.getHostString(), address.getPort(), Reason.of(refused)),
                    refused);
        }
    }
}
