package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;

/**
 * The state of one priority at one port, which decides about marks by lengths and times. Of frames
 * it knows nothing else.
 */
public interface Detector {

    /**
     * A frame starts.
     *
     * @param frameBytes its length
     * @param behindBytes what waits behind it in its queue
     * @return what it is to be marked as: {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link
     *     Mark#CONGESTION}
     */
    int started(long nowNs, int frameBytes, long behindBytes);

    /**
     * Frames of the queue start at once, in this order, 64 at most; those that are to be marked are
     * given to {@code marks}. Who is asked of every frame of a busy port has a loop of its own:
     * then the compiler knows whom it asks, and the call is one for all of them.
     *
     * @param behindBytes what waits from the first of them on
     */
    default void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        long behind = behindBytes;
        for (int i = from; i < to; i++) {
            int bytes = frames[i].lengthBytes;
            behind -= bytes;
            int mark = started(nowNs, bytes, behind);
            if (mark != Mark.NONE) {
                marks.mark(nowNs, frames, i, 1, mark);
            }
        }
    }

    /**
     * While it {@link #isQuiet}, up to which length behind it a frame that starts is neither marked
     * nor changes anything here, so that it need not be asked about; -1 if every frame is to be
     * asked about. Always the same.
     */
    default long quietBytes() {
        return -1;
    }

    /**
     * Whether frames need not be asked about up to {@link #quietBytes}, until the next call of
     * anything else here.
     */
    default boolean isQuiet() {
        return true;
    }

    /**
     * The far end had stopped the queue, and it may send again.
     *
     * @param endedNs since when
     * @param queuedBytes what waits in it
     * @param queuedFrames how many frames that is
     */
    default void released(long endedNs, long queuedBytes, int queuedFrames) {
        // Most look at the queue's length alone.
    }

    /**
     * What it has counted.
     *
     * @param counter its place among those that the mechanism has beside {@link
     *     MarkingPoint#COUNTERS}
     */
    default long counted(int counter) {
        return 0;
    }

    /** The queue is empty, and what was seen of it says nothing of what comes. */
    default void reset(long nowNs) {
        // It remembers nothing.
    }
}
