package io.headgate.dataplane.runner;

import io.headgate.dataplane.device.linux.Eventfd;
import io.headgate.dataplane.engine.Doorbell;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Wakes one worker, and collects which of its duties other threads have rung. While the worker
 * runs, a ring sets a bit and tests a flag; only a worker that sleeps, or is about to, is woken
 * through its eventfd.
 */
final class WakeUp implements AutoCloseable {
    private static final VarHandle SLEEPING;
    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            SLEEPING =
                    MethodHandles.lookup().findVarHandle(WakeUp.class, "sleeping", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Padding on both sides of the bits, so that no neighbouring data is in their cache lines. */
    private static final int PADDING = 16;

    private final Eventfd eventfd;
    private final int[] duties;
    private final int words;

    // A bit for each duty, in the order of their numbers.
    private final long[] bits;

    @SuppressWarnings("unused") // through SLEEPING
    private boolean sleeping;

    WakeUp(int[] duties) {
        this(duties, new Eventfd());
    }

    /**
     * @param eventfd eventfd on which the worker sleeps; closed with this object
     */
    WakeUp(int[] duties, Eventfd eventfd) {
        this.eventfd = eventfd;
        this.duties = duties.clone();
        Arrays.sort(this.duties);
        this.words = Math.ceilDiv(duties.length, Long.SIZE);
        this.bits = new long[words + 2 * PADDING];
    }

    /** The doorbell that other threads ring for a duty of this worker. */
    Doorbell doorbell(int duty) {
        int place = Arrays.binarySearch(duties, duty);
        if (place < 0) {
            throw new IllegalArgumentException(
                    "duty " + duty + " is not among " + Arrays.toString(duties));
        }
        return inputs -> ring(place);
    }

    /** Rings for the duty in a place, in the order of their numbers; returns as {@link #wake}. */
    boolean ring(int place) {
        // Pairs with the exchange in takeRung: the worker that takes the bit sees the input.
        BITS.getAndBitwiseOr(bits, PADDING + place / Long.SIZE, 1L << place);
        return wake();
    }

    /** Wakes the worker if it sleeps; returns whether it slept. */
    boolean wake() {
        // The input must be visible before the flag is read: the sleeper sets the flag before it
        // looks at its inputs for the last time. One of the two sees the other.
        VarHandle.fullFence();
        if (!(boolean) SLEEPING.getOpaque(this)) {
            return false;
        }
        eventfd.signal();
        return true;
    }

    /** Worker: marks the duties that others have rung since the last call, by their numbers. */
    void takeRung(boolean[] due) {
        for (int word = 0; word < words; word++) {
            if ((long) BITS.getOpaque(bits, PADDING + word) != 0) {
                mark(word, due);
            }
        }
    }

    private void mark(int word, boolean[] due) {
        // The bits are down before the inputs are looked at, or a ring in between would be lost.
        long rung = (long) BITS.getAndSet(bits, PADDING + word, 0L);
        for (long rest = rung; rest != 0; rest &= rest - 1) {
            due[duties[word * Long.SIZE + Long.numberOfTrailingZeros(rest)]] = true;
        }
    }

    /**
     * Worker: from now on every ring writes the eventfd. Inputs must be checked again afterwards.
     */
    void beforeSleep() {
        SLEEPING.setOpaque(this, true);
        VarHandle.fullFence();
    }

    /**
     * Worker: from now on a ring no longer writes the eventfd.
     *
     * @param rung whether one may have; one that writes it later ends the next sleep
     */
    void afterSleep(boolean rung) {
        SLEEPING.setOpaque(this, false);
        if (rung) {
            eventfd.drain();
        }
    }

    int fd() {
        return eventfd.fd();
    }

    @Override
    public void close() {
        eventfd.close();
    }
}
