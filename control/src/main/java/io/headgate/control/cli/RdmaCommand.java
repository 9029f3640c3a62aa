package io.headgate.control.cli;

import io.headgate.config.HostConfig;
import io.headgate.config.Reason;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RdmaSession;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SignalWait;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** {@code headgate rdma}: runs a host that speaks RoCEv2 itself and measures as perftest does. */
@Command(
        name = "rdma",
        description = {
            "Measures bandwidth or latency of RoCEv2 between two hosts of this machine.",
            "Start the server first, then the client with the server's address."
        })
public final class RdmaCommand extends HeadgateCommand implements Runnable {
    private static final long CLOSE_WAIT_SECONDS = 20;
    private static final long LOOK_MS = 10;

    @Override
    public void run() {
        throw wrong("headgate rdma needs a test: send-bw, write-bw or lat.");
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
            description = "Latency of SENDs: half of the round-trip time.")
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
        try (SignalWait signal = new SignalWait(CLOSE_WAIT_SECONDS)) {
            boolean isClient = options.isClient();
            RdmaSetup.Role role = isClient ? options.client(test) : options.server(test);
            RdmaSession session =
                    RdmaSession.start(
                            nic,
                            config.workers(),
                            List.of(new RdmaSetup.End(setup, role)),
                            base,
                            log);
            try {
                if (!isClient) {
                    log.accept(
                            nic.name() + ": serves " + test.label() + " at " + options.address());
                }
                RdmaReport report = session.report(0);
                while (report == null) {
                    if (signal.await(LOOK_MS)) {
                        return ExitCode.SOFTWARE;
                    }
                    report = session.report(0);
                }
                new RdmaResult(test, options, nic, report, session.counters()).print(out());
                out().flush();
                if (report.failure() != null) {
                    throw new CommandFailure(report.failure());
                }
                return ExitCode.OK;
            } finally {
                close(session);
            }
        }
    }

    private static void close(RdmaSession session) {
        try {
            session.close();
        } catch (DaemonException | RuntimeException e) {
            System.err.println("headgate: could not stop cleanly: " + Reason.of(e));
        }
    }

    private synchronized void say(String line) {
        print(line + "\n");
    }
}
