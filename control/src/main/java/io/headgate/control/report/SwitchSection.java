package io.headgate.control.report;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.WorkerCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One switch in a report.
 *
 * @param config resolved, defaults filled in, in the shape of a configuration file
 * @param counters every counter of every half, worker and the switch, except drops
 * @param since start of the counting, in words, such as {@code it was started}
 * @param mismatches a sentence for each port whose far end has another configuration
 * @param drops every reason that was not zero; empty if nothing was dropped
 */
public record SwitchSection(
        String name,
        long seed,
        Map<String, Object> config,
        String workerLayout,
        String since,
        List<PortDevice> devices,
        List<Worker> workers,
        List<String> mismatches,
        List<Drop> drops,
        List<Counter> counters) {

    /** A port's device. */
    public record PortDevice(String port, String kind, String device, String detail, boolean up) {}

    /**
     * A worker, over the period of the section; longest cycle and latest wake-up since watermarks
     * were cleared.
     *
     * @param busyPercent share of the worker's own time, not of a core's
     * @param nsPerFrame its busy time per frame that the switch received: the cost of a frame here;
     *     the sum over all workers is the total cost. 0 if there were too few frames to separate
     *     their cost from other work
     */
    public record Worker(
            String name,
            double busyPercent,
            double nsPerFrame,
            long emptyCycles,
            long longestCycleNs,
            long cyclesOverThreshold,
            long worstLatenessNs) {}

    /** One counter. */
    public record Counter(
            String scope, String owner, String label, long value, String unit, String kind) {
        public static Counter of(Entry entry, long value) {
            return new Counter(
                    entry.scope().name(),
                    entry.owner(),
                    entry.label(),
                    value,
                    entry.unit(),
                    entry.kind().name());
        }
    }

    /** Makes the section of a switch from counters of a moment, or a difference. */
    public static SwitchSection of(RunningSwitch running, CounterSnapshot counters, String since) {
        SwitchConfig config = running.config();
        List<PortDevice> devices = new ArrayList<>();
        for (RunningSwitch.Port port : running.ports()) {
            var info = port.device();
            devices.add(
                    info == null
                            ? new PortDevice(port.name(), "none", "", "gone", false)
                            : new PortDevice(
                                    port.name(),
                                    info.kind(),
                                    info.name(),
                                    info.detail(),
                                    port.up()));
        }
        return new SwitchSection(
                config.name(),
                config.seed(),
                new LinkedHashMap<>(SwitchConfigs.toMap(config)),
                running.describeWorkers(),
                since,
                devices,
                workers(counters),
                FlowControlSection.mismatches(counters),
                counters.drops(),
                all(counters));
    }

    /**
     * Minimum number of frames, in total and per second, for a worker's time to be attributed to
     * frames.
     */
    private static final long LEAST_FRAMES = 1000;

    private static final double NS_PER_S = 1e9;

    /** The work of the workers, from their counters. */
    public static List<Worker> workers(CounterSnapshot counters) {
        List<Worker> workers = new ArrayList<>();
        long frames = counters.total(Scope.INGRESS, IngressCounter.FRAMES_RECEIVED);
        for (String name : counters.owners(Scope.WORKER)) {
            long busyNs = counters.value(Scope.WORKER, name, WorkerCounter.BUSY_NS);
            long idleNs = counters.value(Scope.WORKER, name, WorkerCounter.IDLE_NS);
            workers.add(
                    new Worker(
                            name,
                            busyNs == 0 ? 0 : 100.0 * busyNs / (busyNs + idleNs),
                            frames < LEAST_FRAMES * Math.max(1, (busyNs + idleNs) / NS_PER_S)
                                    ? 0
                                    : (double) busyNs / frames,
                            counters.value(Scope.WORKER, name, WorkerCounter.EMPTY_CYCLES),
                            counters.value(Scope.WORKER, name, WorkerCounter.LONGEST_CYCLE_NS),
                            counters.value(Scope.WORKER, name, WorkerCounter.STALLS),
                            counters.value(Scope.WORKER, name, WorkerCounter.LATENESS_MAX_NS)));
        }
        return workers;
    }

    /**
     * A sentence for each port whose frames the kernel counts as dropped although they were not.
     */
    public static List<String> unhandled(CounterSnapshot counters) {
        String label = IngressCounter.KERNEL_UNHANDLED.label();
        List<String> sentences = new ArrayList<>();
        for (String port : counters.owners(Scope.INGRESS, label::equals)) {
            long frames = counters.value(Scope.INGRESS, port, label);
            if (frames != 0) {
                sentences.add(
                        ("%s: not lost: the kernel also counts %d received frames as dropped by the"
                                        + " interface (rx_dropped), because the kernel itself does"
                                        + " not use them")
                                .formatted(port, frames));
            }
        }
        return sentences;
    }

    private static List<Counter> all(CounterSnapshot counters) {
        List<Counter> all = new ArrayList<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (!entry.label().startsWith(DropCounters.LABEL_PREFIX)) {
                all.add(Counter.of(entry, counters.value(i)));
            }
        }
        return all;
    }

    /**
     * The frames that halves dropped, and for a host also those lost between its card and its
     * sockets.
     */
    public static List<Drop> dropsOf(CounterSnapshot counters) {
        List<Drop> drops = new ArrayList<>(counters.drops());
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            String reason =
                    entry.label().equals(HostCounter.SOCKETS_DROPPED.label())
                            ? "SOCKET_FULL"
                            : entry.label().equals(HostCounter.BACKLOG_DROPPED.label())
                                    ? "BACKLOG_FULL"
                                    : "";
            if (!reason.isEmpty() && counters.value(i) != 0) {
                boolean sends = reason.equals("BACKLOG_FULL");
                drops.add(
                        new Drop(
                                entry.owner(),
                                sends,
                                reason,
                                entry.description(),
                                counters.value(i)));
            }
        }
        return drops;
    }
}
