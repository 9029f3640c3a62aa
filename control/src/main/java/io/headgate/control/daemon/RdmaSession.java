package io.headgate.control.daemon;

import io.headgate.config.HostConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.control.counters.CounterFile;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.hostagent.RdmaAgent;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A host that speaks RoCEv2 while a command runs: it has a host's run directory with its counters,
 * so that no agent serves the same host, and others can look. Closing removes it.
 */
public final class RdmaSession implements AutoCloseable {
    private static final long LOOK_MS = 10;

    private final RunDirectory directory;
    private final RdmaAgent agent;
    private final MemorySegment counters;

    private RdmaSession(RunDirectory directory, RdmaAgent agent, MemorySegment counters) {
        this.directory = directory;
        this.agent = agent;
        this.counters = counters;
    }

    /**
     * Starts a host's endpoints.
     *
     * @param base where running switches have their directories, see {@link RunDirectory#base}
     * @throws DaemonException if the host is served already, or its directory cannot be used
     * @throws DeviceException if its device cannot be opened
     */
    public static RdmaSession start(
            HostConfig.Nic nic,
            WorkerConfig workers,
            RdmaSetup setup,
            RdmaSetup.Role role,
            Path base,
            Consumer<String> log)
            throws DaemonException, DeviceException {
        RunDirectory directory = RunDirectory.claim(HostDaemon.hosts(base), nic.name());
        MemorySegment[] counters = new MemorySegment[1];
        RdmaAgent agent;
        try {
            agent =
                    RdmaAgent.start(
                            nic,
                            workers,
                            setup,
                            role,
                            bytes ->
                                    counters[0] =
                                            CounterFile.create(directory.file("counters"), bytes),
                            log);
        } catch (DeviceException | RuntimeException failure) {
            directory.close();
            throw failure;
        }
        try {
            directory.open();
        } catch (IOException | RuntimeException failure) {
            agent.close();
            directory.close();
            throw new DaemonException(
                    "cannot open the run directory: " + failure.getMessage(), failure);
        }
        return new RdmaSession(directory, agent, counters[0]);
    }

    /**
     * Waits until there is nothing left to do.
     *
     * @throws DeviceException if it cannot go on
     * @throws InterruptedException if the thread is interrupted
     */
    public RdmaReport await() throws DeviceException, InterruptedException {
        while (true) {
            RdmaReport report = agent.report();
            if (report != null) {
                return report;
            }
            String trouble = agent.trouble();
            if (trouble != null) {
                throw new DeviceException(trouble);
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** What became of it, if there is nothing left to do; null before. */
    public @Nullable RdmaReport report() {
        return agent.report();
    }

    /** All counters as they are now. */
    public CounterSnapshot counters() {
        return CounterSnapshot.of(new CounterReader(counters));
    }

    /** Closes the device, ends the thread and removes the directory. */
    @Override
    public void close() throws DaemonException {
        try {
            agent.close();
        } finally {
            directory.close();
        }
    }
}
