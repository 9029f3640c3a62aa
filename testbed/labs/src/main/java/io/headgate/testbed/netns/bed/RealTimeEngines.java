package io.headgate.testbed.netns.bed;

import io.headgate.config.SwitchConfig;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.RunningCapture;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.bed.CapturedLinks;
import io.headgate.testbed.scenario.bed.CounterName;
import io.headgate.testbed.scenario.bed.PortFacts;
import io.headgate.testbed.scenario.bed.watch.DropWatch;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The switches of a network on real frames, as engines of this process. */
final class RealTimeEngines implements AutoCloseable {
    private static final long LINK_UP_NS = 60_000_000_000L;
    private static final long DRAINED_NS = 5_000_000_000L;
    private static final long POLL_NS = 5_000_000;

    private static final String FOUND = "watchdog.storms.p";
    private static final String RESTORED = "watchdog.restored.p";

    private static final Set<String> KERNEL_DROPS =
            Arrays.stream(DropReason.values())
                    .filter(DropReason::isOfKernel)
                    .map(reason -> DropCounters.LABEL_PREFIX + reason.name())
                    .collect(Collectors.toUnmodifiableSet());

    private final List<RunningSwitch> running = new ArrayList<>();

    private RealTimeEngines() {}

    /** No switch: what is tested is not ours. */
    static RealTimeEngines none() {
        return new RealTimeEngines();
    }

    /**
     * Starts the switches of a plan.
     *
     * @throws DeviceException if one cannot be started; none is left running then
     */
    static RealTimeEngines start(NetworkPlan plan) throws DeviceException {
        RealTimeEngines switches = new RealTimeEngines();
        try {
            for (SwitchConfig config : plan.switches()) {
                switches.running.add(RunningSwitch.start(config, SwitchOptions.DEFAULT));
            }
            return switches;
        } catch (DeviceException | RuntimeException e) {
            switches.close();
            throw e;
        }
    }

    void awaitLinks() throws ScenarioException {
        awaitLinks(LINK_UP_NS);
    }

    void awaitLinks(long mostNs) throws ScenarioException {
        long endNs = System.nanoTime() + mostNs;
        for (RunningSwitch one : running) {
            while (!one.areLinksUp()) {
                if (System.nanoTime() - endNs > 0) {
                    throw new ScenarioException(
                            "the links of the netns bed did not come up in " + mostNs / 1e9 + " s");
                }
                LockSupport.parkNanos(POLL_NS);
            }
        }
        // An egress half looks at its link at the same interval as its port's ingress half.
        LockSupport.parkNanos(20 * POLL_NS);
    }

    /**
     * Waits until all queues are empty, no watchdog holds a storm and all that kernels have dropped
     * is counted, and forgets the highest they have been.
     */
    void drain() {
        long endNs = System.nanoTime() + DRAINED_NS;
        while (System.nanoTime() - endNs < 0 && waitingBytes() + storms() > 0) {
            LockSupport.parkNanos(POLL_NS);
        }
        awaitKernelDrops();
        running.forEach(RunningSwitch::clearWatermarks);
    }

    /** Switches ask their kernels for drops only now and then. */
    private static void awaitKernelDrops() {
        long endNs = System.nanoTime() + RealTimeEngine.KERNEL_DROPS_KNOWN_NS;
        for (long leftNs = endNs - System.nanoTime();
                leftNs > 0;
                leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }

    /** Pause storms that watchdogs have found and not yet restored. */
    private long storms() {
        long storms = 0;
        for (CounterSnapshot snapshot : counters()) {
            for (int i = 0; i < snapshot.entries().size(); i++) {
                String label = snapshot.entries().get(i).label();
                storms += label.startsWith(FOUND) ? snapshot.value(i) : 0;
                storms -= label.startsWith(RESTORED) ? snapshot.value(i) : 0;
            }
        }
        return storms;
    }

    private long waitingBytes() {
        return running.stream()
                .mapToLong(one -> one.counters().total(Scope.EGRESS, EgressCounter.QUEUE_BYTES))
                .sum();
    }

    /**
     * The switch of a name.
     *
     * @throws IllegalArgumentException if no switch has that name
     */
    RunningSwitch named(String name) {
        return running.stream()
                .filter(one -> one.config().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no switch is named " + name));
    }

    RunningSwitch only() {
        return running.getFirst();
    }

    void watch(DropWatch drops) {
        running.forEach(one -> drops.add(one.config().name(), one.realTime().engine().counters()));
    }

    /** All counters as they are now, by switch. */
    List<CounterSnapshot> counters() {
        return running.stream().map(RunningSwitch::counters).toList();
    }

    List<CounterSnapshot> since(List<CounterSnapshot> before) {
        List<CounterSnapshot> after = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            after.add(running.get(i).counters().since(before.get(i)));
        }
        return after;
    }

    /**
     * Captures links, at one end of each: a file for each switch that has one.
     *
     * @throws CaptureException if a file cannot be made; none is left open then
     */
    List<RunningCapture> capture(CapturedLinks links, Topology topology) throws CaptureException {
        List<RunningCapture> captures = new ArrayList<>();
        Map<String, List<String>> ports = links.ports(topology);
        try {
            for (RunningSwitch one : running) {
                String name = one.config().name();
                List<String> own = ports.get(name);
                if (own != null) {
                    CaptureRequest request =
                            new CaptureRequest(
                                    own,
                                    Set.of(CaptureRequest.Point.IN, CaptureRequest.Point.OUT),
                                    "",
                                    CaptureRequest.WHOLE_FRAMES,
                                    0);
                    captures.add(one.startCapture(request, links.fileOf(name)));
                }
            }
        } catch (CaptureException | RuntimeException e) {
            captures.forEach(RunningCapture::close);
            throw e;
        }
        return captures;
    }

    /**
     * The queue of a port, named as in {@code s1/p4}.
     *
     * @throws IllegalArgumentException if there is no such port
     */
    LiveCounter queue(String name) {
        for (RunningSwitch one : running) {
            String prefix = one.config().name() + "/";
            if (name.startsWith(prefix)) {
                String port = name.substring(prefix.length());
                CounterDirectory counters = one.realTime().engine().counters();
                return live(counters, PortFacts.queueBytes(counters.entries(), port));
            }
        }
        throw new IllegalArgumentException("no port is named " + name);
    }

    /**
     * A counter of a switch, named as {@link CounterName} says; null if no switch has the name of
     * its node.
     *
     * @throws IllegalArgumentException if that switch has no such counter
     */
    @Nullable LiveCounter counter(CounterName wanted) {
        for (RunningSwitch one : running) {
            if (one.config().name().equals(wanted.node())) {
                CounterDirectory counters = one.realTime().engine().counters();
                return live(counters, wanted.find(counters.entries()));
            }
        }
        return null;
    }

    /** Reads the one counter: to look at all, hundreds of times a second, is work for a core. */
    private static LiveCounter live(CounterDirectory counters, Entry entry) {
        return new LiveCounter(entry, () -> counters.value(entry));
    }

    /**
     * What the ports counted between two moments, by name; including frames that their kernels had
     * dropped by the end but report later, which this waits for.
     */
    Map<String, PortFacts> ports(List<CounterSnapshot> before, List<CounterSnapshot> during) {
        awaitKernelDrops();
        List<CounterSnapshot> later = since(before);
        Map<String, PortFacts> ports = new LinkedHashMap<>();
        for (int number = 0; number < running.size(); number++) {
            CounterSnapshot snapshot = during.get(number);
            Map<Entry, Long> values = new HashMap<>();
            for (int i = 0; i < snapshot.entries().size(); i++) {
                Entry entry = snapshot.entries().get(i);
                boolean late = KERNEL_DROPS.contains(entry.label());
                values.put(entry, (late ? later.get(number) : snapshot).value(i));
            }
            ports.putAll(
                    PortFacts.of(
                            running.get(number).config().name(),
                            snapshot.entries(),
                            entry -> Objects.requireNonNull(values.get(entry))));
        }
        return ports;
    }

    /** How late a worker woke at worst, in ns. */
    static long latestWakeUpNs(List<CounterSnapshot> counters) {
        long latestNs = 0;
        for (CounterSnapshot snapshot : counters) {
            for (String worker : snapshot.owners(Scope.WORKER)) {
                long ns = snapshot.value(Scope.WORKER, worker, WorkerCounter.LATENESS_MAX_NS);
                latestNs = Math.max(latestNs, ns);
            }
        }
        return latestNs;
    }

    @Override
    public void close() {
        running.forEach(RunningSwitch::close);
    }
}
