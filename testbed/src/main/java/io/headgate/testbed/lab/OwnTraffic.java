package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.run.RunningSwitch;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.outage.Probes;
import io.headgate.testbed.lab.own.LabExpectation.Measure;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rdma.RdmaHosts;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.HostNames;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.SocketBuffers;
import io.headgate.testbed.scenario.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The flows and commands of a user's lab, each at its time, and their results. The lab's thread
 * starts all programs and ends them.
 */
final class OwnTraffic {
    /** With more hosts than this, each pings only the next. */
    private static final int MOST_PINGING_ALL = 8;

    private static final int PINGS = 3;
    private static final long PING_TIMEOUT_MS = 60_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final long MS_PER_SECOND = 1000;
    private static final int DSCP_SHIFT = 2;

    private record Event(long atMs, Action action) {}

    @FunctionalInterface
    private interface Action {
        void run() throws BedException;
    }

    /** A flow under way. */
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

    /** What a command came to, for programs. */
    record Ran(String host, String command, String ended, int exitCode, String output) {}

    /** What a flow came to, for programs. */
    record FlowResult(
            String from,
            String to,
            String protocol,
            double startSeconds,
            int seconds,
            double sentBps,
            double receivedBps,
            long retransmits,
            long lostDatagrams,
            long datagrams,
            @Nullable String problem) {}

    private record Begun(OwnLabSpec.Command spec, Programs.Running running) {}

    private static final long LOOK_NS = 50_000_000;

    private final OwnLabSpec spec;
    private final LabFiles files;
    private final NetnsNetwork network;
    private final HostNames names;
    private final LabSwitches switches;
    private final RdmaHosts rdma;
    private final Probes probes;
    private final RunReport report;
    private final Progress progress;
    private long startNs;

    OwnTraffic(
            OwnLabSpec spec,
            LabFiles files,
            NetnsNetwork network,
            HostNames names,
            LabSwitches switches,
            RdmaHosts rdma,
            Probes probes,
            RunReport report,
            Progress progress) {
        this.spec = spec;
        this.files = files;
        this.network = network;
        this.names = names;
        this.switches = switches;
        this.rdma = rdma;
        this.probes = probes;
        this.report = report;
        this.progress = progress;
    }

    private String name(int host) {
        return network.plan().hosts().get(host).name();
    }

    /** Every host with a kernel pings every other, or where there are many the next one. */
    void pingAll() throws BedException {
        int[] pinging =
                IntStream.range(0, network.plan().hosts().size())
                        .filter(host -> !rdma.has(host))
                        .toArray();
        int hosts = pinging.length;
        if (hosts < 2) {
            return;
        }
        record Under(int from, int to, Programs.Running ping) {}
        List<Under> under = new ArrayList<>();
        for (int first = 0; first < hosts; first++) {
            for (int step = 1; step < (hosts > MOST_PINGING_ALL ? 2 : hosts); step++) {
                int from = pinging[first];
                int to = pinging[(first + step) % hosts];
                List<String> ping = Ping.command(network.address(to), PINGS);
                under.add(
                        new Under(
                                from, to, network.programs().start(network.hostNetns(from), ping)));
            }
        }
        Table table = LabColumn.table(Of.PINGS);
        List<Ping.Outcome> pings = new ArrayList<>();
        for (Under one : under) {
            String output = one.ping.await(PING_TIMEOUT_MS).output();
            Ping.Outcome ping = Ping.parse(one.from, one.to, PINGS, output);
            pings.add(ping);
            boolean reaches = ping.reachable();
            table.row(
                    name(one.from),
                    name(one.to),
                    reaches ? String.format(Locale.ROOT, "%.3f", ping.minimumMs()) : "none");
            if (!reaches) {
                report.problem(name(one.from) + " does not reach " + name(one.to) + " by ping");
            }
        }
        long reachable = pings.stream().filter(Ping.Outcome::reachable).count();
        String sentence = reachable + " of " + pings.size() + " pairs reachable";
        progress.say("Ping: " + sentence);
        report.add(new Section("Ping", pings, sentence, table));
    }

    /**
     * Runs everything that the file asks for, each at its time.
     *
     * @param capture of which some moments in the middle are captured, or all of it
     * @return the result of each flow
     */
    List<Iperf3.Outcome> run(LabCapture capture) throws BedException {
        List<Begun> begun = new ArrayList<>();
        for (OwnLabSpec.Command command : spec.commands()) {
            if (command.isService()) {
                begun.add(start(command));
            }
        }
        List<Sent> flows = listen();
        List<Event> events = new ArrayList<>();
        flows.forEach(flow -> events.add(new Event(flow.spec.startMs(), () -> send(flow))));
        for (int number = 0; number < spec.rdma().size(); number++) {
            int flow = number;
            events.add(new Event(spec.rdma().get(flow).startMs(), () -> rdma.begin(flow)));
        }
        for (OwnLabSpec.Command command : spec.commands()) {
            if (!command.isService()) {
                events.add(new Event(command.startMs(), () -> begun.add(start(command))));
            }
        }
        spec.orders().forEach(order -> events.add(new Event(order.atMs(), () -> obey(order))));
        long endMs = spec.seconds() * MS_PER_SECOND;
        events.sort(Comparator.comparingLong(Event::atMs));
        progress.say(
                "Traffic: "
                        + count(flows.size() + spec.rdma().size() + spec.probes().size(), "flow")
                        + ", "
                        + count(spec.commands().size(), "command")
                        + ", "
                        + spec.seconds()
                        + " s");
        // Where hosts must be stopped, the moment has the frames that stop them.
        boolean controlled = spec.expects(Measure.TIME_STOPPED);
        if (spec.capturesAll()) {
            capture.open();
        } else {
            capture.openAfter(endMs / 2 * NS_PER_MS, switches, controlled);
        }
        startNs = System.nanoTime();
        probes.start(startNs);
        for (Event event : events) {
            parkUntil(startNs + event.atMs * NS_PER_MS);
            event.action.run();
        }
        parkUntil(startNs + endMs * NS_PER_MS);
        List<Iperf3.Outcome> outcomes = flows(flows);
        commands(begun);
        capture.awaitMoment();
        return outcomes;
    }

    /** When {@link #run} began with the traffic. */
    long startNs() {
        return startNs;
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Until a time of this machine's clock, or until the lab is closed. */
    private void parkUntil(long ns) {
        for (long leftNs = ns - System.nanoTime();
                leftNs > 0 && !network.programs().isClosed();
                leftNs = ns - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(leftNs, LOOK_NS));
        }
    }

    private Begun start(OwnLabSpec.Command command) throws BedException {
        progress.say(name(command.host()) + ": " + command.line());
        List<String> line = names.seenBy(List.of("sh", "-c", command.line()));
        return new Begun(
                command, network.programs().start(network.hostNetns(command.host()), line));
    }

    private void obey(OwnLabSpec.Order order) {
        progress.say("order: " + order.words());
        for (OwnLabSpec.Step step : order.steps()) {
            RunningSwitch own = switches.named(step.node());
            try {
                own.changedFromOutside(
                        step.assignments().isEmpty()
                                ? own.set(step.set(), "order")
                                : own.set(step.assignments()));
            } catch (IllegalStateException | ConfigException e) {
                report.problem("the order " + order.words() + " failed: " + Reason.of(e));
            }
        }
    }

    private List<Sent> listen() throws BedException {
        List<Sent> flows = new ArrayList<>();
        for (OwnLabSpec.Flow flow : spec.flows()) {
            Iperf3.Flow own =
                    new Iperf3.Flow(
                            flow.from() + 1,
                            flow.to() + 1,
                            flow.rateBps(),
                            flow.dscp() << DSCP_SHIFT,
                            SocketBuffers.granted(flow.socketBytes()),
                            flow.tcpControl());
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
                        network,
                        flow.flow,
                        flow.number,
                        flow.spec.protocol(),
                        flow.spec.seconds(),
                        flow.spec.rateBps());
    }

    private List<Iperf3.Outcome> flows(List<Sent> flows) throws BedException {
        if (flows.isEmpty()) {
            return List.of();
        }
        List<Iperf3.Outcome> outcomes = new ArrayList<>();
        List<FlowResult> results = new ArrayList<>();
        Table table = LabColumn.table(Of.FLOWS);
        for (Sent flow : flows) {
            Programs.Running client = flow.client;
            if (client == null) {
                throw new IllegalStateException("a flow that was not begun");
            }
            Iperf3.Outcome outcome =
                    Iperf3.await(flow.flow, flow.spec.protocol(), flow.server, client, 0);
            outcomes.add(outcome);
            results.add(result(flow, outcome));
            boolean isUdp = flow.spec.protocol() == Protocol.UDP;
            table.row(
                    name(flow.spec.from()) + "→" + name(flow.spec.to()),
                    flow.spec.protocol().name(),
                    String.format(Locale.ROOT, "%.1f", flow.spec.startMs() / 1e3),
                    String.format(Locale.ROOT, "%.1f", outcome.sentBps() / 1e6),
                    String.format(Locale.ROOT, "%.1f", outcome.receivedBps() / 1e6),
                    isUdp ? "-" : Long.toString(outcome.retransmits()),
                    isUdp ? outcome.lostDatagrams() + "/" + outcome.datagrams() : "-");
            keep(flow, outcome);
        }
        report.add(new Section("Flows", results, table));
        report.headline(
                results.size() == 1
                        ? "received of the flow (payload)"
                        : "received of " + results.size() + " flows (payload, each while it lasts)",
                Numbers.rate(results.stream().mapToDouble(FlowResult::receivedBps).sum()));
        long lost = results.stream().mapToLong(FlowResult::lostDatagrams).sum();
        long sent = results.stream().mapToLong(FlowResult::datagrams).sum();
        if (sent > 0) {
            report.headline("lost, of " + sent + " datagrams", Long.toString(lost));
        } else {
            long again = results.stream().mapToLong(FlowResult::retransmits).sum();
            report.headline("sent again (TCP)", again + " segments");
        }
        return outcomes;
    }

    private FlowResult result(Sent flow, Iperf3.Outcome outcome) {
        return new FlowResult(
                name(flow.spec.from()),
                name(flow.spec.to()),
                flow.spec.protocol().name(),
                flow.spec.startMs() / 1e3,
                flow.spec.seconds(),
                outcome.sentBps(),
                outcome.receivedBps(),
                outcome.retransmits(),
                outcome.lostDatagrams(),
                outcome.datagrams(),
                outcome.problem());
    }

    private void keep(Sent flow, Iperf3.Outcome outcome) throws BedException {
        String ends = name(flow.spec.from()) + "-" + name(flow.spec.to());
        String file = "iperf3-" + (flow.number + 1) + "-" + ends + ".json";
        files.put(file, outcome.json());
        String problem = outcome.problem();
        if (problem != null) {
            report.problem("the flow " + (flow.number + 1) + " (" + ends + ") failed: " + problem);
        } else if (outcome.receivedBps() <= 0) {
            report.problem("the flow " + (flow.number + 1) + " (" + ends + ") received nothing");
        }
    }

    private void commands(List<Begun> begun) throws BedException {
        if (begun.isEmpty()) {
            return;
        }
        List<Ran> results = new ArrayList<>();
        Table table = LabColumn.table(Of.COMMANDS);
        for (int number = 0; number < begun.size(); number++) {
            Begun one = begun.get(number);
            String host = name(one.spec.host());
            boolean wasAlive = one.running.isAlive();
            Programs.Result result = one.running.end();
            String file = "command-" + (number + 1) + "-" + host + ".txt";
            files.put(file, result.output());
            String ended =
                    wasAlive
                            ? one.spec.isService() ? "with the lab" : "by the lab: it still ran"
                            : "exit code " + result.exitCode();
            results.add(new Ran(host, one.spec.line(), ended, result.exitCode(), result.output()));
            table.row(host, one.spec.line(), ended, file);
            if (one.spec.isService() != wasAlive || (!wasAlive && !result.ok())) {
                report.problem(
                        host
                                + ": '"
                                + one.spec.line()
                                + "' "
                                + (wasAlive
                                        ? "still ran when the lab's time was over"
                                        : "ended with " + ended + " (" + result.lastLine() + ")"));
            }
        }
        report.add(new Section("Commands", results, table));
    }
}
