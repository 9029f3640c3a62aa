package io.headgate.dataplane.counter;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Finds counters by their descriptions. A missing counter is an error and never 0: otherwise a
 * renamed counter would look like a healthy zero.
 */
public final class CounterLookup {
    private CounterLookup() {}

    /**
     * The counter of one owner.
     *
     * @param owner name of the port, worker or switch
     * @throws IllegalArgumentException if no counter matches
     */
    public static Entry find(List<Entry> entries, Scope scope, String owner, String label) {
        for (Entry entry : entries) {
            if (entry.scope() == scope
                    && entry.owner().equals(owner)
                    && entry.label().equals(label)) {
                return entry;
            }
        }
        throw new IllegalArgumentException("no counter " + label + " of " + scope + " " + owner);
    }

    /**
     * Sum of all counters that match.
     *
     * @param what describes the counters, for the error message
     * @throws IllegalArgumentException if no counter matches
     */
    public static long sum(
            List<Entry> entries,
            ToLongFunction<Entry> values,
            String what,
            Predicate<Entry> which) {
        long sum = 0;
        boolean found = false;
        for (Entry entry : entries) {
            if (which.test(entry)) {
                found = true;
                sum += values.applyAsLong(entry);
            }
        }
        if (!found) {
            throw new IllegalArgumentException("no counter " + what);
        }
        return sum;
    }
}
