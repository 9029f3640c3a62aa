package io.headgate.dataplane.flowcontrol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The buffer that ports of a switch share, as those of a switch chip do: what is left of it bounds
 * what each of their accounts may hold. It is a count, not memory: a frame lies in a slot at home
 * in the half that received it, and each half has slots for the most that it may come to hold.
 *
 * <p>How much is taken is one word a worker, written by the halves on that worker alone. A half
 * adds up the words of the others once a burst. So what is left is exact where one worker runs all
 * halves, and otherwise as old as the burst: the others may have taken as much as they receive in
 * one.
 */
public final class BufferPool {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** Words between those of two workers, so that none writes to the other's cache line. */
    private static final int STRIDE = 16;

    private final long sizeBytes;
    private final long[] usedBytes;

    /**
     * An empty buffer.
     *
     * @param workers those that run halves, numbered from 0
     */
    public BufferPool(long sizeBytes, int workers) {
        this.sizeBytes = sizeBytes;
        this.usedBytes = new long[STRIDE * (workers + 1)];
    }

    /** What a half on a worker sees of it; one for each half. */
    public Share share(int worker) {
        return new Share(STRIDE * (worker + 1));
    }

    /** The sum over all workers; exact only while they are at rest. */
    public long usedBytes() {
        long used = 0;
        for (int at = STRIDE; at < usedBytes.length; at += STRIDE) {
            used += (long) WORD.getOpaque(usedBytes, at);
        }
        return used;
    }

    /** What one half sees of the buffer, and takes of it. Owned by the half. */
    public final class Share {
        private final int own;
        private long othersBytes;

        private Share(int own) {
            this.own = own;
        }

        /** Once a burst: looks what the other workers have taken. */
        void look() {
            othersBytes = BufferPool.this.usedBytes() - usedBytes[own];
        }

        void take(long bytes) {
            WORD.setOpaque(usedBytes, own, usedBytes[own] + bytes);
        }

        long freeBytes() {
            return sizeBytes - othersBytes - usedBytes[own];
        }
    }
}
