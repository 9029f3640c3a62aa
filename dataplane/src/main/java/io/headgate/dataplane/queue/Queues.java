package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.policy.QueueFields;
import org.jspecify.annotations.Nullable;

/**
 * The data queues of one egress port, as its egress half asks them. Owned by the half.
 *
 * <p>A frame that is in a queue leaves it once: it starts ({@link #dequeue}, {@link #take}), or it
 * is taken out ({@link #extract}, {@link #drain}, {@link #handOver}, or pushed out by another).
 * Frames of one flow in one queue start in their order.
 */
public interface Queues extends QueueFields, Prefetch {

    // ---- frames come

    /**
     * Puts a frame into a queue.
     *
     * @return the frame for which there is no room: this one, which is then in no queue; another,
     *     pushed out for it; or null, and none is lost
     */
    @Nullable Frame enqueue(Frame frame);

    /**
     * A further frame that the last one put into a queue has pushed out, each once; null after the
     * last.
     */
    default @Nullable Frame alsoLost() {
        return null;
    }

    /**
     * Whether frames may be lost at other times than when one is put into a queue: {@link
     * #alsoLost} then has them whenever it is asked.
     */
    default boolean losesLater() {
        return false;
    }

    /**
     * Puts frames into a queue, as long as they go into the same one and none is lost by it.
     *
     * @param to index behind the last
     * @return index of the first that is in no queue, which {@link #enqueue(Frame)} is then to be
     *     asked about: {@code from} if none is
     */
    int enqueue(Frame[] frames, int from, int to);

    /** Puts a frame into its queue that other queues had admitted, whatever the limits. */
    void adopt(Frame frame);

    /**
     * Whether frames must be numbered in the order in which they come to the port ({@link
     * Frame#arrival}). Asked once, before the first comes.
     */
    default boolean readsArrivals() {
        return false;
    }

    /**
     * Frames are about to come, if they are numbered, or to be handed over to or by these queues;
     * with the time at which that is.
     */
    default void arriving(long nowNs) {
        // Nothing depends on when they come.
    }

    // ---- frames start

    /** Stops all queues but those of a mask; what waits in them stays. */
    void eligible(int mask);

    /** The queues that have a frame and are not stopped. */
    int ready();

    /** The queues that have a frame, stopped or not. */
    int occupied();

    /**
     * Takes frames that start now, while the pacer lets them, from queues that are not stopped.
     *
     * @param into has room for one at least
     * @return how many were put into {@code into}, from its start
     */
    int dequeue(long nowNs, Pacer pacer, Frame[] into);

    /**
     * As {@link #dequeue(long, Pacer, Frame[])}, each frame through a gate.
     *
     * @param from index in {@code into} of the first that is put there
     * @return index behind the last
     */
    int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate);

    /**
     * After a gate or a schedule threw in the middle of taking frames: index behind the last that
     * is in the caller's array, and no longer in a queue. All others are still where they were.
     */
    int dequeued();

    /**
     * Whether frames that pacer and gate would let start may have to wait for something that others
     * have taken. The owner of these queues is then called when it is worth asking again.
     */
    default boolean mayHoldBack() {
        return false;
    }

    /**
     * Whether frames only wait here until they are taken: a call at which none is put in or taken
     * does nothing.
     */
    default boolean isPassive() {
        return false;
    }

    /** Takes the first frame of a queue, which must have one: the frame starts. */
    Frame take(int queue);

    // ---- frames are taken out

    /**
     * Takes the first frame of a queue that a filter matches, wherever it stands; the others keep
     * their order. Not for the path of ordinary frames.
     *
     * @return null if none matches
     */
    @Nullable Frame extract(int queue, FrameFilter filter);

    /**
     * Takes any frame, from stopped queues too, without its having started: those of one queue in
     * their order; null if none waits.
     */
    @Nullable Frame drain();

    /**
     * Gives all frames to other queues, which take the place of these; those of one in order. If
     * the others ask for arrivals, all frames are numbered; where these queues do not ask, priority
     * by priority.
     */
    default void handOver(Queues next) {
        for (Frame frame = drain(); frame != null; frame = drain()) {
            next.adopt(frame);
        }
    }

    // ---- frames wait

    /** The frames of a queue, in their order. */
    Frame[] waiting(int queue);

    /** The frame that leaves a queue next; null if none waits. */
    @Nullable Frame head(int queue);

    /**
     * A frame that waits, its followers behind it where queues are lists; null if none does. For
     * what may be wrong, such as a hint to the cache.
     */
    @Nullable Frame first();

    boolean isEmpty();

    /** Frames that wait, in all queues. */
    int frames();

    /** Bytes that wait, in all queues. */
    long bytes();

    /** Queues that count by themselves, as their mechanism says what. */
    default int countedQueues() {
        return 0;
    }

    /** What one of them has counted by now: by the place of the counter in the mechanism's list. */
    default long counted(int counter, int queue) {
        return 0;
    }

    @Override
    default long prefetch(int distance) {
        return 0;
    }
}
