package io.headgate.testbed.netns.bed;

import io.headgate.config.ConfigDefaults;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningCapture;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.AllowedRates;
import io.headgate.testbed.scenario.bed.CapturedLinks;
import io.headgate.testbed.scenario.bed.CounterName;
import io.headgate.testbed.scenario.bed.Description;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.FlowSeries;
import io.headgate.testbed.scenario.bed.GroupFacts;
import io.headgate.testbed.scenario.bed.NetworkModel;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.RealBed;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.Scaling;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.scenario.bed.watch.DropWatch;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.picture.LinkLoads;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.MarkSeries;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs experiments on real frames: switches and hosts of a topology in network namespaces, with a
 * card in each host's that has the same traffic as in virtual time. Everything is slower by a whole
 * factor, and results are scaled back.
 *
 * <p>All threads are of this process; during the measurement they have real-time priority, if the
 * kernel allows it, so that even a busy machine can be a test bed. The links' delays are those of
 * the kernel and not emulated.
 */
public final class NetnsBed {
    /** How the kernel has the names of the switches' threads. */
    private static final String SWITCHES = "headgate-worker";

    private static final long REHEARSAL_NS = 2_000_000_000L;
    private static final long REST_NS = 50_000_000L;
    private static final long LONGEST_NAP_NS = 20_000_000L;
    private static final double NS_PER_US = 1e3;
    private static final long PS_PER_NS = 1000;
    private static final int GREETING_BYTES = 128;
    private static final int LONGEST_QUANTA = 0xFFFF;

    /** Tells the beds of this process apart. */
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Experiment experiment;
    private final long seed;
    private final int scale;
    private final RunContext context;
    private final @Nullable CapturedLinks captured;
    private final NetworkPlan plan;
    private final @Nullable NetnsNetwork network;
    private final @Nullable DeviceUnderTest device;
    private final DropWatch drops = new DropWatch();

    private NetnsBed(
            Experiment experiment,
            long seed,
            int scale,
            RunContext context,
            @Nullable CapturedLinks captured,
            @Nullable DeviceUnderTest device)
            throws BedException {
        this.experiment = experiment;
        this.seed = seed;
        this.scale = scale;
        this.context = context;
        this.captured = captured;
        this.device = device;
        String prefix =
                "hgs" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + "-";
        NetnsNetwork.Options options =
                NetnsNetwork.Options.of(prefix, seed)
                        .withScale(scale)
                        .withHosts(NetnsNetwork.Hosts.CARD)
                        .withAdjust(planned ->
                                experiment.linkOrders().isEmpty()
                                        ? planned
                                        : planned.withLinks(PlanOptions.Links.CHANGING));
        Topology topology = experiment.topology();
        network =
                device == null
                        ? NetnsNetwork.of(
                                topology,
                                options,
                                new LabRecords(LabRecords.DIRECTORY),
                                context::say)
                        : null;
        plan = network == null ? NetnsNetwork.planned(topology, options) : network.plan();
    }

    /** The provider through which scenarios find this bed. */
    public static final class OfScenarios implements RealBed {
        @Override
        public Observation run(Experiment experiment, long seed, double slower, RunContext context)
                throws ScenarioException {
            return NetnsBed.run(experiment, seed, slower, context, null);
        }
    }

    /**
     * The same, or with a device that is there in place of the switches.
     *
     * @param device null: our switches
     */
    static Observation run(
            Experiment experiment,
            long seed,
            double slower,
            RunContext context,
            @Nullable DeviceUnderTest device)
            throws ScenarioException {
        if (slower != Math.rint(slower)) {
            throw new ScenarioException(
                    "--scale cannot be " + slower + " on the netns bed: a whole number is needed");
        }
        Recording wanted = experiment.recording();
        if (!wanted.of(Kind.BUFFER).isEmpty()
                || !wanted.of(Kind.HEADROOM).isEmpty()
                || !wanted.of(Kind.STOPPED).isEmpty()
                || !wanted.of(Kind.ON).isEmpty()) {
            throw new ScenarioException(
                    "buffers, headroom, the share of time in which links are stopped, and periods"
                            + " between pauses can only be recorded in virtual time: --bed"
                            + " virtual");
        }
        if (!experiment.model().equals(NetworkModel.PLAIN)) {
            throw new ScenarioException(
                    "switches with different settings, and acknowledgements outside the network,"
                            + " exist only in virtual time: --bed virtual");
        }
        try {
            NetnsNetwork.requireRunnable(experiment.topology());
            CapturedLinks captured = CapturedLinks.of(experiment.topology(), context);
            requireMeans();
            return new NetnsBed(experiment, seed, (int) slower, context, captured, device).run();
        } catch (BedException | DeviceException | IllegalArgumentException e) {
            throw new ScenarioException(e);
        }
    }

    private static void requireMeans() throws ScenarioException {
        if (Privilege.of() == Privilege.NONE) {
            throw new ScenarioException(
                    "the netns bed makes network namespaces; "
                            + Privilege.whyNone()
                            + "; --bed virtual needs neither");
        }
        Set<Tool> missing = Tools.provide(EnumSet.of(Tool.IP, Tool.SETPRIV), line -> {});
        if (!missing.isEmpty()) {
            throw new ScenarioException(Tools.sentence(missing));
        }
    }

    private Observation run() throws BedException, DeviceException, ScenarioException {
        try (network) {
            if (network != null) {
                network.build();
            }
            boolean urgent = RealTimePriority.take();
            if (urgent) {
                RealTimePriority.giveBack(); // it is allowed
            }
            context.say(
                    String.format(
                            "netns bed: %d hosts, scaled by %d, about %.1f s of real time%s",
                            experiment.topology().hosts().size(),
                            scale,
                            realDurationNs() / 1e9,
                            urgent
                                    ? ""
                                    : "; the kernel refuses real-time priority, so other programs"
                                            + " on this machine disturb it"));
            try (RealTimeEngines switches = start()) {
                switches.awaitLinks();
                rehearse(switches);
                return measure(switches, urgent);
            }
        }
    }

    private RealTimeEngines start() throws DeviceException {
        return device == null ? RealTimeEngines.start(plan) : RealTimeEngines.none();
    }

    private HostCards cards() throws DeviceException {
        return network == null
                ? new HostCards(plan, Objects.requireNonNull(device).interfaces(), seed)
                : new HostCards(network, seed);
    }

    private long realDurationNs() {
        return Math.multiplyExact(experiment.durationPs() / PS_PER_NS, scale);
    }

    /**
     * The first run of code is slow: the traffic runs once without measurement and without
     * real-time priority, so that the compilers get their share of the cores. Links to capture are
     * captured now too: halves are compiled again when they show frames for the first time.
     */
    private void rehearse(RealTimeEngines switches) throws DeviceException, ScenarioException {
        List<RunningCapture> captures = captures(switches);
        try (HostCards cards = cards()) {
            start(cards, device == null ? List.of() : greetings());
            long endNs = Math.min(REHEARSAL_NS, 2 * realDurationNs());
            while (cards.nowNs() < endNs && !context.isCancelled()) {
                LockSupport.parkNanos(LONGEST_NAP_NS);
            }
        }
        end(captures);
        LockSupport.parkNanos(REST_NS + (device == null ? 0 : longestPauseNs()));
    }

    /** A device is given the time to send what the pauses of the rehearsal made it keep. */
    private long longestPauseNs() {
        return plan.hosts().stream()
                .mapToLong(host -> ConfigDefaults.pauseNs(LONGEST_QUANTA, host.rateBps()))
                .max()
                .orElse(0);
    }

    /** A frame from each host to each other: a bridge learns where they are, and floods no more. */
    private List<FlowSpec> greetings() {
        List<FlowSpec> flows = new ArrayList<>();
        int hosts = plan.hosts().size();
        for (int from = 0; from < hosts; from++) {
            for (int to = 0; to < hosts; to++) {
                if (from != to) {
                    flows.add(
                            FlowSpec.greedy("greeting", from, to, FrameShape.udp(GREETING_BYTES))
                                    .withSizeBytes(1));
                }
            }
        }
        return flows;
    }

    private void start(HostCards cards, List<FlowSpec> first) {
        Traffic traffic = cards.traffic();
        experiment.groups().forEach(traffic::group);
        first.forEach(traffic::start);
        // In virtual time a run ends at one instant. Here the hosts end a little later, and must
        // not send on.
        long endPs = realDurationNs() * PS_PER_NS;
        traffic.start(
                experiment.flows().stream().map(flow -> Scaling.flow(flow, scale)).toList(),
                flow ->
                        flow.startPs() >= endPs
                                ? null
                                : traffic.start(
                                        flow.during(
                                                flow.startPs(), Math.min(flow.stopPs(), endPs))));
        for (ArrivalSpec source : experiment.arrivals()) {
            ArrivalSpec slower = Scaling.source(source, scale);
            if (slower.startPs() < endPs) {
                traffic.start(slower.during(slower.startPs(), Math.min(slower.stopPs(), endPs)));
            }
        }
        cards.start();
    }

    private Observation measure(RealTimeEngines switches, boolean urgent)
            throws DeviceException, ScenarioException {
        RunOrders orders = RunOrders.of(experiment, plan, seed, scale, switches);
        // What the preparation left is collected now: in the run that would hold up all threads.
        System.gc();
        switches.drain();
        List<CounterSnapshot> before = switches.counters();
        List<Samples> sampled = new ArrayList<>();
        List<RunningCapture> captures;
        HostCards cards = cards();
        Map<String, ThroughputSeries> throughputs = new LinkedHashMap<>();
        Map<String, MarkSeries> marks = new LinkedHashMap<>();
        List<CounterSnapshot> after;
        try (cards) {
            Recording recording = experiment.recording();
            record(cards.traffic(), throughputs, marks);
            sample(recording, switches, cards, sampled);
            // What writes them has no priority: it would keep switches and hosts from the cores.
            captures = captures(switches);
            if (urgent) {
                beUrgent();
            }
            try {
                orders.giveFirst();
                begin(cards, switches, sampled);
                start(cards, List.of());
                sampleRates(recording, cards, sampled);
                run(cards, sampled, orders);
                after = switches.since(before);
            } finally {
                if (urgent) {
                    beUrgentNoMore();
                }
            }
        }
        end(captures);
        cards.requireSound();
        List<Series> series = arrivals(cards.traffic(), throughputs, marks);
        addOthers(series, cards.traffic(), sampled);
        return new Observation(
                "",
                experiment.durationPs() / 1e6,
                groups(cards.traffic()),
                switches.ports(before, after),
                cards.drops(),
                drops.all(),
                series,
                ofBed(after, cards, orders.latestNs()),
                List.of(),
                Description.of(experiment, plan),
                device == null
                        ? new LinkLoads(plan, after, List.of(), realDurationNs() / 1e9).all()
                        : List.of(),
                null);
    }

    private void addOthers(List<Series> series, Traffic traffic, List<Samples> sampled) {
        sampled.forEach(samples -> series.add(samples.series()));
        if (device != null) {
            series.addAll(cameOut(series));
        }
        long durationPs = realDurationNs() * PS_PER_NS;
        series.addAll(FlowSeries.of(traffic, durationPs, durationPs, scale));
    }

    private void record(
            Traffic traffic,
            Map<String, ThroughputSeries> throughputs,
            Map<String, MarkSeries> marks) {
        Recording recording = experiment.recording();
        for (String group : recording.of(Kind.THROUGHPUT)) {
            long intervalPs = Scaling.time(recording.intervalPs(), scale);
            throughputs.put(group, traffic.group(group).recordThroughput(intervalPs));
        }
        for (String group : device == null ? recording.of(Kind.MARKS) : experiment.groups()) {
            long intervalPs = Scaling.time(recording.intervalPs(), scale);
            marks.put(group, traffic.group(group).recordMarks(intervalPs));
        }
    }

    /** Before the first frame: counters have their first values. */
    private void begin(HostCards cards, RealTimeEngines switches, List<Samples> sampled) {
        switches.watch(drops);
        cards.watch(drops);
        drops.begin();
        sampled.forEach(Samples::begin);
    }

    /** Keeps this thread and other programs from delaying the threads that move frames. */
    static void beUrgent() {
        // Hosts inherit it.
        RealTimePriority.take();
        RealTimePriority.give(SWITCHES);
    }

    static void beUrgentNoMore() {
        RealTimePriority.takeBack(SWITCHES);
        RealTimePriority.giveBack();
    }

    private List<RunningCapture> captures(RealTimeEngines switches) throws ScenarioException {
        if (captured == null) {
            return List.of();
        }
        try {
            return switches.capture(captured, experiment.topology());
        } catch (CaptureException e) {
            throw new ScenarioException(e);
        }
    }

    /** Ends captures; what could not be written fails the run. */
    private static void end(List<RunningCapture> captures) throws ScenarioException {
        captures.forEach(RunningCapture::close);
        for (RunningCapture capture : captures) {
            String problem = capture.problem();
            if (problem != null) {
                throw new ScenarioException(problem);
            }
        }
    }

    private List<Series> arrivals(
            Traffic traffic,
            Map<String, ThroughputSeries> throughputs,
            Map<String, MarkSeries> marks) {
        List<Series> series = new ArrayList<>();
        long realDurationPs = realDurationNs() * PS_PER_NS;
        throughputs.forEach((group, seen) ->
                series.addAll(
                        VirtualBed.throughputs(traffic.group(group), seen, realDurationPs, scale)));
        marks.forEach((group, seen) ->
                series.addAll(VirtualBed.marks(group, seen, realDurationPs, scale)));
        return series;
    }

    private Map<String, GroupFacts> groups(Traffic traffic) {
        Map<String, GroupFacts> groups = new LinkedHashMap<>();
        for (FlowGroup group : traffic.groups()) {
            groups.put(
                    group.name(),
                    GroupFacts.of(traffic, group, realDurationNs() * PS_PER_NS, scale));
        }
        return groups;
    }

    private void sample(
            Recording recording, RealTimeEngines switches, HostCards cards, List<Samples> sampled)
            throws ScenarioException {
        for (String port : recording.of(Kind.QUEUE)) {
            sampled.add(new Samples(Kind.QUEUE.series(port), "kB", 1e3, switches.queue(port)));
        }
        for (String name : recording.of(Kind.COUNTER)) {
            CounterName wanted = CounterName.parse(name);
            CounterName seen = device == null ? wanted : DeviceUnderTest.seen(wanted, plan);
            if (seen == null) {
                continue; // what came out says it, or nothing does
            }
            LiveCounter ofSwitch = switches.counter(seen);
            LiveCounter counter = ofSwitch == null ? cards.counter(seen) : ofSwitch;
            double divisor = divisor(counter.unit());
            sampled.add(new Samples(Kind.COUNTER.series(name), counter.unit(), divisor, counter));
        }
    }

    /** Counters of what a device sent, as told by what came. */
    private List<Series> cameOut(List<Series> marks) {
        List<Series> all = new ArrayList<>();
        for (String name : experiment.recording().of(Kind.COUNTER)) {
            Series series = DeviceUnderTest.cameOut(name, plan, experiment.flows(), marks);
            if (series != null) {
                all.add(series);
            }
        }
        return all;
    }

    private void sampleRates(Recording recording, HostCards cards, List<Samples> sampled) {
        double divisor = AllowedRates.BPS_PER_UNIT / scale;
        AllowedRates.flows(recording, cards.traffic(), experiment.topology())
                .forEach((name, flow) ->
                        sampled.add(
                                new Samples(
                                        name,
                                        AllowedRates.UNIT,
                                        divisor,
                                        flow::allowedBps,
                                        false)));
    }

    /** By what a counter is divided to be one of the times and rates described. */
    private double divisor(String unit) {
        return switch (unit) {
            case "ns" -> scale;
            case "kb/s" -> 1.0 / scale;
            default -> 1;
        };
    }

    /** Samples of a counter or rate, at the times at which they were really taken. */
    private static final class Samples {
        private final String name;
        private final String unit;
        private final double divisor;
        private final LongSupplier counter;
        private final boolean onlyGrows;
        private final List<double[]> taken = new ArrayList<>();
        private long before;

        Samples(String name, String unit, double divisor, LiveCounter counter) {
            this(name, unit, divisor, counter::value, counter.onlyGrows());
        }

        Samples(String name, String unit, double divisor, LongSupplier counter, boolean onlyGrows) {
            this.name = name;
            this.unit = unit;
            this.divisor = divisor;
            this.counter = counter;
            this.onlyGrows = onlyGrows;
        }

        /** The run begins: what has grown until now is not of it. */
        void begin() {
            before = onlyGrows ? counter.getAsLong() : 0;
        }

        void take(double timeUs) {
            taken.add(new double[] {timeUs, (counter.getAsLong() - before) / divisor});
        }

        Series series() {
            return Series.of(name, unit, taken);
        }
    }

    /** Waits for the end; samples meanwhile, and gives orders when their times have come. */
    private void run(HostCards cards, List<Samples> sampled, RunOrders orders)
            throws ScenarioException {
        long durationNs = realDurationNs();
        boolean sampling = !sampled.isEmpty();
        long intervalNs =
                sampling
                        ? Scaling.time(experiment.recording().intervalPs(), scale) / PS_PER_NS
                        : LONGEST_NAP_NS;
        long nextNs = intervalNs;
        for (long nowNs = cards.nowNs();
                nowNs < durationNs || orders.nextNs() != Long.MAX_VALUE;
                nowNs = cards.nowNs()) {
            if (context.isCancelled()) {
                throw new ScenarioException("was ended early");
            }
            cards.requireSound();
            if (orders.giveIfDue(cards)) {
                continue;
            }
            if (nowNs < nextNs) {
                long napNs = Math.min(Math.min(nextNs, orders.nextNs()) - nowNs, LONGEST_NAP_NS);
                LockSupport.parkNanos(napNs);
                continue;
            }
            look(sampled, cards);
            // Samples that were missed are missing, not made up.
            nextNs += intervalNs * (1 + (nowNs - nextNs) / intervalNs);
            context.progress((double) nowNs / durationNs);
        }
        look(sampled, cards);
    }

    private void look(List<Samples> sampled, HostCards cards) {
        sampled.forEach(samples -> samples.take(cards.nowNs() / NS_PER_US / scale));
        drops.look(cards.nowNs() / NS_PER_US / scale);
    }

    private List<Measure> ofBed(
            List<CounterSnapshot> counters, HostCards cards, OptionalLong latestOrderNs) {
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure(RealBed.HELD_UP, "us", cards.longestGapNs() / NS_PER_US / scale));
        long wokeNs = RealTimeEngines.latestWakeUpNs(counters);
        measures.add(new Measure(RealBed.WOKE_LATE, "us", wokeNs / NS_PER_US / scale));
        measures.add(new Measure(RealBed.WAITING, "frames", drops.waiting()));
        latestOrderNs.ifPresent(ns ->
                measures.add(new Measure(RealBed.ORDERED_LATE, "us", ns / NS_PER_US / scale)));
        return measures;
    }
}
