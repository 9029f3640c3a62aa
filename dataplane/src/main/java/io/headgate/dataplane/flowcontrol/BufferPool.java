package io.headgate.dataplane.flowcontrol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The packet buffer that the ports of a switch share, as in a switch chip: its free part bounds
 * what each of their accounts may hold. It is a count, not memory: a frame lies in a slot of the
 * half that received it, and each half has slots for its maximum share.
 *
 * <p>The used amount is one word per worker, written only by the halves on that worker. A half adds
 * up the words of the others once per burst. So the free amount is exact if one worker runs all
 * halves; otherwise it is as old as the burst, and the others may have taken as much as they
 * receive in one burst.
 */
public final class BufferPool {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /**
     * Distance in words between the words of two workers, so that none writes to the other's cache
     * line.
     */
    private static final int STRIDE = 16;

    private final long sizeBytes;
    private final long[] usedBytes;

    /**
     * Creates an empty buffer.
     *
     * @param workers number of workers that run halves; workers are numbered from 0
     */
    public BufferPool(long sizeBytes, int workers) {
        this.sizeBytes = sizeBytes;
        this.usedBytes = new long[STRIDE * (workers + 1)];
    }

    /** The view of the buffer for one half on a worker; one for each half. */
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

    /** One half's view of the buffer, and its use of it. Owned by the half. */
    public final class Share {
        private final int own;
        private long othersBytes;

        private Share(int own) {
            this.own = own;
        }

        /** Called once per burst: reads what the other workers have taken. */
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
