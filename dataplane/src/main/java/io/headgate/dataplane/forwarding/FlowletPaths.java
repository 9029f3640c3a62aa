package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * Chooses a path at random for each flowlet. A flowlet begins with the first packet after a pause
 * of the flow (Kandula et al., "Dynamic load balancing without packet reordering", CCR 2007; the
 * table of CONGA, Alizadeh et al., SIGCOMM 2014, section 3.4; the choice at random of LetFlow,
 * Vanini et al., NSDI 2017). Packets are not reordered if the pause is longer than the difference
 * between the paths' delays.
 *
 * <p>The table is indexed by the flow's hash, and has no keys: flows of one entry share their
 * flowlets, as in both papers. An entry keeps the time of its last packet, so that pauses are
 * measured exactly, while a switch chip has only an age bit.
 */
final class FlowletPaths extends PathChoice {
    private final long seed;
    private final NamedRandom random;
    private final long gapNs;

    // By entry: when the last packet came, and the bits that its next hop follows from.
    private final long[] lastNs;
    private final int[] drawn;

    FlowletPaths(long seed, NamedRandom random, long gapNs, int entries) {
        this.seed = seed;
        this.random = random;
        this.gapNs = gapNs;
        lastNs = new long[entries];
        drawn = new int[entries];
        // Whatever the clock says, the first packet of an entry finds a drawn path.
        for (int i = 0; i < entries; i++) {
            drawn[i] = (int) random.nextLong();
        }
    }

    @Override
    int choose(long nowNs, Frame frame, MemorySegment region, int hops) {
        int entry = spread(FlowHash.of(region, frame, seed), drawn.length);
        if (nowNs - lastNs[entry] >= gapNs) {
            drawn[entry] = (int) random.nextLong();
        }
        lastNs[entry] = nowNs;
        return spread(drawn[entry], hops);
    }
}
