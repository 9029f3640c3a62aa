package io.headgate.dataplane.queue;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/**
 * A queue for each priority, whose frames somebody else keeps and lets start: how many frames and
 * bytes wait, and in which queues.
 */
public abstract class CountedQueues implements Queues {
    private static final int ALL = (1 << PRIORITIES) - 1;

    private final int[] frames = new int[PRIORITIES];
    private final long[] bytes = new long[PRIORITIES];
    private int allFrames;
    private long allBytes;
    private int occupied;
    private int eligible = ALL;

    /** What {@link #dequeued()} answers. */
    protected int dequeued;

    /** A frame waits from now on. */
    protected final void count(Frame frame) {
        int priority = frame.priority;
        frames[priority]++;
        bytes[priority] += frame.lengthBytes;
        allFrames++;
        allBytes += frame.lengthBytes;
        occupied |= 1 << priority;
    }

    /** A frame waits no more. */
    protected final void uncount(Frame frame) {
        int priority = frame.priority;
        frames[priority]--;
        bytes[priority] -= frame.lengthBytes;
        allFrames--;
        allBytes -= frame.lengthBytes;
        if (frames[priority] == 0) {
            occupied &= ~(1 << priority);
        }
    }

    /** Gives all that waits to other queues, in which nothing does. */
    protected final void giveCounts(CountedQueues next) {
        System.arraycopy(frames, 0, next.frames, 0, PRIORITIES);
        System.arraycopy(bytes, 0, next.bytes, 0, PRIORITIES);
        next.allFrames = allFrames;
        next.allBytes = allBytes;
        next.occupied = occupied;
        Arrays.fill(frames, 0);
        Arrays.fill(bytes, 0);
        allFrames = 0;
        allBytes = 0;
        occupied = 0;
    }

    /** The queues that are not stopped. */
    protected final int eligible() {
        return eligible;
    }

    /** What holds a frame back may be taken by others. */
    @Override
    public final boolean mayHoldBack() {
        return true;
    }

    @Override
    public final void eligible(int mask) {
        eligible = mask & ALL;
    }

    @Override
    public int ready() {
        return occupied & eligible;
    }

    @Override
    public final int occupied() {
        return occupied;
    }

    @Override
    public final int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        return dequeue(nowNs, pacer, into, 0, Gate.OPEN);
    }

    @Override
    public final int dequeued() {
        return dequeued;
    }

    @Override
    public final boolean isEmpty() {
        return allFrames == 0;
    }

    @Override
    public final int frames() {
        return allFrames;
    }

    @Override
    public final long bytes() {
        return allBytes;
    }

    @Override
    public final int queues() {
        return PRIORITIES;
    }

    @Override
    public final int frames(int priority) {
        return frames[priority];
    }

    @Override
    public final long bytes(int priority) {
        return bytes[priority];
    }

    @Override
    public final int headBytes(int priority) {
        Frame first = head(priority);
        return first == null ? 0 : first.lengthBytes;
    }

    @Override
    public final long headArrival(int priority) {
        Frame first = head(priority);
        return first == null ? 0 : first.arrival;
    }
}
