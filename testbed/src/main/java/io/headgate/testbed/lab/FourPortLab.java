package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.WorkerCounter;
import io.headgate.testbed.lab.HostCounters.Baseline;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsBed;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Four hosts, one switch: shows that all reach all, what TCP and UDP make of it, what is dropped
 * when three send to one, and that every frame is accounted for. {@link #run} once, on one thread;
 * {@link #close} from any, at any moment, takes everything down.
 */
public final class FourPortLab implements Lab {
    private static final int HOSTS = 4;

    private final LabOptions options;
    private final Progress progress;
    private final RunReport report;
    private final LabShell shell;
    private final LabStage stage;
    private final long startNs = System.nanoTime();

    /**
     * @param command the command line, for the report
     * @param out takes lines of progress
     */
    public FourPortLab(LabOptions options, LabRecords records, String command, PrintStream out) {
        this.options = options;
        this.progress = new Progress(out);
        this.report = new RunReport(command);
        this.shell = new LabShell(progress);
        this.stage = new LabStage(options, records, progress);
    }

    @Override
    public RunReport run() throws BedException {
        stage.keep(shell);
        Set<Tool> needed = EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV);
        if (!options.shell()) {
            needed.add(Tool.IPERF3);
        }
        Privilege privilege = stage.prepare(needed);
        BedPlan plan = plan();
        SwitchConfig config = LabSwitch.config(plan, options);
        NetnsBed made = stage.build(plan, privilege);
        RunningSwitch started = stage.startSwitch(config);
        if (plan.wiring() == BedPlan.Wiring.TAP) {
            made.configureHosts();
        }
        stage.awaitLinks(started);
        CaptureWindows windows = stage.capture(started, captureFile());
        TimeSeries looks = stage.keep(new TimeSeries(started));
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
        LabFiles files = new LabFiles(options.reportDirectory(), report);
        files.write("switch.yaml", SwitchConfigs.toYaml(config));
        files.writeReport(
                List.of(
                        new LabFiles.Chart("throughput.svg", LabCharts.throughput(looks, "")),
                        new LabFiles.Chart("queues.svg", LabCharts.queues(looks, ""))));
        return report;
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

    @Override
    public void close() {
        progress.hush();
        stage.close();
    }

    @Override
    public boolean isClosed() {
        return stage.isClosed();
    }
}
