package io.headgate.dataplane.congestion;

/**
 * Decides for one priority of one port which frames get a congestion mark. It keeps the state of
 * that queue, and sees only the lengths and times of frames.
 */
public interface Detector {

    /**
     * Decides the mark of a frame that starts.
     *
     * @param frameBytes length of the frame
     * @param behindBytes bytes that wait behind it in its queue
     * @return its mark: {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link Mark#CONGESTION}
     */
    int started(long nowNs, int frameBytes, long behindBytes);

    /**
     * Several frames of the queue start at once; passes those to mark to {@code marks}. A detector
     * that is called often overrides this with its own loop, so that the compiler can inline its
     * {@code started}.
     */
    default void started(long nowNs, Burst burst, MarkingPoint marks) {
        for (int i = 0; i < burst.count(); i++) {
            int mark = started(nowNs, burst.frame(i).lengthBytes, burst.behindBytes(i));
            if (mark != Mark.NONE) {
                marks.mark(nowNs, burst, 1L << i, mark);
            }
        }
    }

    /**
     * Predicts the marks of the frames that start next. The outlook is valid until any other method
     * is called here; called after each {@code started}. Most useful if about the same number of
     * bytes waits behind those frames as behind the last one.
     *
     * @param behindBytes bytes that wait behind the last frame
     * @param outlook receives it
     */
    default void foresee(long behindBytes, Outlook outlook) {
        outlook.nothing();
    }

    /**
     * Notes that frames within its outlook have started without a call of {@code started}.
     *
     * @param lastNs start time of the last frame
     */
    default void passed(int frames, long lastNs) {
        // Most count nothing.
    }

    /**
     * Notes that the queue may send again after the far end had stopped it.
     *
     * @param endedNs time at which the stop ended
     * @param queuedBytes bytes that wait in it
     * @param queuedFrames frames that wait in it
     */
    default void released(long endedNs, long queuedBytes, int queuedFrames) {
        // Most look at the queue's length alone.
    }

    /** Period at which it looks at its queue, in ns, also while nothing starts; 0: never. */
    default long periodNs() {
        return 0;
    }

    /**
     * Looks at the queue one period after the last look, or after the first frame since the queue
     * was idle.
     *
     * @param queuedBytes bytes that wait in the queue
     * @param queuedFrames frames that wait in the queue
     * @return whether it must look again although the queue is empty, because a value still decays
     */
    default boolean tick(long nowNs, long queuedBytes, int queuedFrames) {
        return false;
    }

    /**
     * The value of a counter.
     *
     * @param counter place among the mechanism's counters after {@link MarkingPoint#COUNTERS}
     */
    default long counted(int counter) {
        return 0;
    }

    /** Takes over from another detector, as {@link CongestionPoint#goOnFrom}. */
    default void goOnFrom(Detector before) {
        // It remembers nothing.
    }

    /** Starts over with an empty queue; earlier observations no longer count. */
    default void reset(long nowNs) {
        // It remembers nothing.
    }
}
