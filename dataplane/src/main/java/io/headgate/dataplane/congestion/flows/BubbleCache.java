package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;

/**
 * BubbleCache, the fifth flow table of section 3.3.4 of Menikkumbura's dissertation, after
 * Ros-Giralt et al. (2018): frames are sampled, the flows of samples are candidates, ordered by
 * their bytes, and the large ones are notified. The sampling rate follows the certainty of this
 * choice: it is halved while rounds find the same flows, and doubled while they change.
 *
 * <p>The rules of a round are ours: a round has four samples per place; a candidate with at least
 * half of the mean is large; a candidate without a sample in a round is dropped; two rounds find
 * the same flows if they share nine in ten of the flows that are large in either.
 */
final class BubbleCache extends RememberedFlows {
    private static final int SAMPLES_PER_PLACE = 4;
    private static final int SLOWEST = 16;
    private static final double SAME = 0.9;

    private final FrameSampler sampler;
    private final int fastestOneOf;
    private final int most;
    private int oneOf;

    private final long[] bytes;
    private final boolean[] isLarge;

    // Flows by bytes, the most first; and the place of each.
    private final int[] order;
    private final int[] rank;
    private int samples;

    // Large in the last round, and dropped since.
    private int lost;

    /**
     * @param most maximum number of candidates
     * @param oneOf number of frames per sample at the highest sampling rate
     */
    BubbleCache(int most, int oneOf, NamedRandom random) {
        super(most);
        this.most = most;
        this.fastestOneOf = oneOf;
        this.oneOf = oneOf;
        this.sampler = new FrameSampler(random, oneOf);
        this.bytes = new long[most];
        this.isLarge = new boolean[most];
        this.order = new int[most];
        this.rank = new int[most];
    }

    @Override
    public void arrived(long nowNs, Frame frame) {
        if (!sampler.takes()) {
            return;
        }
        int flow = find(frame);
        if (flow == FlowIndex.NO_SOURCE) {
            return;
        }
        if (flow == NONE) {
            if (isFull()) {
                refuse(frame);
                drop(order[most - 1]);
            }
            flow = begin(frame);
            bytes[flow] = 0;
            isLarge[flow] = false;
            place(flow, known() - 1);
        }
        bytes[flow] += frame.lengthBytes;
        rise(flow);
        if (++samples == SAMPLES_PER_PLACE * most) {
            endRound();
        }
    }

    private void place(int flow, int at) {
        order[at] = flow;
        rank[flow] = at;
    }

    private void rise(int flow) {
        int at = rank[flow];
        while (at > 0 && bytes[order[at - 1]] < bytes[flow]) {
            place(order[at - 1], at);
            at--;
        }
        place(flow, at);
    }

    /** Drops a flow, which must be the last one in the order. */
    private void drop(int flow) {
        lost += isLarge[flow] ? 1 : 0;
        end(flow);
    }

    private void endRound() {
        samples = 0;
        while (known() > 0 && bytes[order[known() - 1]] == 0) {
            drop(order[known() - 1]);
        }
        long sum = 0;
        for (int at = 0; at < known(); at++) {
            sum += bytes[order[at]];
        }
        int either = lost;
        lost = 0;
        int both = 0;
        int flows = known();
        for (int at = 0; at < flows; at++) {
            int flow = order[at];
            boolean isLargeNow = 2 * bytes[flow] * flows >= sum;
            either += isLargeNow || isLarge[flow] ? 1 : 0;
            both += isLargeNow && isLarge[flow] ? 1 : 0;
            isLarge[flow] = isLargeNow;
            bytes[flow] = 0;
        }
        int next = both >= SAME * either ? oneOf * 2 : oneOf / 2;
        oneOf = Math.clamp(next, fastestOneOf, fastestOneOf * SLOWEST);
        sampler.set(oneOf);
    }

    @Override
    boolean isToBeTold(int flow) {
        return isLarge[flow];
    }

    @Override
    void cleared() {
        samples = 0;
        lost = 0;
    }
}
