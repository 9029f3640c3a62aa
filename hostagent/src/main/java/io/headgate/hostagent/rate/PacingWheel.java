package io.headgate.hostagent.rate;

import java.util.Arrays;

/**
 * A priority queue of events by time: for a card, the next frames of its limited flows; in virtual
 * time, the next events of a run's nodes, and its timers. Events belong to <em>entities</em>,
 * numbered from 0, each with at most one pending time; they are taken in the order of time, then of
 * entity.
 *
 * <p>A timing wheel (Varghese and Lauck, SOSP 1987) in the form of a radix heap: level 0 has many
 * buckets of equal width, each a list in order; further levels have fewer buckets, every one as
 * wide as the level below, unordered. An event's level is that of the highest digit in which its
 * time differs from the time last taken, so it moves down at most once a level as time comes
 * nearer, and no time is out of range. Occupied buckets are bits, so the next one is two
 * instructions away. The width of level 0 adapts to how close events lie; neither it nor the number
 * of buckets decides about the order. Memory is allocated only when entities are added.
 */
public final class PacingWheel {
    /** The time of an entity without a pending event. */
    public static final long NEVER = Long.MAX_VALUE;

    /** For a run with thousands of nodes, which are all due within microseconds: 75 kB. */
    private static final int RUN_FINE_BITS = 12;

    private static final int RUN_COARSE_BITS = 6;

    /** For one of thousands of cards, each with a few limited flows: 3 kB. */
    private static final int CARD_FINE_BITS = 5;

    private static final int CARD_COARSE_BITS = 3;

    private static final int MAX_FINE_BITS = 12;
    private static final int MAX_COARSE_BITS = 6;
    private static final int NONE = -1;

    private static final int INITIAL_SHIFT = 12;
    private static final int MAX_SHIFT = 30;

    // The width is looked at again after at least this many events were set.
    private static final int ADAPT_INTERVAL = 1 << 14;

    private final int fineDigitBits;
    private final int fineBuckets;
    private final int coarseDigitBits;
    private final int buckets;

    // Nodes 0 to buckets - 1 are the buckets' anchors, entity e is node buckets + e. Lists are
    // doubly linked rings through the anchor.
    private long[] times;
    private int[] nexts;
    private int[] prevs;
    private int entities;
    private int pending;

    private final long[] fineBits;
    private long fineSummary;
    private final long[] coarseBits;
    private int coarseSummary;

    private int shift = INITIAL_SHIFT;
    private long base;
    private int first = NONE;

    private int adaptAfter = ADAPT_INTERVAL;
    private int placed;
    private long steps;
    private long movedDown;

    /**
     * @param entities initial number of entities
     * @param fineDigitBits level 0 has 2 to the power of this buckets, 1 to 12
     * @param coarseDigitBits the same for every further level, 2 to 6
     */
    PacingWheel(int entities, int fineDigitBits, int coarseDigitBits) {
        if (fineDigitBits < 1
                || fineDigitBits > MAX_FINE_BITS
                || coarseDigitBits < 2
                || coarseDigitBits > MAX_COARSE_BITS) {
            throw new IllegalArgumentException(
                    "a wheel of " + fineDigitBits + " and " + coarseDigitBits + " bits");
        }
        this.fineDigitBits = fineDigitBits;
        this.coarseDigitBits = coarseDigitBits;
        fineBuckets = 1 << fineDigitBits;
        int coarseLevels = (Long.SIZE - fineDigitBits) / coarseDigitBits + 1;
        buckets = fineBuckets + (coarseLevels << coarseDigitBits);
        fineBits = new long[Math.max(1, fineBuckets >>> 6)];
        coarseBits = new long[coarseLevels];
        times = new long[buckets + entities];
        nexts = new int[buckets + entities];
        prevs = new int[buckets + entities];
        for (int bucket = 0; bucket < buckets; bucket++) {
            nexts[bucket] = bucket;
            prevs[bucket] = bucket;
        }
        Arrays.fill(times, NEVER);
        this.entities = entities;
    }

    /** The wheel of a run in virtual time. */
    public static PacingWheel ofRun(int entities) {
        return new PacingWheel(entities, RUN_FINE_BITS, RUN_COARSE_BITS);
    }

    /** The wheel of a network card, whose entities are its flows: with 32 flows below 4 kB. */
    public static PacingWheel ofCard(int flows) {
        return new PacingWheel(flows, CARD_FINE_BITS, CARD_COARSE_BITS);
    }

    /** Makes room for entities up to a number, itself not included. */
    public void grow(int toEntities) {
        if (toEntities > entities) {
            int room = times.length - buckets;
            if (toEntities > room) {
                int length = buckets + Math.max(toEntities, room + (room >> 1));
                int old = times.length;
                times = Arrays.copyOf(times, length);
                Arrays.fill(times, old, length, NEVER);
                nexts = Arrays.copyOf(nexts, length);
                prevs = Arrays.copyOf(prevs, length);
            }
            entities = toEntities;
        }
    }

    /** Size of its arrays, in bytes. */
    int memoryBytes() {
        int words = times.length + fineBits.length + coarseBits.length;
        return words * Long.BYTES + (nexts.length + prevs.length) * Integer.BYTES;
    }

    /** Number of entities with a pending event. */
    public int size() {
        return pending;
    }

    /** The time of an entity's event; {@link #NEVER} if it has none. */
    public long timeOf(int entity) {
        return times[buckets + entity];
    }

    /**
     * Sets the time of an entity's event, instead of the time it had.
     *
     * @param time not before the time of the event last taken, below {@link #NEVER}
     */
    public void schedule(int entity, long time) {
        int node = buckets + entity;
        long old = times[node];
        if (old == time) {
            return;
        }
        if (time < base || time == NEVER) {
            throw new IllegalArgumentException(
                    "entity " + entity + " at " + time + ", clock at " + base);
        }
        if (old != NEVER) {
            unlink(node, old);
        } else {
            pending++;
        }
        place(node, time);
        if (pending == 1) {
            first = node;
        } else if (first != NONE
                && (time < times[first] || (time == times[first] && node < first))) {
            first = node;
        }
        if (++placed >= adaptAfter) {
            adapt();
        }
    }

    /** Cancels an entity's event, if it has one. */
    public void cancel(int entity) {
        int node = buckets + entity;
        long old = times[node];
        if (old != NEVER) {
            unlink(node, old);
            times[node] = NEVER;
            pending--;
        }
    }

    /** The time of the next event; {@link #NEVER} without one. */
    public long nextTime() {
        if (first == NONE) {
            if (pending == 0) {
                return NEVER;
            }
            first = findFirst();
        }
        return times[first];
    }

    /** Removes the next event and returns its entity; there must be one. */
    public int poll() {
        long time = nextTime();
        int node = first;
        if (((time ^ base) >>> shift) >= fineBuckets) {
            moveDown(time);
        }
        base = time;
        int bucket = (int) (time >>> shift) & (fineBuckets - 1);
        int next = nexts[node];
        // The first of all is the first of its bucket.
        nexts[bucket] = next;
        prevs[next] = bucket;
        times[node] = NEVER;
        pending--;
        if (next != bucket) {
            first = next;
        } else {
            clearFine(bucket);
            first = NONE;
        }
        return node - buckets;
    }

    private void place(int node, long time) {
        times[node] = time;
        long difference = (time ^ base) >>> shift;
        if (difference < fineBuckets) {
            int bucket = (int) (time >>> shift) & (fineBuckets - 1);
            int before = prevs[bucket];
            while (before >= buckets
                    && (times[before] > time || (times[before] == time && before > node))) {
                before = prevs[before];
                steps++;
            }
            link(node, before, nexts[before]);
            fineBits[bucket >>> 6] |= 1L << bucket;
            fineSummary |= 1L << (bucket >>> 6);
        } else {
            int level = coarseLevel(difference);
            int digit = coarseDigit(level, time);
            int bucket = coarseBucket(level, digit);
            link(node, prevs[bucket], bucket);
            coarseBits[level] |= 1L << digit;
            coarseSummary |= 1 << level;
        }
    }

    private int coarseLevel(long difference) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(difference) - fineDigitBits)
                / coarseDigitBits;
    }

    private int coarseDigit(int level, long time) {
        int at = shift + fineDigitBits + level * coarseDigitBits;
        return at >= Long.SIZE ? 0 : (int) (time >>> at) & ((1 << coarseDigitBits) - 1);
    }

    private int coarseBucket(int level, int digit) {
        return fineBuckets + (level << coarseDigitBits) + digit;
    }

    private void link(int node, int before, int after) {
        nexts[before] = node;
        prevs[node] = before;
        nexts[node] = after;
        prevs[after] = node;
    }

    private void unlink(int node, long time) {
        int before = prevs[node];
        int after = nexts[node];
        nexts[before] = after;
        prevs[after] = before;
        if (before == after && before < buckets) {
            clearBucket(time);
        }
        if (first == node) {
            first = NONE;
        }
    }

    private void clearBucket(long time) {
        long difference = (time ^ base) >>> shift;
        if (difference < fineBuckets) {
            clearFine((int) (time >>> shift) & (fineBuckets - 1));
        } else {
            int level = coarseLevel(difference);
            coarseBits[level] &= ~(1L << coarseDigit(level, time));
            if (coarseBits[level] == 0) {
                coarseSummary &= ~(1 << level);
            }
        }
    }

    private void clearFine(int bucket) {
        int word = bucket >>> 6;
        fineBits[word] &= ~(1L << bucket);
        if (fineBits[word] == 0) {
            fineSummary &= ~(1L << word);
        }
    }

    /** The first node; there is one. Moves nothing, so that earlier events may still be set. */
    private int findFirst() {
        if (fineSummary != 0) {
            // All of level 0 lies at or after the base.
            int word = Long.numberOfTrailingZeros(fineSummary);
            return nexts[(word << 6) + Long.numberOfTrailingZeros(fineBits[word])];
        }
        int level = Integer.numberOfTrailingZeros(coarseSummary);
        int bucket = coarseBucket(level, Long.numberOfTrailingZeros(coarseBits[level]));
        int least = nexts[bucket];
        for (int node = nexts[least]; node != bucket; node = nexts[node]) {
            if (times[node] < times[least] || (times[node] == times[least] && node < least)) {
                least = node;
            }
        }
        return least;
    }

    /** Brings the bucket that holds the first event down to level 0, as seen from its time. */
    private void moveDown(long time) {
        long difference = (time ^ base) >>> shift;
        int level = coarseLevel(difference);
        int digit = coarseDigit(level, time);
        int bucket = coarseBucket(level, digit);
        base = time;
        coarseBits[level] &= ~(1L << digit);
        if (coarseBits[level] == 0) {
            coarseSummary &= ~(1 << level);
        }
        int node = nexts[bucket];
        nexts[bucket] = bucket;
        prevs[bucket] = bucket;
        while (node != bucket) {
            int next = nexts[node];
            place(node, times[node]);
            movedDown++;
            node = next;
        }
    }

    /** Halves the buckets where lists have become long, doubles them where few events are near. */
    private void adapt() {
        int wanted = shift;
        if (steps > placed && shift > 0) {
            wanted = shift - 1;
        } else if (movedDown > placed / 4 && steps < placed / 8 && shift < MAX_SHIFT) {
            wanted = shift + 1;
        }
        placed = 0;
        steps = 0;
        movedDown = 0;
        adaptAfter = Math.max(ADAPT_INTERVAL, pending);
        if (wanted != shift) {
            rebuild(wanted);
        }
    }

    private void rebuild(int newShift) {
        shift = newShift;
        for (int bucket = 0; bucket < buckets; bucket++) {
            nexts[bucket] = bucket;
            prevs[bucket] = bucket;
        }
        Arrays.fill(fineBits, 0);
        Arrays.fill(coarseBits, 0);
        fineSummary = 0;
        coarseSummary = 0;
        for (int node = buckets; node < buckets + entities; node++) {
            if (times[node] != NEVER) {
                place(node, times[node]);
            }
        }
        steps = 0;
    }
}
