package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.PausedNetwork;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.testbed.lab.deadlock.Remedy;
import io.headgate.testbed.lab.deadlock.RingReport;
import io.headgate.testbed.lab.deadlock.RingTrial;
import io.headgate.testbed.lab.series.Occupancies;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.netns.bed.HostCards;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A routing deadlock on real frames, and its end (Menikkumbura's dissertation, section 4.6.2,
 * figure 4.10): three switches in a ring, three flows of two hops, all clockwise, under PFC.
 *
 * <p>The start rule: the ring's links are held at 1 Mb/s while the three senders, which begin at
 * one instant, fill their switches up to xoff; then all links get their rate together. What each
 * switch sends first is then its own host's, a whole xoff of it, and the next switch must send an
 * xoff of its own before it can send any of it on: each buffer reaches xoff before its switch has
 * sent anything out of it, and all three switches pause one another.
 */
public final class DeadlockLab extends Lab {
    private static final int HOSTS = 3;
    private static final long DELAY_NS = 50_000;
    private static final int PRIORITY = 3;
    private static final int DSCP = 26;
    private static final int FRAME_BYTES = 1514;

    private static final long QUEUE_BYTES = 4_000_000;

    /** Where each switch of the ring sends to the next one, and receives from the last. */
    private static final List<String> OUT = List.of("p2", "p3", "p3");

    private static final List<String> IN = List.of("p3", "p2", "p2");
    private static final String HOST_PORT = "p1";
    private static final String SLOW = "1Mbps";

    /** How the kernel has the names of the switches' threads. */
    private static final String WORKERS = "headgate-worker";

    /** What the hosts' cards and generators are made for. */
    private static final long USUAL_RATE_BPS = 10_000_000_000L;

    private static final long PS_PER_NS = 1000;
    private static final long LOOK_NS = 5_000_000;
    private static final long WARM_UP_NS = 2_000_000_000L;
    private static final int ATTEMPTS = 3;
    private static final long FILL_NS = 1_000_000_000L;
    private static final long REST_NS = 5_000_000_000L;
    private static final long QUIET_NS = 300_000_000;
    private static final long BEFORE_NS = 20_000_000;
    private static final long WINDOW_NS = 100_000_000;
    private static final long INTERVAL_NS = 100_000_000;
    private static final int PER_SECOND = 10;
    private static final double NS_PER_S = 1e9;

    /** What buffers allow a worker to be held for; and what leaves of a second enough to judge. */
    private static final long ALLOWED_HOLD_NS = LabPlan.HELD_MS * 1_000_000L;

    private static final long LONGEST_HOLD_NS = 500_000_000;

    private final Remedy remedy;
    private final int standSeconds;
    private final int runs;
    private final List<RingTrial> trials = new ArrayList<>();
    private final List<Figure> charts = new ArrayList<>();

    /**
     * @param options its duration is the time from the remedy on
     * @param standSeconds how long the ring is watched before the remedy
     * @param runs each with a network of its own
     */
    public DeadlockLab(
            LabOptions options,
            Remedy remedy,
            int standSeconds,
            int runs,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.remedy = remedy;
        this.standSeconds = standSeconds;
        this.runs = runs;
        report.options(Map.of("remedy", remedy.word(), "standSeconds", standSeconds, "runs", runs));
    }

    @Override
    public RunReport run() throws BedException {
        plots(() -> charts);
        for (int run = 1; run <= runs; run++) {
            RingTrial trial = attempt(run);
            trials.add(trial);
            trial.problems().forEach(report::problem);
        }
        report.add(RingReport.section(trials));
        RingReport.headlines(trials, report);
        return finish();
    }

    /** A run, begun again on a new network where the machine did not let the senders begin. */
    private RingTrial attempt(int run) throws BedException {
        for (int attempt = 1; ; attempt++) {
            try (LabNetwork own = open()) {
                return run(own, run);
            } catch (SendersHeld e) {
                String why =
                        "the senders did not fill their switches up to xoff within 1 s: this"
                                + " machine has too much else to do";
                if (attempt == ATTEMPTS) {
                    throw new BedException(why);
                }
                progress.say("Once more: " + why);
            }
        }
    }

    /** What was found; complete once {@link #run} has ended. */
    public List<RingTrial> trials() {
        return List.copyOf(trials);
    }

    private Topology topology() throws BedException {
        LinkSpec link = LabPlan.link(options);
        PortTraffic ports =
                PortTraffic.NONE
                        .with("flow-control", FlowControlConfig.Mode.PFC)
                        .with("classify.trust", TrafficConfig.Trust.DSCP)
                        .with("lossless", List.of(PRIORITY))
                        .with("buffers.xoff", RingTrial.XOFF_BYTES)
                        .with("buffers.xon", RingTrial.XON_BYTES)
                        .with("link.delay", DELAY_NS)
                        .with("link.own-reaction", LabPlan.HELD_MS * 1_000_000L)
                        .with("link.peer-reaction", LabPlan.HELD_MS * 1_000_000L);
        return Topologies.ring(HOSTS, 1, Topologies.Turn.CLOCKWISE, link, link)
                .withSizes(new Topology.Sizes(options.mtuBytes(), QUEUE_BYTES, 0))
                .withPorts(remedy.ports(ports));
    }

    private PlanOptions plan(PlanOptions plain) {
        PlanOptions named = plain.withSwitchPrefix(options.prefix());
        Mechanisms.Use domain = remedy.domain();
        return domain == null
                ? named
                : named.withAdjust(
                        config -> config.withMechanisms(config.mechanisms().with(domain)));
    }

    private RingTrial run(LabNetwork own, int run) throws BedException, SendersHeld {
        Privilege privilege = own.prepare(EnumSet.of(Tool.IP, Tool.SETPRIV));
        own.goFirst();
        NetnsNetwork made =
                own.build(
                        topology(),
                        NetnsNetwork.Options.of(options.prefix(), options.seed())
                                .withHosts(NetnsNetwork.Hosts.CARD)
                                .withPlan(this::plan),
                        privilege);
        LabSwitches switches = own.startSwitches(made);
        own.awaitLinks(switches);
        Path file = options.captureDirectory().resolve("capture-run-" + run + ".pcapng");
        LabCapture capture = run == 1 ? own.capture(switches, file) : null;
        Ring ring = new Ring(own, made, switches, capture);
        RingTrial trial = ring.run(run);
        ring.describe(trial, run);
        if (capture != null) {
            capture.close();
            new LabChecks(report, progress).capture(made.programs(), capture);
        }
        return trial;
    }

    /** The senders had no core in the time that they have to fill their switches. */
    private static final class SendersHeld extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** One run, on a network that stands. */
    private final class Ring {
        private final LabNetwork own;
        private final NetnsNetwork made;
        private final LabSwitches switches;
        private final @Nullable LabCapture capture;
        private final List<Flow> flows = new ArrayList<>();

        /** What the switches had counted when they were warm; what came before does not count. */
        private LabCounters warm;

        private final List<ThroughputSeries> received = new ArrayList<>();
        private Map<String, Long> cardDrops = Map.of();

        Ring(
                LabNetwork own,
                NetnsNetwork made,
                LabSwitches switches,
                @Nullable LabCapture capture) {
            this.own = own;
            this.made = made;
            this.switches = switches;
            this.capture = capture;
            this.warm = LabCounters.of(switches);
        }

        /**
         * Describes what the switches counted since the run's own count began: a table with an
         * earlier start would name frames that the verdict does not count as lost. Losses of the
         * warm-up have a line of their own.
         */
        void describe(RingTrial trial, int run) {
            LabCounters counted = LabCounters.of(switches).since(warm);
            for (int node = 0; run == 1 && node < HOSTS; node++) {
                report.add(
                        SwitchSection.of(
                                switches.all().get(node),
                                counted.bySwitch().get(node),
                                "the ring was warm, in run 1"));
            }
            long before = warm.drops().stream().mapToLong(CounterSnapshot.Drop::frames).sum();
            report.add(
                    new Section(
                            "Warm-up of run " + run,
                            warm.drops(),
                            (before == 0 ? "no" : Long.toString(before))
                                    + " frames were dropped in the 2 s before, in which the ring"
                                    + " was warmed up; no number of this report counts them"));
            Holds holds = Holds.of(counted.bySwitch());
            if (!trial.doubt().isEmpty()) {
                report.doubt(
                        new Doubt(
                                "the control case: " + trial.doubt() + "; " + holds.sentence(),
                                holds.exceed(ALLOWED_HOLD_NS)));
            }
            boolean isLong = holds.exceed(LONGEST_HOLD_NS);
            if (isLong || (trial.allDropped() > 0 && holds.exceed(ALLOWED_HOLD_NS))) {
                report.doubt(
                        Doubt.ofMachine(
                                "run "
                                        + run
                                        + ": "
                                        + holds.sentence()
                                        + (isLong
                                                ? ", more than half of a second that is judged"
                                                : ", and buffers allow for "
                                                        + LabPlan.HELD_MS
                                                        + " ms")));
            }
        }

        RingTrial run(int run) throws BedException, SendersHeld {
            // With few cores, the watching threads would not get one while workers have priority;
            // neither would the compilers, which this gives priority too.
            boolean urgent = RealTimePriority.take();
            if (urgent) {
                RealTimePriority.give(WORKERS);
            }
            try {
                warmUp();
                switches.all().forEach(RunningSwitch::clearWatermarks);
                warm = LabCounters.of(switches);
                for (int node = 0; node < HOSTS; node++) {
                    set(node, List.of(OUT.get(node) + ".rate=" + SLOW));
                }
                Occupancies buffers = own.keep(new Occupancies(names(), occupancies()));
                Times times = run(buffers);
                RingTrial trial = trial(run, buffers, times);
                files.write("buffers-run-" + run + ".csv", buffers.toCsv());
                if (run == 1) {
                    files.draw(
                            new LabFiles.Used(
                                    "network-deadlock",
                                    "The ring from its release until the remedy.",
                                    switches.plan(),
                                    times.before.loads(times.remedySeconds, List.of()),
                                    times.remedySeconds));
                    files.draw(
                            new LabFiles.Used(
                                    "network-" + remedy.word(),
                                    "The same behind the remedy: " + remedy.word() + ".",
                                    switches.plan(),
                                    times.counted.loads(
                                            times.endSeconds - times.remedySeconds, List.of()),
                                    times.endSeconds - times.remedySeconds));
                    charts.addAll(
                            RingReport.charts(
                                    remedy,
                                    buffers,
                                    received,
                                    times.releasedAt,
                                    times.remedySeconds,
                                    trial.shareMbps()));
                    report.add(
                            new Section("Who waits for whom", times.trace, times.trace.toText()));
                    files.write(
                            "switch.yaml",
                            SwitchConfigs.toYaml(switches.all().getFirst().config()));
                }
                return trial;
            } catch (DeviceException | ScenarioException e) {
                throw new BedException(e);
            } finally {
                if (urgent) {
                    RealTimePriority.takeBack(WORKERS);
                    RealTimePriority.giveBack();
                }
            }
        }

        private List<String> names() {
            List<String> names = new ArrayList<>();
            for (int node = 0; node < HOSTS; node++) {
                names.add(switches.name(node) + "/" + IN.get(node));
            }
            return names;
        }

        /** What the buffer of the ring's port of each switch holds. */
        private List<LongSupplier> occupancies() {
            List<LongSupplier> buffers = new ArrayList<>();
            for (int node = 0; node < HOSTS; node++) {
                CounterDirectory counters = switches.all().get(node).realTime().engine().counters();
                Entry entry =
                        CounterLookup.find(
                                counters.entries(),
                                Scope.INGRESS,
                                IN.get(node),
                                Ingress.OCCUPANCY_BYTES.label(PRIORITY));
                buffers.add(() -> counters.value(entry));
            }
            return buffers;
        }

        /** As {@code headgate set} does, by the switch's control socket. */
        private void set(int node, List<String> assignments) throws BedException {
            if (assignments.isEmpty()) {
                return;
            }
            String name = switches.all().get(node).config().name();
            try (SwitchClient client = SwitchClient.connect(RunDirectory.base(), name)) {
                client.ask("set", Map.of("assignments", assignments));
            } catch (DaemonException e) {
                throw new BedException(e);
            }
        }

        /** The same flows with the remedy on: what the JVM compiles now causes no delay later. */
        private void warmUp() throws BedException, DeviceException, ScenarioException {
            Remedy with = remedy.warmUp();
            progress.say("Warming the ring up, with " + with.word() + " on");
            set(with, true);
            HostCards cards = openCards();
            try (cards) {
                for (int host = 0; host < HOSTS; host++) {
                    cards.traffic().start(flow(host).during(0, WARM_UP_NS * PS_PER_NS));
                }
                cards.start();
                sleepUntil(cards, WARM_UP_NS);
                awaitRest(REST_NS);
            }
            set(with, false);
        }

        /** Fills, releases, watches, turns the remedy on, and waits for the end. */
        private Times run(Occupancies buffers)
                throws BedException, DeviceException, ScenarioException, SendersHeld {
            HostCards cards = cards();
            try (cards) {
                return run(cards, buffers);
            } finally {
                buffers.close();
                cardDrops = cards.drops();
            }
        }

        private Times run(HostCards cards, Occupancies buffers)
                throws BedException, ScenarioException, SendersHeld {
            cards.start();
            awaitFull(cards);
            for (int node = 0; node < HOSTS; node++) {
                set(node, List.of(OUT.get(node) + ".rate=" + options.rate()));
            }
            LabCounters atRelease = LabCounters.of(switches);
            buffers.begin();
            double releasedAt = cards.nowNs() / NS_PER_S;
            progress.say("The senders have filled their switches up to xoff; the ring is released");
            sleepUntil(cards, remedyNs() - BEFORE_NS);
            if (capture != null) {
                capture.open();
            }
            sleepUntil(cards, remedyNs());
            LabCounters atRemedy = LabCounters.of(switches);
            double remedySeconds = buffers.nowSeconds();
            say(buffers, remedySeconds);
            PauseTrace trace = explain();
            turnOn();
            sleepUntil(cards, remedyNs() + WINDOW_NS);
            if (capture != null) {
                capture.shut();
            }
            sleepUntil(cards, stopNs());
            double endSeconds = buffers.nowSeconds();
            LabCounters atEnd = LabCounters.of(switches);
            awaitRest(remedy == Remedy.NONE ? 0 : REST_NS);
            cards.requireSound();
            return new Times(
                    releasedAt,
                    remedySeconds,
                    endSeconds,
                    atRemedy.since(atRelease),
                    atEnd.since(atRemedy),
                    trace);
        }

        private HostCards cards() throws DeviceException, BedException {
            HostCards cards = openCards();
            for (int host = 0; host < HOSTS; host++) {
                FlowSpec flow = flow(host).during(0, stopNs() * PS_PER_NS);
                received.add(
                        cards.traffic()
                                .group(flow.name())
                                .recordThroughput(INTERVAL_NS * PS_PER_NS));
                flows.add(cards.traffic().start(flow));
            }
            return cards;
        }

        private HostCards openCards() throws DeviceException, BedException {
            long rateBps = LabPlan.link(options).rateBps();
            int slower = (int) Math.max(1, USUAL_RATE_BPS / rateBps);
            return new HostCards(made, options.seed(), slower);
        }

        /** From a host to the one two switches on. */
        private static FlowSpec flow(int host) {
            FrameShape shape = FrameShape.udp(FRAME_BYTES).withPriority(PRIORITY, DSCP);
            return FlowSpec.greedy("f" + (host + 1), host, (host + 2) % HOSTS, shape);
        }

        /**
         * Waits until every host's buffer at its switch has reached xoff, which pauses the host, or
         * until the host was asked for a lower rate.
         */
        private void awaitFull(HostCards cards)
                throws BedException, ScenarioException, SendersHeld {
            while (!havePausedHosts()) {
                if (cards.nowNs() > FILL_NS) {
                    throw new SendersHeld();
                }
                sleepUntil(cards, cards.nowNs() + LOOK_NS / 10);
            }
        }

        private boolean havePausedHosts() {
            LabCounters now = LabCounters.of(switches).since(warm);
            return counted(
                            now,
                            List.of(HOST_PORT, HOST_PORT, HOST_PORT),
                            remedy.prevents() ? "gfc.asked" : Egress.XOFF_SENT.label(PRIORITY))
                    .stream()
                    .allMatch(pauses -> pauses > 0);
        }

        private void sleepUntil(HostCards cards, long untilNs)
                throws BedException, ScenarioException {
            for (long leftNs = untilNs - cards.nowNs();
                    leftNs > 0;
                    leftNs = untilNs - cards.nowNs()) {
                if (isClosed()) {
                    throw new BedException("the lab is being closed");
                }
                cards.requireSound();
                LockSupport.parkNanos(Math.min(leftNs, 10 * LOOK_NS));
            }
        }

        private void say(Occupancies buffers, double remedySeconds) {
            if (remedy.prevents()) {
                progress.say("Rates were in force from the start: there is no deadlock to end");
                return;
            }
            double since = buffers.allAboveSince(RingTrial.XON_BYTES, remedySeconds);
            progress.say(
                    Double.isNaN(since)
                            ? "No deadlock: not all three buffers are above xon"
                            : String.format(
                                    Locale.ROOT,
                                    "Deadlock: all three buffers have been above xon since %.3f s"
                                            + " after the release, for %.1f s",
                                    since,
                                    remedySeconds - since));
        }

        /** What {@code headgate explain pause} says of the first switch of the ring. */
        private PauseTrace explain() {
            String first = switches.all().getFirst().config().name();
            PauseTrace trace =
                    PauseTrace.follow(
                            new PausedNetwork(List.of(RunDirectory.base())),
                            first,
                            OUT.getFirst(),
                            PRIORITY);
            progress.say(
                    "headgate explain pause %s:%s %d".formatted(first, OUT.getFirst(), PRIORITY));
            trace.toText().lines().forEach(line -> progress.plain("  " + line));
            return trace;
        }

        private void turnOn() throws BedException {
            if (remedy == Remedy.NONE || remedy.prevents()) {
                return;
            }
            set(remedy, true);
            progress.say(
                    "headgate set "
                            + switches.all().getFirst().config().name()
                            + " "
                            + String.join(" ", remedy.assignments(List.of("p1", "p2", "p3"), true))
                            + ", and so the other two");
        }

        private void set(Remedy which, boolean on) throws BedException {
            for (int node = 0; node < HOSTS; node++) {
                List<String> ports =
                        switches.all().get(node).ports().stream()
                                .map(RunningSwitch.Port::name)
                                .toList();
                set(node, which.assignments(ports, on));
            }
        }

        /**
         * Waits until all switches' queues are empty, and for a moment longer.
         *
         * @param mostNs 0: a deadlock stays
         */
        private void awaitRest(long mostNs) {
            long endNs = System.nanoTime() + mostNs;
            while (System.nanoTime() - endNs < 0
                    && LabCounters.of(switches).total(Scope.EGRESS, EgressCounter.QUEUE_BYTES)
                            > 0) {
                LockSupport.parkNanos(LOOK_NS);
            }
            LockSupport.parkNanos(QUIET_NS);
        }

        private RingTrial trial(int run, Occupancies buffers, Times times) throws BedException {
            Map<String, Long> dropped = new TreeMap<>(cardDrops);
            for (CounterSnapshot.Drop drop : LabCounters.of(switches).since(warm).drops()) {
                dropped.merge(drop.reason(), drop.frames(), Long::sum);
            }
            long reordered = 0;
            long missing = 0;
            for (Flow flow : flows) {
                FlowStatistics statistics = flow.statistics();
                reordered += statistics.framesReordered();
                missing += statistics.framesNotArrived();
            }
            double formed = buffers.allAboveSince(RingTrial.XON_BYTES, times.remedySeconds);
            double lasts = buffers.allAboveSince(RingTrial.XON_BYTES, times.endSeconds);
            return new RingTrial(
                    run,
                    remedy,
                    formed,
                    times.trace.cycle().stream().map(PauseTrace.Step::name).toList(),
                    times.remedySeconds,
                    times.endSeconds,
                    buffers.least(
                            Double.isNaN(formed) ? times.remedySeconds : formed,
                            times.remedySeconds),
                    counted(times.counted, IN, Egress.XON_SENT.label(PRIORITY)),
                    Double.isNaN(lasts) ? 0 : times.endSeconds - lasts,
                    LabPlan.link(options).rateBps() / 2e6,
                    received.stream().map(series -> least(series, times)).toList(),
                    received.stream().map(series -> mean(series, times)).toList(),
                    dropped,
                    reordered,
                    missing,
                    letGo(times));
        }

        private long letGo(Times times) {
            String label = remedy.counter();
            return label == null
                    ? 0
                    : counted(times.counted, OUT, label).stream().mapToLong(Long::longValue).sum();
        }

        /** The worst whole second behind the remedy. */
        private static double least(ThroughputSeries series, Times times) {
            double least = Double.MAX_VALUE;
            for (int at = times.first(); at + PER_SECOND <= times.last(); at += PER_SECOND) {
                least = Math.min(least, series.throughputBps(at, at + PER_SECOND) / 1e6);
            }
            return least == Double.MAX_VALUE ? mean(series, times) : least;
        }

        private static double mean(ThroughputSeries series, Times times) {
            return series.throughputBps(times.first(), Math.max(times.first() + 1, times.last()))
                    / 1e6;
        }
    }

    /**
     * When things were, in seconds since the release, and what the switches counted meanwhile.
     *
     * @param releasedAt in seconds since the senders began
     * @param before counted by each switch, from the release to the remedy
     * @param counted by each switch, from the remedy to the end
     * @param trace a pause, followed just before the remedy
     */
    private record Times(
            double releasedAt,
            double remedySeconds,
            double endSeconds,
            LabCounters before,
            LabCounters counted,
            PauseTrace trace) {
        /** The interval of a series in which the remedy was turned on; the next one is whole. */
        int first() {
            return (int) Math.ceil((releasedAt + remedySeconds) * PER_SECOND);
        }

        int last() {
            return (int) Math.floor((releasedAt + endSeconds) * PER_SECOND);
        }
    }

    /** A counter of one port of each switch. */
    private static List<Long> counted(LabCounters counters, List<String> ports, String label) {
        List<Long> values = new ArrayList<>();
        for (int node = 0; node < HOSTS; node++) {
            values.add(counters.bySwitch().get(node).value(Scope.EGRESS, ports.get(node), label));
        }
        return values;
    }

    private long remedyNs() {
        return FILL_NS + standSeconds * (long) NS_PER_S;
    }

    private long stopNs() {
        return remedyNs() + options.seconds() * (long) NS_PER_S;
    }
}
