package io.headgate.dataplane.escape;

import io.headgate.dataplane.frame.FiveTuple;

/**
 * Tokens of one port, K for each lossless priority: each is in the pool, under way for a flow, or
 * with a frame that came for it and has not left yet.
 *
 * <p>The dissertation takes a token back when the size of the pool has been the same at two looks
 * (section 4.3.3). A pool in use can look the same by chance, and one that is always in use never
 * rests; so each token that is under way has its own time here.
 */
final class TokenPool {
    private static final int PRIORITIES = 8;
    private static final int WORDS = FiveTuple.WORDS;

    /** In place of a flow's first word, which is never negative. */
    private static final long NOT_USED = -1;

    private final int capacity;
    private final int[] withFrames = new int[PRIORITIES];
    private final int[] underWay = new int[PRIORITIES];
    private final int all;

    // Of tokens that are under way, by priority and place: for which flow, since when.
    private final long[] flows;
    private final long[] sinceNs;

    private int allUnderWay;
    private int allWithFrames;
    private int latest;

    /**
     * All tokens in the pool.
     *
     * @param capacity of each lossless priority, at least 1
     */
    TokenPool(int capacity, int lossless) {
        this.capacity = capacity;
        this.all = Integer.bitCount(lossless) * capacity;
        this.flows = new long[PRIORITIES * capacity * WORDS];
        this.sinceNs = new long[PRIORITIES * capacity];
        for (int place = 0; place < sinceNs.length; place++) {
            flows[place * WORDS] = NOT_USED;
        }
    }

    /** Whether a token of a lossless priority is left. */
    boolean has(int priority) {
        return left(priority) > 0;
    }

    /** Tokens of a lossless priority that are left. */
    int left(int priority) {
        return capacity - underWay[priority] - withFrames[priority];
    }

    /** Takes a token of a lossless priority, which is then under way; false if there is none. */
    boolean take(long nowNs, int priority, FiveTuple flow) {
        if (!has(priority)) {
            return false;
        }
        int place = priority * capacity;
        while (flows[place * WORDS] != NOT_USED) {
            place++;
        }
        for (int word = 0; word < WORDS; word++) {
            flows[place * WORDS + word] = flow.word(word);
        }
        sinceNs[place] = nowNs;
        latest = place;
        underWay[priority]++;
        allUnderWay++;
        return true;
    }

    /** The token that was taken last has not been sent. */
    void putBack() {
        free(latest);
    }

    private void free(int place) {
        flows[place * WORDS] = NOT_USED;
        underWay[place / capacity]--;
        allUnderWay--;
    }

    /** A frame has come for a token that is under way for its flow; false if none is. */
    boolean came(int priority, FiveTuple flow) {
        if (underWay[priority] == 0) {
            return false;
        }
        int end = (priority + 1) * capacity;
        for (int place = priority * capacity; place < end; place++) {
            if (is(place, flow)) {
                free(place);
                withFrames[priority]++;
                allWithFrames++;
                return true;
            }
        }
        return false;
    }

    private boolean is(int place, FiveTuple flow) {
        for (int word = 0; word < WORDS; word++) {
            if (flows[place * WORDS + word] != flow.word(word)) {
                return false;
            }
        }
        return true;
    }

    /** A frame that had {@link #came} has left. */
    void gone(int priority) {
        withFrames[priority]--;
        allWithFrames--;
    }

    /** Takes back tokens that have been under way since a time, or longer; answers how many. */
    int reclaim(long oldestNs) {
        int reclaimed = 0;
        for (int place = 0; place < sinceNs.length && allUnderWay > 0; place++) {
            if (flows[place * WORDS] != NOT_USED && sinceNs[place] - oldestNs <= 0) {
                free(place);
                reclaimed++;
            }
        }
        return reclaimed;
    }

    /** Whether tokens are under way, and so may have to be taken back. */
    boolean areUnderWay() {
        return allUnderWay > 0;
    }

    /** Tokens in the pool, of all priorities. */
    int left() {
        return all - allUnderWay - allWithFrames;
    }

    boolean isFull() {
        return allUnderWay + allWithFrames == 0;
    }
}
