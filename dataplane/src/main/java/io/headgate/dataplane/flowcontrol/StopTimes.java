package io.headgate.dataplane.flowcontrol;

/** How long each priority has been stopped, by pauses or for want of credits. */
public final class StopTimes {
    private static final int PRIORITIES = 8;

    private final long[] sinceNs = new long[PRIORITIES];
    private final long[] totalNs = new long[PRIORITIES];
    private final long[] longestNs = new long[PRIORITIES];
    private final long[] stops = new long[PRIORITIES];
    private int stopped;

    /** A priority is stopped; without effect if it is already. */
    void begin(int priority, long nowNs) {
        if ((stopped >>> priority & 1) == 0) {
            stopped |= 1 << priority;
            sinceNs[priority] = nowNs;
            stops[priority]++;
        }
    }

    /** A priority may send again; without effect if it may already. */
    void end(int priority, long nowNs) {
        if ((stopped >>> priority & 1) != 0) {
            stopped &= ~(1 << priority);
            long timeNs = nowNs - sinceNs[priority];
            totalNs[priority] += timeNs;
            longestNs[priority] = Math.max(longestNs[priority], timeNs);
        }
    }

    /** The priorities that are stopped. */
    public int stopped() {
        return stopped;
    }

    /** Times that a priority was stopped. */
    public long stops(int priority) {
        return stops[priority];
    }

    /** Time that a priority has been stopped, the present stop included, in ns. */
    public long totalNs(int priority, long nowNs) {
        return totalNs[priority] + presentNs(priority, nowNs);
    }

    /** The longest that a priority was stopped at a stretch, the present stop included, in ns. */
    public long longestNs(int priority, long nowNs) {
        return Math.max(longestNs[priority], presentNs(priority, nowNs));
    }

    /** How long a priority has been stopped now, in ns; 0 if it may send. */
    public long presentNs(int priority, long nowNs) {
        return (stopped >>> priority & 1) == 0 ? 0 : Math.max(0, nowNs - sinceNs[priority]);
    }
}
