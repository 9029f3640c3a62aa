package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.PacingWheel;
import org.jspecify.annotations.Nullable;

/**
 * The credits of one direction of a link, one for each slot of the receiver: those that the sender
 * has, those on their way to it, and the total that is promised, to the sender or to a frame.
 * Bounded by the receiver's slots.
 */
final class SlotCredits {
    private static final int FIRST_CAPACITY = 8;

    private int available;
    private int promised;
    private @Nullable FreeList freeSlots;

    // When those on their way arrive, in order: a ring.
    private long[] arrivePs = new long[FIRST_CAPACITY];
    private int from;
    private int to;

    /** Before the run starts: the sender may use all the slots that the far end has. */
    void promise(int slots) {
        available = slots;
        promised = slots;
    }

    boolean areAvailable() {
        return available > 0;
    }

    void use() {
        available--;
    }

    /** Ends the promise for a frame that the receiver has taken out or had no room for. */
    void redeem() {
        promised--;
    }

    /**
     * Gives the sender a credit for each of the receiver's free slots that is not promised; they
     * arrive at a given time.
     */
    void give(FreeList free, long atPs) {
        freeSlots = free;
        while (promised < free.size()) {
            promised++;
            giveBack(atPs);
        }
    }

    boolean areDue() {
        // A frame that the half drops frees its slot when the half has already been here.
        return freeSlots != null && promised < freeSlots.size();
    }

    /** Returns a credit, which stays promised, to the sender; it arrives at a given time. */
    void giveBack(long atPs) {
        if (to - from == arrivePs.length) {
            grow();
        }
        // In order: a credit for a lost frame is given at its arrival, as all the others are.
        int mask = arrivePs.length - 1;
        int at = to++;
        while (at != from && arrivePs[(at - 1) & mask] > atPs) {
            arrivePs[at & mask] = arrivePs[(at - 1) & mask];
            at--;
        }
        arrivePs[at & mask] = atPs;
    }

    private void grow() {
        long[] larger = new long[arrivePs.length * 2];
        for (int i = from; i != to; i++) {
            larger[i & (larger.length - 1)] = arrivePs[i & (arrivePs.length - 1)];
        }
        arrivePs = larger;
    }

    /** Gives the sender the credits whose time has come. */
    void arrive(long nowPs) {
        while (from != to && nextPs() <= nowPs) {
            from++;
            available++;
        }
    }

    /** Arrival time of the next credit; {@link PacingWheel#NEVER} if none is on its way. */
    long nextPs() {
        return from == to ? PacingWheel.NEVER : arrivePs[from & (arrivePs.length - 1)];
    }

    long fingerprint() {
        long hash = NamedRandom.mix(available ^ ((long) promised << 20) ^ ((long) to << 40));
        return NamedRandom.mix(hash ^ from ^ nextPs());
    }
}
