package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;

/**
 * The state of one priority at one port, which decides about marks by lengths and times. Of frames
 * it knows nothing else. A class, as it is asked of every frame of a busy port: through an
 * interface that took a nanosecond more.
 */
public abstract class Detector {
    private long quietBytes = -1;

    /**
     * A frame starts.
     *
     * @param frameBytes its length
     * @param behindBytes what waits behind it in its queue
     * @return what it is to be marked as: {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link
     *     Mark#CONGESTION}
     */
    public abstract int started(long nowNs, int frameBytes, long behindBytes);

    /**
     * Frames of the queue start at once, in this order, at most 64; those that are to be marked are
     * given to {@code marks}.
     *
     * @param behindBytes what waits from the first of them on
     */
    void started(
            long nowNs, Frame[] frames, int from, int to, long behindBytes, MarkingPoint marks) {
        long behind = behindBytes;
        for (int i = from; i < to; i++) {
            int bytes = frames[i].lengthBytes;
            behind -= bytes;
            int mark = started(nowNs, bytes, behind);
            if (mark != Mark.NONE) {
                marks.mark(nowNs, frames[i], mark);
            }
        }
    }

    /**
     * Up to which length behind it a frame that starts is neither marked nor changes anything here,
     * so that it need not be asked about; -1 if every frame is to be asked about.
     */
    final long quietBytes() {
        return quietBytes;
    }

    /** Sets {@link #quietBytes}, which is -1 at first. */
    protected final void quietUpTo(long bytes) {
        quietBytes = bytes;
    }

    /**
     * The far end had stopped the queue, and it may send again.
     *
     * @param endedNs since when
     * @param queuedBytes what waits in it
     * @param queuedFrames how many frames that is
     */
    public void released(long endedNs, long queuedBytes, int queuedFrames) {
        // Most look at the queue's length alone.
    }

    /**
     * What it has counted.
     *
     * @param counter its place among those that the mechanism has beside {@link
     *     MarkingPoint#COUNTERS}
     */
    public long counted(int counter) {
        return 0;
    }

    /** The queue is empty, and what was seen of it says nothing of what comes. */
    public void reset(long nowNs) {
        // It remembers nothing.
    }
}
