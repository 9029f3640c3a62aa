package io.headgate.dataplane.congestion;

/**
 * What a detector is sure to say of the frames that start next, for some lengths of the queue. It
 * is not asked about these frames, but told how many they were.
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

    /** Nothing is sure. */
    public void nothing() {
        set(Mark.NONE, 0, 0, 0);
    }

    /**
     * All get one mark.
     *
     * @param newMark {@link Mark#NONE}, {@link Mark#UNDETERMINED} or {@link Mark#CONGESTION}
     * @param from least that waits behind such a frame, in bytes
     * @param to most that does; {@link Long#MAX_VALUE} for any more
     * @param most for how many of such frames it holds, 0 or less for none, {@link #ALWAYS} for all
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

    /** Whether it marks all of {@code count} frames, however much waits behind the first. */
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

    /** Tells a detector of the frames that it was used for since this was last called. */
    void tell(Detector detector) {
        if (left < frames) {
            detector.passed(frames - left, lastNs);
            frames = left;
        }
    }
}
