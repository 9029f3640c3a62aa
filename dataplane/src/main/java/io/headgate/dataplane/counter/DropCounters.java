package io.headgate.dataplane.counter;

import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Frames dropped by one half, by reason: only the reasons that its side of a port can have. */
public final class DropCounters {
    /** Beginning of the labels of drop counters; the reason's name follows. */
    public static final String LABEL_PREFIX = "drop.";

    // The same for all halves of a side, of which a run has thousands.
    private static final List<CounterId> AT_INGRESS = idsOf(DropReason::atIngress);
    private static final List<CounterId> AT_EGRESS = idsOf(DropReason::atEgress);
    private static final int[] INDEX_AT_INGRESS = indexByReason(DropReason::atIngress);
    private static final int[] INDEX_AT_EGRESS = indexByReason(DropReason::atEgress);

    private final int[] indexByReason;
    private final CounterBlock block;

    DropCounters(boolean ingress, CounterBlock block) {
        this.indexByReason = ingress ? INDEX_AT_INGRESS : INDEX_AT_EGRESS;
        this.block = block;
    }

    public void add(DropReason reason, long frames) {
        block.add(indexByReason[reason.ordinal()], frames);
    }

    static List<CounterId> idsFor(boolean ingress) {
        return ingress ? AT_INGRESS : AT_EGRESS;
    }

    private static List<CounterId> idsOf(Predicate<DropReason> possible) {
        return CounterId.numbered(
                Arrays.stream(DropReason.values())
                        .filter(possible)
                        .map(reason ->
                                CounterText.total(
                                        LABEL_PREFIX + reason.name(),
                                        "frames",
                                        reason.description())));
    }

    private static int[] indexByReason(Predicate<DropReason> possible) {
        int[] index = new int[DropReason.COUNT];
        int next = 0;
        for (DropReason reason : DropReason.values()) {
            index[reason.ordinal()] = possible.test(reason) ? next++ : -1;
        }
        return index;
    }
}
