package io.headgate.testbed.lab;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchChange;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.lab.series.Sampler;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks at the switches' counters every tenth of a second, on a thread of its own, for the plot of
 * what its ports sent and what waited in their queues.
 */
final class TimeSeries implements AutoCloseable {
    static final long INTERVAL_NS = 100_000_000;

    /**
     * One that takes a greater part of the time that it covers does not count; the next one covers
     * its time, too.
     */
    private static final long SHORT_LOOK = 50;

    private static final long TOGETHER_NS = 100_000_000;

    /** More would hide the lines; the report names all. */
    private static final int MOST_CHANGES = 8;

    /** A rate over a shorter time is meaningless. */
    private static final double SHORTEST_S = 0.01;

    /**
     * One look. Bits per second are of frames without FCS, since the look before; bytes are those
     * that wait at the moment.
     */
    record Sample(double seconds, List<Double> sentBps, List<Long> queueBytes) {
        Sample {
            sentBps = List.copyOf(sentBps);
            queueBytes = List.copyOf(queueBytes);
        }
    }

    /** When a phase began. */
    record Mark(double seconds, String name) {}

    private final LabSwitches switches;
    private final List<String> ports;
    private final List<Sample> samples = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private final Sampler sampler;
    private LabCounters before;

    /** What was before is of a warm-up: its changes have no marks, and its series do not count. */
    private volatile long warmNs = startNs;

    TimeSeries(LabSwitches switches) {
        this.switches = switches;
        this.ports = switches.ports().stream().map(LabSwitches.Port::name).toList();
        this.before = LabCounters.of(switches);
        this.sampler = new Sampler("series", INTERVAL_NS, this::look);
    }

    /** From now on the samples belong to a phase of that name. */
    void mark(String name) {
        synchronized (marks) {
            marks.add(new Mark((System.nanoTime() - startNs) / 1e9, name));
        }
    }

    /** What was until now warmed switches up. */
    void warm() {
        warmNs = System.nanoTime();
    }

    /** When a switch was changed from outside, as marks; nothing of a warm-up. */
    List<Mark> changes() {
        Map<Long, List<LabChanges.Change>> byTime = new TreeMap<>();
        long groupNs = 0;
        for (LabChanges.Change change : switches.changes().all()) {
            if (change.atNs() - warmNs < 0) {
                continue;
            }
            long ns = change.atNs() - startNs;
            // What is set at several switches at the same time is one mark.
            groupNs = byTime.isEmpty() || ns - groupNs > TOGETHER_NS ? ns : groupNs;
            byTime.computeIfAbsent(groupNs, _ -> new ArrayList<>()).add(change);
        }
        List<Mark> changes = new ArrayList<>();
        byTime.forEach((ns, at) -> {
            boolean isSeen = ns >= 0 && changes.size() < MOST_CHANGES;
            if (isSeen) {
                List<SwitchChange> what = at.stream().map(LabChanges.Change::what).toList();
                changes.add(new Mark(ns / 1e9, LabChanges.words(what)));
            }
        });
        return changes;
    }

    private void look() {
        LabCounters now = LabCounters.of(switches);
        double elapsed = (now.takenNs() - before.takenNs()) / 1e9;
        if (elapsed < SHORTEST_S
                || (System.nanoTime() - now.takenNs()) * SHORT_LOOK > elapsed * 1e9) {
            // Just begun, or this thread was held up: the counters' exact time is unknown, and
            // rates would exceed those of the links.
            return;
        }
        List<Double> sentBps = new ArrayList<>();
        List<Long> queueBytes = new ArrayList<>();
        for (LabSwitches.Port port : switches.ports()) {
            long bytes =
                    now.value(Scope.EGRESS, port, EgressCounter.BYTES_TRANSMITTED)
                            - before.value(Scope.EGRESS, port, EgressCounter.BYTES_TRANSMITTED);
            sentBps.add(bytes * 8 / elapsed);
            queueBytes.add(now.value(Scope.EGRESS, port, EgressCounter.QUEUE_BYTES));
        }
        double seconds = (now.takenNs() - startNs) / 1e9;
        synchronized (samples) {
            samples.add(new Sample(seconds, sentBps, queueBytes));
        }
        before = now;
    }

    /** How each port is configured, in the order of ports. */
    List<PortConfig> configs() {
        return switches.ports().stream()
                .map(port -> switches.plan().switches().get(port.node()).ports().get(port.number()))
                .toList();
    }

    /** What was changed in a phase, in seconds since it began. */
    List<Mark> changesIn(String phase) {
        List<Mark> marks = marks();
        List<Mark> within = new ArrayList<>();
        for (int i = 0; i < marks.size(); i++) {
            double from = marks.get(i).seconds();
            double to = i + 1 < marks.size() ? marks.get(i + 1).seconds() : Double.MAX_VALUE;
            if (marks.get(i).name().equals(phase)) {
                changes().stream()
                        .filter(one -> one.seconds() >= from && one.seconds() < to)
                        .forEach(one -> within.add(new Mark(one.seconds() - from, one.name())));
            }
        }
        return within;
    }

    List<String> ports() {
        return ports;
    }

    List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    List<Mark> marks() {
        synchronized (marks) {
            return List.copyOf(marks);
        }
    }

    /** What each port sent since the first phase began, in bits per second. */
    List<Series> sent() {
        double warm = (warmNs - startNs) / 1e9;
        double from =
                marks().stream()
                        .mapToDouble(Mark::seconds)
                        .filter(seconds -> seconds >= warm)
                        .findFirst()
                        .orElse(0);
        List<Sample> since = samples().stream().filter(sample -> sample.seconds >= from).toList();
        double[] us = since.stream().mapToDouble(one -> (one.seconds - from) * 1e6).toArray();
        List<Series> all = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            int number = port;
            double[] bps = since.stream().mapToDouble(one -> one.sentBps.get(number)).toArray();
            all.add(new Series(ports.get(port), "bit/s", us, bps));
        }
        return all;
    }

    @Override
    public void close() {
        sampler.close();
    }
}
