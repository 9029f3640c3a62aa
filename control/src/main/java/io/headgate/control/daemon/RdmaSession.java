package io.headgate.control.daemon;

import io.headgate.config.HostConfig;
import io.headgate.config.Reason;
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
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a host that speaks RoCEv2 for the duration of a command. It has a host's run directory with
 * its counters, so that no agent serves the same host and other processes can observe it. Closing
 * removes the directory.
 */
public final class RdmaSession implements AutoCloseable {
    private final RunDirectory directory;
    private final RdmaAgent agent;
    private final CounterReader counters;

    private RdmaSession(RunDirectory directory, RdmaAgent agent, CounterReader counters) {
        this.directory = directory;
        this.agent = agent;
        this.counters = counters;
    }

    /**
     * Starts a host's endpoints.
     *
     * @param ends the ends of one card, as {@code RdmaDevice} takes them
     * @param base directory of the running switches' directories, see {@link RunDirectory#base}
     * @throws DaemonException if the host is served already, or its directory cannot be used
     * @throws DeviceException if its device cannot be opened
     */
    public static RdmaSession start(
            HostConfig.Nic nic,
            WorkerConfig workers,
            List<RdmaSetup.End> ends,
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
                            ends,
                            bytes ->
                                    counters[0] =
                                            CounterFile.create(directory.file("counters"), bytes),
                            bytes -> CounterFile.create(directory.file(HostDaemon.PATHS), bytes),
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
                    "cannot open the run directory: " + Reason.of(failure), failure);
        }
        return new RdmaSession(directory, agent, new CounterReader(counters[0]));
    }

    /**
     * The result of an end, by its number from 0, once it has nothing left to do; null before.
     *
     * @throws DeviceException if it cannot go on
     */
    public @Nullable RdmaReport report(int end) throws DeviceException {
        RdmaReport report = agent.report(end);
        String trouble = agent.trouble();
        if (report == null && trouble != null) {
            throw new DeviceException(trouble);
        }
        return report;
    }

    public CounterSnapshot counters() {
        return CounterSnapshot.of(counters);
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
