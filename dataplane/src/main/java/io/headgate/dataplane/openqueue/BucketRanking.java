package io.headgate.dataplane.openqueue;

import java.util.Arrays;

/**
 * Packets by a key from 0 to 255: a list for each key, in order of arrival, and a bit for each that
 * is not empty. All in constant time.
 */
final class BucketRanking extends Ranking {
    /** Keys are below it. */
    static final int KEYS = 256;

    private static final int WORDS = KEYS / Long.SIZE;
    private static final int WORD_SHIFT = 6;

    private final int[] oldest = new int[KEYS];
    private final int[] newest = new int[KEYS];
    private final long[] occupied = new long[WORDS];
    private int[] keys;
    private int[] next;
    private int[] previous;

    BucketRanking(int capacity) {
        keys = new int[capacity];
        next = new int[capacity];
        previous = new int[capacity];
        Arrays.fill(oldest, NONE);
        Arrays.fill(newest, NONE);
    }

    @Override
    void insert(int packet, long key) {
        int bucket = (int) key & (KEYS - 1);
        keys[packet] = bucket;
        int before = newest[bucket];
        previous[packet] = before;
        next[packet] = NONE;
        if (before == NONE) {
            oldest[bucket] = packet;
            occupied[bucket >>> WORD_SHIFT] |= 1L << bucket;
        } else {
            next[before] = packet;
        }
        newest[bucket] = packet;
    }

    @Override
    void remove(int packet) {
        int bucket = keys[packet];
        int before = previous[packet];
        int behind = next[packet];
        if (before == NONE) {
            oldest[bucket] = behind;
        } else {
            next[before] = behind;
        }
        if (behind == NONE) {
            newest[bucket] = before;
        } else {
            previous[behind] = before;
        }
        if (oldest[bucket] == NONE) {
            occupied[bucket >>> WORD_SHIFT] &= ~(1L << bucket);
        }
    }

    @Override
    int best() {
        for (int word = 0; word < WORDS; word++) {
            if (occupied[word] != 0) {
                int bit = Long.numberOfTrailingZeros(occupied[word]);
                return oldest[(word << WORD_SHIFT) + bit];
            }
        }
        return NONE;
    }

    @Override
    int worst() {
        for (int word = WORDS - 1; word >= 0; word--) {
            if (occupied[word] != 0) {
                int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(occupied[word]);
                return newest[(word << WORD_SHIFT) + bit];
            }
        }
        return NONE;
    }

    @Override
    void grow(int capacity) {
        keys = Arrays.copyOf(keys, capacity);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
    }
}
