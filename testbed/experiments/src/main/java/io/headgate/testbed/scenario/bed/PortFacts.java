package io.headgate.testbed.scenario.bed;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The counters of a switch's port. Bytes are those of frames without FCS.
 *
 * @param name name as in {@code s1/p4}
 * @param bufferMaxBytes largest number of bytes that a lossless priority had received and still
 *     held; 0 without a lossless priority
 * @param drops dropped frames by reason, of both halves; only reasons that occurred
 */
public record PortFacts(
        String name,
        long framesReceived,
        long framesTransmitted,
        long queueMaxBytes,
        long bufferMaxBytes,
        Map<String, Long> drops) {
    private static final String LOCAL = "local";

    public PortFacts {
        drops = new LinkedHashMap<>(drops);
    }

    /**
     * All ports of a switch except the one that represents the switch itself, by name.
     *
     * @throws IllegalArgumentException if a port does not have one of the counters
     */
    public static Map<String, PortFacts> of(
            String switchName, List<Entry> entries, ToLongFunction<Entry> values) {
        Map<String, List<Entry>> byPort = new LinkedHashMap<>();
        for (Entry entry : entries) {
            boolean port = entry.scope() == Scope.INGRESS || entry.scope() == Scope.EGRESS;
            if (port && !entry.owner().equals(LOCAL)) {
                byPort.computeIfAbsent(entry.owner(), owner -> new ArrayList<>()).add(entry);
            }
        }
        Map<String, PortFacts> facts = new LinkedHashMap<>();
        byPort.forEach((port, own) -> {
            String name = switchName + "/" + port;
            facts.put(name, facts(name, port, own, values));
        });
        return facts;
    }

    /** Adds the frames that the ports of a host's card dropped, by reason. */
    public static void addDrops(CounterDirectory ofCard, Map<String, Long> drops) {
        of("card", ofCard.entries(), ofCard::value)
                .values()
                .forEach(port -> port.drops().forEach((k, v) -> drops.merge(k, v, Long::sum)));
    }

    private static PortFacts facts(
            String name, String port, List<Entry> entries, ToLongFunction<Entry> values) {
        return new PortFacts(
                name,
                values.applyAsLong(
                        CounterLookup.find(
                                entries,
                                Scope.INGRESS,
                                port,
                                IngressCounter.FRAMES_RECEIVED.label())),
                out(port, EgressCounter.FRAMES_TRANSMITTED, entries, values),
                out(port, EgressCounter.QUEUE_MAX_BYTES, entries, values),
                bufferMaxBytes(port, entries, values),
                drops(entries, values));
    }

    private static long out(
            String port, EgressCounter id, List<Entry> entries, ToLongFunction<Entry> values) {
        return values.applyAsLong(CounterLookup.find(entries, Scope.EGRESS, port, id.label()));
    }

    private static long bufferMaxBytes(
            String port, List<Entry> entries, ToLongFunction<Entry> values) {
        long max = 0;
        if (entries.stream().map(Entry::label).anyMatch(PriorityCounter::isLabel)) {
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                String label = PriorityCounter.Ingress.OCCUPANCY_MAX_BYTES.label(priority);
                Entry entry = CounterLookup.find(entries, Scope.INGRESS, port, label);
                max = Math.max(max, values.applyAsLong(entry));
            }
        }
        return max;
    }

    private static Map<String, Long> drops(List<Entry> entries, ToLongFunction<Entry> values) {
        Map<String, Long> drops = new LinkedHashMap<>();
        for (Entry entry : entries) {
            long value = values.applyAsLong(entry);
            if (entry.label().startsWith(DropCounters.LABEL_PREFIX) && value != 0) {
                drops.merge(
                        entry.label().substring(DropCounters.LABEL_PREFIX.length()),
                        value,
                        Long::sum);
            }
        }
        return drops;
    }

    /** The counter of a port's queue in bytes. */
    public static Entry queueBytes(List<Entry> entries, String port) {
        return CounterLookup.find(entries, Scope.EGRESS, port, EgressCounter.QUEUE_BYTES.label());
    }
}
