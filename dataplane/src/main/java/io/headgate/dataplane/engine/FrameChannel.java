package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * A channel for frames from the duties of one worker to one half, in order. It never refuses a
 * frame: its capacity is the number of slots that can be in it.
 */
abstract sealed class FrameChannel implements Prefetch {
    /** Maximum number of frames that a half takes per call, from all its channels. */
    static final int BURST = 256;

    abstract void offer(Frame frame);

    /** Puts in several frames, in order. */
    abstract void offer(Frame[] frames, int from, int count);

    /**
     * Takes the next frames out: they are in {@link #taken} from {@link #takenFrom} on, until
     * something is offered here or taken again.
     *
     * @param limit 1 to {@link #BURST}
     * @return their number, at most {@code limit}
     */
    abstract int take(int limit);

    abstract Frame[] taken();

    abstract int takenFrom();

    /** A channel with both ends on one worker. */
    static final class Local extends FrameChannel {
        private static final int FIRST_CAPACITY = 64;

        private Frame[] frames;
        private int head;
        private int tail;
        private int takenFrom;

        Local(int slots) {
            frames = new Frame[Math.min(FIRST_CAPACITY, Math.max(8, slots))];
        }

        @Override
        void offer(Frame frame) {
            if (tail == frames.length) {
                makeRoom(1);
            }
            frames[tail++] = frame;
        }

        @Override
        void offer(Frame[] batch, int from, int count) {
            if (tail + count > frames.length) {
                makeRoom(count);
            }
            System.arraycopy(batch, from, frames, tail, count);
            tail += count;
        }

        /** A worker's duties run in turn, so its channels stay short except for floods. */
        private void makeRoom(int more) {
            int count = tail - head;
            int length = frames.length;
            while (count + more > length / 2) {
                length *= 2;
            }
            Frame[] into = length > frames.length ? new Frame[length] : frames;
            System.arraycopy(frames, head, into, 0, count);
            frames = into;
            head = 0;
            tail = count;
        }

        @Override
        int take(int limit) {
            int count = Math.min(tail - head, limit);
            takenFrom = head;
            head += count;
            if (head == tail) {
                // From the start again: the same few entries stay in cache.
                head = 0;
                tail = 0;
            }
            return count;
        }

        @Override
        Frame[] taken() {
            return frames;
        }

        @Override
        int takenFrom() {
            return takenFrom;
        }

        @Override
        public long prefetch(int distance) {
            return distance == 1 ? tail : frames[0] == null ? 1 : 0;
        }
    }

    /** A channel between two workers: a lock-free ring with one producer and one consumer. */
    static final class Ring extends FrameChannel {
        private final SpscVarHandleArrayQueue<Frame> ring;
        private final Frame[] taken = new Frame[BURST];

        Ring(int slots) {
            ring = new SpscVarHandleArrayQueue<>(Math.max(8, slots));
        }

        /** Maximum number of frames: rounded up to a power of two. */
        int capacity() {
            return ring.capacity();
        }

        @Override
        void offer(Frame frame) {
            if (!ring.offer(frame)) {
                throw new IllegalStateException(
                        "channel of " + ring.capacity() + " full: " + frame);
            }
        }

        @Override
        void offer(Frame[] frames, int from, int count) {
            for (int i = from; i < from + count; i++) {
                offer(frames[i]);
            }
        }

        @Override
        int take(int limit) {
            int count = 0;
            while (count < limit) {
                Frame frame = ring.poll();
                if (frame == null) {
                    break;
                }
                taken[count++] = frame;
            }
            return count;
        }

        @Override
        Frame[] taken() {
            return taken;
        }

        @Override
        int takenFrom() {
            return 0;
        }

        @Override
        public long prefetch(int distance) {
            // Its other end is another thread's, which has it in its cache.
            return 0;
        }
    }
}
