package io.headgate.dataplane.escape;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.frame.FiveTuple;
import java.util.Arrays;

/**
 * The tokens of one port, K for each lossless priority. Each token is in the pool, under way for a
 * flow, or held by a frame that came for it and has not left yet.
 *
 * <p>The dissertation takes a token back when the size of the pool has been the same at two looks
 * (section 4.3.3). A pool in use can have the same size by chance, and a pool that is always in use
 * never rests; so here each token under way has its own time.
 *
 * <p>A flow of the port's own table may have one token under way at first, one more for each that
 * finds a frame, and one again after any that finds none. So a flow without frames to send holds
 * only one token until it is taken back, and a blocked flow has as many as it can use after a few
 * round trips.
 */
final class TokenPool {
    private static final int WORDS = FiveTuple.WORDS;

    /** Replaces a flow's first word, which is never negative. */
    private static final long NOT_USED = -1;

    /** Place of a flow that may have any number of tokens under way. */
    private static final int ANY = -1;

    private final int capacity;
    private final int[] withFrames = new int[PRIORITIES];
    private final int[] underWay = new int[PRIORITIES];
    private final int all;

    // Per token under way, by priority and place: its flow, the time at which it was made, and the
    // flow's place in the table.
    private final long[] flows;
    private final long[] sinceNs;
    private final int[] known;

    // By place in the table: tokens that a flow has under way, and how many it may have.
    private final int[] ofFlow;
    private final int[] allowed;

    private int allUnderWay;
    private int allWithFrames;
    private int latest;

    /**
     * Creates a pool that holds all its tokens.
     *
     * @param capacity tokens per lossless priority, at least 1
     * @param most maximum number of flows in the table
     */
    TokenPool(int capacity, int lossless, int most) {
        this.capacity = capacity;
        this.all = Integer.bitCount(lossless) * capacity;
        this.flows = new long[PRIORITIES * capacity * WORDS];
        this.sinceNs = new long[PRIORITIES * capacity];
        this.known = new int[PRIORITIES * capacity];
        this.ofFlow = new int[most];
        this.allowed = new int[most];
        Arrays.fill(allowed, 1);
        for (int place = 0; place < sinceNs.length; place++) {
            flows[place * WORDS] = NOT_USED;
        }
    }

    boolean has(int priority) {
        return left(priority) > 0;
    }

    /** Number of a lossless priority's tokens in the pool. */
    int left(int priority) {
        return capacity - underWay[priority] - withFrames[priority];
    }

    /** Takes a token of this pool for a passing token; false if none is left. */
    boolean take(long nowNs, int priority, FiveTuple flow) {
        return has(priority) && hold(nowNs, priority, flow, ANY);
    }

    /**
     * Takes a token for a flow of the table; false if none is left, or the flow has its maximum
     * number under way.
     *
     * @param at the flow's place in the table
     */
    boolean take(long nowNs, int priority, FiveTuple flow, int at) {
        return has(priority) && ofFlow[at] < allowed[at] && hold(nowNs, priority, flow, at);
    }

    private boolean hold(long nowNs, int priority, FiveTuple flow, int at) {
        int place = priority * capacity;
        while (flows[place * WORDS] != NOT_USED) {
            place++;
        }
        for (int word = 0; word < WORDS; word++) {
            flows[place * WORDS + word] = flow.word(word);
        }
        sinceNs[place] = nowNs;
        known[place] = at;
        if (at != ANY) {
            ofFlow[at]++;
        }
        latest = place;
        underWay[priority]++;
        allUnderWay++;
        return true;
    }

    /** Puts back the token that was taken last, because it was not sent. */
    void putBack() {
        free(latest);
    }

    private void free(int place) {
        flows[place * WORDS] = NOT_USED;
        underWay[place / capacity]--;
        allUnderWay--;
        if (known[place] != ANY) {
            ofFlow[known[place]]--;
        }
    }

    /** Notes that another flow has a place in the table: tokens under way are not its own. */
    void replaced(int at) {
        for (int place = 0; ofFlow[at] > 0; place++) {
            if (flows[place * WORDS] != NOT_USED && known[place] == at) {
                known[place] = ANY;
                ofFlow[at]--;
            }
        }
        allowed[at] = 1;
    }

    /**
     * Notes that a frame has come for a token under way for its flow; false if there is no such
     * token.
     */
    boolean arrived(int priority, FiveTuple flow) {
        if (underWay[priority] == 0) {
            return false;
        }
        int end = (priority + 1) * capacity;
        for (int place = priority * capacity; place < end; place++) {
            if (is(place, flow)) {
                free(place);
                if (known[place] != ANY) {
                    allowed[known[place]] = Math.min(capacity, allowed[known[place]] + 1);
                }
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

    /** Notes that a frame that had {@link #arrived} has left. */
    void gone(int priority) {
        withFrames[priority]--;
        allWithFrames--;
    }

    /** Whether frames that have come for tokens have not left yet. */
    boolean hasFrames() {
        return allWithFrames > 0;
    }

    /** Takes back tokens that have been under way since a time, or longer; returns their number. */
    int reclaim(long oldestNs) {
        int reclaimed = 0;
        for (int place = 0; place < sinceNs.length && allUnderWay > 0; place++) {
            if (flows[place * WORDS] != NOT_USED && sinceNs[place] - oldestNs <= 0) {
                free(place);
                if (known[place] != ANY) {
                    allowed[known[place]] = 1;
                }
                reclaimed++;
            }
        }
        return reclaimed;
    }

    /** Whether tokens are under way, and so may have to be taken back. */
    boolean areUnderWay() {
        return allUnderWay > 0;
    }

    /** Number of tokens in the pool, of all priorities. */
    int left() {
        return all - allUnderWay - allWithFrames;
    }

    boolean isFull() {
        return allUnderWay + allWithFrames == 0;
    }
}
