package io.headgate.testbed.traffic;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.policy.Classify;
import io.headgate.testbed.traffic.frame.FrameShape;

/**
 * Keeps one priority, e.g. a paused one, from taking all slots of a network card: a priority that
 * has taken its share makes no frame until all but one of its slots are free again. Priorities are
 * those that the card finds in frames, not those of their shape. Owned by the host's device.
 */
final class CardShare {
    /**
     * Frames of a full priority left in the card at which more are made, so that the wire goes on.
     */
    private static final int KEPT_WAITING = 1;

    private final Accounts accounts;
    private final int mostSlots;
    private final Classify card;

    // Priorities, as bits, that have taken their whole share since it was last found all but free,
    // which is looked at when they have something to send.
    private int filled;

    private final int[] room = new int[TrafficConfig.PRIORITIES];

    /**
     * A share of the same size for each priority.
     *
     * @param accounts of the half that takes the frames
     * @param mostSlots of one priority, at least 2
     * @param card how that half finds a frame's priority
     */
    CardShare(Accounts accounts, int mostSlots, Classify card) {
        if (mostSlots <= KEPT_WAITING) {
            throw new IllegalArgumentException(
                    mostSlots + " slots a priority; allowed are 2 and more");
        }
        this.accounts = accounts;
        this.mostSlots = mostSlots;
        this.card = card;
    }

    /** The priority that the card will find in frames of a shape. */
    int priorityOf(FrameShape shape, int priority, int dscp) {
        boolean tagged = shape.vlan() != FrameShape.UNTAGGED;
        return card.classify(tagged ? priority : Classify.ABSENT, dscp);
    }

    /**
     * Returns those of the given priorities, as bits, that may make frames; call it before the
     * first frame.
     */
    int open(int waiting) {
        for (int rest = waiting; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            int held = accounts.slots(priority);
            room[priority] = mostSlots - held;
            if (held <= KEPT_WAITING) {
                filled &= ~(1 << priority);
            }
        }
        return waiting & ~filled;
    }

    /**
     * Records that a frame of a priority was made; returns the open priorities that are still open.
     */
    int take(int open, int priority) {
        if (--room[priority] > 0) {
            return open;
        }
        filled |= 1 << priority;
        return open & ~(1 << priority);
    }

    /** Whether enough slots have been freed to open one of these priorities again. */
    boolean opensAny(int waiting) {
        for (int rest = waiting & filled; rest != 0; rest &= rest - 1) {
            if (accounts.slots(Integer.numberOfTrailingZeros(rest)) <= KEPT_WAITING) {
                return true;
            }
        }
        return false;
    }
}
