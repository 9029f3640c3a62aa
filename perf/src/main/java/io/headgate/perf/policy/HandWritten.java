package io.headgate.perf.policy;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Base of policies written by hand: the methods of {@link Queues} that benchmarks call, and the
 * counters that the queues of every policy have. Each policy has its own path for frames.
 */
abstract class HandWritten implements Queues {
    static final int PRIORITIES = 8;
    static final int ALL = (1 << PRIORITIES) - 1;

    // Frames and bytes in one word, as in the built-in queues.
    static final int FRAMES_SHIFT = Long.SIZE - FrameRegion.COUNT_BITS;
    static final long FRAME = 1L << FRAMES_SHIFT;
    static final long BYTES_MASK = FRAME - 1;

    /** The content and the counters of one queue of the policy. */
    static final class Count {
        long held;
        long most;
        long total;
        long dropped;
        long pushedOut;
    }

    final Count[] counts;
    final long[] waiting = new long[PRIORITIES];
    long all;
    int occupied;
    int eligible = ALL;
    private int dequeued;

    /** What the last batch ended with: it is dealt with, and only to be asked about. */
    private @Nullable Frame decided;

    // Pushed out, and not asked for yet.
    private @Nullable Frame firstLost;
    private @Nullable Frame lastLost;

    HandWritten(int queues) {
        counts = new Count[queues];
        Arrays.setAll(counts, _ -> new Count());
    }

    // ---- for each policy's own path of a frame

    final void count(Frame frame, long one) {
        waiting[frame.priority] += one;
        all += one;
        occupied |= 1 << frame.priority;
    }

    final void uncount(Frame frame, long one) {
        int priority = frame.priority;
        long left = waiting[priority] - one;
        waiting[priority] = left;
        all -= one;
        if (left == 0) {
            occupied &= ~(1 << priority);
        }
    }

    final void lose(Frame frame) {
        frame.next = null;
        Frame last = lastLost;
        if (firstLost == null || last == null) {
            firstLost = frame;
        } else {
            last.next = frame;
        }
        lastLost = frame;
    }

    static boolean isOpen(int priorities, Frame head, long timeNs, @Nullable Gate gate) {
        for (int rest = priorities; gate != null && rest != 0; rest &= rest - 1) {
            if (gate.room(timeNs, Integer.numberOfTrailingZeros(rest), head.lengthBytes) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Takes a frame in, or loses it; others may be lost by it. */
    abstract void admit(Frame frame);

    /** Takes out the frame that starts next; null if none may. */
    abstract @Nullable Frame start(long nowNs, @Nullable Gate gate);

    @Override
    public final @Nullable Frame enqueue(Frame frame) {
        if (frame == decided) {
            decided = null;
        } else {
            admit(frame);
        }
        return alsoLost();
    }

    @Override
    public final int enqueue(Frame[] batch, int from, int to) {
        if (batch[from] == decided) {
            return from;
        }
        int priority = batch[from].priority;
        for (int next = from; next < to; next++) {
            Frame frame = batch[next];
            if (frame.priority != priority) {
                return next;
            }
            admit(frame);
            if (firstLost != null) {
                decided = frame;
                return next;
            }
        }
        return to;
    }

    @Override
    public int ready() {
        return eligible == ALL ? occupied : 0;
    }

    @Override
    public final int dequeue(long nowNs, Pacer pacer, Frame[] into) {
        return startAll(nowNs, pacer, into, 0, null);
    }

    @Override
    public final int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate) {
        return startAll(nowNs, pacer, into, from, gate);
    }

    private int startAll(long nowNs, Pacer pacer, Frame[] into, int from, @Nullable Gate gate) {
        int started = from;
        dequeued = from;
        while (started < into.length && pacer.mayStart(nowNs)) {
            Frame frame = start(nowNs, gate);
            if (frame == null) {
                break;
            }
            into[started++] = frame;
            dequeued = started;
            int length = frame.lengthBytes;
            pacer.start(length);
            if (gate != null) {
                gate.started(nowNs, frame.priority, 1, length, gate.cost(length));
            }
        }
        return started;
    }

    // ---- not on the path of ordinary frames

    @Override
    public final @Nullable Frame alsoLost() {
        Frame lost = firstLost;
        if (lost != null) {
            firstLost = lost == lastLost ? null : lost.next;
        }
        return lost;
    }

    @Override
    public boolean readsArrivals() {
        return true;
    }

    @Override
    public final void eligible(int mask) {
        eligible = mask & ALL;
    }

    @Override
    public final int occupied() {
        return occupied;
    }

    @Override
    public final int dequeued() {
        return dequeued;
    }

    @Override
    public final boolean isEmpty() {
        return all == 0;
    }

    @Override
    public final int frames() {
        return (int) (all >>> FRAMES_SHIFT);
    }

    @Override
    public final long bytes() {
        return all & BYTES_MASK;
    }

    @Override
    public final int queues() {
        return PRIORITIES;
    }

    @Override
    public final int frames(int priority) {
        return (int) (waiting[priority] >>> FRAMES_SHIFT);
    }

    @Override
    public final long bytes(int priority) {
        return waiting[priority] & BYTES_MASK;
    }

    @Override
    public final int countedQueues() {
        return counts.length;
    }

    /** What a queue holds now, in what its size counts. */
    abstract long current(int queue);

    @Override
    public final long counted(int counter, int queue) {
        Count count = counts[queue];
        return switch (PolicyCounter.values()[counter]) {
            case MAX -> count.most;
            case CURRENT -> current(queue);
            case TOTAL -> count.total;
            case DROPPED -> count.dropped;
            case PUSHED_OUT -> count.pushedOut;
            case MARKED, CAME_MARKED, INCAPABLE, EVENTS -> 0;
        };
    }

    // ---- what is asked of queues in a switch alone

    private static UnsupportedOperationException ofSwitches() {
        return new UnsupportedOperationException("no switch has queues that are written by hand");
    }

    @Override
    public final Frame extract(int priority, FrameFilter filter) {
        throw ofSwitches();
    }

    @Override
    public final Frame[] waiting(int priority) {
        throw ofSwitches();
    }

    @Override
    public final void adopt(Frame frame) {
        throw ofSwitches();
    }

    @Override
    public final Frame take(int priority) {
        throw ofSwitches();
    }

    @Override
    public final Frame drain() {
        throw ofSwitches();
    }

    @Override
    public final Frame head(int priority) {
        throw ofSwitches();
    }

    @Override
    public final Frame first() {
        throw ofSwitches();
    }

    @Override
    public final int headBytes(int priority) {
        throw ofSwitches();
    }

    @Override
    public final long headArrival(int priority) {
        throw ofSwitches();
    }

    @Override
    public final long limitBytes(int queue) {
        throw ofSwitches();
    }
}
