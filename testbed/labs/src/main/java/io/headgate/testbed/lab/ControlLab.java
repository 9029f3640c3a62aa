package io.headgate.testbed.lab;

import io.headgate.config.HostConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.RdmaSession;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.hostagent.HostAgent;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaReport;
import io.headgate.hostagent.rdma.RdmaSetup;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.control.ControlTrial;
import io.headgate.testbed.lab.control.ControlTrial.Counts;
import io.headgate.testbed.lab.control.ControlTwin;
import io.headgate.testbed.lab.control.History;
import io.headgate.testbed.lab.control.LabControl;
import io.headgate.testbed.lab.control.StartTogether;
import io.headgate.testbed.lab.rdma.RdmaHosts;
import io.headgate.testbed.lab.series.CounterLooks;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Any rate control on real frames: three hosts that speak RoCEv2 ({@code headgate rdma}'s
 * endpoints) write to a fourth over lossless links, first held back by pauses (or credits, where
 * the control needs them) alone, then also by the control; the third stops before the others. What
 * a control is and what ports need for it, it says itself ({@link LabControl}), so that one from a
 * jar runs here, too.
 */
public final class ControlLab extends Lab {
    private static final int SENDERS = 3;
    private static final String PORT = "p" + (SENDERS + 1);
    private static final List<String> SENDER_PORTS = List.of("p1", "p2", "p3");
    private static final String QUEUE = "s1/" + PORT + " queue.bytes";
    private static final List<String> COUNTERS =
            Stream.concat(
                            Stream.of(QUEUE),
                            SENDER_PORTS.stream()
                                    .flatMap(port ->
                                            Stream.of("bytes", "frames", "link.control")
                                                    .map(what ->
                                                            "s1/"
                                                                    + port
                                                                    + " "
                                                                    + what
                                                                    + ".received")))
                    .toList();
    private static final int PATH_MTU = 1024;

    /** The first packet of a WRITE, without FCS. */
    private static final int FRAME_BYTES = PATH_MTU + 74;

    private static final int MESSAGE_BYTES = 65_536;

    /** Messages under way: what a sender has begun when its time is over, it ends. */
    private static final int DEPTH = 4;

    private static final long OWN_MAC = 0x0200_0000_0000L;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final double NS_PER_MS = 1e6;
    private static final String RUN = " run ";

    private static final long PATIENCE_NS = 30 * NS_PER_S;
    private static final long LOOK_NS = 10_000_000L;
    private static final long CAPTURED_NS = 100_000_000L;

    /** Frames that leave for the receiver meanwhile, also where the machine holds a worker. */
    private static final long CAPTURED_FRAMES = 500;

    /** When frames are captured, as a part of the time: the senders have found their rates. */
    private static final double CAPTURED_AT = 0.45;

    /** Longest time that workers may be held for, in ms: all share the machine. */
    private static final int HELD_MS = 100;

    /** The switch holds as much of each sender as where it pauses it. */
    private static final String CREDITS =
            "flow-control: credits, lossless: [3], credits: {update: on-change, min-gap: 100us,"
                    + " period: 5ms, block-scale: 2, buffer: 100kB}";

    /** Pauses while workers may be held for {@link #HELD_MS}. */
    private static final String PAUSES =
            "flow-control: pfc, lossless: [3], buffers: {xoff: 100kB},"
                    + " link: {delay: 50us, own-reaction: 100ms, peer-reaction: 100ms}";

    /** Both sides alike: no priority starves another, and few cores are slow to react. */
    private static final String ALWAYS =
            ", classify: {trust: dscp}, scheduler: [1, 1, 1, 4, 1, 1, 1, 1], ";

    /** DSCP of all, which is priority 3. */
    private static final int DSCP = 26;

    private static final long DELAY_NS = 50_000;

    private record Seen(ControlTrial trial, History history) {}

    private record Row(@Nullable ControlTrial trial, List<String> cells) {}

    private final String with;
    private final String keys;
    private final String ports;
    private final int runs;

    // Whether links have credits instead of pauses.
    private boolean overCredits;

    private final List<ControlTrial> trials = new ArrayList<>();

    /**
     * @param with the control's name
     * @param keys as {@link LabControl#of} has them
     * @param ports settings of ports, as {@link LabControl#of} has them
     * @param runs of each, without the control and with it; medians are judged
     */
    public ControlLab(
            LabOptions options,
            String with,
            String keys,
            String ports,
            int runs,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.with = with;
        this.keys = keys;
        this.ports = ports;
        this.runs = runs;
    }

    @Override
    public RunReport run() throws BedException {
        LabControl control = LabControl.of(with, keys, ports, LabPlan.link(options).rateBps());
        overCredits = control.overCredits();
        ControlTwin.Settings settings = settings();
        List<Figure> charts = new ArrayList<>();
        plots(() -> charts);
        List<Row> rows = new ArrayList<>();
        List<ControlTrial> medians = new ArrayList<>();
        List<ControlTrial> twins = new ArrayList<>();
        for (LabControl one : Arrays.asList(null, control)) {
            String name = one == null ? "without control" : "with " + one.name();
            List<Seen> real = new ArrayList<>();
            for (int run = 1; run <= runs; run++) {
                real.add(run(settings, one, run == 1 ? name : name + RUN + run));
            }
            List<ControlTrial> tried = real.stream().map(Seen::trial).toList();
            trials.addAll(tried);
            tried.forEach(trial -> rows.add(row(trial)));
            medians.add(ControlTrial.median(name, tried));
            if (runs > 1) {
                rows.add(row(ControlTrial.median(name + ", median", tried)));
                rows.add(spread(name, tried));
            }
            ControlTwin.Run twin = twin(settings, one, name);
            twins.add(twin.trial());
            rows.add(row(twin.trial()));
            charts.addAll(charts(real.getFirst(), twin.history()));
        }
        report.add(section(rows, about(settings)));
        ControlTrial alone = medians.getFirst();
        ControlTrial controlled = medians.getLast();
        report.headline(
                "queue without / with " + with, pair(alone.queueKb(), controlled.queueKb()));
        report.headline(
                "senders stopped without / with " + with,
                String.format(
                        Locale.ROOT,
                        "%.0f / %.0f ms",
                        alone.counts().stoppedMs(),
                        controlled.counts().stoppedMs()));
        report.headline(
                "Jain's index with " + with + " / in virtual time",
                String.format(
                        Locale.ROOT,
                        "%.3f / %.3f",
                        controlled.fairness(),
                        twins.getLast().fairness()));
        controlled.problems(alone).forEach(report::problem);
        if (!alone.doubt().isEmpty()) {
            report.doubt(Doubt.ofControl(alone.doubt()));
        }
        return finish();
    }

    private static String about(ControlTwin.Settings settings) {
        return String.format(
                Locale.ROOT,
                "rates on the wire, each sender's in turn; %d s here are %.1f ms of links of 40 Gb/s,"
                        + " for which controls are published:",
                settings.seconds(),
                settings.seconds() * 1e3 * settings.rateBps() / LabControl.PUBLISHED_BPS);
    }

    private static String pair(double without, double with) {
        return String.format(Locale.ROOT, "%.0f / %.0f kB", without, with);
    }

    /** What was tried on real frames: all runs without, then all with the control. */
    public List<ControlTrial> trials() {
        return List.copyOf(trials);
    }

    private ControlTwin.Settings settings() throws BedException {
        return new ControlTwin.Settings(
                LabPlan.link(options).rateBps(),
                DELAY_NS,
                options.mtuBytes(),
                FRAME_BYTES,
                SENDERS,
                // In virtual time no worker is ever held.
                "classify: {trust: dscp}, "
                        + (overCredits
                                ? CREDITS
                                : "lossless: [3], flow-control: pfc, buffers: {xoff: 100kB}"),
                DSCP,
                options.seconds(),
                options.seed());
    }

    private Seen run(ControlTwin.Settings settings, @Nullable LabControl control, String name)
            throws BedException {
        try (LabNetwork own = open()) {
            return run(own, settings, control, name);
        }
    }

    private Seen run(
            LabNetwork own, ControlTwin.Settings with, @Nullable LabControl control, String name)
            throws BedException {
        Privilege privilege = own.prepare(EnumSet.of(Tool.IP));
        LabPlan plan = plan(control);
        own.goFirst();
        NetnsNetwork network = own.build(plan, privilege);
        LabSwitches switches = own.startSwitches(network);
        RunningSwitch running = switches.only();
        own.awaitLinks(switches);
        Path file =
                options.captureDirectory().resolve("capture-" + LabFiles.word(name) + ".pcapng");
        LabCapture capture = own.capture(switches, file);
        HostConfig hosts = plan.agents(network);
        progress.say("Three senders, one receiver, %d s: %s".formatted(options.seconds(), name));
        CounterLooks looks = own.keep(new CounterLooks(switches.counters(COUNTERS)));
        running.clearWatermarks();
        CounterSnapshot before = running.counters();
        List<RdmaSession> sessions = new ArrayList<>();
        // Those that began first would have slowed down before the others came.
        StartTogether start = new StartTogether(SENDERS);
        for (int host = 0; host <= SENDERS; host++) {
            sessions.add(start(own, network, hosts, host, start));
        }
        await(sessions, running, capture, name);
        looks.close();
        capture.close();
        CounterSnapshot counted = running.counters().since(before);
        List<CounterSnapshot> cards = sessions.stream().map(RdmaSession::counters).toList();
        Counts counts = counts(counted, cards, hosts);
        History history = history(looks, with.rateBps() / 1e6);
        RunReport part = new RunReport(name);
        part.add(SwitchSection.of(running, counted, name + " began"));
        new LabChecks(part, progress).capture(network.programs(), capture);
        List<CounterSnapshot> workers = new ArrayList<>(cards);
        workers.add(running.counters());
        Holds holds = Holds.of(workers);
        holds.doubtRates("senders' rates", options.seconds(), part);
        doubtLosses(name, counts, holds, part);
        if (name.contains(RUN)) {
            part.problems().forEach(problem -> report.problem(name + ": " + problem));
            part.doubts().forEach(report::doubt);
        } else {
            report.addAll(part, name);
        }
        files.write("series-" + LabFiles.word(name) + ".csv", history.toCsv());
        return new Seen(ControlTwin.trial(with, name, history, counts), history);
    }

    private static History history(CounterLooks looks, double lineMbps) {
        List<Series> senders =
                SENDER_PORTS.stream().map(port -> looks.made(port, "Mb/s", onWire(port))).toList();
        return History.of(looks.made(PORT, "kB", "[" + QUEUE + "] / 1000"), senders, lineMbps);
    }

    /** What comes in by a port, in Mb/s, but for frames of flow control, all of the shortest. */
    private static String onWire(String port) {
        return "([s1/@ bytes.received] + 24 * [s1/@ frames.received] - 84 * [s1/@ link.control.received]) * 8 / 1000000"
                .replace("@", port);
    }

    /** Buffers hold what comes while a worker is held, for a time. */
    private static void doubtLosses(String name, Counts counts, Holds holds, RunReport report) {
        if (counts.lostFrames() + counts.repeated() > 0 && holds.exceed(HELD_MS * 1_000_000L)) {
            report.doubt(
                    Doubt.ofMachine(
                            "%s: %d frames were lost and %d packets repeated, and %s; buffers allow for %d ms"
                                    .formatted(
                                            name,
                                            counts.lostFrames(),
                                            counts.repeated(),
                                            holds.sentence(),
                                            HELD_MS)));
        }
    }

    /**
     * What switch and cards counted.
     *
     * @param counted by the switch
     * @param cards in the order of the hosts
     */
    private static Counts counts(
            CounterSnapshot counted, List<CounterSnapshot> cards, HostConfig hosts) {
        long pauses = 0;
        for (String port : SENDER_PORTS) {
            pauses += counted.value(Scope.EGRESS, port, EgressCounter.LINK_CONTROL_TRANSMITTED);
        }
        long repeated = 0;
        long stoppedNs = 0;
        long lost = counted.drops().stream().mapToLong(CounterSnapshot.Drop::frames).sum();
        for (int i = 0; i < cards.size(); i++) {
            CounterSnapshot card = cards.get(i);
            String host = hosts.nics().get(i).name();
            stoppedNs +=
                    FlowControlSection.rows(card).stream()
                            .mapToLong(FlowControlSection.Row::stoppedNs)
                            .sum();
            repeated += card.value(Scope.SWITCH, host, RdmaCounter.PACKETS_REPEATED);
            lost +=
                    card.drops().stream()
                            .filter(drop -> !RdmaHosts.isOfEnded(drop, host))
                            .mapToLong(CounterSnapshot.Drop::frames)
                            .sum();
        }
        return new Counts(stoppedNs / NS_PER_MS, pauses, repeated, lost);
    }

    private LabPlan plan(@Nullable LabControl control) throws BedException {
        String flowControl = ALWAYS + (overCredits ? CREDITS : PAUSES);
        if (control == null) {
            return LabPlan.lossless(SENDERS + 1, options, flowControl, "", "");
        }
        return LabPlan.lossless(
                SENDERS + 1,
                options,
                flowControl,
                ", congestion: " + LabControl.text(control.atSwitches()),
                ", congestion: "
                        + LabControl.text(control.everywhere())
                        + ", rate-control: "
                        + control.atHosts());
    }

    /** Starts the endpoints of a host, by its number from 0; the last one is the server. */
    private RdmaSession start(
            LabNetwork own, NetnsNetwork network, HostConfig hosts, int host, StartTogether start)
            throws BedException {
        HostConfig.Nic nic = hosts.nics().get(host);
        int address = RdmaHosts.ipv4(network.plan().hosts().get(host).address());
        int server = RdmaHosts.ipv4(network.plan().hosts().get(SENDERS).address());
        PerfPlan.Test test = PerfPlan.Test.WRITE_BW;
        double part = host == SENDERS - 1 ? ControlTrial.STOPS_AT : 1;
        long durationNs = Math.round(part * options.seconds() * NS_PER_S);
        RdmaSetup.Role role =
                host == SENDERS
                        ? new RdmaSetup.Server(test, SENDERS, SENDERS * MESSAGE_BYTES + 4_096L)
                        : new RdmaSetup.Client(
                                new PerfPlan(test, MESSAGE_BYTES, 0, durationNs, DEPTH),
                                server,
                                server,
                                0,
                                1,
                                PATIENCE_NS,
                                start.place());
        try {
            RdmaSetup setup =
                    new RdmaSetup(
                            OWN_MAC | Integer.toUnsignedLong(address),
                            address,
                            nic.rateBps(),
                            PATH_MTU,
                            DSCP,
                            RdmaSetup.USUAL_SERVICE,
                            RdmaSetup.usualTimeoutNs(nic.rateBps()),
                            RdmaSetup.USUAL_RETRIES,
                            0,
                            HostAgent.controls(nic));
            return own.startEndpoints(
                    nic, hosts.workers(), List.of(new RdmaSetup.End(setup, role)));
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Waits until all sessions have reported their result; captures some frames meanwhile. */
    private void await(
            List<RdmaSession> sessions, RunningSwitch running, LabCapture capture, String name)
            throws BedException {
        long beginNs = System.nanoTime();
        long openNs = beginNs + Math.round(CAPTURED_AT * options.seconds() * NS_PER_S);
        long endNs = beginNs + TimeUnit.SECONDS.toNanos(options.seconds() + 90L);
        long shutNs = Long.MAX_VALUE;
        long enough = 0;
        boolean isOver = false;
        while (!isOver) {
            LockSupport.parkNanos(LOOK_NS);
            long nowNs = System.nanoTime();
            if (shutNs != Long.MAX_VALUE && nowNs - shutNs >= 0 && sent(running) >= enough) {
                capture.shut();
            } else if (shutNs == Long.MAX_VALUE && nowNs - openNs >= 0) {
                capture.open();
                enough = sent(running) + CAPTURED_FRAMES;
                shutNs = System.nanoTime() + CAPTURED_NS;
            }
            isOver = true;
            for (RdmaSession session : sessions) {
                isOver &= isOver(session, name);
            }
            if (!isOver && (isClosed() || nowNs - endNs > 0)) {
                throw new BedException(name + ": the hosts did not come to an end");
            }
        }
    }

    /** Frames that have left for the receiver. */
    private static long sent(RunningSwitch running) {
        return running.counters().value(Scope.EGRESS, PORT, EgressCounter.FRAMES_TRANSMITTED);
    }

    private static boolean isOver(RdmaSession session, String name) throws BedException {
        RdmaReport said = RdmaHosts.report(session, 0);
        if (said != null && said.failure() != null) {
            throw new BedException(name + ": " + said.failure());
        }
        return said != null;
    }

    private ControlTwin.Run twin(
            ControlTwin.Settings settings, @Nullable LabControl control, String name)
            throws BedException {
        String named = name + ", virtual time";
        progress.say("The same in virtual time: " + name);
        String file = ControlTwin.file(settings, control);
        files.write("twin-" + LabFiles.word(name) + ".yaml", file);
        try {
            ControlTwin.Run run = ControlTwin.run(settings, file, named);
            files.write("series-" + LabFiles.word(named) + ".csv", run.history().toCsv());
            return run;
        } catch (ScenarioException e) {
            throw new BedException("in virtual time: " + e.getMessage(), e);
        }
    }

    private static Section section(List<Row> rows, String about) {
        Table table = LabColumn.table(Of.CONTROLS);
        rows.forEach(row -> table.row(row.cells.toArray(String[]::new)));
        List<ControlTrial> trials = rows.stream().map(Row::trial).filter(Objects::nonNull).toList();
        return new Section("Rate control", trials, about, table);
    }

    private static Row row(ControlTrial one) {
        Counts counts = one.counts();
        return new Row(
                one,
                List.of(
                        one.name(),
                        mbps(one.threeMbps()),
                        String.format(Locale.ROOT, "%.3f", one.fairness()),
                        mbps(one.twoMbps()),
                        String.format(Locale.ROOT, "%.1f", one.queueKb()),
                        String.format(Locale.ROOT, "%.0f", counts.stoppedMs()),
                        Long.toString(counts.pauseFrames()),
                        Long.toString(counts.repeated()),
                        Long.toString(counts.lostFrames())));
    }

    private static Row spread(String name, List<ControlTrial> runs) {
        return new Row(
                null,
                List.of(
                        name + ", least to most",
                        spread(runs, "%.1f", ControlTrial::threeTogetherMbps),
                        spread(runs, "%.3f", ControlTrial::fairness),
                        spread(runs, "%.1f", ControlTrial::twoTogetherMbps),
                        spread(runs, "%.1f", ControlTrial::queueKb),
                        spread(runs, "%.0f", run -> run.counts().stoppedMs()),
                        spread(runs, "%.0f", run -> run.counts().pauseFrames()),
                        spread(runs, "%.0f", run -> run.counts().repeated()),
                        spread(runs, "%.0f", run -> run.counts().lostFrames())));
    }

    private static String spread(
            List<ControlTrial> runs, String format, ToDoubleFunction<ControlTrial> value) {
        DoubleSummaryStatistics all = runs.stream().mapToDouble(value).summaryStatistics();
        return String.format(Locale.ROOT, format + " to " + format, all.getMin(), all.getMax());
    }

    private static String mbps(List<Double> rates) {
        return rates.stream()
                .map(rate -> String.format(Locale.ROOT, "%.1f", rate))
                .collect(Collectors.joining("  "));
    }

    private static List<Figure> charts(Seen real, History virtual) {
        List<Line> rates = new ArrayList<>();
        for (int host = 0; host < SENDERS; host++) {
            History of = real.history;
            String name = "h" + (host + 1);
            rates.add(line(name, Style.LINE, of, of.senderMbps().get(host)));
            rates.add(
                    line(
                            name + ", virtual",
                            Style.DASHED,
                            virtual,
                            virtual.senderMbps().get(host)));
        }
        List<Line> queues =
                List.of(
                        line("queue of " + PORT, Style.LINE, real.history, real.history.queueKb()),
                        line("the same, virtual", Style.DASHED, virtual, virtual.queueKb()));
        String name = real.trial.name();
        return List.of(
                figure("Throughput", name, "Mb/s", rates), figure("Queue", name, "kB", queues));
    }

    private static Figure figure(String what, String name, String unit, List<Line> lines) {
        return new Figure(
                LabFiles.word(what + "-" + name),
                what + ", " + name,
                Axis.linear("time", "s"),
                Axis.linear(what.toLowerCase(Locale.ROOT), unit),
                lines,
                List.of(),
                "",
                "");
    }

    private static Line line(String name, Style style, History of, double[] values) {
        // What was before traffic began is not shown.
        int first = 0;
        while (first < of.seconds().length && of.seconds()[first] < 0) {
            first++;
        }
        return new Line(
                name,
                style,
                Arrays.copyOfRange(of.seconds(), first, of.seconds().length),
                Arrays.copyOfRange(values, first, values.length));
    }
}
