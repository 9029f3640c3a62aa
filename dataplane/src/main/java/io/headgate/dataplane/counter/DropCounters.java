package io.headgate.dataplane.counter;

import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.List;

/** Frames dropped by one half, by reason: only the reasons that its side of a port can have. */
public final class DropCounters {
    /** What the labels of drop counters begin with; the reason's name follows. */
    public static final String LABEL_PREFIX = "drop.";

    private final int[] indexByReason;
    private final CounterBlock block;

    DropCounters(int[] indexByReason, CounterBlock block) {
        this.indexByReason = indexByReason;
        this.block = block;
    }

    public void add(DropReason reason, long frames) {
        block.add(indexByReason[reason.ordinal()], frames);
    }

    /** Sets a total that somebody else counts (the kernel's drops). */
    public void set(DropReason reason, long frames) {
        block.set(indexByReason[reason.ordinal()], frames);
    }

    public long get(DropReason reason) {
        int index = indexByReason[reason.ordinal()];
        return index < 0 ? 0 : block.get(index);
    }

    /** Sum over all reasons, the kernel's included. */
    public long total() {
        long sum = 0;
        for (int index : indexByReason) {
            sum += index < 0 ? 0 : block.get(index);
        }
        return sum;
    }

    static List<CounterId> idsFor(boolean ingress, int[] indexByReason) {
        List<CounterId> ids = new ArrayList<>();
        for (DropReason reason : DropReason.values()) {
            boolean possible = ingress ? reason.atIngress() : reason.atEgress();
            indexByReason[reason.ordinal()] = possible ? ids.size() : -1;
            if (possible) {
                ids.add(DropId.of(ids.size(), reason));
            }
        }
        return ids;
    }

    private record DropId(int ordinal, CounterText text) implements CounterId {
        static DropId of(int ordinal, DropReason reason) {
            return new DropId(
                    ordinal,
                    new CounterText(
                            LABEL_PREFIX + reason.name(),
                            "frames",
                            Kind.TOTAL,
                            reason.description()));
        }
    }
}
