package io.headgate.testbed.scenario.bed;

import io.headgate.config.MemoryConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.testbed.scenario.DroppedFrames;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.watch.DropWatch;
import io.headgate.testbed.scenario.trace.FrameWays;
import io.headgate.testbed.scenario.trace.TraceHeader;
import io.headgate.testbed.scenario.trace.TraceWriter;
import io.headgate.testbed.topology.BufferCycles;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.picture.LinkLoad;
import io.headgate.testbed.topology.picture.LinkLoads;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.FlowLog;
import io.headgate.testbed.traffic.MarkSeries;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.deadlock.Deadlock;
import io.headgate.testbed.virtual.deadlock.DeadlockWatch;
import io.headgate.testbed.virtual.link.LinkObserver;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs experiments in virtual time. */
public final class VirtualBed {
    /** The context of a run that an observer watches. */
    public interface Watching extends RunContext {
        /**
         * Called before the run: may add probes, which change nothing.
         *
         * @param deadlocks finds the run's deadlocks
         * @return the observer of every frame on every link
         */
        LinkObserver begin(
                Experiment experiment,
                VirtualNetwork network,
                Traffic traffic,
                DeadlockWatch deadlocks);
    }

    private static final int SLICES = 1000;
    private static final int DEADLOCK_LOOKS = 1000;
    private static final int DRAIN_LOOKS = 1000;
    private static final double PS_PER_US = 1e6;
    private static final double PS_PER_S = 1e12;
    private static final long PS_PER_NS = 1000;
    private static final int FEW_INTERVALS = 20;

    /** Links that the default time-out is for: slower ones have longer round trips. */
    private static final long TIMED_FOR_BPS = 10_000_000_000L;

    private static final double BITS_PER_KBIT = 1e3;

    private static final String CARRIED = "carried";

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Experiment experiment;
    private final RunContext context;
    private final VirtualNetwork network;
    private final Traffic traffic;
    private final Map<String, ThroughputSeries> throughputs = new LinkedHashMap<>();
    private final Map<String, MarkSeries> marks = new LinkedHashMap<>();
    private final Probes probes;
    private @Nullable OnPeriods onPeriods;
    private final DeadlockWatch deadlocks;
    private @Nullable LinkObserver watching;

    private VirtualBed(Experiment experiment, long seed, RunContext context) {
        this.experiment = experiment;
        this.context = context;
        RunOptions options = RunOptions.of(seed).withChecking(context.checking());
        NetworkModel model = experiment.model();
        boolean stores = storesPayload(experiment);
        PlanOptions planned = PlanOptions.virtual(seed).withAdjust(model.adjust());
        NetworkPlan plan =
                NetworkPlan.of(
                        experiment.topology(),
                        stores ? planned.withPayload(MemoryConfig.Payload.STORED) : planned);
        int ports = 2 * plan.hosts().size();
        for (SwitchConfig config : plan.switches()) {
            ports += config.ports().size();
        }
        VirtualRun run = new VirtualRun(options.withThreads(context.threads().forPorts(ports)));
        if (model.outOfBand() != null) {
            run.keepTogether();
        }
        this.network =
                VirtualNetwork.in(
                        run, plan, stores ? CardSetup::storing : UnaryOperator.identity());
        this.traffic = network.traffic(Traffic.Options.DEFAULT.scaledBy(slower(plan)));
        this.probes = new Probes(network, experiment.recording().intervalPs());
        this.deadlocks =
                DeadlockWatch.every(
                        network.run(), Math.max(1, experiment.durationPs() / DEADLOCK_LOOKS));
    }

    /** Factor by which the slowest host's link is slower than {@link #TIMED_FOR_BPS}. */
    private static int slower(NetworkPlan plan) {
        long leastBps =
                plan.hosts().stream()
                        .mapToLong(host -> host.card().rateBps())
                        .min()
                        .orElse(TIMED_FOR_BPS);
        return (int) Math.max(1, TIMED_FOR_BPS / leastBps);
    }

    private static boolean storesPayload(Experiment experiment) {
        return Stream.concat(
                        experiment.flows().stream().map(FlowSpec::shape),
                        experiment.arrivals().stream().map(ArrivalSpec::shape))
                .anyMatch(shape -> shape.messages().stored());
    }

    /**
     * Runs an experiment to its end.
     *
     * @throws ScenarioException if it cannot be run as described, or was cancelled
     */
    public static Observation run(Experiment experiment, long seed, RunContext context)
            throws ScenarioException {
        VirtualBed bed;
        try {
            bed = new VirtualBed(experiment, seed, context);
            bed.prepare();
            BufferCycles.describe(bed.network.plan()).forEach(context::say);
        } catch (IllegalArgumentException e) {
            throw new ScenarioException(e);
        }
        bed.go(seed);
        return bed.observe();
    }

    private void go(long seed) throws ScenarioException {
        NetworkPlan plan = network.plan();
        CapturedLinks links = CapturedLinks.of(experiment.topology(), context);
        String comment = experiment.topology().name() + ", virtual time, seed " + seed;
        List<String> hosts = plan.hosts().stream().map(HostPlan::name).toList();
        Path followed = context.traceEventsFile();
        Path traced = context.traceFile();
        try (VirtualCapture capture =
                        links == null ? null : new VirtualCapture(network.run(), links, comment);
                FrameWays ways =
                        followed == null ? null : new FrameWays(followed, directions(), hosts);
                TraceWriter trace =
                        traced == null ? null : new TraceWriter(traced, traceHeader(seed))) {
            observe(
                    Stream.of(
                                    capture,
                                    ways,
                                    onPeriods,
                                    watching,
                                    trace == null ? null : observer(trace))
                            .filter(Objects::nonNull)
                            .toList());
            runRecorded();
            if (trace != null) {
                trace.end(network.run().digest());
            }
            if (ways != null && followed != null) {
                ways.end(experiment.durationPs());
                context.say(ways.describe(followed));
            }
        } catch (CaptureException e) {
            throw new ScenarioException(e);
        }
    }

    private static LinkObserver observer(TraceWriter trace) {
        return (direction, startPs, arrivePs, lengthBytes, address, storedBytes) ->
                trace.record(direction, startPs, arrivePs, lengthBytes, hash(address, storedBytes));
    }

    /** In the order of their numbers, which is 2 * link + the end that sends. */
    private List<FrameWays.Direction> directions() {
        List<FrameWays.Direction> all = new ArrayList<>();
        for (LinkPlan link : network.plan().links()) {
            all.add(direction(link, link.a(), link.b()));
            all.add(direction(link, link.b(), link.a()));
        }
        return all;
    }

    private FrameWays.Direction direction(LinkPlan link, LinkPlan.End from, LinkPlan.End to) {
        return new FrameWays.Direction(
                network.plan().node(from),
                portName(from),
                network.plan().node(to),
                portName(to),
                to.isHost(),
                link.spec().rateBps());
    }

    private String portName(LinkPlan.End end) {
        return end.isHost()
                ? "card"
                : network.plan().switches().get(end.node()).ports().get(end.port()).name();
    }

    private void prepare() throws ScenarioException {
        give(experiment.orders());
        experiment.linkOrders().forEach(this::pull);
        Recording recording = experiment.recording();
        experiment.groups().forEach(traffic::group);
        for (String group : recording.of(Kind.THROUGHPUT)) {
            throughputs.put(group, traffic.group(group).recordThroughput(recording.intervalPs()));
        }
        for (String group : recording.of(Kind.MARKS)) {
            marks.put(group, traffic.group(group).recordMarks(recording.intervalPs()));
        }
        recording.of(Kind.QUEUE).forEach(of -> probes.queue(of, recording.ports(of)));
        recording.of(Kind.BUFFER).forEach(of -> probes.buffer(of, recording.ports(of)));
        recording.of(Kind.HEADROOM).forEach(probes::headroom);
        recording.of(Kind.STOPPED).forEach(probes::stopped);
        recording.of(Kind.COUNTER).forEach(probes::counter);
        recording
                .of(Kind.ALLOWED)
                .forEach(of -> probes.allowed(of, () -> traffic.kept(traffic.group(of))));
        if (!recording.of(Kind.ON).isEmpty()) {
            onPeriods = new OnPeriods(network, recording.of(Kind.ON));
        }
        traffic.start(experiment.flows(), this::start);
        experiment.arrivals().forEach(traffic::start);
        AllowedRates.flows(recording, traffic, experiment.topology()).forEach(probes::rate);
        if (context instanceof Watching watched) {
            watching = watched.begin(experiment, network, traffic, deadlocks);
        }
    }

    private Flow start(FlowSpec flow) {
        NetworkModel.OutOfBand outOfBand = experiment.model().outOfBand();
        return outOfBand == null || flow.windowFrames() == FlowSpec.DATAGRAMS
                ? traffic.start(flow)
                : traffic.start(flow, outOfBand.latencyPs(network.plan(), flow));
    }

    private void give(List<Order> orders) throws ScenarioException {
        try {
            for (Order.Planned planned : Order.plan(orders, network.plan().switches())) {
                int number = experiment.topology().switchNumber(planned.order().node());
                SwitchNode node = network.switchNode(number);
                node.engine().requireTakes(planned.after());
                network.run()
                        .addTimer((_, nowPs) -> node.change(nowPs / PS_PER_NS, planned.after()))
                        .schedule(planned.order().atPs());
            }
        } catch (Order.RefusedException e) {
            throw new ScenarioException(e);
        }
    }

    private void pull(LinkOrder order) {
        List<LinkPlan> links = network.plan().links();
        for (LinkPlan link : links) {
            if (link.name().equals(order.link())) {
                network.run()
                        .addTimer((_, _) -> network.link(link.number()).setUp(order.up()))
                        .schedule(order.atPs());
                return;
            }
        }
        throw new IllegalArgumentException("no link is named " + order.link());
    }

    private void observe(List<LinkObserver> observers) {
        if (observers.size() == 1) {
            network.run().observe(observers.getFirst());
        } else if (!observers.isEmpty()) {
            network.run()
                    .observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> {
                        for (LinkObserver one : observers) {
                            one.transmitted(
                                    direction,
                                    startPs,
                                    arrivePs,
                                    lengthBytes,
                                    address,
                                    storedBytes);
                        }
                    });
        }
    }

    private void runRecorded() throws ScenarioException {
        Path states = context.stateFile();
        if (states == null) {
            runSlices(null);
            return;
        }
        StateRecording recording = new StateRecording(states, network, deadlocks);
        try (recording) {
            runSlices(recording);
        }
        context.say(recording.describe());
    }

    private void runSlices(@Nullable StateRecording recording) throws ScenarioException {
        long durationPs = experiment.durationPs();
        Experiment.Drain drain = experiment.drain();
        double ofAll = drain == null ? 1 : durationPs / ((double) durationPs + drain.atMostPs());
        for (int slice = 1; slice <= SLICES; slice++) {
            long nowPs = durationPs * slice / SLICES;
            runPartUntil(nowPs);
            if (recording != null) {
                network.run().runUntil(nowPs);
                recording.record(nowPs);
            }
            context.progress(ofAll * slice / SLICES);
        }
        network.run().runUntil(durationPs);
    }

    /** Runs to that time; counters may still have older values. */
    private void runPartUntil(long nowPs) throws ScenarioException {
        if (context.isCancelled()) {
            throw new ScenarioException("was ended early");
        }
        network.run().runPartUntil(nowPs);
    }

    /** Goes on until the flows have finished that are waited for; returns where that was. */
    private long drain() throws ScenarioException {
        long durationPs = experiment.durationPs();
        Experiment.Drain drain = experiment.drain();
        if (drain == null) {
            return durationPs;
        }
        // What is written of the run has ended.
        network.run().observe(null);
        long nowPs = durationPs;
        for (int slice = 1; slice <= DRAIN_LOOKS; slice++) {
            if (!traffic.isUnderWay(drain.fromPs(), drain.untilPs())) {
                break;
            }
            nowPs = durationPs + drain.atMostPs() * slice / DRAIN_LOOKS;
            runPartUntil(nowPs);
            context.progress(nowPs / ((double) durationPs + drain.atMostPs()));
        }
        network.run().runUntil(nowPs);
        context.progress(1);
        return nowPs;
    }

    /** FNV-1a over words, then over the bytes that are left. */
    private static long hash(long address, int storedBytes) {
        long hash = 0xCBF2_9CE4_8422_2325L;
        int at = 0;
        for (; at + Long.BYTES <= storedBytes; at += Long.BYTES) {
            hash = (hash ^ FrameRegion.MEMORY.get(LONG, address + at)) * 0x100_0000_01B3L;
            hash ^= hash >>> 29;
        }
        for (; at < storedBytes; at++) {
            int next = FrameRegion.MEMORY.get(ValueLayout.JAVA_BYTE, address + at) & 0xFF;
            hash = (hash ^ next) * 0x100_0000_01B3L;
        }
        return hash ^ (hash >>> 32);
    }

    private TraceHeader traceHeader(long seed) {
        List<String> names = new ArrayList<>();
        for (VirtualLink link : network.run().links()) {
            for (int end = 0; end < 2; end++) {
                // In the order of their numbers, which is 2 * link + end.
                names.add(
                        "%s>%s (link %s)"
                                .formatted(
                                        link.end(end).nodeName(),
                                        link.end(1 - end).nodeName(),
                                        link.number()));
            }
        }
        Map<String, String> details = new LinkedHashMap<>();
        details.put("topology", experiment.topology().name());
        details.put("seed", Long.toString(seed));
        details.put("durationPs", Long.toString(experiment.durationPs()));
        return new TraceHeader(names, details);
    }

    private List<LinkLoad> links() {
        NetworkPlan plan = network.plan();
        List<CounterSnapshot> switches =
                network.switches().stream()
                        .map(node -> counters(node.engine().counters()))
                        .toList();
        List<CounterSnapshot> cards =
                plan.hosts().stream()
                        .map(host -> counters(network.host(host.number()).engine().counters()))
                        .toList();
        double seconds = experiment.durationPs() / PS_PER_S;
        return new LinkLoads(plan, switches, cards, seconds).all();
    }

    private static CounterSnapshot counters(CounterDirectory directory) {
        return CounterSnapshot.of(directory.entries(), directory::value);
    }

    private List<Measure> pauses() {
        List<Measure> all = new ArrayList<>();
        network.switches().forEach(node -> all.addAll(PauseMeasures.of(node)));
        for (HostPlan host : network.plan().hosts()) {
            all.addAll(PauseMeasures.of(host.name(), network.host(host.number()).engine()));
        }
        return all;
    }

    private Observation observe() throws ScenarioException {
        Observation seen = observeNow();
        List<Series> all = new ArrayList<>(seen.series());
        all.addAll(FlowSeries.of(traffic, experiment.durationPs(), drain(), 1));
        return seen.withSeries(all);
    }

    /** What is not of single flows. */
    private Observation observeNow() {
        Map<String, GroupFacts> groups = new LinkedHashMap<>();
        for (FlowGroup group : traffic.groups()) {
            groups.put(group.name(), GroupFacts.of(traffic, group, experiment.durationPs(), 1));
        }
        Map<String, PortFacts> ports = new LinkedHashMap<>();
        List<Measure> ofBed = new ArrayList<>();
        ofBed.add(new Measure("frame-hops", "frames", network.run().frameHops()));
        ofBed.add(new Measure("deadlocks", "", deadlocks.found().size()));
        for (SwitchNode node : network.switches()) {
            ports.putAll(
                    PortFacts.of(
                            node.name(),
                            node.engine().counters().entries(),
                            node.engine().counters()::value));
        }
        Map<String, List<String>> tiers = experiment.recording().tiers();
        if (ports.size() <= PauseMeasures.MOST_PORTS || !tiers.isEmpty()) {
            List<Measure> ofPorts = pauses();
            ofBed.addAll(ports.size() <= PauseMeasures.MOST_PORTS ? ofPorts : List.of());
            ofBed.addAll(PauseMeasures.ofTiers(tiers, ofPorts, ports));
        }
        Map<String, Long> hostDrops = new LinkedHashMap<>();
        for (HostPlan host : network.plan().hosts()) {
            PortFacts.addDrops(network.host(host.number()).engine().counters(), hostDrops);
        }
        Map<String, Object> configuration = Description.of(experiment, network.plan());
        Experiment.Drain drain = experiment.drain();
        if (drain != null) {
            configuration.put(Flows.DRAINED, drain);
        }
        List<FlowLog.Entry> begun = traffic.begun(experiment.durationPs());
        if (!begun.isEmpty()) {
            configuration.put(Flows.PATHS, FlowSeries.paths(begun, network.plan()));
        }
        return new Observation(
                String.format("%016x", network.run().digest()),
                experiment.durationPs() / PS_PER_US,
                groups,
                ports,
                hostDrops,
                dropped(),
                series(),
                ofBed,
                Stream.concat(
                                BufferCycles.describe(network.plan()).stream(),
                                Deadlock.describe(deadlocks.found()).stream())
                        .toList(),
                configuration,
                links(),
                null);
    }

    private List<DroppedFrames> dropped() {
        DropWatch watch = new DropWatch();
        network.switches().forEach(node -> watch.add(node.name(), node.engine().counters()));
        for (HostPlan host : network.plan().hosts()) {
            watch.add(host.name(), network.host(host.number()).engine().counters());
        }
        watch.look(Double.NaN);
        return watch.all();
    }

    private List<Series> series() {
        List<Series> series = new ArrayList<>();
        throughputs.forEach((group, seen) ->
                series.addAll(throughputs(traffic.group(group), seen, experiment.durationPs(), 1)));
        marks.forEach(
                (group, seen) -> series.addAll(marks(group, seen, experiment.durationPs(), 1)));
        series.addAll(probes.series());
        if (onPeriods != null) {
            series.addAll(onPeriods.series());
        }
        return series;
    }

    /**
     * The throughput series; if receivers discarded frames, also a series of all carried frames,
     * because a full link may have almost no throughput. Arguments as in {@link #throughput}.
     */
    public static List<Series> throughputs(
            FlowGroup group, ThroughputSeries seen, long durationPs, double scale) {
        Series taken = throughput(group.name(), seen, durationPs, scale);
        ThroughputSeries untaken = group.untaken();
        if (untaken == null) {
            return List.of(taken);
        }
        Series rest = throughput(group.name(), untaken, durationPs, scale);
        return List.of(taken, SeriesMath.sum(CARRIED + " " + group.name(), List.of(taken, rest)));
    }

    /**
     * The series of arrived bytes.
     *
     * @param durationPs duration of the run in its own time
     * @param scale factor by which it was slower than described
     */
    static Series throughput(String group, ThroughputSeries seen, long durationPs, double scale) {
        // The last interval, if it was not whole, would look like a fall, and so does a whole one:
        // the frame that is on its way at the end is not counted.
        int whole = Math.toIntExact(durationPs / seen.intervalPs());
        int count = whole > FEW_INTERVALS ? whole - 1 : whole;
        double[] timesUs = new double[count];
        double[] values = new double[count];
        double intervalUs = seen.intervalPs() / PS_PER_US / scale;
        for (int i = 0; i < count; i++) {
            timesUs[i] = (i + 0.5) * intervalUs;
            values[i] = seen.bytes(i) * 8 / intervalUs / BITS_PER_KBIT;
        }
        return new Series(Kind.THROUGHPUT.series(group), "Gb/s", timesUs, values);
    }

    /** The series of the arrived frames' marks; arguments as in {@link #throughput}. */
    public static List<Series> marks(String group, MarkSeries seen, long durationPs, double scale) {
        return List.of(
                counts("arrived " + group, seen, seen::frames, durationPs, scale),
                counts("congested " + group, seen, seen::congested, durationPs, scale),
                counts("undetermined " + group, seen, seen::undetermined, durationPs, scale));
    }

    private static Series counts(
            String name, MarkSeries seen, IntToLongFunction at, long durationPs, double scale) {
        int count = Math.toIntExact(durationPs / seen.intervalPs());
        double[] timesUs = new double[count];
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            timesUs[i] = (i + 0.5) * seen.intervalPs() / PS_PER_US / scale;
            values[i] = at.applyAsLong(i);
        }
        return new Series(name, "frames", timesUs, values);
    }
}
