package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;

/**
 * AFD-FT, the third flow table of section 3.3.4 of Menikkumbura's dissertation, after Pan, Breslau,
 * Prabhakar and Shenker, "Approximate Fairness through Differential Dropping" (CCR, 2003): frames
 * are sampled, and a flow's entry counts the bytes of its samples. The sum of all entries is held
 * at a target by taking the excess from entries picked uniformly at random: small flows vanish,
 * large ones stay. Flows with the bytes of several frames in their entry are notified.
 */
final class AfdFlows extends RememberedFlows {
    private final FrameSampler sampler;
    private final NamedRandom random;
    private final long targetBytes;
    private final long leastBytes;
    private final long[] bytes;
    private long sumBytes;

    // The flows that are known, in any order, and where each is among them.
    private final int[] entries;
    private final int[] entryOf;

    /**
     * @param frames minimum of a notified flow's entry, in full frames
     */
    AfdFlows(int most, int oneOf, int frames, int frameBytes, NamedRandom random) {
        super(most);
        this.random = random;
        this.sampler = new FrameSampler(random, oneOf);
        this.leastBytes = (long) frames * frameBytes;
        this.targetBytes = most * leastBytes / 2;
        this.bytes = new long[most];
        this.entries = new int[most];
        this.entryOf = new int[most];
    }

    @Override
    public void arrived(long nowNs, Frame frame) {
        if (!sampler.takes()) {
            return;
        }
        int flow = find(frame);
        if (flow < 0) {
            flow = flow == NONE ? enter(frame) : NONE;
        }
        if (flow == NONE) {
            return;
        }
        bytes[flow] += frame.lengthBytes;
        sumBytes += frame.lengthBytes;
        while (sumBytes > targetBytes) {
            take(entries[random.nextInt(known())]);
        }
    }

    private int enter(Frame frame) {
        if (isFull()) {
            refuse(frame);
            return NONE;
        }
        int flow = begin(frame);
        entryOf[flow] = known() - 1;
        entries[known() - 1] = flow;
        return flow;
    }

    private void take(int flow) {
        long taken = Math.min(bytes[flow], sumBytes - targetBytes);
        bytes[flow] -= taken;
        sumBytes -= taken;
        if (bytes[flow] == 0) {
            int moved = entries[known() - 1];
            entries[entryOf[flow]] = moved;
            entryOf[moved] = entryOf[flow];
            end(flow);
        }
    }

    @Override
    boolean isToBeTold(int flow) {
        return bytes[flow] >= leastBytes;
    }

    @Override
    void cleared() {
        Arrays.fill(bytes, 0);
        sumBytes = 0;
    }
}
