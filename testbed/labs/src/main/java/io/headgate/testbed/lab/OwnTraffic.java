package io.headgate.testbed.lab;

import io.headgate.config.Mechanism;
import io.headgate.config.PortConfig;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.outage.Pings;
import io.headgate.testbed.lab.outage.Probes;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.own.LabSeries;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.PolicyQueues;
import io.headgate.testbed.lab.rdma.RdmaHosts;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.HostNames;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.SocketBuffers;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.LinkPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The flows and commands of a user's lab, each at its time, and their results. The lab's thread
 * starts all programs and ends them.
 */
final class OwnTraffic {
    /** Flows of a phase that its line of progress names one by one. */
    private static final int MOST_SAID = 8;

    private static final long EARLY = 8;
    private static final long NS_PER_MS = 1_000_000;
    private static final long MS_PER_SECOND = 1000;

    private record Event(long atMs, Action action) {}

    @FunctionalInterface
    interface Action {
        void run() throws BedException;
    }

    private static final class Sent {
        private final OwnLabSpec.Flow spec;
        private final Iperf3.Flow flow;
        private final int number;
        private final Programs.Running server;
        private Programs.@Nullable Running client;

        private Sent(OwnLabSpec.Flow spec, int number, Programs.Running server, Iperf3.Flow flow) {
            this.spec = spec;
            this.number = number;
            this.server = server;
            this.flow = flow;
        }
    }

    /** The result of a command, for programs. */
    record Ran(String host, String command, String ended, int exitCode, String output) {}

    /** A running command, with its number among all, from 1. */
    private record Begun(int number, OwnLabSpec.Command spec, Programs.Running running) {}

    /** The counters of a run, from its beginning or from the end of a warm-up. */
    @FunctionalInterface
    interface Counted {
        /**
         * Restarts all counting.
         *
         * @param seconds of what is not counted
         */
        void restart(int seconds) throws BedException;
    }

    private static final long LOOK_NS = 50_000_000;

    /** Longest time until switches hold no frames any more. */
    private static final long REST_NS = 5_000_000_000L;

    private static final long QUIET_NS = 50_000_000;
    private static final long REST_LOOK_NS = 5_000_000;

    private final OwnLabSpec spec;
    private final LabFiles files;
    private final Path captures;
    private final NetnsNetwork network;
    private final HostNames names;
    private final LabSwitches switches;
    private final RdmaHosts rdma;
    private final Probes probes;
    private final RunReport report;
    private final Progress progress;
    private final List<Losses.Card> cards;
    private final CounterLooks recording;
    private final TimeSeries looks;
    private final Counted counted;
    private final Pictures pictures;
    private final OwnOrders orders;
    private final HostCounters hostCounters;
    private final PolicyQueues queues = new PolicyQueues();
    private final List<LabMarks> marks = new ArrayList<>();
    private final SortedMap<Integer, Ran> ran = new TreeMap<>();
    private @Nullable Losses ofCards;
    private int commands;
    private long startNs;
    private long latestNs;
    private boolean endsEarly;

    OwnTraffic(
            OwnLabSpec spec,
            LabFiles files,
            Path captures,
            NetnsNetwork network,
            HostNames names,
            LabSwitches switches,
            RdmaHosts rdma,
            Probes probes,
            List<Losses.Card> cards,
            CounterLooks recording,
            TimeSeries looks,
            Counted counted,
            RunReport report,
            Progress progress) {
        this.spec = spec;
        this.files = files;
        this.captures = captures;
        this.network = network;
        this.hostCounters = new HostCounters(network);
        this.names = names;
        this.switches = switches;
        this.rdma = rdma;
        this.probes = probes;
        this.cards = cards;
        this.recording = recording;
        this.looks = looks;
        this.counted = counted;
        this.report = report;
        this.progress = progress;
        this.pictures = new Pictures(switches, cards, recording);
        this.orders =
                new OwnOrders(network.programs(), switches, recording, pictures, report, progress);
    }

    private String name(int host) {
        return network.plan().hosts().get(host).name();
    }

    /** Every host with a kernel pings every other, or where there are many the next one. */
    void pingAll(boolean ipv6) throws BedException {
        int[] pinging =
                IntStream.range(0, network.plan().hosts().size())
                        .filter(host -> !rdma.has(host))
                        .toArray();
        new Pings(network, report, progress::say).run(pinging, ipv6);
    }

    /** Whether a phase is over once all its flows by iperf3 and commands have ended. */
    void endEarly(boolean early) {
        endsEarly = early;
    }

    /**
     * Runs everything that the file asks for, phase by phase, each thing at its time.
     *
     * @param capture of which some moments in the middle of each phase are captured, or all of it
     * @return the result of each phase
     */
    List<PhaseOutcome> run(LabCapture capture) throws BedException {
        List<Begun> services = new ArrayList<>();
        for (OwnLabSpec.Command command : spec.commands()) {
            if (command.isService()) {
                services.add(start(command));
            }
        }
        if (spec.capturesAll()) {
            capture.open();
        }
        warmUp(capture);
        List<PhaseOutcome> outcomes = new ArrayList<>();
        try {
            for (OwnLabSpec.Phase phase : spec.phases()) {
                outcomes.add(run(phase, capture));
            }
        } finally {
            // Also of a lab that ends early.
            new PhaseTables(spec, outcomes, report).describe();
        }
        looks.mark("rest");
        end(services);
        describeCommands();
        orders.describe();
        if (!queues.isEmpty()) {
            report.add(queues.section());
        }
        return outcomes;
    }

    /** What comes before all phases, if there is something; then everything counts from now on. */
    private void warmUp(LabCapture capture) throws BedException {
        OwnLabSpec.Phase warmUp = spec.warmUp();
        if (warmUp == null) {
            return;
        }
        List<Sent> flows = listen(warmUp);
        List<Event> events = events(warmUp, flows, new ArrayList<>(), capture);
        run(warmUp, events, () -> false);
        for (Iperf3.Outcome flow : flows(flows)) {
            if (flow.problem() != null) {
                report.problem("a flow of the warm-up failed: " + flow.problem());
            }
        }
        if (!rests()) {
            report.doubtWhateverFails(PhaseDoubts.ofWarmUp(switches.holds(Losses.counters(cards))));
        }
        LockSupport.parkNanos(RealTimeEngine.KERNEL_DROPS_KNOWN_NS);
        counted.restart(warmUp.seconds());
        looks.warm();
        startNs = 0;
        latestNs = 0;
    }

    private PhaseOutcome run(OwnLabSpec.Phase phase, LabCapture capture) throws BedException {
        List<Sent> flows = listen(phase);
        try (LabMarks own = marks(phase, flows)) {
            marks.add(own);
            return run(phase, flows, capture);
        }
    }

    private LabMarks marks(OwnLabSpec.Phase phase, List<Sent> flows) throws BedException {
        Map<Integer, Iperf3.Flow> marked = new HashMap<>();
        for (Sent flow : spec.measuresMarks() ? flows : List.<Sent>of()) {
            if (flow.spec.protocol() == Protocol.UDP) {
                marked.put(flow.number, flow.flow);
            }
        }
        String file = "marks" + (spec.namesPhases() ? "-" + phase.word() : "") + ".pcapng";
        return new LabMarks(network, switches, marked, captures.resolve(file));
    }

    private PhaseOutcome run(OwnLabSpec.Phase phase, List<Sent> flows, LabCapture capture)
            throws BedException {
        List<Begun> begun = new ArrayList<>();
        List<Event> events = events(phase, flows, begun, capture);
        LabCounters before = LabCounters.of(switches);
        long socketBefore = hostCounters.socketDrops();
        Losses losses =
                cards.isEmpty() || !losesByPhase() ? null : new Losses(network, switches, cards);
        captureMoment(phase, capture);
        run(phase, events, () -> endsEarly && haveEnded(flows, begun));
        List<Iperf3.Outcome> outcomes = flows(phase, flows);
        end(begun);
        capture.awaitMoment();
        ofCards = losses;
        // What a host holds while it is stopped has no counter; only cards of ours are stopped.
        if ((losses != null || spec.holdsSenders()) && !rests()) {
            progress.say("switches still hold frames 5 s after the end of " + phase.shown());
        }
        // Switches ask their kernels for drops only now and then.
        LockSupport.parkNanos(RealTimeEngine.KERNEL_DROPS_KNOWN_NS);
        LabCounters during = LabCounters.of(switches).since(before);
        noteQueues(phase);
        return new PhaseOutcome(
                phase,
                outcomes,
                during.drops(),
                hostCounters.socketDrops() - socketBefore,
                during.loads(
                        phase.seconds(), losses == null ? List.of() : losses.allHostCounters()),
                losses == null ? List.of() : losses.ofPhase(),
                losses == null || !follows() ? List.of() : losses.passages(outcomes),
                List.of(),
                recorded(losses),
                List.of());
    }

    /**
     * Waits until switches have held no frame for 50 ms, 5 s at most.
     *
     * @return whether they have
     */
    private boolean rests() {
        long beginNs = System.nanoTime();
        long quietNs = beginNs;
        long nowNs = beginNs;
        while (!network.programs().isClosed()
                && nowNs - quietNs < QUIET_NS
                && nowNs - beginNs < REST_NS) {
            LockSupport.parkNanos(REST_LOOK_NS);
            nowNs = System.nanoTime();
            if (LabCounters.of(switches).total(Scope.EGRESS, EgressCounter.QUEUE_BYTES) > 0) {
                quietNs = nowNs;
            }
        }
        return nowNs - quietNs >= QUIET_NS || network.programs().isClosed();
    }

    private List<Event> events(
            OwnLabSpec.Phase phase, List<Sent> flows, List<Begun> begun, LabCapture capture) {
        List<Event> events = new ArrayList<>();
        phase.orders().stream()
                .map(OwnLabSpec.Order::picture)
                .filter(Objects::nonNull)
                .forEach(picture ->
                        events.add(
                                new Event(
                                        picture.untilMs(),
                                        () -> pictures.end(picture, spec.run()))));
        // Of what is due at the same time orders come first, but for those that wait.
        List<Event> waiting = new ArrayList<>();
        for (OwnLabSpec.Order order : phase.orders()) {
            List<Event> into = order.once() == null ? events : waiting;
            into.add(new Event(order.atMs(), () -> orders.obey(order, capture)));
        }
        flows.forEach(flow -> events.add(new Event(flow.spec.startMs(), () -> send(flow))));
        for (int number = 0; number < spec.rdma().size(); number++) {
            int flow = number;
            events.add(new Event(spec.rdma().get(flow).startMs(), () -> rdma.begin(flow)));
        }
        for (OwnLabSpec.Command command : phase.commands()) {
            if (!command.isService()) {
                events.add(new Event(command.startMs(), () -> begun.add(start(command))));
            }
        }
        events.addAll(waiting);
        events.sort(Comparator.comparingLong(Event::atMs));
        return events;
    }

    private static boolean haveEnded(List<Sent> flows, List<Begun> commands) {
        for (Sent flow : flows) {
            Programs.Running client = flow.client;
            if (client == null || client.isAlive()) {
                return false;
            }
        }
        return commands.stream().noneMatch(one -> one.running.isAlive());
    }

    /**
     * Carries out everything that is due, until the phase is over.
     *
     * @param isOver whether it is before its time, with nothing more to be begun
     */
    private void run(OwnLabSpec.Phase phase, List<Event> events, BooleanSupplier isOver)
            throws BedException {
        sayWhatBegins(phase);
        recording.begin();
        looks.mark(phase.shown());
        long beginNs = System.nanoTime();
        if (startNs == 0) {
            startNs = beginNs;
            probes.start(beginNs);
        }
        for (Event event : events) {
            parkUntil(beginNs + event.atMs * NS_PER_MS, () -> false);
            long dueNs = beginNs + event.atMs * NS_PER_MS;
            latestNs = Math.max(latestNs, begin(() -> orders.lateNs(dueNs), event.action));
        }
        parkUntil(beginNs + phase.seconds() * MS_PER_SECOND * NS_PER_MS, isOver);
    }

    /**
     * Does what is due; how late that was is asked before, as its own time is not the machine's.
     */
    static long begin(LongSupplier lateNs, Action action) throws BedException {
        long late = lateNs.getAsLong();
        action.run();
        return late;
    }

    /** What the file makes of counters over time, and these counters. */
    private List<Series> recorded(@Nullable Losses losses) {
        List<Series> all = new ArrayList<>(recording.counted());
        if (losses != null) {
            all.add(losses.timeStopped());
            if (spec.rdma().isEmpty()) {
                all.add(losses.packetsRepeated());
            }
        }
        for (LabSeries one : spec.series()) {
            all.add(recording.made(one.name(), one.unit(), one.value()));
        }
        all.addAll(orders.explained());
        return all;
    }

    /** What flows of RoCEv2 have sent again until now: they do so behind the phase, too. */
    List<Series> repeated() {
        Losses losses = ofCards;
        return losses == null || spec.rdma().isEmpty()
                ? List.of()
                : List.of(losses.packetsRepeated());
    }

    /**
     * Has tshark read the marks of all phases. It keeps a core from workers, so what the machine
     * did to these is looked at before.
     */
    List<PhaseOutcome> readMarks(List<PhaseOutcome> outcomes) throws BedException {
        List<PhaseOutcome> all = new ArrayList<>();
        for (int phase = 0; phase < outcomes.size(); phase++) {
            all.add(outcomes.get(phase).withMarks(marks.get(phase).read(network.programs())));
        }
        return all;
    }

    List<LabFiles.Used> pictures() {
        return pictures.all();
    }

    OwnOrders orders() {
        return orders;
    }

    /** Captures a moment of a phase, if not all frames are captured anyway. */
    private void captureMoment(OwnLabSpec.Phase phase, LabCapture capture) {
        // A port shows its frames to one capture at a time; that of marks lasts as the phase does.
        boolean isOrdered = phase.orders().stream().anyMatch(order -> order.captureMs() > 0);
        if (spec.capturesAll() || spec.measuresMarks() || isOrdered) {
            return;
        }
        // Where hosts must be stopped, the moment has the frames that stop them.
        boolean controlled = spec.expects(LabMeasure.TIME_STOPPED);
        // A switch whose capture begins is busy for some ten milliseconds with code that it has not
        // run yet: where rates are controlled, before they are as they should be.
        boolean isEarly =
                endsEarly || phase.flows().stream().anyMatch(flow -> !flow.rateControl().isEmpty());
        long endMs = phase.seconds() * MS_PER_SECOND;
        capture.openAfter((isEarly ? endMs / EARLY : endMs / 2) * NS_PER_MS, switches, controlled);
    }

    /**
     * Whether datagrams are followed through the network: not where runs do without, since what
     * senders still hold at the end has no counter.
     */
    private boolean follows() {
        return spec.run().isEmpty() || spec.measures(LabMeasure.SHARE_LOST_IN_QUEUES);
    }

    /** Whether the losses of each phase are needed. */
    private boolean losesByPhase() {
        return spec.namesPhases() || LabMeasure.OF_CARDS.stream().anyMatch(spec::measures);
    }

    /** At the ports that the phase's flows leave by, where these have an OpenQueue policy. */
    private void noteQueues(OwnLabSpec.Phase phase) {
        phase.flows().stream()
                .map(OwnLabSpec.Flow::to)
                .distinct()
                .forEach(host -> {
                    LinkPlan.End at = network.portOf(host);
                    RunningSwitch own = switches.all().get(at.node());
                    PortConfig port = own.config().ports().get(at.port());
                    boolean hasPolicy =
                            port.mechanisms().of(Mechanism.Kind.QUEUES).stream()
                                    .anyMatch(use -> use.name().equals(PolicyQueues.MECHANISM));
                    if (hasPolicy) {
                        String name = switches.portName(at.node(), port.name());
                        queues.add(phase.shown(), name, own.counters(), port.name());
                    }
                });
    }

    private void sayWhatBegins(OwnLabSpec.Phase phase) {
        int commands = phase.commands().size();
        boolean isShort = phase.flows().size() <= MOST_SAID && commands == 0;
        if (spec.namesPhases() && isShort) {
            progress.say(phase.describe(this::name));
            return;
        }
        int flows = phase.flows().size() + spec.rdma().size() + spec.probes().size();
        progress.say(
                (spec.namesPhases() ? phase.name() : "Traffic")
                        + ": "
                        + count(flows, "flow")
                        + ", "
                        + count(commands, "command")
                        + ", "
                        + phase.seconds()
                        + " s");
    }

    /** How late anything was begun that was due, but for what orders waited for. */
    long latestNs() {
        return latestNs;
    }

    /** When {@link #run} began with the traffic; 0: it has not. */
    long startNs() {
        return startNs;
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Until a time of this machine's clock, or until the lab is closed, or something is over. */
    private void parkUntil(long ns, BooleanSupplier isOver) {
        for (long leftNs = ns - System.nanoTime();
                leftNs > 0 && !network.programs().isClosed() && !isOver.getAsBoolean();
                leftNs = ns - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(leftNs, LOOK_NS));
        }
    }

    private Begun start(OwnLabSpec.Command command) throws BedException {
        progress.say(name(command.host()) + ": " + command.line());
        List<String> line = names.seenBy(List.of("sh", "-c", command.line()));
        return new Begun(
                ++commands,
                command,
                network.programs().start(network.hostNetns(command.host()), line));
    }

    private List<Sent> listen(OwnLabSpec.Phase phase) throws BedException {
        List<Sent> flows = new ArrayList<>();
        for (OwnLabSpec.Flow flow : phase.flows()) {
            Iperf3.Flow own =
                    new Iperf3.Flow(
                            flow.from() + 1,
                            flow.to() + 1,
                            flow.rateBps(),
                            flow.tos(),
                            SocketBuffers.granted(flow.socketBytes()),
                            flow.tcpControl(),
                            flow.burst());
            int number = flows.size();
            flows.add(new Sent(flow, number, Iperf3.listen(network, own, number), own));
        }
        for (Sent flow : flows) {
            Iperf3.awaitListening(flow.server, flow.number);
        }
        return flows;
    }

    private void send(Sent flow) throws BedException {
        flow.client =
                Iperf3.send(
                        network, flow.flow, flow.number, flow.spec.protocol(), flow.spec.seconds());
    }

    private List<Iperf3.Outcome> flows(OwnLabSpec.Phase phase, List<Sent> flows)
            throws BedException {
        List<Iperf3.Outcome> outcomes = flows(flows);
        for (int number = 0; number < outcomes.size(); number++) {
            keep(phase, flows.get(number), outcomes.get(number));
        }
        return outcomes;
    }

    private static List<Iperf3.Outcome> flows(List<Sent> flows) throws BedException {
        List<Iperf3.Outcome> outcomes = new ArrayList<>();
        for (Sent flow : flows) {
            Programs.Running client = flow.client;
            if (client == null) {
                throw new IllegalStateException("a flow that was not started");
            }
            outcomes.add(Iperf3.await(flow.flow, flow.spec.protocol(), flow.server, client, 0));
        }
        return outcomes;
    }

    private void keep(OwnLabSpec.Phase phase, Sent flow, Iperf3.Outcome outcome)
            throws BedException {
        String ends = name(flow.spec.from()) + "-" + name(flow.spec.to());
        boolean isFirst = phase.isFirstOfItsEnds(flow.number);
        String name =
                spec.namesPhases()
                        ? phase.word() + "-" + ends + (isFirst ? "" : "-" + (flow.number + 1))
                        : flow.number + 1 + "-" + ends;
        files.put("iperf3-" + name + ".json", outcome.json());
        String which =
                spec.namesPhases()
                        ? "iperf3 " + name
                        : "the flow " + (flow.number + 1) + " (" + ends + ")";
        String problem = outcome.problem();
        if (problem != null) {
            report.problem(which + " failed: " + problem);
        } else if (outcome.receivedBps() <= 0) {
            report.problem(which + " received nothing");
        }
    }

    private static String file(int number, String host) {
        return "command-" + number + "-" + host + ".txt";
    }

    private void describeCommands() {
        if (ran.isEmpty()) {
            return;
        }
        Table table = LabColumn.table(Of.COMMANDS);
        ran.forEach((number, one) ->
                table.row(one.host, one.command, one.ended, file(number, one.host)));
        report.add(new Section("Commands", List.copyOf(ran.values()), table));
    }

    private void end(List<Begun> begun) throws BedException {
        for (Begun one : begun) {
            String host = name(one.spec.host());
            boolean wasAlive = one.running.isAlive();
            Programs.Result result = one.running.end();
            files.put(file(one.number, host), result.output());
            String ended =
                    wasAlive
                            ? one.spec.isService() ? "with the lab" : "by the lab: it still ran"
                            : "exit code " + result.exitCode();
            ran.put(
                    one.number,
                    new Ran(host, one.spec.line(), ended, result.exitCode(), result.output()));
            if (one.spec.isService() != wasAlive || (!wasAlive && !result.ok())) {
                report.problem(
                        host
                                + ": '"
                                + one.spec.line()
                                + "' "
                                + (wasAlive
                                        ? "still ran when "
                                                + (spec.hasPhases()
                                                        ? "its phase"
                                                        : "the lab's time")
                                                + " was over"
                                        : "ended with " + ended + " (" + result.lastLine() + ")"));
            }
        }
    }
}
