package io.headgate.control.counters;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.counter.DropCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** All counters of a switch at one moment. Immutable. */
public final class CounterSnapshot {
    /** The frames that one half dropped for one reason. */
    public record Drop(
            String port, boolean ingress, String reason, String description, long frames) {}

    private record Key(Scope scope, String owner, String label) {}

    private final List<Entry> entries;
    private final long[] values;
    private final Map<Key, Integer> byKey;
    private final long takenNs;

    private CounterSnapshot(List<Entry> entries, long[] values, long takenNs) {
        this(entries, values, new HashMap<>(), takenNs);
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            byKey.put(new Key(entry.scope(), entry.owner(), entry.label()), i);
        }
    }

    private CounterSnapshot(
            List<Entry> entries, long[] values, Map<Key, Integer> byKey, long takenNs) {
        this.entries = entries;
        this.values = values;
        this.byKey = byKey;
        this.takenNs = takenNs;
    }

    public static CounterSnapshot of(CounterReader reader) {
        return of(reader.entries(), reader::value);
    }

    public static CounterSnapshot of(List<Entry> entries, ToLongFunction<Entry> value) {
        long takenNs = System.nanoTime();
        long[] values = entries.stream().mapToLong(value).toArray();
        return new CounterSnapshot(entries, values, takenNs);
    }

    /**
     * The changes since an earlier snapshot of the same switch: totals as differences, gauges and
     * maxima as they are now.
     */
    public CounterSnapshot since(CounterSnapshot earlier) {
        if (earlier.values.length != values.length) {
            throw new IllegalArgumentException("snapshots of two different switches");
        }
        long[] difference = values.clone();
        for (int i = 0; i < difference.length; i++) {
            if (entries.get(i).kind() == CounterId.Kind.TOTAL) {
                difference[i] -= earlier.values[i];
            }
        }
        return new CounterSnapshot(entries, difference, byKey, takenNs);
    }

    /** Only the entries of the named ports; empty if no port has such a name. */
    public CounterSnapshot ofPorts(Collection<String> ports) {
        List<Entry> kept = new ArrayList<>();
        long[] keptValues = new long[entries.size()];
        for (int i = 0; i < values.length; i++) {
            Entry entry = entries.get(i);
            boolean isPort = entry.scope() == Scope.INGRESS || entry.scope() == Scope.EGRESS;
            if (isPort && ports.contains(entry.owner())) {
                keptValues[kept.size()] = values[i];
                kept.add(entry);
            }
        }
        return new CounterSnapshot(kept, Arrays.copyOf(keptValues, kept.size()), takenNs);
    }

    /** When it was taken, on {@link System#nanoTime()}'s clock. */
    public long takenNs() {
        return takenNs;
    }

    /** All counters, in the order of the file. */
    public List<Entry> entries() {
        return entries;
    }

    /** Value of the counter at a place in {@link #entries()}. */
    public long value(int index) {
        return values[index];
    }

    /**
     * Value of a counter.
     *
     * @throws IllegalArgumentException if there is no such counter
     */
    public long value(Scope scope, String owner, CounterId id) {
        return value(scope, owner, id.label());
    }

    /**
     * Value of a counter.
     *
     * @throws IllegalArgumentException if there is no such counter
     */
    public long value(Scope scope, String owner, String label) {
        Integer index = byKey.get(new Key(scope, owner, label));
        if (index == null) {
            throw unknown(label + " of " + scope + " " + owner);
        }
        return values[index];
    }

    /**
     * Sum of a counter over all its owners.
     *
     * @throws IllegalArgumentException if no owner has it
     */
    public long total(Scope scope, CounterId id) {
        long sum = 0;
        boolean found = false;
        for (int i = 0; i < values.length; i++) {
            Entry entry = entries.get(i);
            if (entry.scope() == scope && entry.label().equals(id.label())) {
                found = true;
                sum += values[i];
            }
        }
        if (!found) {
            throw unknown(id.label() + " of any " + scope);
        }
        return sum;
    }

    private static IllegalArgumentException unknown(String what) {
        return new IllegalArgumentException(
                "there is no counter " + what + "; another version of Headgate may have made them");
    }

    /**
     * Names of the owners of counters of a scope, in their order; the local port is the last port.
     */
    public List<String> owners(Scope scope) {
        return owners(scope, label -> true);
    }

    /** Names of the owners of counters whose labels match, in their order. */
    public List<String> owners(Scope scope, Predicate<String> label) {
        return entries.stream()
                .filter(entry -> entry.scope() == scope && label.test(entry.label()))
                .map(Entry::owner)
                .distinct()
                .toList();
    }

    /** Every reason for which some half dropped frames. Empty if nothing was dropped. */
    public List<Drop> drops() {
        List<Drop> drops = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Entry entry = entries.get(i);
            if (values[i] != 0 && entry.label().startsWith(DropCounters.LABEL_PREFIX)) {
                drops.add(
                        new Drop(
                                entry.owner(),
                                entry.scope() == Scope.INGRESS,
                                entry.label().substring(DropCounters.LABEL_PREFIX.length()),
                                entry.description(),
                                values[i]));
            }
        }
        return drops;
    }

    /**
     * Frames that a port dropped on either side, for whatever reason.
     *
     * @throws IllegalArgumentException if there is no such port
     */
    public long dropsAt(String port) {
        if (!owners(Scope.INGRESS).contains(port)) {
            throw new IllegalArgumentException("no counters of a port " + port);
        }
        return drops().stream()
                .filter(drop -> drop.port().equals(port))
                .mapToLong(Drop::frames)
                .sum();
    }
}
