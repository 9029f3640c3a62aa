package io.headgate.testbed.lab;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchChange;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.lab.series.ValueSeries;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records over time what switches' ports sent and the lengths of their queues, with the events of
 * the lab.
 */
final class TimeSeries implements AutoCloseable {
    private static final long TOGETHER_NS = 100_000_000;

    /** More would hide the lines; the report names all. */
    private static final int MOST_CHANGES = 8;

    /** The beginning of a phase. */
    record Mark(double seconds, String name) {}

    private final LabSwitches switches;
    private final List<String> ports;
    private final List<Mark> marks = new ArrayList<>();
    private final ValueSeries sent;
    private final ValueSeries waiting;
    private final long startNs;

    /** What was before is of a warm-up: its changes have no marks, and its series do not count. */
    private volatile long warmNs;

    TimeSeries(LabSwitches switches) {
        this.switches = switches;
        this.ports = switches.ports().stream().map(LabSwitches.Port::name).toList();
        this.startNs = System.nanoTime();
        this.warmNs = startNs;
        // Frames without FCS, in Gb/s, and kB.
        this.sent = values(EgressCounter.BYTES_TRANSMITTED, true, Byte.SIZE);
        this.waiting = values(EgressCounter.QUEUE_BYTES, false, 1e-3);
    }

    private ValueSeries values(EgressCounter id, boolean isTotal, double factor) {
        return new ValueSeries(
                startNs,
                switches.ports().stream()
                        .map(port ->
                                new ValueSeries.Line(
                                        port.name(), switches.now(port, id), isTotal, factor))
                        .toList());
    }

    /** From now on the samples belong to a phase of that name. */
    void mark(String name) {
        synchronized (marks) {
            marks.add(new Mark((System.nanoTime() - startNs) / 1e9, name));
        }
    }

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

    /** In Gb/s, without FCS. */
    ValueSeries rates() {
        return sent;
    }

    /** In kB. */
    ValueSeries waiting() {
        return waiting;
    }

    List<Mark> marks() {
        synchronized (marks) {
            return List.copyOf(marks);
        }
    }

    /** The sending rate of each port since the first phase began, in bits per second. */
    List<Series> sent() {
        double warm = (warmNs - startNs) / 1e9;
        double from =
                marks().stream()
                        .mapToDouble(Mark::seconds)
                        .filter(seconds -> seconds >= warm)
                        .findFirst()
                        .orElse(0);
        List<ValueSeries.Sample> since =
                sent.samples().stream().filter(one -> one.seconds() >= from).toList();
        double[] us = since.stream().mapToDouble(one -> (one.seconds() - from) * 1e6).toArray();
        List<Series> all = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            int number = port;
            double[] bps =
                    since.stream().mapToDouble(one -> one.values().get(number) * 1e9).toArray();
            all.add(new Series(ports.get(port), "bit/s", us, bps));
        }
        return all;
    }

    @Override
    public void close() {
        sent.close();
        waiting.close();
    }
}
