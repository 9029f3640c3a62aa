package io.headgate.dataplane.congestion;

/**
 * The state of one priority at one port, which decides about marks by lengths and times. Of frames
 * it knows nothing else.
 */
public interface Detector {

    /**
     * A frame starts.
     *
     * @param frameBytes its length
     * @param behindBytes bytes that wait behind it in its queue
     * @return its mark: {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link Mark#CONGESTION}
     */
    int started(long nowNs, int frameBytes, long behindBytes);

    /**
     * Several frames of the queue start at once; those to mark are given to {@code marks}. A
     * detector that is called often has its own loop, so that the compiler knows whose {@code
     * started} it calls for each frame.
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
     * What it can promise about the frames that start next, valid until any other method is called
     * here; asked after each {@code started}. Most useful if about the same number of bytes waits
     * behind those frames as behind the last one.
     *
     * @param behindBytes bytes that wait behind the last frame
     * @param outlook receives it
     */
    default void foresee(long behindBytes, Outlook outlook) {
        outlook.nothing();
    }

    /**
     * Frames of its outlook have started, and it was not asked about them.
     *
     * @param lastNs when the last of them did
     */
    default void passed(int frames, long lastNs) {
        // Most count nothing.
    }

    /**
     * The far end had stopped the queue, and it may send again.
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
     * A period has passed since the last look, or since the queue got a frame after a rest.
     *
     * @param queuedBytes what waits in it
     * @param queuedFrames how many frames that is
     * @return whether it must look again though the queue is empty: something of it decays
     */
    default boolean tick(long nowNs, long queuedBytes, int queuedFrames) {
        return false;
    }

    /**
     * The value of one of its counters.
     *
     * @param counter its place among the mechanism's counters after {@link MarkingPoint#COUNTERS}
     */
    default long counted(int counter) {
        return 0;
    }

    /** Takes the place of another, as {@link CongestionPoint#goOnFrom}. */
    default void goOnFrom(Detector before) {
        // It remembers nothing.
    }

    /** The queue is empty, and what was seen of it says nothing of what comes. */
    default void reset(long nowNs) {
        // It remembers nothing.
    }
}
