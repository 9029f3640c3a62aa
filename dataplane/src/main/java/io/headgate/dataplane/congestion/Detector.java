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
     * @param behindBytes what waits behind it in its queue
     * @return what it is to be marked as: {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link
     *     Mark#CONGESTION}
     */
    int started(long nowNs, int frameBytes, long behindBytes);

    /**
     * Frames of the queue start at once; those that are to be marked are given to {@code marks}. A
     * detector that is asked often has a loop of its own instead of this one, so that the compiler
     * knows whose {@code started} it calls for each frame.
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
     * What it is sure to say of the frames that start next, until anything else here is called:
     * asked after each {@code started}. Frames behind which about as much waits as behind the last
     * one matter most.
     *
     * @param behindBytes what waits behind the last frame
     * @param outlook is told
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
     * @param endedNs since when
     * @param queuedBytes what waits in it
     * @param queuedFrames how many frames that is
     */
    default void released(long endedNs, long queuedBytes, int queuedFrames) {
        // Most look at the queue's length alone.
    }

    /** How often it is to look at its queue, in ns, also while nothing starts; 0: never. */
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
     * What it has counted.
     *
     * @param counter its place among those that the mechanism has beside {@link
     *     MarkingPoint#COUNTERS}
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
