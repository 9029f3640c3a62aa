package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.Frame;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * Frames on their way from the duties of one worker to one half, in order. Never refuses: it holds
 * as many frames as there are slots that can be in it.
 */
abstract sealed class FrameChannel {

    abstract void offer(Frame frame);

    /** Several frames, in order. */
    abstract void offer(Frame[] frames, int from, int count);

    /**
     * Takes the next frames.
     *
     * @return how many there were, at most {@code into}'s length
     */
    abstract int drainTo(Frame[] into);

    /** Both ends on one worker. */
    static final class Local extends FrameChannel {
        private static final int FIRST_CAPACITY = 1024;

        private Frame[] frames;
        private int head;
        private int tail;

        /**
         * @param slots most slots that can be in the channel at a time
         */
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

        /** A worker's duties take turns, so that its channels are short but for floods. */
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
        int drainTo(Frame[] into) {
            int count = Math.min(tail - head, into.length);
            System.arraycopy(frames, head, into, 0, count);
            head += count;
            if (head == tail) {
                // From the start again: the same few entries stay in cache.
                head = 0;
                tail = 0;
            }
            return count;
        }
    }

    /** Between two workers: a lock-free ring with one producer and one consumer. */
    static final class Ring extends FrameChannel {
        private final SpscVarHandleArrayQueue<Frame> ring;

        /**
         * @param slots most slots that can be in the channel at a time
         */
        Ring(int slots) {
            ring = new SpscVarHandleArrayQueue<>(Math.max(8, slots));
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
        int drainTo(Frame[] into) {
            int count = 0;
            while (count < into.length) {
                Frame frame = ring.poll();
                if (frame == null) {
                    break;
                }
                into[count++] = frame;
            }
            return count;
        }
    }
}
