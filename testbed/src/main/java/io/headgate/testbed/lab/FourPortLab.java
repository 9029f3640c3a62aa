package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigs;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.capture.CaptureWriter;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.device.linux.NetworkNamespace;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import io.headgate.testbed.lab.Balance.HostFrames;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsBed;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Programs;
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
import java.util.Locale;
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
    private static final int PINGS = 3;
    private static final long PING_TIMEOUT_MS = 20_000;
    private static final long SETTLE_NS = 5_000_000_000L;
    private static final long QUIET_NS = 100_000_000;
    private static final long WINDOW_NS = 20_000_000;

    private final LabOptions options;
    private final LabRecords records;
    private final Progress progress;
    private final RunReport report;
    private final long startNs = System.nanoTime();

    private final Object lock = new Object();
    private @Nullable NetnsBed bed;
    private @Nullable SwitchDaemon daemon;
    private @Nullable CaptureWindows capture;
    private @Nullable TimeSeries series;
    private @Nullable Process shell;
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
        Baseline baseline = baseline(made, started);
        windows.open();
        pingAll(made, false);
        if (options.ipv6()) {
            pingAll(made, true);
        }
        windows.shut();
        if (options.shell()) {
            openShell(plan);
        } else {
            traffic(made, started, windows, looks, config);
        }
        finish(made, started, windows, looks, baseline);
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

    private record Baseline(List<HostFrames> hosts, CounterSnapshot counters) {}

    /** Counters of hosts and switch at a moment when nothing was under way. */
    private static Baseline baseline(NetnsBed bed, RunningSwitch running) throws BedException {
        List<HostFrames> hosts = hostFrames(bed);
        for (long endNs = System.nanoTime() + SETTLE_NS; System.nanoTime() - endNs < 0; ) {
            CounterSnapshot counters = running.counters();
            LockSupport.parkNanos(2 * QUIET_NS);
            List<HostFrames> again = hostFrames(bed);
            if (again.equals(hosts)) {
                return new Baseline(hosts, counters);
            }
            hosts = again;
        }
        return new Baseline(hosts, running.counters());
    }

    private static List<HostFrames> hostFrames(NetnsBed bed) throws BedException {
        List<HostFrames> frames = new ArrayList<>();
        for (int host = 1; host <= HOSTS; host++) {
            LinuxInterface.Statistics seen = bed.hostInterface(host).statistics();
            frames.add(new HostFrames(seen.transmittedFrames(), seen.receivedFrames()));
        }
        return frames;
    }

    private void pingAll(NetnsBed made, boolean ipv6) throws BedException {
        record Under(int from, int to, Programs.Running ping) {}

        List<Under> under = new ArrayList<>();
        for (int from = 1; from <= HOSTS; from++) {
            for (int to = 1; to <= HOSTS; to++) {
                if (from != to) {
                    String address = ipv6 ? made.plan().address6(to) : made.plan().address(to);
                    under.add(
                            new Under(
                                    from,
                                    to,
                                    made.programs()
                                            .start(
                                                    made.plan().hostNetns(from),
                                                    Ping.command(address, PINGS))));
                }
            }
        }
        List<Ping.Outcome> pings = new ArrayList<>();
        for (Under one : under) {
            String output = one.ping.await(PING_TIMEOUT_MS).output();
            Ping.Outcome outcome = Ping.parse(one.from, one.to, PINGS, output);
            pings.add(outcome);
            if (!outcome.reachable()) {
                report.problem("h" + one.from + " does not reach h" + one.to + " by ping");
            }
        }
        long reachable = pings.stream().filter(Ping.Outcome::reachable).count();
        String what = ipv6 ? "Ping over IPv6" : "Ping";
        progress.say(what + ": " + reachable + " of " + pings.size() + " pairs reachable");
        report.add(LabSections.pings(pings, HOSTS, what));
    }

    private void traffic(
            NetnsBed made,
            RunningSwitch started,
            CaptureWindows windows,
            TimeSeries looks,
            SwitchConfig config)
            throws BedException {
        long rateBps = config.ports().getFirst().rateBps();
        long udpBps = options.udpBps() == 0 ? rateBps / 10 : options.udpBps();
        List<Phase.Outcome> outcomes = new ArrayList<>();
        for (Phase phase : Phase.all(rateBps, udpBps)) {
            progress.say(phase.describe(options.seconds()));
            looks.mark(phase.name());
            outcomes.add(run(made, started, windows, phase));
        }
        looks.mark("rest");
        report.add(LabSections.tcp(outcomes));
        report.add(LabSections.udp(outcomes));
        report.add(LabSections.drops(outcomes));
    }

    private Phase.Outcome run(
            NetnsBed made, RunningSwitch started, CaptureWindows windows, Phase phase)
            throws BedException {
        CounterSnapshot before = started.counters();
        long socketBefore = socketDrops(made);
        Thread window = windowAmid(windows);
        List<Iperf3.Outcome> flows =
                Iperf3.run(
                        made, phase.protocol(), phase.flows(), options.seconds(), phase.udpBps());
        try {
            window.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (int i = 0; i < flows.size(); i++) {
            keepResult(phase, i, flows.get(i));
        }
        CounterSnapshot during = started.counters().since(before);
        return new Phase.Outcome(phase, flows, during.drops(), socketDrops(made) - socketBefore);
    }

    /** Opens the capture for a moment in the middle of the traffic that begins now. */
    private Thread windowAmid(CaptureWindows windows) {
        return Thread.ofPlatform()
                .daemon()
                .name("headgate-lab-window")
                .start(() -> {
                    LockSupport.parkNanos(options.seconds() * 500_000_000L);
                    windows.open();
                    LockSupport.parkNanos(WINDOW_NS);
                    windows.shut();
                });
    }

    private void keepResult(Phase phase, int number, Iperf3.Outcome flow) throws BedException {
        String name =
                phase.name().toLowerCase(Locale.ROOT).replace(' ', '-')
                        + "-h"
                        + flow.flow().from()
                        + "-h"
                        + flow.flow().to();
        Path file = options.reportDirectory().resolve("iperf3-" + name + ".json");
        try {
            Files.writeString(file, flow.json());
        } catch (IOException e) {
            throw new BedException("cannot write " + file + ": " + e, e);
        }
        String problem = flow.problem();
        if (problem != null) {
            report.problem("iperf3 " + name + " (flow " + (number + 1) + ") failed: " + problem);
        } else if (flow.receivedBps() <= 0) {
            report.problem("iperf3 " + name + " received nothing");
        }
    }

    /** Datagrams that the hosts' own sockets had no room for: RcvbufErrors of proc_net_snmp(5). */
    private static long socketDrops(NetnsBed made) throws BedException {
        long sum = 0;
        for (int host = 1; host <= HOSTS; host++) {
            try {
                sum += NetworkNamespace.call(made.plan().hostNetns(host), FourPortLab::udpErrors);
            } catch (DeviceException e) {
                throw new BedException(e);
            }
        }
        return sum;
    }

    private static long udpErrors() throws DeviceException {
        List<String> udp;
        try {
            // thread-self: the plain /proc/net is that of the process, in its first namespace.
            udp =
                    Files.readAllLines(Path.of("/proc/thread-self/net/snmp")).stream()
                            .filter(line -> line.startsWith("Udp:"))
                            .toList();
        } catch (IOException e) {
            throw new DeviceException("cannot read a host's UDP statistics: " + e, e);
        }
        List<String> names = udp.isEmpty() ? List.of() : List.of(udp.getFirst().split(" "));
        int column = names.indexOf("RcvbufErrors");
        return column < 0 ? 0 : Long.parseLong(udp.getLast().split(" ")[column]);
    }

    private void openShell(BedPlan plan) throws BedException {
        String program = System.getenv().getOrDefault("SHELL", "/bin/sh");
        progress.plain("");
        progress.plain("The switch runs. Each host is a namespace with address 10.99.0.N, e.g.");
        progress.plain("  ip netns exec " + plan.hostNetns(1) + " ping " + plan.address(2));
        progress.plain("  ip netns exec " + plan.hostNetns(1) + " bash");
        progress.plain(
                "From another terminal: headgate show ports, headgate top, headgate capture");
        progress.plain("'exit' ends the shell, the switch and the namespaces.");
        Process opened;
        synchronized (lock) {
            if (closed) {
                throw new BedException("the lab is being closed");
            }
            try {
                opened =
                        new ProcessBuilder("setpriv", "--pdeathsig", "HUP", "--", program)
                                .inheritIO()
                                .start();
            } catch (IOException e) {
                throw new BedException("cannot open the shell " + program + ": " + e, e);
            }
            shell = opened;
        }
        try {
            opened.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void finish(
            NetnsBed made,
            RunningSwitch started,
            CaptureWindows windows,
            TimeSeries looks,
            Baseline baseline)
            throws BedException {
        Balance balance = settle(made, started, baseline);
        balance.problems().forEach(report::problem);
        report.add(LabSections.balance(balance));
        CounterSnapshot counters = started.counters().since(baseline.counters);
        report.add(SwitchSection.of(started, counters));
        long failures = counters.total(Scope.WORKER, WorkerCounter.FAILURES);
        if (failures > 0) {
            report.problem(failures + " duties of the switch failed and were stopped");
        }
        looks.close();
        windows.close();
        checkSlots(started);
        checkCapture(made, windows);
        report.duration(Duration.ofNanos(System.nanoTime() - startNs));
        writeFiles(started.config(), looks);
    }

    /** The balance once all is at rest, or as it is when that does not come about. */
    private static Balance settle(NetnsBed made, RunningSwitch started, Baseline baseline)
            throws BedException {
        long endNs = System.nanoTime() + SETTLE_NS;
        while (true) {
            CounterSnapshot counters = started.counters().since(baseline.counters);
            Balance balance = Balance.of(counters, baseline.hosts, hostFrames(made));
            if (balance.holds() || System.nanoTime() - endNs > 0) {
                return balance;
            }
            LockSupport.parkNanos(QUIET_NS);
        }
    }

    /** Takes the devices away, after which every slot must be free at home. */
    private void checkSlots(RunningSwitch started) {
        var engine = started.realTime().engine();
        for (int port = 0; port < HOSTS; port++) {
            started.realTime().detach(port);
        }
        long slots = 0;
        for (int port = 0; port < engine.ports(); port++) {
            slots += engine.ingress(port).homeSlots();
        }
        long all = slots;
        await(() -> slotsFree(started) == all);
        long missing = all - slotsFree(started);
        if (missing != 0) {
            report.problem(missing + " of " + all + " slots did not come home");
        }
        report.add(
                new Section(
                        "Slots",
                        List.of(all, all - missing),
                        (all - missing) + " of " + all + " at home after the devices were closed"));
    }

    private static long slotsFree(RunningSwitch started) {
        return started.counters().total(Scope.INGRESS, IngressCounter.SLOTS_FREE);
    }

    private void checkCapture(NetnsBed made, CaptureWindows windows) {
        Path file = captureFile();
        report.file("capture", file);
        CaptureWriter.Summary summary = windows.summary();
        String took =
                summary.written()
                        + " frames, "
                        + summary.leftOut()
                        + " left out, in "
                        + file
                        + "; ";
        String problem = windows.problem();
        if (problem != null) {
            report.problem(problem);
            return;
        }
        if (!Tools.provide(EnumSet.of(Tool.TSHARK), progress::say).isEmpty()) {
            String unread = took + Tools.sentence(EnumSet.of(Tool.TSHARK)) + ", so nothing read it";
            report.add(new Section("Capture", summary, unread));
            return;
        }
        progress.say("Capture: tshark reads " + summary.written() + " frames");
        try {
            CaptureCheck check = CaptureCheck.of(made.programs(), file);
            String found =
                    "tshark finds "
                            + check.bad().size()
                            + " malformed or of a wrong checksum among "
                            + check.frames();
            if (!check.bad().isEmpty()) {
                report.problem("capture: " + found + "; see " + CaptureCheck.command(file));
            }
            report.add(new Section("Capture", check, took + found));
        } catch (BedException e) {
            report.problem(String.valueOf(e.getMessage()));
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

    private static boolean await(BooleanSupplier condition) {
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
        Process openShell;
        List<AutoCloseable> parts = new ArrayList<>();
        synchronized (lock) {
            openShell = shell;
            addIfThere(parts, series);
            addIfThere(parts, capture);
            addIfThere(parts, daemon);
            addIfThere(parts, bed);
        }
        if (openShell != null) {
            // Not SIGTERM, which interactive shells ignore.
            openShell.destroyForcibly();
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
