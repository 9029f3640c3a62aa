package io.headgate.dataplane.flowcontrol;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.linkcontrol.StopTimes;

/**
 * Looks for priorities of an egress port that a far end keeps paused without end, and restores them
 * when that is over; detection, restoration and actions as SONiC's PFC watchdog has them. Owned by
 * the egress half, which asks it every poll interval.
 *
 * <p>A priority is in a storm when, for the detection time, at every poll: frames wait, none has
 * been transmitted since the poll before, and it was paused for more than 99 % of the time between.
 * So neither resumptions, however many, nor pauses that come and go make a storm, nor a port that
 * merely has nothing to send. It is restored when, for the restoration time, no frame has paused
 * it. When a link goes down, the watchdog starts over.
 */
public final class PfcWatchdog {
    private FlowControlConfig.Watchdog config;
    private boolean off;
    private final int watched;
    private final long[] leftNs = new long[TrafficConfig.PRIORITIES];
    private final long[] transmitted = new long[TrafficConfig.PRIORITIES];
    private final long[] pausedNs = new long[TrafficConfig.PRIORITIES];
    private final long[] pausesReceived = new long[TrafficConfig.PRIORITIES];
    private final long[] detected = new long[TrafficConfig.PRIORITIES];
    private final long[] restored = new long[TrafficConfig.PRIORITIES];
    private int sampled;
    private int stormed;
    private long calledNs;
    private long presentNs;
    private long intervalNs;
    private long nextPollNs;
    private boolean started;

    public PfcWatchdog(FlowControlConfig.Watchdog config, int watched) {
        this.config = config;
        this.watched = watched;
    }

    /** Looks as another configuration says; what it has seen so far counts. */
    public void change(FlowControlConfig.Watchdog newConfig) {
        long detectionNs = newConfig.detectionNs() - config.detectionNs();
        long restorationNs = newConfig.restorationNs() - config.restorationNs();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            leftNs[priority] += (stormed >>> priority & 1) != 0 ? restorationNs : detectionNs;
        }
        config = newConfig;
        nextPollNs = Math.min(nextPollNs, presentNs + newConfig.pollNs());
        off = false;
    }

    /** Looks no more, until {@link #change}; there are no storms. */
    public void stop() {
        off = true;
        reset();
    }

    /** Whether a poll is due. The first one is at once. */
    public boolean isDue(long nowNs) {
        return !off && (!started || nextPollNs - nowNs <= 0);
    }

    public long deadlineNs() {
        if (off) {
            return Long.MAX_VALUE;
        }
        return started ? nextPollNs : Long.MIN_VALUE / 2;
    }

    /**
     * Begins a poll; then {@link #sample} each watched priority. What came while the half was held
     * up, between its call and now, it may have seen or not. So the time that counts is from one
     * poll to the call in which the next is: no storm is found early, and none is over early.
     *
     * @param calledNs when the half was called
     * @param presentNs what time it is now, no earlier
     */
    public void beginPoll(long calledNs, long presentNs) {
        intervalNs = started ? calledNs - this.presentNs : 0;
        started = true;
        this.calledNs = calledNs;
        this.presentNs = presentNs;
        // From now, not from when it was due: after a stall one poll, not many.
        nextPollNs = presentNs + config.pollNs();
    }

    /**
     * Looks at one priority.
     *
     * @param framesWaiting frames in its queue
     * @param framesTransmitted frames of it that have ever left
     * @param paused how long it has been paused
     * @param pauses frames that have ever paused it, resumptions not counted
     */
    public void sample(
            int priority,
            int framesWaiting,
            long framesTransmitted,
            StopTimes paused,
            long pauses) {
        int bit = 1 << priority;
        if ((watched & bit) == 0) {
            return;
        }
        if ((sampled & bit) == 0) {
            sampled |= bit;
            leftNs[priority] = config.detectionNs();
        } else if ((stormed & bit) == 0) {
            long lastingNs = paused.totalNs(priority, calledNs) - pausedNs[priority];
            boolean storm =
                    framesWaiting > 0
                            && framesTransmitted == transmitted[priority]
                            && lastingNs * 100 > intervalNs * 99;
            if (lasts(priority, storm, config.detectionNs())) {
                stormed |= bit;
                detected[priority]++;
                leftNs[priority] = config.restorationNs();
            }
        } else if (lasts(priority, pauses == pausesReceived[priority], config.restorationNs())) {
            stormed &= ~bit;
            restored[priority]++;
            leftNs[priority] = config.detectionNs();
        }
        transmitted[priority] = framesTransmitted;
        pausedNs[priority] = paused.totalNs(priority, presentNs);
        pausesReceived[priority] = pauses;
    }

    /** Whether a state has lasted for this time by now. */
    private boolean lasts(int priority, boolean isOn, long forNs) {
        leftNs[priority] = isOn ? leftNs[priority] - intervalNs : forNs;
        return isOn && leftNs[priority] <= 0;
    }

    /** The link went down or came up: what was seen before means nothing. */
    public void reset() {
        started = false;
        sampled = 0;
        stormed = 0;
    }

    public int stormed() {
        return stormed;
    }

    /** The priorities whose frames are dropped, waiting or arriving, and cause no pauses. */
    public int dropping() {
        return config.action() == FlowControlConfig.Watchdog.Action.DROP ? stormed : 0;
    }

    public int ignoring() {
        return config.action() == FlowControlConfig.Watchdog.Action.FORWARD ? stormed : 0;
    }

    public long detected(int priority) {
        return detected[priority];
    }

    /** Storms of a priority that are over. */
    public long restored(int priority) {
        return restored[priority];
    }
}
