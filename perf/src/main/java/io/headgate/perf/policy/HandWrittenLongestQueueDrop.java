package io.headgate.perf.policy;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.Gate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code lqd.oq} by hand: four rings of frames, each for two priorities, served in turn; where all
 * together exceed the buffer, the longest loses its newest frame.
 */
final class HandWrittenLongestQueueDrop extends HandWritten {
    private static final long LIMIT_BYTES = 100_000;
    private static final int QUEUES = 4;
    private static final int NONE = -1;

    /** The priorities of the first queue. */
    private static final int CARRIES = 3;

    /** A queue: frames from {@code head} to below {@code tail}, at their numbers in the ring. */
    private static final class Ring {
        private Frame[] frames = new Frame[64];
        private int head;
        private int tail;

        /** The higher, the later it is served. */
        private long turn;

        void addLast(Frame frame) {
            if (tail - head == frames.length) {
                grow();
            }
            frames[tail++ & (frames.length - 1)] = frame;
        }

        Frame removeFirst() {
            return frames[head++ & (frames.length - 1)];
        }

        Frame removeLast() {
            return frames[--tail & (frames.length - 1)];
        }

        Frame first() {
            return frames[head & (frames.length - 1)];
        }

        private void grow() {
            Frame[] larger = new Frame[2 * frames.length];
            for (int i = head; i != tail; i++) {
                larger[i & (larger.length - 1)] = frames[i & (frames.length - 1)];
            }
            frames = larger;
        }
    }

    private final Ring[] rings = new Ring[QUEUES];
    private int busy;
    private long turns;

    /** The one that came last. */
    private @Nullable Frame newest;

    HandWrittenLongestQueueDrop() {
        super(QUEUES);
        Arrays.setAll(rings, _ -> new Ring());
    }

    // ---- frames come

    @Override
    void admit(Frame frame) {
        int queue = frame.priority >>> 1;
        Count count = counts[queue];
        count.total++;
        append(frame, queue);
        while ((all & BYTES_MASK) > LIMIT_BYTES) {
            if (dropFromLongest() == frame) {
                return;
            }
        }
        count.most = Math.max(count.most, count.held & BYTES_MASK);
    }

    private void append(Frame frame, int queue) {
        rings[queue].addLast(frame);
        long one = FRAME + frame.lengthBytes;
        counts[queue].held += one;
        busy |= 1 << queue;
        count(frame, one);
        newest = frame;
    }

    /** Drops from the longest queue; of equally long ones, from the last. */
    private Frame dropFromLongest() {
        int longest = 0;
        long most = 0;
        for (int queue = 0; queue < QUEUES; queue++) {
            long bytes = counts[queue].held & BYTES_MASK;
            if (bytes >= most) {
                longest = queue;
                most = bytes;
            }
        }
        Frame frame = rings[longest].removeLast();
        leave(frame, longest);
        lose(frame);
        counts[longest].dropped++;
        if (frame != newest) {
            counts[longest].pushedOut++;
        }
        return frame;
    }

    private void leave(Frame frame, int queue) {
        long one = FRAME + frame.lengthBytes;
        Count count = counts[queue];
        count.held -= one;
        if (count.held == 0) {
            busy &= ~(1 << queue);
        }
        uncount(frame, one);
    }

    // ---- frames start

    @Override
    public int ready() {
        int ready = 0;
        for (int queue = 0; queue < QUEUES; queue++) {
            ready |= isStopped(queue) ? 0 : occupied & carriedBy(queue);
        }
        return ready;
    }

    private boolean isStopped(int queue) {
        return (carriedBy(queue) & ~eligible) != 0;
    }

    private static int carriedBy(int queue) {
        return CARRIES << (2 * queue);
    }

    @Override
    @Nullable Frame start(long nowNs, @Nullable Gate gate) {
        int queue = busy == 0 ? NONE : choose(nowNs, gate);
        return queue == NONE ? null : start(queue);
    }

    /** The queue whose turn was longest ago, of those that may send. */
    private int choose(long nowNs, @Nullable Gate gate) {
        int chosen = NONE;
        for (int rest = busy; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            if (!isStopped(queue)
                    && isOpen(occupied & carriedBy(queue), rings[queue].first(), nowNs, gate)
                    && (chosen == NONE || rings[queue].turn < rings[chosen].turn)) {
                chosen = queue;
            }
        }
        return chosen;
    }

    private Frame start(int queue) {
        Ring ring = rings[queue];
        ring.turn = ++turns;
        Frame frame = ring.removeFirst();
        leave(frame, queue);
        return frame;
    }

    // ---- not on the path of ordinary frames

    @Override
    long current(int queue) {
        return counts[queue].held & BYTES_MASK;
    }
}
