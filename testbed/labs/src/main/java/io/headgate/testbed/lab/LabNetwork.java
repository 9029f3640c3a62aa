package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.HostConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.daemon.RdmaSession;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.metrics.RunMetrics;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.ProcessPriority;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.hostagent.rdma.RdmaSetup;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A lab's network: namespaces, switches, host agents, a capture. Each part is closed with the
 * network, the last one first, in whatever way the lab ends. Any thread may call {@link #end} at
 * any moment; only the lab's thread uses everything else.
 */
final class LabNetwork implements AutoCloseable {
    private static final long SETTLE_NS = 60_000_000_000L;
    private static final long QUIET_NS = 100_000_000;
    private static final int LAB_NICE = -15;

    private final LabOptions options;
    private final LabRecords records;
    private final Progress progress;
    private final MetricsOption metrics;
    private final TraceEventsOption traces;
    private final LabChanges changes;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<LabSwitches> asked = new ArrayList<>();
    private int nicer;
    private boolean isUrgent;
    private boolean closed;

    LabNetwork(
            LabOptions options,
            LabRecords records,
            Progress progress,
            MetricsOption metrics,
            TraceEventsOption traces,
            LabChanges changes) {
        this.options = options;
        this.records = records;
        this.progress = progress;
        this.metrics = metrics;
        this.traces = traces;
        this.changes = changes;
    }

    /**
     * Checks whether a lab can be run here at all, and makes the directories of its results.
     *
     * @throws BedException in one sentence, if a right, a program or a directory is missing
     */
    Privilege prepare(Set<Tool> needed) throws BedException {
        Privilege privilege = Privilege.of();
        if (privilege == Privilege.NONE) {
            throw new BedException("the lab makes network namespaces; " + Privilege.whyNone());
        }
        if (privilege == Privilege.USER_NAMESPACE && options.device() == DeviceKind.AFXDP) {
            throw new BedException(
                    "AF_XDP needs the machine's own root user, but this is a user namespace; run as"
                            + " root, or with --device afpacket or --device tap");
        }
        Set<Tool> missing = Tools.provide(needed, progress::say);
        if (!missing.isEmpty()) {
            throw new BedException(Tools.sentence(missing));
        }
        LabFiles.make(options.reportDirectory());
        LabFiles.make(options.captureDirectory());
        return privilege;
    }

    /**
     * Gives the switch and the agents priority over everything else on this machine while the lab
     * lasts: on few cores, headroom has to cover their reactions. If workers sleep when idle, they
     * and receivers get real-time priority; senders get the priority of the rest of this process,
     * because with less a compiler thread keeps them from a core for tenths of a second. The
     * compilers get more than the workers: if workers fill the cores with code that must be
     * compiled again, as when a capture begins, only the compilers can end that. If workers spin,
     * programs get less priority.
     */
    void goFirst() throws BedException {
        boolean sleeps = options.idle().equals("backoff");
        isUrgent = sleeps && RealTimePriority.take();
        if (isUrgent) {
            RealTimePriority.giveBack(); // it is allowed
            RealTimePriority.giveToJvm();
            keep(RealTimePriority::takeBackFromJvm);
        }
        if (ProcessPriority.set(LAB_NICE)) {
            nicer = sleeps ? 0 : -LAB_NICE;
            keep(() -> ProcessPriority.set(0));
        } else {
            progress.say("Runs with normal process priority (a higher one needs CAP_SYS_NICE)");
        }
    }

    /** Makes the namespaces, and links where they are veth pairs. */
    NetnsNetwork build(Topology topology, NetnsNetwork.Options how, Privilege privilege)
            throws BedException {
        NetnsNetwork network = keep(NetnsNetwork.of(topology, how, records, progress::say));
        progress.say(
                "Namespaces "
                        + String.join(" ", network.namespaces())
                        + (privilege == Privilege.USER_NAMESPACE
                                ? ", inside a user namespace (no root, no AF_XDP)"
                                : ""));
        network.programs().runNicer(nicer);
        if (isUrgent) {
            network.programs().promptReceivers();
        }
        network.build();
        return network;
    }

    /** Starts the switches: as daemons, so that headgate show, top and capture see them. */
    LabSwitches startSwitches(NetnsNetwork network) throws BedException {
        SwitchOptions how = new SwitchOptions(true, false, null, progress::say);
        List<RunningSwitch> started = new ArrayList<>();
        urgently(() -> {
            progress.say("Warming the engine up");
            for (SwitchConfig config : network.plan().switches()) {
                started.add(keep(SwitchDaemon.start(config, RunDirectory.base(), how)).running());
            }
            keep(metrics.start(() -> RunMetrics.of(started), "Lab", progress::say)::run);
            return keep(traces.start(started)::run);
        });
        LabSwitches switches = new LabSwitches(network.plan(), started, changes);
        asked.add(switches);
        switches.tellPeers(network);
        switches.tellLinks();
        return switches;
    }

    HostDaemon startHosts(HostConfig config) throws BedException {
        return urgently(() -> keep(HostDaemon.start(config, RunDirectory.base(), progress::say)));
    }

    RdmaSession startEndpoints(HostConfig.Nic nic, WorkerConfig workers, List<RdmaSetup.End> ends)
            throws BedException {
        return urgently(() ->
                keep(RdmaSession.start(nic, workers, ends, RunDirectory.base(), progress::say)));
    }

    private interface Start<T> {
        T run() throws DeviceException, DaemonException, ConfigException, BedException;
    }

    /** The threads that it starts keep the priority; this one has it meanwhile. */
    private <T> T urgently(Start<T> start) throws BedException {
        boolean isTaken = isUrgent && RealTimePriority.take();
        try {
            return start.run();
        } catch (DeviceException | DaemonException | ConfigException e) {
            throw new BedException(e);
        } finally {
            if (isTaken) {
                RealTimePriority.giveBack();
            }
        }
    }

    void awaitLinks(LabSwitches switches) throws BedException {
        if (!await(switches::areLinksUp)) {
            throw new BedException("the ports' links did not come up within 60 s");
        }
        // An egress half looks at its link at the same interval as its port's ingress half.
        LockSupport.parkNanos(QUIET_NS);
    }

    /** Captures into a file; several switches each get a file of their own in its directory. */
    LabCapture capture(LabSwitches switches, Path file) throws BedException {
        try {
            return keep(new LabCapture(switches, file));
        } catch (CaptureException e) {
            throw new BedException(e);
        }
    }

    /** Waits at most a minute. Returns whether the condition became true. */
    static boolean await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            LockSupport.parkNanos(QUIET_NS / 10);
        }
        return true;
    }

    /**
     * Registers a part to be closed, or closes it at once if the network is being closed already.
     */
    <T extends AutoCloseable> T keep(T part) throws BedException {
        synchronized (this) {
            if (!closed) {
                parts.push(part);
                return part;
            }
        }
        close(part);
        throw new BedException("the lab is being closed");
    }

    /**
     * Ends whatever runs and removes whatever was made; what switches counted can be asked of them
     * as before. Idempotent; any thread.
     */
    void end() {
        List<AutoCloseable> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(parts);
            parts.clear();
        }
        open.forEach(LabNetwork::close);
    }

    /** The same, and the lab's thread asks its switches no more. Idempotent. */
    @Override
    public void close() {
        end();
        asked.forEach(LabSwitches::release);
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            // The namespaces go in any case: they are what would outlive us.
            System.err.println("headgate: while closing the lab: " + e);
        }
    }
}
