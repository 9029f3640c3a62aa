package io.headgate.dataplane.pause;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.policy.StopView;

/**
 * Tracks which priorities of an egress port the far end has paused (IEEE 802.3 Annex 31D). Read
 * between frames: a started frame is finished. Owned by the egress half; a call without a change
 * costs one load and one comparison.
 */
public final class PauseState {
    private final PauseRegister register;
    private final PresentTime time;
    private final StopTimes times = new StopTimes();
    private final long[] untilNs = new long[TrafficConfig.PRIORITIES];
    private int seenVersion;
    private int paused;
    private long nextExpiryNs = Long.MAX_VALUE;

    /** Creates the state, which reads the register of the port's ingress half. */
    public PauseState(PauseRegister register, PresentTime time) {
        this.register = register;
        this.time = time;
        this.seenVersion = register.loadVersionAcquire();
    }

    /**
     * Reads received pauses, and ends those that have run out; returns the priorities paused now.
     */
    public int paused(long nowNs) {
        int version = register.loadVersionAcquire();
        if (version != seenVersion) {
            seenVersion = version;
            // What was received may be newer than this cycle: a stop that began then did not last
            // since the cycle did, and a resumption counts at once.
            takeIn(time.presentNs(nowNs));
        } else if (nextExpiryNs - nowNs <= 0 && paused != 0) {
            expire(nowNs);
        }
        return paused;
    }

    /** Whether a pause frame has been received since the last call of {@link #paused(long)}. */
    boolean hasNews() {
        return register.loadVersionAcquire() != seenVersion;
    }

    /** The priorities that were paused at the last call of {@link #paused(long)}. */
    int paused() {
        return paused;
    }

    private void takeIn(long nowNs) {
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            long until = register.loadUntilOpaque(priority);
            boolean wasPaused = (paused >>> priority & 1) != 0;
            if (wasPaused && untilNs[priority] - nowNs <= 0) {
                // It had run out before the next one came.
                resume(priority, untilNs[priority]);
                wasPaused = false;
            }
            if (until - nowNs > 0) {
                paused |= 1 << priority;
                untilNs[priority] = until;
                times.begin(priority, nowNs);
            } else if (wasPaused) {
                // As told: by a time of no length that began when the frame came, or a short one.
                resume(priority, until == StopView.LONG_AGO_NS ? nowNs : until);
            }
        }
        findNextExpiry();
    }

    private void expire(long nowNs) {
        for (int rest = paused; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if (untilNs[priority] - nowNs <= 0) {
                resume(priority, untilNs[priority]);
            }
        }
        findNextExpiry();
    }

    private void resume(int priority, long whenNs) {
        paused &= ~(1 << priority);
        times.end(priority, whenNs);
    }

    private void findNextExpiry() {
        long next = Long.MAX_VALUE;
        for (int rest = paused; rest != 0; rest &= rest - 1) {
            next = Math.min(next, untilNs[Integer.numberOfTrailingZeros(rest)]);
        }
        nextExpiryNs = next;
    }

    /**
     * The time at which the next pause runs out by itself; {@link Long#MAX_VALUE} if no priority is
     * paused.
     */
    public long deadlineNs() {
        return nextExpiryNs;
    }

    /** The time until which a priority is paused; valid only while it is. */
    public long untilNs(int priority) {
        return untilNs[priority];
    }

    public StopTimes times() {
        return times;
    }

    /** Number of frames that have paused a priority so far, without resumptions. */
    public long pausesReceived(int priority) {
        return register.loadPausesReceivedOpaque(priority);
    }
}
