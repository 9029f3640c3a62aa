package io.headgate.testbed.lab;

import io.headgate.config.HostConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.testbed.lab.HostCounters.Baseline;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.outage.Outages;
import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.lab.outage.Probes;
import io.headgate.testbed.lab.own.LabReroute;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.lab.rdma.RdmaHosts;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.lab.series.CounterLooks.Counter;
import io.headgate.testbed.lab.series.ValueSeries;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.HostNames;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.NetnsNetwork.Hosts;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one network of a lab that a user described in a file, with its flows and commands, or with a
 * shell instead of these. Without flow control, every frame is accounted for; with it, hosts have
 * agents that obey, and losses anywhere between sockets are listed.
 */
final class OwnRun implements Attempts.Attempt<OwnRun.Result> {
    private static final double NS_PER_MS = 1e6;

    /**
     * Number of TAP queues of a host that sends several controlled flows. Flows that the hash puts
     * into one queue are held together, so neither gets its share: with three flows in 8 queues
     * that happens to two of them in every third run.
     */
    private static final int FLOW_QUEUES = 32;

    private final Lab lab;
    private final OwnLabSpec spec;
    private final LabOptions options;
    private final Progress progress;
    private final RunReport report;
    private final LabFiles files;
    private final LabShell shell;

    private boolean endsInVain;
    private @Nullable OwnOrders orders;

    // The agent for all hosts with TAPs, if there is any.
    private @Nullable HostDaemon agents;

    /**
     * @param report of this network alone
     */
    OwnRun(Lab lab, OwnLabSpec spec, RunReport report) {
        this.lab = lab;
        this.spec = spec;
        this.options = lab.options;
        this.progress = lab.progress;
        this.report = report;
        this.files = new LabFiles(options.reportDirectory(), report);
        this.shell = new LabShell(progress);
    }

    /** The network with its switches and the hosts' ends of their links. */
    private record Stand(
            LabNetwork network,
            NetnsNetwork made,
            Hosts hosts,
            LabSwitches switches,
            RdmaHosts rdma,
            List<Losses.Card> cards) {}

    private Stand stand(LabNetwork network) throws BedException {
        network.keep(shell);
        List<RdmaFlow> writes = options.shell() ? List.of() : spec.rdma();
        LabPlan plan = new LabPlan(spec.topology(), options, !writes.isEmpty(), controls());
        Privilege privilege = network.prepare(needed());
        boolean obeys = plan.hosts() == Hosts.AGENT;
        if (obeys) {
            network.goFirst();
        }
        NetnsNetwork made = network.build(plan.topology(), plan.networkOptions(), privilege);
        LabSwitches switches = network.startSwitches(made);
        RdmaHosts rdma = new RdmaHosts(writes, made.plan().hosts());
        List<Losses.Card> cards = obeys ? startCards(network, plan.agents(made), rdma) : List.of();
        for (HostPlan host : made.plan().hosts()) {
            if (plan.hosts() != Hosts.PLAIN && !rdma.has(host.number())) {
                made.configureHost(host.number());
            }
        }
        network.awaitLinks(switches);
        return new Stand(network, made, plan.hosts(), switches, rdma, cards);
    }

    /** The settings of each host's card for the control of its sending rate. */
    private Map<Integer, String> controls() {
        Map<Integer, String> controls = new HashMap<>();
        for (OwnLabSpec.Flow flow : options.shell() ? List.<OwnLabSpec.Flow>of() : spec.flows()) {
            if (!flow.rateControl().isEmpty()) {
                boolean isAlone =
                        spec.flows().stream().filter(one -> one.from() == flow.from()).count() == 1;
                controls.put(
                        flow.from(),
                        ", rate-control: "
                                + flow.rateControl()
                                + (isAlone ? "" : ", flow-queues: " + FLOW_QUEUES));
            }
        }
        return controls;
    }

    @Override
    public boolean isInVain() {
        OwnOrders own = orders;
        return endsInVain && own != null && own.isInVain();
    }

    @Override
    public Result run(boolean isUnlessInVain) throws BedException {
        endsInVain = isUnlessInVain;
        sayWhatIsIgnored();
        Result result;
        try (LabNetwork network = lab.open()) {
            result = run(stand(network));
        }
        PhaseOutcome twin = spec.twin().isEmpty() || options.shell() ? null : twin(result);
        List<Series> virtual = twin == null ? List.of() : twin.recorded();
        lab.plots(() -> result.phases.figures(result.looks, virtual));
        return result.withTwin(twin);
    }

    private @Nullable PhaseOutcome twin(Result of) throws BedException {
        progress.say("The same in virtual time");
        files.write("twin" + suffix() + ".yaml", spec.twin());
        return new OwnTwin(spec, options.seed(), of.totals).run(lab::isClosed, report);
    }

    private Result run(Stand stand) throws BedException {
        LabNetwork network = stand.network;
        NetnsNetwork made = stand.made;
        LabSwitches switches = stand.switches;
        LabReroute reroute = network.keep(reroute(stand));
        HostNames names = network.keep(made.hostNames());
        Path file = options.captureDirectory().resolve("capture" + suffix() + ".pcapng");
        LabCapture capture = network.capture(switches, file);
        TimeSeries looks = network.keep(new TimeSeries(switches));
        OwnFindings findings = new OwnFindings(spec, switches, stand.cards, report);
        ValueSeries stopped = network.keep(findings.stopped());
        OwnLabSpec own = spec;
        String title = findings.stoppedTitle();
        lab.plots(() -> figures(own, looks, stopped, title));
        HostCounters hosts = new HostCounters(made);
        Counts counts = new Counts(stand, hosts);
        Probes probes = network.keep(Probes.open(probes(), made));
        CounterLooks recording = network.keep(new CounterLooks(counters(switches)));
        OwnTraffic traffic = traffic(stand, names, probes, recording, looks, counts);
        ping(stand, capture, traffic);
        PhaseFindings sent = send(stand, traffic, names, capture, findings);
        recording.close();
        Outages outages = outages(made, reroute, traffic);
        outages.report(probes, report);
        // From here on ports go down because the lab ends.
        reroute.close();
        Holds holds = holds(switches, stand.cards);
        Losses losses = counts.losses;
        List<CounterSnapshot> counted = losses == null ? List.of() : losses.allHostCounters();
        LabCounters used = LabCounters.of(switches).since(counts.baseline.counters());
        List<Check> checked = new ArrayList<>();
        if (losses == null) {
            balance(switches, hosts, counts.baseline);
            doubtSeconds(sent, holds);
        } else {
            checked.addAll(account(stand, losses, sent, holds));
        }
        looks.close();
        stopped.close();
        capture.close();
        PhaseFindings phases = new PhaseFindings(spec, traffic.readMarks(sent.outcomes()), report);
        new PhaseTables(spec, phases.outcomes(), report).describeMarks();
        checked.addAll(phases.judge(holds));
        check(made, switches, capture, findings);
        traffic.orders().doubt(holds);
        if (!options.shell()) {
            new PhaseDoubts(phases).addOfRates(holds);
        }
        new PhaseDoubts(phases).addOfLateness(traffic.latestNs(), holds);
        if (report.problems().isEmpty()) {
            // What failed did so, however late the machine was.
            doubt(stand, phases, holds, used);
            outages.doubtReroutes(report);
        }
        List<LinkLoad> loads = used.loads(spec.seconds(), counted);
        write(switches, phases.outcomes(), traffic.pictures(), loads);
        List<SwitchConfig> configs = switches.all().stream().map(RunningSwitch::config).toList();
        return new Result(phases, checked, used, configs, looks, recording.totals(), null);
    }

    private List<Counter> counters(LabSwitches switches) throws BedException {
        if (options.shell()) {
            return List.of();
        }
        List<Counter> counters = switches.counters(spec.counters());
        Counter.checkTotals(counters, spec.countersFromATime());
        return counters;
    }

    /** The counters, from the moment when all was at rest, or from the end of a warm-up. */
    private final class Counts implements OwnTraffic.Counted {
        private final Stand stand;
        private final HostCounters hosts;
        private Baseline baseline;
        private @Nullable Losses losses;

        Counts(Stand stand, HostCounters hosts) throws BedException {
            this.stand = stand;
            this.hosts = hosts;
            this.baseline = baseline(stand, hosts);
            this.losses = losses();
        }

        private @Nullable Losses losses() throws BedException {
            return stand.hosts == Hosts.AGENT
                    ? new Losses(stand.made, stand.switches, stand.cards)
                    : null;
        }

        @Override
        public void restart(int seconds) throws BedException {
            List<Drop> before = LabCounters.of(stand.switches).since(baseline.counters()).drops();
            long frames = before.stream().mapToLong(Drop::frames).sum();
            report.add(
                    new Section(
                            "Warm-up",
                            before,
                            (frames == 0 ? "no" : Long.toString(frames))
                                    + " frames were dropped in the "
                                    + seconds
                                    + " s of warm-up before; no number of this report counts"
                                    + " them"));
            baseline = baseline(stand, hosts);
            losses = losses();
            clearWatermarks(stand.switches);
        }
    }

    /**
     * The result of the run.
     *
     * @param checks what its file expected of this run
     * @param counters of the switches since all was at rest
     * @param configs of the switches
     * @param looks at their ports over time
     * @param totals names of the counters recorded that only grow
     * @param twin the same in virtual time; null: there is no such run
     */
    @Withers
    record Result(
            PhaseFindings phases,
            List<Check> checks,
            LabCounters counters,
            List<SwitchConfig> configs,
            TimeSeries looks,
            Set<String> totals,
            @Nullable PhaseOutcome twin)
            implements OwnRunResultBuilder.With {
        Result {
            checks = List.copyOf(checks);
            configs = List.copyOf(configs);
            totals = Set.copyOf(totals);
        }
    }

    private String suffix() {
        return suffix(spec);
    }

    private static String suffix(OwnLabSpec spec) {
        return spec.run().isEmpty() ? "" : "-" + OwnLabSpec.word(spec.run());
    }

    private OwnTraffic traffic(
            Stand stand,
            HostNames names,
            Probes probes,
            CounterLooks recording,
            TimeSeries looks,
            OwnTraffic.Counted counted) {
        OwnTraffic made =
                new OwnTraffic(
                        spec,
                        files,
                        options.captureDirectory(),
                        stand.made,
                        names,
                        stand.switches,
                        stand.rdma,
                        probes,
                        stand.cards,
                        recording,
                        looks,
                        counted,
                        report,
                        progress);
        made.endEarly(lab.endsEarly);
        made.orders().endInVain(endsInVain);
        orders = made.orders();
        return made;
    }

    /** Runs all phases, or a shell instead of them. */
    private PhaseFindings send(
            Stand stand,
            OwnTraffic traffic,
            HostNames names,
            LabCapture capture,
            OwnFindings findings)
            throws BedException {
        if (options.shell()) {
            shell.run(stand.made, names);
            return new PhaseFindings(spec, List.of(), report);
        }
        // What it took to come up is not how it reacts.
        clearWatermarks(stand.switches);
        PhaseFindings phases = new PhaseFindings(spec, traffic.run(capture), report);
        new PhaseTables(spec, phases.outcomes(), report).headlines();
        findings.order(flows(phases.outcomes()));
        List<RdmaFlow.Received> received = stand.rdma.report(report, lab::isClosed);
        List<Series> repeated = traffic.repeated();
        return new PhaseFindings(
                spec,
                phases.outcomes().stream()
                        .map(one ->
                                one.withRdma(received)
                                        .withRecorded(
                                                Stream.concat(
                                                                one.recorded().stream(),
                                                                repeated.stream())
                                                        .toList()))
                        .toList(),
                report);
    }

    private void check(
            NetnsNetwork made, LabSwitches switches, LabCapture capture, OwnFindings findings) {
        LabChecks checks = new LabChecks(report, progress);
        checks.slots(switches);
        checks.capture(made.programs(), capture, findings);
    }

    private static List<Iperf3.Outcome> flows(List<PhaseOutcome> outcomes) {
        return outcomes.stream().flatMap(phase -> phase.flows().stream()).toList();
    }

    /** Cards have drops of their own, and so need no balance with kernels. */
    private static Baseline baseline(Stand stand, HostCounters hosts) throws BedException {
        return stand.hosts == Hosts.AGENT
                ? new Baseline(List.of(), LabCounters.of(stand.switches))
                : hosts.baseline(stand.switches);
    }

    /** After this hosts with agents no longer ask for addresses. */
    private void ping(Stand stand, LabCapture capture, OwnTraffic traffic) throws BedException {
        capture.open();
        traffic.pingAll(false);
        if (options.ipv6()) {
            traffic.pingAll(true);
        }
        capture.shut();
        if (stand.hosts == Hosts.AGENT && spec.rdma().isEmpty()) {
            stand.made.introduceHosts();
        }
    }

    private void doubt(Stand stand, PhaseFindings phases, Holds holds, LabCounters used) {
        if (options.shell()) {
            return;
        }
        control(phases, holds);
        if (spec.flows().isEmpty() || phases.judgeWhatArrives()) {
            return;
        }
        for (int node = 0; node < used.bySwitch().size(); node++) {
            Holds.doubtDrops(
                    stand.switches.name(node), used.bySwitch().get(node), spec.seconds(), report);
        }
    }

    private List<ProbeFlow> probes() {
        return options.shell() ? List.of() : spec.probes();
    }

    private Outages outages(NetnsNetwork made, LabReroute reroute, OwnTraffic traffic) {
        long rerouteNs = TimeUnit.MILLISECONDS.toNanos(spec.rerouteMs() + LabReroute.LOOK_MS);
        return new Outages(made.plan(), reroute.done(), rerouteNs, traffic.startNs());
    }

    private LabReroute reroute(Stand stand) {
        List<RunningSwitch> all = stand.switches.all();
        return LabReroute.of(stand.made.plan(), all, spec.rerouteMs(), progress::say);
    }

    private Set<Tool> needed() {
        Set<Tool> needed = EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV);
        if (!options.shell() && !spec.flows().isEmpty()) {
            needed.add(Tool.IPERF3);
        }
        if (!options.shell() && spec.measuresMarks()) {
            needed.add(Tool.TSHARK);
        }
        return needed;
    }

    private void sayWhatIsIgnored() {
        List<String> warnings = spec.warnings();
        warnings.forEach(progress::say);
        if (!warnings.isEmpty()) {
            report.add(new Section("Ignored", warnings, String.join("\n", warnings)));
        }
    }

    private void clearWatermarks(LabSwitches switches) {
        switches.all().forEach(RunningSwitch::clearWatermarks);
        HostDaemon own = agents;
        if (own != null) {
            own.agent().cards().clearWatermarks();
        }
    }

    /** Starts the cards of all hosts, those with endpoints of RoCEv2 and those with TAPs. */
    private List<Losses.Card> startCards(LabNetwork network, HostConfig all, RdmaHosts rdma)
            throws BedException {
        List<Losses.Card> cards = new ArrayList<>();
        List<HostConfig.Nic> others = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (int host = 0; host < all.nics().size(); host++) {
            int self = host;
            if (rdma.has(host)) {
                String name = all.nics().get(host).name();
                cards.add(new Losses.Card(host, name, false, () -> rdma.counters(self)));
            } else {
                others.add(all.nics().get(host));
                numbers.add(host);
            }
        }
        if (!others.isEmpty()) {
            HostDaemon started = network.startHosts(all.withNics(others));
            agents = started;
            for (int nic = 0; nic < others.size(); nic++) {
                cards.add(Losses.agent(started, nic, numbers.get(nic)));
            }
        }
        rdma.start(all, (nic, ends) -> network.startEndpoints(nic, all.workers(), ends));
        return cards;
    }

    private static Holds holds(LabSwitches switches, List<Losses.Card> cards) {
        return switches.holds(Losses.counters(cards));
    }

    /**
     * Doubts a run that shows nothing: its rates are averages over a time that the machine took
     * from some worker, or one of its phases shows nothing.
     */
    static void control(PhaseFindings phases, Holds holds) {
        holds.doubtRates(PhaseDoubts.RATES, phases.spec().shortestSeconds(), phases.report());
        new PhaseDoubts(phases).add(holds);
    }

    /** Without cards of ours: every frame is accounted for. */
    private void balance(LabSwitches switches, HostCounters hosts, Baseline baseline)
            throws BedException {
        Balance balance = hosts.settle(switches, baseline);
        balance.problems().forEach(report::problem);
        report.add(balance.section());
        report.headline(RunFindings.UNACCOUNTED, balance.unexplained() + " frames");
        describe(switches, LabCounters.of(switches).since(baseline.counters()));
    }

    /** Without cards of ours: full queues may drop, so that losses say nothing of the machine. */
    private void doubtSeconds(PhaseFindings phases, Holds holds) {
        if (!options.shell()) {
            new PhaseDoubts(phases).addOfSeconds(holds, List.of());
        }
    }

    private List<Check> account(Stand stand, Losses losses, PhaseFindings phases, Holds holds)
            throws BedException {
        List<Losses.Loss> lost = losses.sinceThen();
        report.add(Losses.section("Losses", lost));
        report.headline(RunFindings.LOST, Losses.frames(lost) + " frames");
        LabCounters counters = losses.switchCounters();
        List<CounterSnapshot> counted = losses.allHostCounters();
        List<FlowControlSection.Row> rows = new ArrayList<>();
        for (int node = 0; node < counters.bySwitch().size(); node++) {
            int own = node;
            rows.addAll(
                    FlowControlSection.rows(
                            counters.bySwitch().get(node),
                            port -> stand.switches.portName(own, port)));
        }
        counted.forEach(one -> rows.addAll(FlowControlSection.rows(one)));
        report.add(
                rows.isEmpty()
                        ? new Section("Flow control", rows, "none")
                        : new Section("Flow control", rows, FlowControlSection.table(rows)));
        LabMargins margins = stand.switches.margins(Losses.counters(stand.cards));
        String held = margins.describe("Lossless margin", report);
        double stoppedMs = counted.stream().mapToLong(Losses::stoppedNs).sum() / NS_PER_MS;
        report.headline("hosts were stopped, all together", "%.0f ms".formatted(stoppedMs));
        OwnFindings.Verdict verdict =
                new OwnFindings.Verdict(
                        spec,
                        flows(phases.outcomes()),
                        lost,
                        stoppedMs,
                        phases.unsentMs(),
                        holds,
                        report);
        describe(stand.switches, counters);
        if (options.shell()) {
            verdict.headroom(margins);
            return List.of();
        }
        new PhaseDoubts(phases).addOfSeconds(holds, lost);
        return verdict.judge(margins, held);
    }

    private void describe(LabSwitches switches, LabCounters counters) {
        for (int node = 0; node < switches.all().size(); node++) {
            report.add(
                    SwitchSection.of(
                            switches.all().get(node),
                            counters.bySwitch().get(node),
                            LabCounters.since(spec.warmUp() != null, spec.run())));
        }
        long failures = counters.total(Scope.WORKER, WorkerCounter.FAILURES);
        if (failures > 0) {
            report.problem(failures + " duties of switches failed and were stopped");
        }
    }

    private static List<Figure> figures(
            OwnLabSpec spec, TimeSeries looks, ValueSeries stopped, String title) {
        String suffix = suffix(spec);
        String which = spec.run().isEmpty() ? "" : "(" + spec.run() + ")";
        List<Figure> figures = new ArrayList<>();
        figures.add(LabCharts.throughput(looks, "throughput" + suffix, which));
        figures.add(LabCharts.queues(looks, "queues" + suffix, which));
        if (!stopped.names().isEmpty()) {
            figures.add(
                    LabCharts.shares(
                            stopped,
                            LabCharts.marks(looks),
                            "stopped" + suffix,
                            title + " " + which));
        }
        return figures;
    }

    private void write(
            LabSwitches switches,
            List<PhaseOutcome> outcomes,
            List<LabFiles.Used> pictures,
            List<LinkLoad> loads)
            throws BedException {
        for (LabFiles.Used picture : pictures) {
            files.drawPart(picture);
        }
        for (int node = 0; node < switches.all().size(); node++) {
            SwitchConfig config = switches.all().get(node).config();
            files.write(
                    "switch-" + switches.name(node) + suffix() + ".yaml",
                    SwitchConfigs.toYaml(config));
        }
        if (spec.namesPhases() && !outcomes.isEmpty()) {
            for (PhaseOutcome outcome : outcomes) {
                files.draw(outcome.used(switches.plan()));
            }
        } else {
            files.draw(
                    new LabFiles.Used(
                            "network",
                            "The network, and how its links were used.",
                            switches.plan(),
                            loads,
                            spec.seconds()));
        }
    }
}
