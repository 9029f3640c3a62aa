package io.headgate.dataplane.congestion;

import io.headgate.dataplane.memory.Frame;

/**
 * A burst of frames of one queue that start at once, at most 64, with the bytes that wait behind
 * each of them.
 */
public final class Burst {
    /** Maximum number of frames: one bit each. */
    static final int MOST = Long.SIZE;

    // What waits behind the last, and what more behind each. In ints: a burst of which no frame is
    // marked then costs a tenth less.
    private long leastBytes;
    private final int[] moreBytes = new int[MOST];
    private Frame[] frames = {};
    private int from;
    private int count;

    /**
     * @param least bytes that wait behind the last frame
     * @return whether all frames are of one queue
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

    /** A frame of the burst, from 0. */
    public Frame frame(int i) {
        return frames[from + i];
    }

    /** Bytes that wait behind a frame: no more than behind the frame before. */
    public long behindBytes(int i) {
        return leastBytes + moreBytes[i];
    }

    /** Bytes that wait behind the first frame. */
    public long mostBytes() {
        return behindBytes(0);
    }

    /** A mask with one bit per frame, the lowest for the first. */
    public long all() {
        return -1L >>> (MOST - count);
    }
}
