package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;

/** Frames of one queue that start at once, 64 at most, and what waits behind each of them. */
public final class Burst {
    /** Most frames: a bit each. */
    static final int MOST = Long.SIZE;

    // What waits behind the last, and what more behind each. In ints: a burst of which no frame is
    // marked then costs a tenth less.
    private long leastBytes;
    private final int[] moreBytes = new int[MOST];
    private Frame[] frames = {};
    private int from;
    private int count;

    /**
     * @param least what waits behind the last of them
     * @return whether they are of one queue
     */
    boolean fill(Frame[] started, int first, int end, long least) {
        int queue = started[first].priority;
        int[] bytes = moreBytes;
        int more = 0;
        for (int i = end - first - 1; i >= 0; i--) {
            Frame frame = started[first + i];
            if (frame.priority != queue) {
                return false;
            }
            bytes[i] = more;
            more += frame.lengthBytes;
        }
        leastBytes = least;
        frames = started;
        from = first;
        count = end - first;
        return true;
    }

    public int count() {
        return count;
    }

    /** One of them, from 0. */
    public Frame frame(int i) {
        return frames[from + i];
    }

    /** What waits behind one of them: no more than behind the one before. */
    public long behindBytes(int i) {
        return leastBytes + moreBytes[i];
    }

    /** What waits behind the first of them. */
    public long mostBytes() {
        return behindBytes(0);
    }

    /** A bit for each of them, the lowest for the first. */
    public long all() {
        return -1L >>> (MOST - count);
    }
}
