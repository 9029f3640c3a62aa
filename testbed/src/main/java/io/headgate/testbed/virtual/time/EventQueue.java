package io.headgate.testbed.virtual.time;

import java.util.Arrays;

/**
 * Pending events: a run's nodes, each at its next event, and its timers. Events belong to
 * <em>entities</em>, numbered from 0, each with at most one pending time; they are taken in the
 * order of time, then of entity.
 *
 * <p>A timing wheel (Varghese and Lauck, SOSP 1987) in the form of a radix heap: level 0 has 4,096
 * buckets of equal width, each a list in order; further levels have 64 buckets each, every one as
 * wide as the level below, unordered. An event's level is that of the highest digit in which its
 * time differs from the time last taken, so it moves down at most once a level as time comes
 * nearer, and nothing is ever out of range. Occupied buckets are bits, so the next one is two
 * instructions away. The width of level 0 adapts to how close events lie; the order does not depend
 * on it. Nothing is allocated but when entities are added.
 */
public final class EventQueue {
    /** The time of an entity without a pending event. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int FINE_BITS = 12;
    private static final int FINE_BUCKETS = 1 << FINE_BITS;
    private static final int COARSE_BITS = 6;
    private static final int COARSE_BUCKETS = 1 << COARSE_BITS;
    private static final int COARSE_LEVELS = (Long.SIZE - FINE_BITS) / COARSE_BITS + 1;
    private static final int BUCKETS = FINE_BUCKETS + COARSE_LEVELS * COARSE_BUCKETS;
    private static final int NONE = -1;

    private static final int INITIAL_SHIFT = 12;
    private static final int MAX_SHIFT = 30;

    // The width is looked at again after at least this many events were set.
    private static final int ADAPT_INTERVAL = 1 << 14;

    // Nodes 0 to BUCKETS - 1 are the buckets' anchors, entity e is node BUCKETS + e. Lists are
    // doubly linked rings through the anchor.
    private long[] times;
    private int[] nexts;
    private int[] prevs;
    private int entities;
    private int pending;

    private final long[] fineBits = new long[FINE_BUCKETS >>> 6];
    private long fineSummary;
    private final long[] coarseBits = new long[COARSE_LEVELS];
    private int coarseSummary;

    private int shift = INITIAL_SHIFT;
    private long base;
    private int first = NONE;

    private int adaptAfter = ADAPT_INTERVAL;
    private int placed;
    private long steps;
    private long movedDown;

    /**
     * @param entities how many there are to begin with
     */
    public EventQueue(int entities) {
        times = new long[BUCKETS + entities];
        nexts = new int[BUCKETS + entities];
        prevs = new int[BUCKETS + entities];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            nexts[bucket] = bucket;
            prevs[bucket] = bucket;
        }
        Arrays.fill(times, NEVER);
        this.entities = entities;
    }

    /** Makes room for entities up to a number, itself not included. */
    public void grow(int toEntities) {
        if (toEntities > entities) {
            int room = times.length - BUCKETS;
            if (toEntities > room) {
                int length = BUCKETS + Math.max(toEntities, room + (room >> 1));
                int old = times.length;
                times = Arrays.copyOf(times, length);
                Arrays.fill(times, old, length, NEVER);
                nexts = Arrays.copyOf(nexts, length);
                prevs = Arrays.copyOf(prevs, length);
            }
            entities = toEntities;
        }
    }

    public int entities() {
        return entities;
    }

    /** Number of entities with a pending event. */
    public int size() {
        return pending;
    }

    /** When an entity's event is due; {@link #NEVER} if it has none. */
    public long timeOf(int entity) {
        return times[BUCKETS + entity];
    }

    /**
     * Sets when an entity's event is due, in place of the time it had.
     *
     * @param time not before the time of the event last taken, below {@link #NEVER}
     */
    public void schedule(int entity, long time) {
        int node = BUCKETS + entity;
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

    /** Takes back an entity's event, if it has one. */
    public void cancel(int entity) {
        int node = BUCKETS + entity;
        long old = times[node];
        if (old != NEVER) {
            unlink(node, old);
            times[node] = NEVER;
            pending--;
        }
    }

    /** When the next event is due; {@link #NEVER} if there is none. */
    public long nextTime() {
        if (first == NONE) {
            if (pending == 0) {
                return NEVER;
            }
            first = findFirst();
        }
        return times[first];
    }

    /** Takes the next event and answers whose it is; there must be one. */
    public int poll() {
        long time = nextTime();
        int node = first;
        if (((time ^ base) >>> shift) >= FINE_BUCKETS) {
            moveDown(time);
        }
        base = time;
        int bucket = (int) (time >>> shift) & (FINE_BUCKETS - 1);
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
        return node - BUCKETS;
    }

    private void place(int node, long time) {
        times[node] = time;
        long difference = (time ^ base) >>> shift;
        if (difference < FINE_BUCKETS) {
            int bucket = (int) (time >>> shift) & (FINE_BUCKETS - 1);
            int before = prevs[bucket];
            while (before >= BUCKETS
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

    private static int coarseLevel(long difference) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(difference) - FINE_BITS) / COARSE_BITS;
    }

    private int coarseDigit(int level, long time) {
        int at = shift + FINE_BITS + level * COARSE_BITS;
        return at >= Long.SIZE ? 0 : (int) (time >>> at) & (COARSE_BUCKETS - 1);
    }

    private static int coarseBucket(int level, int digit) {
        return FINE_BUCKETS + (level << COARSE_BITS) + digit;
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
        if (before == after && before < BUCKETS) {
            clearBucket(time);
        }
        if (first == node) {
            first = NONE;
        }
    }

    private void clearBucket(long time) {
        long difference = (time ^ base) >>> shift;
        if (difference < FINE_BUCKETS) {
            clearFine((int) (time >>> shift) & (FINE_BUCKETS - 1));
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
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            nexts[bucket] = bucket;
            prevs[bucket] = bucket;
        }
        Arrays.fill(fineBits, 0);
        Arrays.fill(coarseBits, 0);
        fineSummary = 0;
        coarseSummary = 0;
        for (int node = BUCKETS; node < BUCKETS + entities; node++) {
            if (times[node] != NEVER) {
                place(node, times[node]);
            }
        }
        steps = 0;
    }
}
