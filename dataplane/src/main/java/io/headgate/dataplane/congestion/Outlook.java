package io.headgate.dataplane.congestion;

/**
 * The marks that a detector predicts for the next frames to start, for a range of queue lengths.
 * For these frames the detector is not called, only notified of their number.
 */
public final class Outlook {
    /** Any number of frames. */
    public static final int ALWAYS = Integer.MAX_VALUE;

    private int mark = Mark.NONE;
    private long fromBytes;
    private long toBytes;
    private int frames;

    // Frames that it may still be used for, and when it was used last.
    private int left;
    private long lastNs;

    /** Predicts no mark: the detector is called for the next frame. */
    public void nothing() {
        set(Mark.NONE, 0, 0, 0);
    }

    /**
     * Predicts one mark for all frames.
     *
     * @param newMark {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link Mark#CONGESTION}
     * @param from minimum bytes that wait behind such a frame
     * @param to maximum bytes that wait behind it; {@link Long#MAX_VALUE}: no maximum
     * @param most number of frames for which it holds, 0 or less for none, {@link #ALWAYS} for all
     */
    public void set(int newMark, long from, long to, int most) {
        mark = newMark;
        fromBytes = from;
        toBytes = to;
        frames = Math.max(0, most);
        left = frames;
    }

    /** Whether it holds for a frame with {@code behindBytes} waiting behind it. */
    boolean holds(long behindBytes) {
        return left > 0 && behindBytes >= fromBytes && behindBytes <= toBytes;
    }

    /** Whether it holds for all of {@code count} frames: the last, the first, and those between. */
    boolean holds(long leastBytes, long mostBytes, int count) {
        return left >= count && leastBytes >= fromBytes && mostBytes <= toBytes;
    }

    /** Whether it marks all of {@code count} frames, for any number of bytes behind the first. */
    boolean marksAll(long leastBytes, int count) {
        return mark != Mark.NONE && holds(leastBytes, Long.MAX_VALUE, count);
    }

    int mark() {
        return mark;
    }

    /** Notes that it was used for {@code count} frames. */
    void use(long nowNs, int count) {
        left -= count;
        lastNs = nowNs;
    }

    /** Notifies a detector of the frames for which the outlook was used since the last call. */
    void tell(Detector detector) {
        if (left < frames) {
            detector.passed(frames - left, lastNs);
            frames = left;
        }
    }
}
