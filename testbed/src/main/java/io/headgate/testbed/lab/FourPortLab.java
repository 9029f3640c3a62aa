package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigs;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import io.headgate.testbed.lab.HostCounters.Baseline;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsBed;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Four hosts, one switch: shows that all reach all, what TCP and UDP make of it, what is dropped
 * when three send to one, and that every frame is accounted for. {@link #run} once, on one thread;
 * {@link #close} from any, at any moment, takes everything down.
 */
public final class FourPortLab implements AutoCloseable {
    private static final int HOSTS = 4;
    private static final long SETTLE_NS = 5_000_000_000L;
    private static final long QUIET_NS = 100_000_000;

    private final LabOptions options;
    private final LabRecords records;
    private final Progress progress;
    private final RunReport report;
    private final long startNs = System.nanoTime();

    private final LabShell shell;
    private final Object lock = new Object();
    private @Nullable NetnsBed bed;
    private @Nullable SwitchDaemon daemon;
    private @Nullable CaptureWindows capture;
    private @Nullable TimeSeries series;
    private boolean closed;

    /**
     * @param command the command line, for the report
     * @param out takes lines of progress
     */
    public FourPortLab(LabOptions options, LabRecords records, String command, PrintStream out) {
        this.options = options;
        this.records = records;
        this.progress = new Progress(out);
        this.report = new RunReport(command);
        this.shell = new LabShell(progress);
    }

    /**
     * Runs the lab; what went wrong with the switch is in {@link RunReport#problems}.
     *
     * @throws BedException if it could not be run, in one sentence
     */
    public RunReport run() throws BedException {
        Privilege privilege = requirePrivilege();
        requireTools();
        BedPlan plan = plan();
        SwitchConfig config = LabSwitch.config(plan, options);
        makeDirectories();
        NetnsBed made = NetnsBed.plan(plan, records, progress::say);
        keep(() -> bed = made);
        progress.say(
                "Namespaces "
                        + String.join(" ", plan.namespaces())
                        + (privilege == Privilege.USER_NAMESPACE
                                ? ", inside a user namespace (no root, no AF_XDP)"
                                : ""));
        made.build();
        RunningSwitch started = startSwitch(config);
        if (plan.wiring() == BedPlan.Wiring.TAP) {
            made.configureHosts();
        }
        awaitLinks(started);
        CaptureWindows windows = startCapture(started);
        TimeSeries looks = new TimeSeries(started);
        keep(() -> series = looks);
        HostCounters hosts = new HostCounters(made, HOSTS);
        Baseline baseline = hosts.baseline(started);
        LabTraffic traffic = new LabTraffic(options, HOSTS, made, windows, report, progress);
        windows.open();
        traffic.pingAll(false);
        if (options.ipv6()) {
            traffic.pingAll(true);
        }
        windows.shut();
        if (options.shell()) {
            shell.run(plan);
        } else {
            traffic.run(started, looks);
        }
        Balance balance = hosts.settle(started, baseline);
        finish(started, balance, baseline.counters());
        looks.close();
        windows.close();
        LabChecks checks = new LabChecks(report, progress);
        checks.slots(started);
        checks.capture(made.programs(), windows, captureFile());
        report.duration(Duration.ofNanos(System.nanoTime() - startNs));
        writeFiles(config, looks);
        return report;
    }

    private Privilege requirePrivilege() throws BedException {
        Privilege privilege = Privilege.of();
        if (privilege == Privilege.NONE) {
            throw new BedException(
                    "the lab makes network namespaces, which needs root, or a user namespace: the"
                            + " headgate launcher makes one where the kernel allows it");
        }
        if (privilege == Privilege.USER_NAMESPACE && options.device() == DeviceKind.AFXDP) {
            throw new BedException(
                    "AF_XDP needs root of the machine, and this is a user namespace; run as root,"
                            + " or with --device afpacket or --device tap");
        }
        return privilege;
    }

    private void requireTools() throws BedException {
        Set<Tool> needed = EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV);
        if (!options.shell()) {
            needed.add(Tool.IPERF3);
        }
        Set<Tool> missing = Tools.provide(needed, progress::say);
        if (!missing.isEmpty()) {
            throw new BedException(Tools.sentence(missing));
        }
    }

    private BedPlan plan() throws BedException {
        BedPlan.Wiring wiring =
                options.device() == DeviceKind.TAP ? BedPlan.Wiring.TAP : BedPlan.Wiring.VETH;
        try {
            return new BedPlan(options.prefix(), HOSTS, options.mtuBytes(), options.ipv6(), wiring);
        } catch (IllegalArgumentException e) {
            throw new BedException(e);
        }
    }

    private void makeDirectories() throws BedException {
        for (Path directory : List.of(options.reportDirectory(), options.captureDirectory())) {
            try {
                Files.createDirectories(directory);
            } catch (IOException e) {
                throw new BedException("cannot make the directory " + directory + ": " + e, e);
            }
        }
    }

    private RunningSwitch startSwitch(SwitchConfig config) throws BedException {
        SwitchOptions how = new SwitchOptions(true, false, null, progress::say);
        try {
            progress.say("Warming the engine up");
            // A daemon, so that headgate show, top and capture see it from another terminal.
            SwitchDaemon started = SwitchDaemon.start(config, RunDirectory.base(), how);
            keep(() -> daemon = started);
            return started.running();
        } catch (DeviceException | DaemonException | ConfigException e) {
            throw new BedException(e);
        }
    }

    private void awaitLinks(RunningSwitch started) throws BedException {
        boolean up =
                await(() ->
                        started.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP) >= HOSTS);
        if (!up) {
            throw new BedException("the ports' links did not come up within 5 s");
        }
        // An egress half looks at its link at the same interval as the ingress half it is beside.
        LockSupport.parkNanos(QUIET_NS);
    }

    private CaptureWindows startCapture(RunningSwitch started) throws BedException {
        try {
            CaptureWindows windows = new CaptureWindows(started, captureFile());
            keep(() -> capture = windows);
            return windows;
        } catch (CaptureException e) {
            throw new BedException(e);
        }
    }

    private Path captureFile() {
        return options.captureDirectory().resolve("capture.pcapng");
    }

    private void finish(RunningSwitch started, Balance balance, CounterSnapshot before) {
        balance.problems().forEach(report::problem);
        report.add(LabSections.balance(balance));
        CounterSnapshot counters = started.counters().since(before);
        report.add(SwitchSection.of(started, counters));
        long failures = counters.total(Scope.WORKER, WorkerCounter.FAILURES);
        if (failures > 0) {
            report.problem(failures + " duties of the switch failed and were stopped");
        }
    }

    private void writeFiles(SwitchConfig config, TimeSeries looks) throws BedException {
        Path directory = options.reportDirectory();
        for (String name : List.of("report.json", "report.txt", "report.html", "switch.yaml")) {
            report.file(name, directory.resolve(name));
        }
        try {
            Files.writeString(directory.resolve("switch.yaml"), SwitchConfigs.toYaml(config));
            Files.writeString(directory.resolve("report.txt"), report.toText());
            LabCharts.write(looks, report.toText(), directory);
            report.writeJson(directory.resolve("report.json"));
        } catch (IOException e) {
            throw new BedException("cannot write the report into " + directory + ": " + e, e);
        }
    }

    /** Waits five seconds at most. Answers whether it has come about. */
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

    /** Notes what {@link #close} is to close, unless that has been asked for already. */
    private void keep(Runnable note) throws BedException {
        synchronized (lock) {
            note.run();
            if (!closed) {
                return;
            }
        }
        dismantle();
        throw new BedException("the lab is being closed");
    }

    /** Ends whatever runs and removes whatever was made. Idempotent; any thread. */
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        progress.hush();
        dismantle();
    }

    /** Whether somebody closed it. */
    public boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    private void dismantle() {
        shell.close();
        List<AutoCloseable> parts = new ArrayList<>();
        synchronized (lock) {
            addIfThere(parts, series);
            addIfThere(parts, capture);
            addIfThere(parts, daemon);
            addIfThere(parts, bed);
        }
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                // The namespaces go in any case: they are what would outlive us.
                System.err.println("headgate: while closing the lab: " + e);
            }
        }
    }

    private static void addIfThere(List<AutoCloseable> parts, @Nullable AutoCloseable part) {
        if (part != null) {
            parts.add(part);
        }
    }
}
