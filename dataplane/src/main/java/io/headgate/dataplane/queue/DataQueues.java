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

    private final long limitBytes;
    private final @Nullable Frame[] head = new Frame[PRIORITIES];
    private final @Nullable Frame[] tail = new Frame[PRIORITIES];
    private final long[] bytesByPriority = new long[PRIORITIES];
    private int occupied;
    private long bytes;
    private int frames;

    public DataQueues(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Appends a frame to its priority's queue, or answers false if that is at its limit. */
    public boolean enqueue(Frame frame) {
        int priority = frame.priority;
        long after = bytesByPriority[priority] + frame.lengthBytes;
        if (after > limitBytes) {
            return false;
        }
        bytesByPriority[priority] = after;
        bytes += frame.lengthBytes;
        frames++;
        frame.next = null;
        Frame last = tail[priority];
        if (last == null) {
            head[priority] = frame;
            occupied |= 1 << priority;
        } else {
            last.next = frame;
        }
        tail[priority] = frame;
        return true;
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
        Frame second = first.next;
        head[priority] = second;
        if (second == null) {
            tail[priority] = null;
            occupied &= ~(1 << priority);
        }
        first.next = null;
        bytesByPriority[priority] -= first.lengthBytes;
        bytes -= first.lengthBytes;
        frames--;
        return first;
    }

    public boolean isEmpty() {
        return occupied == 0;
    }

    /** Bytes that wait, over all priorities. */
    public long bytes() {
        return bytes;
    }

    /** Frames that wait, over all priorities. */
    public int frames() {
        return frames;
    }
}
