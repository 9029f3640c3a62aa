package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;

/**
 * ElephantTrap, the fourth flow table of section 3.3.4 of Menikkumbura's dissertation, after Lu,
 * Wang, Prabhakar and Bonomi, "ElephantTrap: A low cost device for identifying large flows" (HOTI,
 * 2007): a small circular cache of flows with counts of sampled frames. A flow that is not in the
 * cache checks only the slot under the hand, and the hand moves on: if the count there is small,
 * the flow takes the slot, otherwise the count is halved. Flows with larger counts are notified.
 */
final class ElephantTrap extends RememberedFlows {
    private final FrameSampler sampler;
    private final int elephant;
    private final int[] counts;
    private int hand;

    /**
     * @param slots slots of the cache
     * @param elephant count from which a flow is notified and keeps its slot
     */
    ElephantTrap(int slots, int oneOf, int elephant, NamedRandom random) {
        super(slots);
        this.sampler = new FrameSampler(random, oneOf);
        this.elephant = elephant;
        this.counts = new int[slots];
    }

    @Override
    public void arrived(long nowNs, Frame frame) {
        if (!sampler.takes()) {
            return;
        }
        int flow = find(frame);
        if (flow >= 0) {
            counts[flow]++;
        } else if (flow == NONE) {
            missed(frame);
        }
    }

    private void missed(Frame frame) {
        if (isFull()) {
            refuse(frame);
            int slot = hand;
            hand = hand + 1 < counts.length ? hand + 1 : 0;
            if (counts[slot] >= elephant) {
                counts[slot] >>= 1;
                return;
            }
            end(slot);
        }
        counts[begin(frame)] = 1;
    }

    @Override
    boolean isToBeTold(int flow) {
        return counts[flow] >= elephant;
    }

    @Override
    void cleared() {
        hand = 0;
    }
}
