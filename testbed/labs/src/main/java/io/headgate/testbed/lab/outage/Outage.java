package io.headgate.testbed.lab.outage;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive datagrams of which none arrived. It lasts from the sending of the first to that of
 * the last, and one interval: a sender or receiver without a core makes it no longer, as all times
 * are those at which the datagrams were really sent.
 *
 * @param fromNs when the first was sent
 * @param lastNs when the last was sent
 * @param intervalNs between two
 * @param datagrams number of them
 */
record Outage(long fromNs, long lastNs, long intervalNs, int datagrams) {
    long lengthNs() {
        return lastNs - fromNs + intervalNs;
    }

    /**
     * The longest; null if all arrived.
     *
     * @param sentNs when each was sent
     * @param count number of those sent
     * @param arrived numbers of those that came
     */
    static @Nullable Outage longest(long[] sentNs, int count, BitSet arrived, long intervalNs) {
        Outage longest = null;
        int first = arrived.nextClearBit(0);
        while (first < count) {
            int next = arrived.nextSetBit(first);
            int last = (next < 0 ? count : Math.min(next, count)) - 1;
            Outage one = new Outage(sentNs[first], sentNs[last], intervalNs, last - first + 1);
            if (longest == null || one.lengthNs() > longest.lengthNs()) {
                longest = one;
            }
            first = arrived.nextClearBit(last + 1);
        }
        return longest;
    }

    /**
     * For how long after a moment within it still nothing arrived; 0 if it began later or ended
     * before.
     */
    long lengthAfterNs(long momentNs) {
        return fromNs - momentNs < 0 ? Math.max(0, lastNs - momentNs) : 0;
    }
}
