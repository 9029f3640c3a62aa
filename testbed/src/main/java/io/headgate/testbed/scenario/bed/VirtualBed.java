package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.trace.TraceException;
import io.headgate.testbed.scenario.trace.TraceHeader;
import io.headgate.testbed.scenario.trace.TraceWriter;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.deadlock.Deadlock;
import io.headgate.testbed.virtual.deadlock.DeadlockWatch;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs experiments in virtual time. */
public final class VirtualBed {
    private static final int SLICES = 1000;
    private static final int DEADLOCK_LOOKS = 1000;
    private static final double PS_PER_US = 1e6;
    private static final double BITS_PER_KBIT = 1e3;
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Experiment experiment;
    private final RunContext context;
    private final VirtualNetwork network;
    private final Traffic traffic;
    private final Map<String, ThroughputSeries> throughputs = new LinkedHashMap<>();
    private final Probes probes;
    private final DeadlockWatch deadlocks;

    private VirtualBed(Experiment experiment, long seed, RunContext context) {
        this.experiment = experiment;
        this.context = context;
        RunOptions options = RunOptions.of(seed);
        if (context.checking()) {
            options = options.withChecking();
        }
        NetworkPlan plan = NetworkPlan.of(experiment.topology(), PlanOptions.virtual(seed));
        this.network = VirtualNetwork.in(new VirtualRun(options), plan);
        this.traffic = network.traffic(Traffic.Options.DEFAULT);
        this.probes = new Probes(network, experiment.recording().intervalPs());
        this.deadlocks =
                DeadlockWatch.every(
                        network.run(), Math.max(1, experiment.durationPs() / DEADLOCK_LOOKS));
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
        } catch (IllegalArgumentException e) {
            throw new ScenarioException(String.valueOf(e.getMessage()), e);
        }
        Path file = context.traceFile();
        if (file == null) {
            bed.go(null);
        } else {
            try (TraceWriter trace = new TraceWriter(file, bed.traceHeader(seed))) {
                bed.go(trace);
                trace.end(bed.network.run().digest());
            } catch (TraceException e) {
                throw new ScenarioException(String.valueOf(e.getMessage()), e);
            }
        }
        return bed.observe();
    }

    private void prepare() {
        Recording recording = experiment.recording();
        experiment.groups().forEach(traffic::group);
        for (String group : recording.throughputOf()) {
            throughputs.put(group, traffic.group(group).recordThroughput(recording.intervalPs()));
        }
        recording.queueAt().forEach(probes::queue);
        recording.bufferAt().forEach(probes::buffer);
        recording.stoppedAt().forEach(probes::stopped);
        experiment.flows().forEach(traffic::start);
        experiment.arrivals().forEach(traffic::start);
    }

    private void go(@Nullable TraceWriter trace) throws ScenarioException {
        VirtualRun run = network.run();
        if (trace != null) {
            run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) ->
                    trace.record(
                            direction, startPs, arrivePs, lengthBytes, hash(address, storedBytes)));
        }
        long durationPs = experiment.durationPs();
        for (int slice = 1; slice <= SLICES; slice++) {
            if (context.isCancelled()) {
                throw new ScenarioException("was ended early");
            }
            run.runUntil(durationPs * slice / SLICES);
            context.progress((double) slice / SLICES);
        }
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
                        link.end(end).nodeName()
                                + ">"
                                + link.end(1 - end).nodeName()
                                + " (link "
                                + link.number()
                                + ")");
            }
        }
        Map<String, String> details = new LinkedHashMap<>();
        details.put("topology", experiment.topology().name());
        details.put("seed", Long.toString(seed));
        details.put("durationPs", Long.toString(experiment.durationPs()));
        return new TraceHeader(names, details);
    }

    private Observation observe() {
        Map<String, GroupFacts> groups = new LinkedHashMap<>();
        for (FlowGroup group : traffic.groups()) {
            groups.put(group.name(), GroupFacts.of(traffic, group, 1));
        }
        Map<String, PortFacts> ports = new LinkedHashMap<>();
        for (int number = 0; number < network.plan().switches().size(); number++) {
            SwitchNode node = network.switchNode(number);
            ports.putAll(
                    PortFacts.of(node.name(), node.counters().entries(), node.counters()::value));
        }
        Map<String, Long> hostDrops = new LinkedHashMap<>();
        for (int number = 0; number < network.plan().hosts().size(); number++) {
            PortFacts.addDrops(network.host(number).counters(), hostDrops);
        }
        List<Series> series = new ArrayList<>();
        throughputs.forEach(
                (group, seen) -> series.add(throughput(group, seen, experiment.durationPs(), 1)));
        series.addAll(probes.series());
        return new Observation(
                String.format("%016x", network.run().digest()),
                experiment.durationPs() / PS_PER_US,
                groups,
                ports,
                hostDrops,
                series,
                List.of(
                        new Measure("frame-hops", "frames", network.run().frameHops()),
                        new Measure("deadlocks", "circles", deadlocks.found().size())),
                deadlocks.found().stream().map(Deadlock::describe).toList(),
                Description.of(experiment, network.plan()));
    }

    /**
     * The series of what arrived.
     *
     * @param durationPs of the run as it ran
     * @param scale by which that was slower than described
     */
    static Series throughput(String group, ThroughputSeries seen, long durationPs, double scale) {
        // The last interval, if it was not whole, would look like a fall.
        int count = Math.toIntExact(durationPs / seen.intervalPs());
        double[] timesUs = new double[count];
        double[] values = new double[count];
        double intervalUs = seen.intervalPs() / PS_PER_US / scale;
        for (int i = 0; i < count; i++) {
            timesUs[i] = (i + 0.5) * intervalUs;
            values[i] = seen.bytes(i) * 8 / intervalUs / BITS_PER_KBIT;
        }
        return new Series(Recording.throughput(group), "Gb/s", timesUs, values);
    }
}
