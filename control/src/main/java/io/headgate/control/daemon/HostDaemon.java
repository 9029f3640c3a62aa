package io.headgate.control.daemon;

import io.headgate.config.HostConfig;
import io.headgate.config.Reason;
import io.headgate.control.counters.CounterFile;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.hostagent.HostAgent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a host agent that other processes can observe through a run directory per host with its
 * counters. Closing removes the directories.
 */
public final class HostDaemon implements AutoCloseable {
    private static final String RATES = "rates";
    static final String PATHS = "paths";

    private final HostConfig config;
    private final List<RunDirectory> directories = new ArrayList<>();
    private final List<CounterReader> counters;
    private final Consumer<String> log;
    private final HostAgent agent;
    private boolean closed;

    private HostDaemon(HostConfig config, Path base, Consumer<String> log)
            throws DaemonException, DeviceException {
        this.config = config;
        this.log = log;
        MemorySegment[] memories = new MemorySegment[config.nics().size()];
        try {
            for (HostConfig.Nic nic : config.nics()) {
                directories.add(RunDirectory.claim(hosts(base), nic.name()));
            }
            agent =
                    HostAgent.start(
                            config,
                            new HostAgent.Shown(
                                    (nic, bytes) -> memories[nic] = memory(nic, "counters", bytes),
                                    (nic, bytes) -> memory(nic, RATES, bytes),
                                    (nic, bytes) -> memory(nic, PATHS, bytes)),
                            log);
            counters = Arrays.stream(memories).map(CounterReader::new).toList();
            for (RunDirectory directory : directories) {
                directory.open();
            }
        } catch (DeviceException | DaemonException | RuntimeException failure) {
            closeDirectories();
            throw failure;
        } catch (IOException failure) {
            closeDirectories();
            throw new DaemonException(
                    "cannot open the run directories: " + Reason.of(failure), failure);
        }
    }

    /** Directory of the hosts' run directories, a sibling of the switches' directory. */
    public static Path hosts(Path base) {
        return base.resolveSibling("hosts");
    }

    /**
     * Starts an agent in this process.
     *
     * @param base directory of the running switches' directories, see {@link RunDirectory#base}
     * @param log takes lines for a person, without their ends
     * @throws DaemonException if a host of that name is served already, or its directory cannot be
     *     used
     * @throws DeviceException if a device cannot be opened; nothing is left behind in either case
     */
    public static HostDaemon start(HostConfig config, Path base, Consumer<String> log)
            throws DaemonException, DeviceException {
        List<String> swept = RunDirectory.leftOvers(hosts(base), true);
        if (!swept.isEmpty()) {
            log.accept("removed what killed agents left: " + String.join(", ", swept));
        }
        return new HostDaemon(config, base, log);
    }

    private MemorySegment memory(int nic, String file, long lengthBytes) {
        return CounterFile.create(directories.get(nic).file(file), lengthBytes);
    }

    /** The file with the rates of a host's flows, which exists while a rate control is active. */
    public static Path rates(Path base, String name) {
        return hosts(base).resolve(name).resolve(RATES);
    }

    /**
     * The file with the paths of a host's frames, which exists if the frames report their paths.
     */
    public static Path paths(Path base, String name) {
        return hosts(base).resolve(name).resolve(PATHS);
    }

    public HostConfig config() {
        return config;
    }

    /** The agent, with its cards. */
    public HostAgent agent() {
        return agent;
    }

    /** All counters of a host's card as they are now. */
    public CounterSnapshot counters(int nic) {
        return CounterSnapshot.of(counters.get(nic));
    }

    /** Closes devices, removes TAPs and files. Idempotent. */
    @Override
    public synchronized void close() throws DaemonException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            agent.close();
        } finally {
            closeDirectories();
        }
        for (ErrorRecord.Entry error : agent.errors()) {
            log.accept(
                    "%s: while it ran, %s, times: %s, the last: %s"
                            .formatted(
                                    config.name(),
                                    error.kind().meaning(),
                                    error.count(),
                                    error.last()));
        }
        log.accept(config.name() + ": stopped, nothing left behind");
    }

    private void closeDirectories() throws DaemonException {
        for (RunDirectory directory : directories) {
            directory.close();
        }
    }
}
