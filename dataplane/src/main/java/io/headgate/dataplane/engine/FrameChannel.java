package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.Frame;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Frames on their way from the duties of one worker to one half, in order. Never refuses: it holds
 * as many frames as there are slots that can be in it.
 */
abstract sealed class FrameChannel {

    abstract void offer(Frame frame);

    /** The next frame, or null if none is there. */
    abstract @Nullable Frame poll();

    /** Both ends on one worker: a list through the frames themselves. */
    static final class Local extends FrameChannel {
        private @Nullable Frame head;
        private @Nullable Frame tail;

        @Override
        void offer(Frame frame) {
            frame.next = null;
            Frame last = tail;
            if (last == null) {
                head = frame;
            } else {
                last.next = frame;
            }
            tail = frame;
        }

        @Override
        @Nullable Frame poll() {
            Frame first = head;
            if (first != null) {
                head = first.next;
                if (head == null) {
                    tail = null;
                }
            }
            return first;
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
        @Nullable Frame poll() {
            return ring.poll();
        }
    }
}
