package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.SwitchSection;
import io.headgate.testbed.lab.HostCounters.Baseline;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.HostNames;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.NetnsNetwork.Hosts;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lab that somebody has described in a file: his network, his flows, his commands; or a shell in
 * their place. Where the network has no flow control every frame is accounted for; where it has,
 * hosts have agents that obey, and what was lost anywhere between sockets is listed.
 */
public final class OwnLab extends Lab {
    private final OwnLabSpec spec;
    private final LabShell shell;

    /**
     * @param options their MTU is the topology's
     */
    public OwnLab(
            OwnLabSpec spec,
            LabOptions options,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command + " (" + spec.name() + ")", out);
        this.spec = spec;
        this.shell = new LabShell(progress);
    }

    @Override
    public RunReport run() throws BedException {
        if (!spec.warnings().isEmpty()) {
            spec.warnings().forEach(progress::say);
            report.add(new Section("Ignored", spec.warnings(), String.join("\n", spec.warnings())));
        }
        LabNetwork network = open();
        network.keep(shell);
        Set<Tool> needed = EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV);
        if (!options.shell() && !spec.flows().isEmpty()) {
            needed.add(Tool.IPERF3);
        }
        LabPlan plan = LabPlan.drawn(spec.topology(), options);
        Privilege privilege = network.prepare(needed);
        boolean obeys = plan.hosts() == Hosts.AGENT;
        if (obeys) {
            network.goFirst();
        }
        NetnsNetwork made = network.build(plan, privilege);
        LabSwitches switches = network.startSwitches(made);
        HostDaemon agents = obeys ? network.startHosts(plan.agents(made)) : null;
        if (plan.hosts() != Hosts.PLAIN) {
            made.configureHosts();
        }
        network.awaitLinks(switches);
        HostNames names = network.keep(made.hostNames());
        Path file = options.captureDirectory().resolve("capture.pcapng");
        LabCapture capture = network.capture(switches, file);
        TimeSeries looks = network.keep(new TimeSeries(switches));
        plots(() ->
                List.of(
                        LabCharts.throughput(looks, "throughput", ""),
                        LabCharts.queues(looks, "queues", "")));
        HostCounters hosts = new HostCounters(made);
        Baseline baseline = hosts.baseline(switches);
        Losses losses = agents == null ? null : new Losses(made, switches, agents);
        OwnTraffic traffic = new OwnTraffic(spec, files, made, names, report, progress);
        capture.open();
        traffic.pingAll();
        capture.shut();
        if (options.shell()) {
            shell.run(made, names);
        } else {
            looks.mark("traffic");
            traffic.run(capture);
            looks.mark("rest");
        }
        List<CounterSnapshot> cards = losses == null ? List.of() : losses.allHostCounters();
        LabCounters used = LabCounters.of(switches).since(baseline.counters());
        account(switches, hosts, baseline, losses);
        looks.close();
        capture.close();
        LabChecks checks = new LabChecks(report, progress);
        checks.slots(switches);
        checks.capture(made.programs(), capture);
        return write(switches, used.loads(spec.seconds(), cards));
    }

    private void account(
            LabSwitches switches, HostCounters hosts, Baseline baseline, @Nullable Losses losses)
            throws BedException {
        LabCounters counters;
        if (losses == null) {
            Balance balance = hosts.settle(switches, baseline);
            balance.problems().forEach(report::problem);
            report.add(LabSections.balance(balance));
            report.headline("not accounted for, of all", balance.unexplained() + " frames");
            counters = LabCounters.of(switches).since(baseline.counters());
        } else {
            List<Losses.Loss> lost = losses.sinceThen();
            report.add(Losses.section("Losses", lost));
            report.headline("lost anywhere", Losses.frames(lost) + " frames");
            counters = losses.switchCounters();
            List<FlowControlSection.Row> rows = new ArrayList<>();
            counters.bySwitch().forEach(one -> rows.addAll(FlowControlSection.rows(one)));
            losses.allHostCounters().forEach(one -> rows.addAll(FlowControlSection.rows(one)));
            report.add(LabSections.flowControl(rows));
        }
        for (int node = 0; node < switches.all().size(); node++) {
            report.add(
                    SwitchSection.of(
                            switches.all().get(node),
                            counters.bySwitch().get(node),
                            LabCounters.SINCE_REST));
        }
    }

    private RunReport write(LabSwitches switches, List<LinkLoad> loads) throws BedException {
        for (int node = 0; node < switches.all().size(); node++) {
            SwitchConfig config = switches.all().get(node).config();
            files.write("switch-" + switches.name(node) + ".yaml", SwitchConfigs.toYaml(config));
        }
        files.draw(
                new LabFiles.Used(
                        "network",
                        "The network, and how its links were used.",
                        switches.plan(),
                        loads));
        return finish();
    }
}
