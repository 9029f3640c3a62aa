package io.headgate.control.metrics;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.DropCounters;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names counters by Prometheus' rules: {@code frames.received} of port p1's ingress half is {@code
 * headgate_ingress_frames_received_total{switch="s1",port="p1"}}. A priority at the end of a
 * counter's label, and the reason of a drop, become labels; times become seconds.
 */
public final class CounterMetrics {
    private static final Pattern OF_PRIORITY = Pattern.compile("(.+)\\.p([0-7])");
    private static final double NS_PER_SECOND = 1e9;

    private final Map<String, Family> families = new LinkedHashMap<>();

    /** All values of one name. */
    private static final class Family {
        private final Kind kind;
        private final String help;
        private final List<Point> points = new ArrayList<>();

        Family(Kind kind, String help) {
            this.kind = kind;
            this.help = help;
        }

        MetricSnapshot snapshot(String name) {
            if (kind == Kind.TOTAL) {
                var counter =
                        io.prometheus.metrics.model.snapshots.CounterSnapshot.builder()
                                .name(name)
                                .help(help);
                points.forEach(point -> counter.dataPoint(point.ofCounter()));
                return counter.build();
            }
            var gauge = GaugeSnapshot.builder().name(name).help(help);
            points.forEach(point -> gauge.dataPoint(point.ofGauge()));
            return gauge.build();
        }
    }

    private record Point(Labels labels, double value) {
        CounterDataPointSnapshot ofCounter() {
            return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
        }

        GaugeDataPointSnapshot ofGauge() {
            return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
        }
    }

    /**
     * Adds all counters of a switch or of a host's card.
     *
     * @param what {@code switch} or {@code host}, the label that names it
     */
    public CounterMetrics add(String what, String name, CounterSnapshot counters) {
        List<Entry> entries = counters.entries();
        for (int i = 0; i < entries.size(); i++) {
            add(Labels.of(what, name), entries.get(i), counters.value(i));
        }
        return this;
    }

    private void add(Labels of, Entry entry, long value) {
        Labels labels = of;
        String label = entry.label();
        String help = entry.description();
        switch (entry.scope()) {
            case SWITCH -> {}
            case INGRESS, EGRESS -> labels = labels.add("port", entry.owner());
            case WORKER -> labels = labels.add("worker", Integer.toString(entry.number()));
        }
        Matcher ofPriority = OF_PRIORITY.matcher(label);
        if (ofPriority.matches()) {
            label = ofPriority.group(1);
            labels = labels.add("priority", ofPriority.group(2));
            help = help.replace(", priority " + ofPriority.group(2), "");
        } else if (label.startsWith(DropCounters.LABEL_PREFIX)) {
            labels = labels.add("reason", label.substring(DropCounters.LABEL_PREFIX.length()));
            label = "dropped";
            help = "frames dropped, by reason";
        }
        boolean isTime = entry.unit().equals("ns");
        add(
                room(entry.scope()) + name(label, entry.unit()),
                entry.kind(),
                help,
                new Point(labels, isTime ? value / NS_PER_SECOND : value));
    }

    /** Adds a gauge: a value that rises and falls. */
    public CounterMetrics gauge(String name, String help, Labels labels, double value) {
        add("headgate_" + name, Kind.GAUGE, help, new Point(labels, value));
        return this;
    }

    private void add(String name, Kind kind, String help, Point point) {
        families.computeIfAbsent(name, _ -> new Family(kind, help)).points.add(point);
    }

    private static String room(Scope scope) {
        return switch (scope) {
            case SWITCH -> "headgate_";
            case INGRESS -> "headgate_ingress_";
            case EGRESS -> "headgate_egress_";
            case WORKER -> "headgate_worker_";
        };
    }

    /** The name of a metric; the unit is part of it if it is one of Prometheus' own. */
    private static String name(String label, String unit) {
        String words = label.replace('.', '_').replace('-', '_');
        return switch (unit) {
            case "ns" ->
                    (words.endsWith("_ns") ? words.substring(0, words.length() - 3) : words)
                            + "_seconds";
            case "bytes" -> words.contains("bytes") ? words : words + "_bytes";
            default -> words;
        };
    }

    public MetricSnapshots build() {
        List<MetricSnapshot> all = new ArrayList<>();
        families.forEach((name, family) -> all.add(family.snapshot(name)));
        return new MetricSnapshots(all);
    }
}
