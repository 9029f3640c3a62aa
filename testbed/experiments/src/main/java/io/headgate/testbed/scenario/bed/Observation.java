package io.headgate.testbed.scenario.bed;

import io.headgate.config.Withers;
import io.headgate.testbed.scenario.DroppedFrames;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The results of an experiment on a bed, scaled back to the times and rates described.
 *
 * @param digest as {@link Outcome#digest}
 * @param groups statistics of flows, by name
 * @param ports counters of all switches' ports, by name as in {@code s1/p4}; empty if the switch is
 *     not Headgate's
 * @param hostDrops frames that hosts' cards dropped, by reason
 * @param dropped dropped frames of every half of a port, of switches and hosts
 * @param ofBed measurements of the bed itself, and of the machine's effects on it
 * @param window part of the run in which flows and bytes are measured; null: all of it
 * @param deadlocks one sentence per deadlock, with the ports in the order in which they wait; the
 *     bed of real frames sees none
 */
@Withers
public record Observation(
        String digest,
        double durationUs,
        Map<String, GroupFacts> groups,
        Map<String, PortFacts> ports,
        Map<String, Long> hostDrops,
        List<DroppedFrames> dropped,
        List<Series> series,
        List<Measure> ofBed,
        List<String> deadlocks,
        Map<String, Object> configuration,
        List<LinkLoad> links,
        @Nullable Window window)
        implements ObservationBuilder.With {
    /** The value for queues without a limit. */
    public static final long NO_LIMIT = 0;

    public Observation {
        links = List.copyOf(links);
        ofBed = List.copyOf(ofBed);
        deadlocks = List.copyOf(deadlocks);
        dropped = List.copyOf(dropped);
        groups = new LinkedHashMap<>(groups);
        ports = new LinkedHashMap<>(ports);
        hostDrops = new LinkedHashMap<>(hostDrops);
        series = List.copyOf(series);
        configuration = new LinkedHashMap<>(configuration);
    }

    /** The statistics of the flows of a name. */
    public GroupFacts group(String name) {
        GroupFacts facts = groups.get(name);
        if (facts == null) {
            throw new IllegalArgumentException("no flows are named " + name);
        }
        return facts;
    }

    /** The counters of a port, named as in {@code s1/p4}. */
    public PortFacts port(String name) {
        PortFacts facts = ports.get(name);
        if (facts == null) {
            throw new IllegalArgumentException("no port is named " + name);
        }
        return facts;
    }

    /** A series by its name. */
    public Series seriesOf(String name) {
        for (Series one : series) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException("no series is named " + name);
    }

    /** The observation with flows and bytes of only a part of the run. */
    public Observation within(Window part) {
        return withSeries(part.flows(series)).withWindow(part);
    }

    /** Rate in Gb/s that arrived at a group's receivers over the whole run. */
    public double carriedGbps(String name) {
        return group(name).frameBytesCarried() * 8 / durationUs / 1e3;
    }

    /** Rate in Gb/s that a group's receivers took over the whole run. */
    public double throughputGbps(String name) {
        return group(name).frameBytesReceived() * 8 / durationUs / 1e3;
    }

    /** Frames that all switches dropped, by reason. */
    public Map<String, Long> drops() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (PortFacts port : ports.values()) {
            port.drops().forEach((reason, frames) -> sums.merge(reason, frames, Long::sum));
        }
        return sums;
    }

    /**
     * Such as {@code 0 drops; highest queue s1/p4 with 61 % of its limit (305 of 500 kB)}.
     *
     * @param queueLimitBytes limit of lossy queues; {@link #NO_LIMIT} if lossless frames also wait,
     *     which are stopped at their sender and not dropped
     */
    public String statement(long queueLimitBytes) {
        Map<String, Long> drops = drops();
        StringJoiner text = new StringJoiner(", ");
        drops.forEach((reason, frames) -> text.add(frames + " frames dropped for " + reason));
        hostDrops.forEach(
                (reason, frames) -> text.add(frames + " frames dropped by hosts for " + reason));
        PortFacts highest = null;
        for (PortFacts port : ports.values()) {
            boolean higher = highest == null || port.queueMaxBytes() > highest.queueMaxBytes();
            highest = higher ? port : highest;
        }
        String queue =
                highest == null || highest.queueMaxBytes() == 0
                        ? "no frame ever waited in a switch"
                        : highest(highest, queueLimitBytes);
        return (text.length() == 0 ? "0 frames dropped" : text.toString()) + "; " + queue;
    }

    private static String highest(PortFacts port, long limitBytes) {
        double bytes = port.queueMaxBytes();
        return limitBytes == NO_LIMIT
                ? String.format("highest queue at %s, %.1f kB", port.name(), bytes / 1e3)
                : String.format(
                        "highest queue at %s with %.0f %% of its limit (%.1f of %.1f kB)",
                        port.name(), 100.0 * bytes / limitBytes, bytes / 1e3, limitBytes / 1e3);
    }

    /** The measures that every experiment has. */
    public List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        for (GroupFacts group : groups.values()) {
            String of = " of " + group.name();
            measures.add(new Measure("frames sent" + of, "frames", group.framesSent()));
            measures.add(new Measure("frames received" + of, "frames", group.framesReceived()));
            measures.add(new Measure("frames carried" + of, "frames", group.framesCarried()));
            measures.add(new Measure("frames reordered" + of, "frames", group.framesReordered()));
            measures.add(new Measure("bytes received" + of, "byte", group.frameBytesReceived()));
            measures.add(new Measure("throughput" + of, "Gb/s", throughputGbps(group.name())));
            measures.add(new Measure("carried" + of, "Gb/s", carriedGbps(group.name())));
            measures.add(new Measure("frames marked" + of, "frames", group.framesMarked()));
            measures.add(
                    new Measure("frames undetermined" + of, "frames", group.framesUndetermined()));
            if (!Double.isNaN(group.fairness())) {
                measures.add(new Measure("fairness" + of, "", group.fairness()));
            }
            measures.add(new Measure("mean delay" + of, "us", group.meanDelayUs()));
            measures.add(new Measure("largest delay" + of, "us", group.maxDelayUs()));
            if (group.messages() > 0) {
                measures.addAll(messages(group, of));
            }
        }
        measures.addAll(ofFlows());
        // A switch that is not ours has neither ports nor links that are known.
        boolean isOurs = !ports.isEmpty() || !links.isEmpty();
        if (isOurs) {
            measures.add(new Measure("frames dropped", "frames", sum(drops())));
        }
        measures.add(new Measure("frames dropped by hosts", "frames", sum(hostDrops)));
        if (isOurs) {
            measures.addAll(fill());
        }
        measures.addAll(ofBed);
        return window == null ? measures : window.measures(measures, series, groups.keySet());
    }

    private List<Measure> fill() {
        List<Measure> measures = new ArrayList<>();
        long highest = ports.values().stream().mapToLong(PortFacts::queueMaxBytes).max().orElse(0);
        measures.add(new Measure("highest queue", "byte", highest));
        long held = ports.values().stream().mapToLong(PortFacts::bufferMaxBytes).max().orElse(0);
        if (held > 0) {
            measures.add(new Measure("highest buffer", "byte", held));
        }
        return measures;
    }

    private List<Measure> ofFlows() {
        List<Measure> measures = new ArrayList<>();
        Outcome seen = new Outcome("", List.of(), series, List.of(), configuration);
        for (Flows flows : Flows.all(seen)) {
            String of = " of " + flows.group();
            measures.addAll(flows.measures());
            if (group(flows.group()).flowsWaiting() > 0) {
                measures.removeIf(one ->
                        one.name().equals(Flows.MAKESPAN + of)
                                || one.name().equals(Flows.LAST_ARRIVAL + of));
            }
        }
        return measures;
    }

    private List<Measure> messages(GroupFacts group, String of) {
        return List.of(
                new Measure("messages" + of, "messages", group.messages()),
                new Measure("goodput" + of, "Gb/s", group.messageBytes() * 8 / durationUs / 1e3),
                new Measure("mean message time" + of, "us", group.messageMeanUs()),
                new Measure("largest message time" + of, "us", group.messageMaxUs()),
                new Measure("packets repeated" + of, "packets", group.packetsRepeated()));
    }

    private static long sum(Map<String, Long> frames) {
        return frames.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The outcome: these measures, further ones, series and statements on them. */
    public Outcome outcome(List<Measure> more, List<String> statements) {
        List<Measure> all = new ArrayList<>(measures());
        all.addAll(more);
        List<String> said = new ArrayList<>(statements);
        said.addAll(deadlocks);
        return new Outcome(digest, all, series, said, configuration, links, dropped);
    }
}
