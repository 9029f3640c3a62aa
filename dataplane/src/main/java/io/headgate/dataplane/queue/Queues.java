package io.headgate.dataplane.queue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.policy.QueueFields;
import org.jspecify.annotations.Nullable;

/**
 * The data queues of one egress port, as used by its egress half. Owned by the half.
 *
 * <p>A queued frame leaves its queue exactly once: it starts ({@link #dequeue}, {@link #take}), or
 * it is taken out ({@link #extract}, {@link #drain}, {@link #handOver}, or pushed out by another
 * frame). Frames of one flow in one queue start in their order.
 */
public interface Queues extends QueueFields, Prefetch {

    // ---- frames come

    /**
     * Puts a frame into a queue.
     *
     * @return the lost frame: this one, which is then in no queue, or another, pushed out for it;
     *     null if none is lost
     */
    @Nullable Frame enqueue(Frame frame);

    /**
     * A further frame that the last enqueued frame has pushed out, each once; null after the last.
     */
    default @Nullable Frame alsoLost() {
        return null;
    }

    /**
     * Whether queues may also lose frames at other times than in {@link #enqueue}; {@link
     * #alsoLost} then returns them at any time.
     */
    default boolean losesLater() {
        return false;
    }

    /**
     * Puts frames into a queue, as long as they go into the same one and no frame is lost.
     *
     * @param to index behind the last
     * @return index of the first frame that is in no queue, for which {@link #enqueue(Frame)} must
     *     then be called; {@code from} if none was put in
     */
    int enqueue(Frame[] frames, int from, int to);

    /** Puts a frame that other queues had admitted into its queue, without a check of limits. */
    void adopt(Frame frame);

    /**
     * Whether frames must be numbered in the order in which they come to the port ({@link
     * Frame#arrival}). Asked once, before the first comes.
     */
    default boolean readsArrivals() {
        return false;
    }

    /**
     * Notes the present time before numbered frames come, or before frames are handed over to or by
     * these queues.
     */
    default void arriving(long nowNs) {
        // Nothing depends on when they come.
    }

    // ---- frames start

    /** Stops all queues except those of a mask; their frames stay. */
    void eligible(int mask);

    /** The queues that have a frame and are not stopped. */
    int ready();

    /** The queues that have a frame, stopped or not. */
    int occupied();

    /**
     * Takes frames to start now from queues that are not stopped, while the pacer allows it.
     *
     * @param into has room for at least one frame
     * @return number of frames put into {@code into}, from its start
     */
    int dequeue(long nowNs, Pacer pacer, Frame[] into);

    /**
     * As {@link #dequeue(long, Pacer, Frame[])}, each frame through a gate.
     *
     * @param from index in {@code into} for the first frame
     * @return index behind the last
     */
    int dequeue(long nowNs, Pacer pacer, Frame[] into, int from, Gate gate);

    /**
     * After a gate or a schedule threw during a dequeue: end (exclusive) of the frames that are in
     * the caller's array, and no longer in a queue. All others are still in their queues.
     */
    int dequeued();

    /**
     * Whether frames that pacer and gate allow may still have to wait for a resource that other
     * ports share. The owner of these queues is then called when another attempt is useful.
     */
    default boolean mayHoldBack() {
        return false;
    }

    /**
     * Whether frames only wait here until they are taken: a call in which none is put in or taken
     * does nothing.
     */
    default boolean isPassive() {
        return false;
    }

    /** Takes the first frame of a queue, which must have one: the frame starts. */
    Frame take(int queue);

    // ---- frames are taken out

    /**
     * Takes the first frame of a queue that a filter matches, at any position; the others keep
     * their order. Not for the path of ordinary frames.
     *
     * @return null if none matches
     */
    @Nullable Frame extract(int queue, FrameFilter filter);

    /**
     * Takes any frame, also from stopped queues, without starting it: those of one queue in their
     * order; null if none waits.
     */
    @Nullable Frame drain();

    /**
     * Moves all frames to the queues that replace these; the frames of one queue keep their order.
     * If the new queues read arrivals, all frames are numbered: priority by priority if these
     * queues do not read them.
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
     * A waiting frame, linked to its followers if queues are lists; null if none waits. Only for
     * uses that tolerate a wrong result, such as a cache prefetch.
     */
    @Nullable Frame first();

    boolean isEmpty();

    /** Number of frames that wait, in all queues. */
    int frames();

    /** Number of bytes that wait, in all queues. */
    long bytes();

    /** Number of queues that keep their own counters, which their mechanism declares. */
    default int countedQueues() {
        return 0;
    }

    /** Present value of a queue's counter, by the counter's place in the mechanism's list. */
    default long counted(int counter, int queue) {
        return 0;
    }

    @Override
    default long prefetch(int distance) {
        return 0;
    }
}
