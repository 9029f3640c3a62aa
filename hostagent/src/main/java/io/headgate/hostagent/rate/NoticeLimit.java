package io.headgate.hostagent.rate;

import io.headgate.dataplane.counter.NoticeCounter;

/**
 * Limits the notices that a flow accepts: two from each congestion point per period, from four
 * points at a time. More would be repeated or forged. Beyond those four, notices of the point that
 * the flow follows are accepted, and any that would slow it down further, so that forged notices of
 * other points cannot shut them out. Owned by the sending host.
 */
public final class NoticeLimit {
    /** Number of congestion points that a flow may meet on a long path. */
    static final int POINTS = 4;

    /**
     * Notices accepted per point and period: a point sends one per period; two may come close
     * together.
     */
    static final int MOST = 2;

    private final long periodNs;
    private final long[] origins = new long[POINTS];
    private final long[] sinceNs = new long[POINTS];
    private final int[] taken = new int[POINTS];

    /**
     * A limit for a flow that has had no notice yet.
     *
     * @param periodNs period in which a congestion point sends one notice about a flow
     */
    public NoticeLimit(long periodNs) {
        this.periodNs = periodNs;
    }

    /**
     * Gives the flow's control a notice if the limit allows it; returns the counter to increment.
     */
    public NoticeCounter give(RateControl to, long nowNs, int kind, long origin, long value) {
        if (!admits(nowNs, origin, origin == to.followed() || to.isSlowedBy(kind, value))) {
            return NoticeCounter.EXCESS;
        }
        return to.notified(nowNs, kind, origin, value)
                ? NoticeCounter.OBEYED
                : NoticeCounter.IGNORED;
    }

    private boolean admits(long nowNs, long origin, boolean isToBeHeard) {
        int free = -1;
        for (int point = 0; point < POINTS; point++) {
            boolean isOver = taken[point] == 0 || nowNs - sinceNs[point] >= periodNs;
            if (!isOver && origins[point] == origin) {
                if (taken[point] == MOST) {
                    return false;
                }
                taken[point]++;
                return true;
            }
            if (isOver) {
                free = point;
            }
        }
        if (free < 0) {
            if (!isToBeHeard) {
                return false;
            }
            free = 0;
        }
        origins[free] = origin;
        sinceNs[free] = nowNs;
        taken[free] = 1;
        return true;
    }
}
