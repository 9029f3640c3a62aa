package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The data queues of one egress port: one first-in first-out queue a priority, the highest served
 * first, each dropping its tail at a limit in bytes. Enqueue and dequeue cost the same however many
 * frames wait. Owned by the port's egress half.
 */
public final class DataQueues {
    private static final int PRIORITIES = 8;
    private static final int FRAMES_SHIFT = 40;
    private static final long FRAME = 1L << FRAMES_SHIFT;
    private static final long BYTES_MASK = FRAME - 1;

    private final long limitBytes;
    private final @Nullable Frame[] head = new Frame[PRIORITIES];
    private final @Nullable Frame[] tail = new Frame[PRIORITIES];

    // Frames and bytes of a queue in one word, so that one load and one store do.
    private final long[] waiting = new long[PRIORITIES];
    private int occupied;

    public DataQueues(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Appends a frame to its priority's queue, or answers false if that is at its limit. */
    public boolean enqueue(Frame frame) {
        int priority = frame.priority;
        long after = waiting[priority] + FRAME + frame.lengthBytes;
        if ((after & BYTES_MASK) > limitBytes) {
            return false;
        }
        waiting[priority] = after;
        Frame last = tail[priority];
        tail[priority] = frame;
        if ((occupied & (1 << priority)) == 0 || last == null) {
            head[priority] = frame;
            occupied |= 1 << priority;
        } else {
            last.next = frame;
        }
        return true;
    }

    /**
     * Takes frames while the pacer lets them start, the highest priority first.
     *
     * @return how many were put into {@code into}, from its start
     */
    public int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        int count = 0;
        while (occupied != 0 && count < into.length && pacer.mayStart(nowNs)) {
            count = dequeueOfHighest(nowNs, pacer, into, count);
        }
        return count;
    }

    private int dequeueOfHighest(long nowNs, Pacer pacer, Frame[] into, int from) {
        int priority = 31 - Integer.numberOfLeadingZeros(occupied);
        Frame last = tail[priority];
        Frame frame = head[priority];
        long taken = 0;
        int count = from;
        while (frame != null) {
            into[count++] = frame;
            taken += FRAME + frame.lengthBytes;
            pacer.start(frame.lengthBytes);
            // The last frame's link is whatever it was before: it is known by being the tail.
            if (frame == last) {
                occupied &= ~(1 << priority);
                break;
            }
            frame = frame.next;
            if (count == into.length || !pacer.mayStart(nowNs)) {
                break;
            }
        }
        head[priority] = frame;
        waiting[priority] -= taken;
        return count;
    }

    /** Takes the first frame of the highest priority that has one; null if all are empty. */
    public @Nullable Frame dequeue() {
        if (occupied == 0) {
            return null;
        }
        int priority = 31 - Integer.numberOfLeadingZeros(occupied);
        Frame first = head[priority];
        if (first == null) {
            throw new IllegalStateException("priority " + priority + " marked but empty");
        }
        // The last frame's link is whatever it was before: it is known by being the tail.
        if (first == tail[priority]) {
            occupied &= ~(1 << priority);
        } else {
            head[priority] = first.next;
        }
        waiting[priority] -= FRAME + first.lengthBytes;
        return first;
    }

    public boolean isEmpty() {
        return occupied == 0;
    }

    /** Bytes that wait, over all priorities. */
    public long bytes() {
        long bytes = 0;
        for (int rest = occupied; rest != 0; rest &= rest - 1) {
            bytes += waiting[Integer.numberOfTrailingZeros(rest)] & BYTES_MASK;
        }
        return bytes;
    }

    /** Frames that wait, over all priorities. */
    public int frames() {
        long frames = 0;
        for (int rest = occupied; rest != 0; rest &= rest - 1) {
            frames += waiting[Integer.numberOfTrailingZeros(rest)] >>> FRAMES_SHIFT;
        }
        return (int) frames;
    }
}
