package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.engine.counter.CounterDirectory;
import io.headgate.dataplane.engine.counter.CounterDirectory.Entry;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.engine.counter.IngressCounter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What a switch's port counted. Bytes are of frames without FCS.
 *
 * @param name as in {@code s1/p4}
 * @param bufferMaxBytes the most that a lossless priority had received and still held; 0 where
 *     there is none
 * @param drops frames by reason, both sides, only reasons that occurred
 */
public record PortFacts(
        String name,
        long framesReceived,
        long framesTransmitted,
        long bytesTransmitted,
        long queueMaxBytes,
        long bufferMaxBytes,
        Map<String, Long> drops) {
    /** What the labels of counters of drops begin with. */
    static final String DROP_PREFIX = "drop.";

    private static final String BUFFER_MAX_PREFIX = "buffer.max.bytes.p";
    private static final String LOCAL = "local";

    public PortFacts {
        drops = new LinkedHashMap<>(drops);
    }

    /** Frames dropped, whatever for. */
    public long dropped() {
        return drops.values().stream().mapToLong(Long::longValue).sum();
    }

    /** All ports of a switch but the one that stands for itself, by name. */
    static Map<String, PortFacts> of(
            String switchName, List<Entry> entries, ToLongFunction<Entry> values) {
        Map<String, Counted> counted = new LinkedHashMap<>();
        for (Entry entry : entries) {
            boolean port = entry.scope() == Scope.INGRESS || entry.scope() == Scope.EGRESS;
            if (port && !entry.owner().equals(LOCAL)) {
                counted.computeIfAbsent(entry.owner(), owner -> new Counted())
                        .add(entry, values.applyAsLong(entry));
            }
        }
        Map<String, PortFacts> facts = new LinkedHashMap<>();
        counted.forEach((owner, sums) -> {
            String name = switchName + "/" + owner;
            facts.put(name, sums.facts(name));
        });
        return facts;
    }

    /** Adds the frames that the ports of a host's card dropped, by reason. */
    static void addDrops(CounterDirectory ofCard, Map<String, Long> drops) {
        of("card", ofCard.entries(), ofCard::value)
                .values()
                .forEach(port -> port.drops().forEach((k, v) -> drops.merge(k, v, Long::sum)));
    }

    /** Sums of one port. */
    private static final class Counted {
        private long framesReceived;
        private long framesTransmitted;
        private long bytesTransmitted;
        private long queueMaxBytes;
        private long bufferMaxBytes;
        private final Map<String, Long> drops = new LinkedHashMap<>();

        void add(Entry entry, long value) {
            String label = entry.label();
            if (label.startsWith(DROP_PREFIX)) {
                if (value != 0) {
                    drops.merge(label.substring(DROP_PREFIX.length()), value, Long::sum);
                }
            } else if (entry.scope() == Scope.INGRESS) {
                if (label.equals(IngressCounter.FRAMES_RECEIVED.label())) {
                    framesReceived = value;
                } else if (label.startsWith(BUFFER_MAX_PREFIX)) {
                    bufferMaxBytes = Math.max(bufferMaxBytes, value);
                }
            } else if (label.equals(EgressCounter.FRAMES_TRANSMITTED.label())) {
                framesTransmitted = value;
            } else if (label.equals(EgressCounter.BYTES_TRANSMITTED.label())) {
                bytesTransmitted = value;
            } else if (label.equals(EgressCounter.QUEUE_MAX_BYTES.label())) {
                queueMaxBytes = value;
            }
        }

        PortFacts facts(String name) {
            return new PortFacts(
                    name,
                    framesReceived,
                    framesTransmitted,
                    bytesTransmitted,
                    queueMaxBytes,
                    bufferMaxBytes,
                    drops);
        }
    }

    /** The counter of a port's queue in bytes. */
    static Entry queueBytes(List<Entry> entries, String port) {
        for (Entry entry : entries) {
            if (entry.scope() == Scope.EGRESS
                    && entry.owner().equals(port)
                    && entry.label().equals(EgressCounter.QUEUE_BYTES.label())) {
                return entry;
            }
        }
        throw new IllegalArgumentException("no queue of a port " + port);
    }
}
