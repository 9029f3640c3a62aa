package io.headgate.dataplane.linkcontrol;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.policy.StopView;
import java.util.Arrays;

/**
 * Measures how long each priority has been stopped, by pauses or lack of credits, and when the stop
 * ended.
 */
public final class StopTimes {
    private final long[] sinceNs = new long[TrafficConfig.PRIORITIES];
    private final long[] totalNs = new long[TrafficConfig.PRIORITIES];
    private final long[] longestNs = new long[TrafficConfig.PRIORITIES];
    private final long[] stops = new long[TrafficConfig.PRIORITIES];
    private final long[] endedNs = new long[TrafficConfig.PRIORITIES];
    private int stopped;
    private int ever;
    private int changes;

    // Those whose stop has ended since this was last asked for.
    private int released;

    public StopTimes() {
        Arrays.fill(endedNs, StopView.LONG_AGO_NS);
    }

    /** Begins a stop of a priority; without effect if it is already stopped. */
    public void begin(int priority, long nowNs) {
        if ((stopped >>> priority & 1) == 0) {
            stopped |= 1 << priority;
            ever |= 1 << priority;
            changes++;
            sinceNs[priority] = nowNs;
            stops[priority]++;
        }
    }

    /**
     * Ends a stop of a priority; without effect if it may already send.
     *
     * @param whenNs time from which it may send; a stop that began later than that lasted no time
     */
    public void end(int priority, long whenNs) {
        if ((stopped >>> priority & 1) != 0) {
            stopped &= ~(1 << priority);
            changes++;
            released |= 1 << priority;
            long timeNs = Math.max(0, whenNs - sinceNs[priority]);
            endedNs[priority] = sinceNs[priority] + timeNs;
            totalNs[priority] += timeNs;
            longestNs[priority] = Math.max(longestNs[priority], timeNs);
        }
    }

    /** The priorities whose stop has ended since the last call, and that may send. */
    public int takeReleased() {
        if (released == 0) {
            return 0;
        }
        int ended = released & ~stopped;
        released = 0;
        return ended;
    }

    /**
     * The time at which the last stop of a priority ended; {@link StopView#LONG_AGO_NS} if there
     * was none.
     */
    public long endedNs(int priority) {
        return endedNs[priority];
    }

    /** Grows whenever a stop begins or ends; times also grow while {@link #stopped} is not 0. */
    public int changes() {
        return changes;
    }

    public int stopped() {
        return stopped;
    }

    /** The priorities that have been stopped at least once. */
    public int ever() {
        return ever;
    }

    /** The time since which a priority has been stopped; valid only while it is. */
    public long sinceNs(int priority) {
        return sinceNs[priority];
    }

    public long stops(int priority) {
        return stops[priority];
    }

    /** Total time for which a priority has been stopped, including the present stop, in ns. */
    public long totalNs(int priority, long nowNs) {
        return totalNs[priority] + presentNs(priority, nowNs);
    }

    /** Longest single stop of a priority, including the present one, in ns. */
    public long longestNs(int priority, long nowNs) {
        return Math.max(longestNs[priority], presentNs(priority, nowNs));
    }

    /** Length of a priority's present stop until now, in ns; 0 if it may send. */
    public long presentNs(int priority, long nowNs) {
        return (stopped >>> priority & 1) == 0 ? 0 : Math.max(0, nowNs - sinceNs[priority]);
    }
}
