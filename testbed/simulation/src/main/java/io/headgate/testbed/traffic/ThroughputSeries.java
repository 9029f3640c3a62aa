package io.headgate.testbed.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes received in each interval; intervals have equal length, the first starts at time 0. Every
 * arrival is added to its interval (whose end is excluded), or spread over those in which its frame
 * was on the wire, so that no sampling is needed and no byte is missed. Grows with the run.
 *
 * <p>If several threads add, each has a part of its own; the whole is read only while they rest.
 */
public final class ThroughputSeries {
    private static final int MAX_INTERVALS = 1 << 28;
    private static final int FIRST_INTERVALS = 64;

    private final long intervalPs;
    // Made when the first byte comes: most of what is not taken has none.
    private long[] bytes = {};
    private int intervals;
    private final List<ThroughputSeries> parts = new ArrayList<>();

    // The interval that was added to last: most frames fall into it, and save a division.
    private int current;
    private long currentStartPs;
    private long currentEndPs;

    /**
     * @param intervalPs length of an interval, in ps, at least 1
     */
    public ThroughputSeries(long intervalPs) {
        if (intervalPs < 1) {
            throw new IllegalArgumentException("intervals of " + intervalPs + " ps");
        }
        this.intervalPs = intervalPs;
    }

    /** Creates a part; bytes that are added to it count in this series. */
    ThroughputSeries part() {
        ThroughputSeries part = new ThroughputSeries(intervalPs);
        parts.add(part);
        return part;
    }

    /** Adds bytes that arrived at a time; times may come in any order. */
    public void add(long nowPs, int arrivedBytes) {
        if (nowPs >= currentEndPs || nowPs < currentStartPs) {
            turnTo(nowPs);
        }
        bytes[current] += arrivedBytes;
        intervals = Math.max(intervals, current + 1);
    }

    /**
     * Adds the bytes of a frame evenly over the time that it is on the wire. If the whole frame
     * were counted at its end, a short interval could look faster than its link.
     */
    public void spread(long startPs, long endPs, int arrivedBytes) {
        long lengthPs = endPs - startPs;
        long fromPs = startPs;
        long added = 0;
        while (endPs > fromPs) {
            long stopPs = Math.min(endPs, (fromPs / intervalPs + 1) * intervalPs);
            long upTo =
                    stopPs == endPs
                            ? arrivedBytes
                            : (long) ((double) (stopPs - startPs) / lengthPs * arrivedBytes);
            add(fromPs, (int) (upTo - added));
            added = upTo;
            fromPs = stopPs;
        }
        if (lengthPs <= 0) {
            add(endPs, arrivedBytes);
        }
    }

    private void turnTo(long nowPs) {
        long index = nowPs / intervalPs;
        if (index >= MAX_INTERVALS) {
            throw new IllegalStateException(
                    "%s ps in intervals of %s ps: more than %s"
                            .formatted(nowPs, intervalPs, MAX_INTERVALS));
        }
        current = (int) index;
        currentStartPs = index * intervalPs;
        currentEndPs = currentStartPs + intervalPs;
        if (current >= bytes.length) {
            int room = Math.max(FIRST_INTERVALS, 2 * bytes.length);
            bytes = Arrays.copyOf(bytes, Math.max(current + 1, room));
        }
    }

    public long intervalPs() {
        return intervalPs;
    }

    /** Number of intervals up to the last one in which something arrived. */
    public int intervals() {
        int most = intervals;
        for (ThroughputSeries part : parts) {
            most = Math.max(most, part.intervals());
        }
        return most;
    }

    /** Bytes that arrived in an interval; 0 for those after the last. */
    public long bytes(int interval) {
        long sum = interval < intervals ? bytes[interval] : 0;
        for (ThroughputSeries part : parts) {
            sum += part.bytes(interval);
        }
        return sum;
    }

    /** Mean bits per second over an interval. */
    public double throughputBps(int interval) {
        return bytes(interval) * 8e12 / intervalPs;
    }

    /** Mean bits per second over the intervals from one to another (exclusive). */
    public double throughputBps(int from, int to) {
        long sum = 0;
        for (int interval = from; interval < to; interval++) {
            sum += bytes(interval);
        }
        return sum * 8e12 / ((double) intervalPs * (to - from));
    }
}
