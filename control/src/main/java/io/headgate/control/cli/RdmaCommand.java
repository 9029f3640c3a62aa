package io.headgate.control.cli;

import io.headgate.config.HostConfig;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RdmaSession;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headgate rdma}: a host that speaks RoCEv2 itself, and measures, as perftest does. */
@Command(
        name = "rdma",
        mixinStandardHelpOptions = true,
        description = {
            "Measures bandwidth or latency of RoCEv2 between two hosts of this machine.",
            "Start the server first, then the client with the server's address."
        })
public final class RdmaCommand implements Runnable {
    private static final long CLOSE_WAIT_MS = 2_000;

    @Spec private CommandSpec spec;

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new RdmaCommand();
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "headgate rdma needs send-bw, write-bw or lat.");
    }

    @Command(name = "send-bw", mixinStandardHelpOptions = true, description = "Bandwidth of SENDs.")
    int sendBandwidth(@Mixin RdmaOptions options)
            throws CommandFailure, DaemonException, DeviceException, InterruptedException {
        return measure(PerfPlan.Test.SEND_BW, options);
    }

    @Command(
            name = "write-bw",
            mixinStandardHelpOptions = true,
            description = "Bandwidth of RDMA WRITEs.")
    int writeBandwidth(@Mixin RdmaOptions options)
            throws CommandFailure, DaemonException, DeviceException, InterruptedException {
        return measure(PerfPlan.Test.WRITE_BW, options);
    }

    @Command(
            name = "lat",
            mixinStandardHelpOptions = true,
            description = "Latency of SENDs: half the time there and back.")
    int latency(@Mixin RdmaOptions options)
            throws CommandFailure, DaemonException, DeviceException, InterruptedException {
        return measure(PerfPlan.Test.LAT, options);
    }

    private int measure(PerfPlan.Test test, RdmaOptions options)
            throws CommandFailure, DaemonException, DeviceException, InterruptedException {
        HostConfig config = options.config();
        HostConfig.Nic nic = options.nic(config);
        RdmaSetup setup = options.setup(nic);
        Consumer<String> log = options.isJson() ? line -> {} : this::say;
        Path base = RunDirectory.base();
        try (Session session = new Session()) {
            boolean isClient = options.isClient();
            RdmaSetup.Role role = isClient ? options.client(test) : options.server(test);
            session.of = RdmaSession.start(nic, config.workers(), setup, role, base, log);
            if (!isClient) {
                log.accept(nic.name() + ": serves " + test.label() + " at " + options.address());
            }
            RdmaReport report = session.running().await();
            show(new RdmaResult(test, options, nic, report, session.running().counters()));
            if (report.failure() != null) {
                throw new CommandFailure(report.failure());
            }
            return 0;
        }
    }

    private void show(RdmaResult result) {
        PrintWriter out = spec.commandLine().getOut();
        result.print(out);
        out.flush();
    }

    private synchronized void say(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    /** What runs, and is ended by whoever comes first: the command, or ^C. */
    private static final class Session implements AutoCloseable {
        private final CountDownLatch closed = new CountDownLatch(1);
        private final Thread onSignal = Thread.ofPlatform().unstarted(this::closeNow);
        private volatile @Nullable RdmaSession of;

        Session() {
            Runtime.getRuntime().addShutdownHook(onSignal);
        }

        RdmaSession running() {
            RdmaSession session = of;
            if (session == null) {
                throw new IllegalStateException("asked before it was started");
            }
            return session;
        }

        private void closeNow() {
            RdmaSession session = of;
            try {
                if (session != null) {
                    session.close();
                }
            } catch (DaemonException | RuntimeException e) {
                System.err.println("could not stop cleanly: " + e.getMessage());
            } finally {
                closed.countDown();
            }
        }

        @Override
        public void close() {
            try {
                Runtime.getRuntime().removeShutdownHook(onSignal);
            } catch (IllegalStateException e) {
                // The machine is told to end already: the hook closes.
                awaitClosed();
                return;
            }
            closeNow();
        }

        private void awaitClosed() {
            try {
                if (!closed.await(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS)) {
                    System.err.println("could not stop in time");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
