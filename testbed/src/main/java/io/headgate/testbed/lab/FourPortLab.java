package io.headgate.testbed.lab;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.testbed.lab.HostCounters.Baseline;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Numbers;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Four hosts, one switch: shows that all reach all, what TCP and UDP make of it, what is dropped
 * when three send to one, and that every frame is accounted for. {@link #run} once, on one thread;
 * {@link #close} from any, at any moment, takes everything down.
 */
public final class FourPortLab extends Lab {
    private static final int HOSTS = 4;

    /** Least share received of what was sent over links with room for it. */
    private static final double LEAST_RECEIVED = 0.8;

    /** Least use of a link that three half ones fill: below it, senders cause few of the drops. */
    private static final double LEAST_USED = 0.5;

    private final LabShell shell;

    public FourPortLab(LabOptions options, LabRecords records, String command, PrintStream out) {
        super(options, records, command, out);
        this.shell = new LabShell(progress);
    }

    @Override
    public RunReport run() throws BedException {
        LabNetwork network = open();
        network.keep(shell);
        Set<Tool> needed = EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV);
        if (!options.shell()) {
            needed.add(Tool.IPERF3);
        }
        Privilege privilege = network.prepare(needed);
        LabPlan plan = LabPlan.star(HOSTS, options);
        NetnsNetwork made = network.build(plan, privilege);
        LabSwitches switches = network.startSwitches(made);
        if (plan.hosts() == NetnsNetwork.Hosts.TAP) {
            made.configureHosts();
        }
        network.awaitLinks(switches);
        LabCapture capture = network.capture(switches, captureFile());
        TimeSeries looks = network.keep(new TimeSeries(switches));
        plots(() ->
                List.of(
                        LabCharts.throughput(looks, "throughput", ""),
                        LabCharts.queues(looks, "queues", "")));
        HostCounters hosts = new HostCounters(made);
        Baseline baseline = hosts.baseline(switches);
        LabTraffic traffic = new LabTraffic(options, made, capture, report, progress);
        capture.open();
        traffic.pingAll(false);
        if (options.ipv6()) {
            traffic.pingAll(true);
        }
        capture.shut();
        List<Phase.Outcome> outcomes = List.of();
        if (options.shell()) {
            shell.run(made, network.keep(made.hostNames()));
        } else {
            switches.all().forEach(RunningSwitch::clearWatermarks);
            outcomes = traffic.run(switches, looks);
            headline(outcomes.getLast());
        }
        Holds holds = Holds.of(LabCounters.of(switches).bySwitch());
        Balance balance = hosts.settle(switches, baseline);
        finish(switches, balance, baseline.counters());
        looks.close();
        capture.close();
        LabChecks checks = new LabChecks(report, progress);
        checks.slots(switches);
        checks.capture(made.programs(), capture);
        if (report.problems().isEmpty()) {
            // A frame without an account is wrong, however late the machine was.
            control(outcomes, holds, options.seconds(), report);
        }
        files.write("switch.yaml", SwitchConfigs.toYaml(switches.only().config()));
        for (Phase.Outcome outcome : outcomes) {
            files.draw(outcome.used(switches.plan()));
        }
        return finish();
    }

    /**
     * Doubts a run that shows nothing: its rates are averages over a time that the machine took
     * from the switch, or three senders of half a link each left no drop to explain.
     */
    static void control(List<Phase.Outcome> outcomes, Holds holds, int seconds, RunReport report) {
        if (!outcomes.isEmpty()) {
            holds.doubtRates("what each flow got", seconds, report);
        }
        for (Phase.Outcome one : outcomes) {
            Phase phase = one.phase();
            boolean ran = one.flows().stream().allMatch(flow -> flow.problem() == null);
            if (phase.protocol() != Iperf3.Protocol.UDP || !ran) {
                continue;
            }
            // Half a link from each of three may be more than the machine can send.
            boolean fellShort =
                    (!phase.congested() || one.dropped() == 0)
                            && holds.doubtSenders(one.flows(), phase.udpBps(), report);
            doubtReceived(one, holds, report);
            if (phase.congested() && one.dropped() == 0 && !fellShort) {
                report.doubt(
                        Doubt.ofControl(
                                "nothing was dropped in \""
                                        + phase.name()
                                        + "\", though three hosts sent half a link each to one, so"
                                        + " no drop was explained"));
            }
        }
    }

    /** What arrives is what was sent, or where three hosts sent half a link each, a link full. */
    private static void doubtReceived(Phase.Outcome one, Holds holds, RunReport report) {
        Phase phase = one.phase();
        double sentBps = one.flows().stream().mapToDouble(Iperf3.Outcome::sentBps).sum();
        double dueBps = phase.congested() ? Math.min(sentBps, 2.0 * phase.udpBps()) : sentBps;
        double least = phase.congested() ? LEAST_USED : LEAST_RECEIVED;
        if (one.receivedBps() < least * dueBps) {
            report.doubt(
                    Doubt.ofMachine(
                            "%s of the %s that there was room for arrived in \"%s\"; %s"
                                    .formatted(
                                            Numbers.rate(one.receivedBps()),
                                            Numbers.rate(dueBps),
                                            phase.name(),
                                            holds.sentence())));
        }
    }

    private void headline(Phase.Outcome incast) {
        report.headline(
                "received by h4 of " + incast.flows().size() + " senders (UDP payload)",
                Numbers.rate(incast.receivedBps()));
        report.headline("dropped meanwhile, each with its reason", incast.dropped() + " frames");
    }

    private Path captureFile() {
        return options.captureDirectory().resolve("capture.pcapng");
    }

    private void finish(LabSwitches switches, Balance balance, LabCounters before) {
        balance.problems().forEach(report::problem);
        report.add(LabSections.balance(balance));
        report.headline("not accounted for, of all", balance.unexplained() + " frames");
        LabCounters counters = LabCounters.of(switches).since(before);
        for (int node = 0; node < switches.all().size(); node++) {
            report.add(
                    SwitchSection.of(
                            switches.all().get(node),
                            counters.bySwitch().get(node),
                            LabCounters.SINCE_REST));
        }
        long failures = counters.total(Scope.WORKER, WorkerCounter.FAILURES);
        if (failures > 0) {
            report.problem(failures + " duties of the switch failed and were stopped");
        }
    }
}
