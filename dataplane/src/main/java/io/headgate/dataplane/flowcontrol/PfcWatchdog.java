package io.headgate.dataplane.flowcontrol;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.linkcontrol.StopTimes;

/**
 * PFC watchdog: detects pause storms, that is, priorities of an egress port that the far end keeps
 * paused, and restores them when the storm is over. Detection, restoration and actions are those of
 * SONiC's PFC watchdog. Owned by the egress half, which calls it every poll interval.
 *
 * <p>A priority is in a storm when, for the detection time, at every poll: frames wait, none has
 * been transmitted since the poll before, and it was paused for more than 99 % of the time between.
 * So resumptions, pauses that come and go, or a port without frames to send make no storm. The
 * priority is restored when, for the restoration time, no frame has paused it. When a link goes
 * down, the watchdog starts over.
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

    /** Follows another configuration; earlier observations still count. */
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

    /** Stops polling until {@link #change}; there are no storms. */
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
     * Begins a poll; {@link #sample} must follow for each watched priority. The half may or may not
     * have seen frames that came between its call and now. So the time from one poll to the call of
     * the next one counts: no storm is detected early, and none ends early.
     *
     * @param calledNs when the half was called
     * @param presentNs the present time, no earlier
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
     * Samples one priority.
     *
     * @param framesWaiting frames in its queue
     * @param framesTransmitted total of its frames that have left
     * @param paused how long it has been paused
     * @param pauses total of frames that have paused it, without resumptions
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

    /** Whether a state has already lasted for this time. */
    private boolean lasts(int priority, boolean isOn, long forNs) {
        leftNs[priority] = isOn ? leftNs[priority] - intervalNs : forNs;
        return isOn && leftNs[priority] <= 0;
    }

    /** Notes that the link went down or came up: earlier observations no longer count. */
    public void reset() {
        started = false;
        sampled = 0;
        stormed = 0;
    }

    public int stormed() {
        return stormed;
    }

    /** The priorities whose frames, waiting or arriving, are dropped and cause no pauses. */
    public int dropping() {
        return config.action() == FlowControlConfig.Watchdog.Action.DROP ? stormed : 0;
    }

    public int ignoring() {
        return config.action() == FlowControlConfig.Watchdog.Action.FORWARD ? stormed : 0;
    }

    public long detected(int priority) {
        return detected[priority];
    }

    /** Number of a priority's storms that are over. */
    public long restored(int priority) {
        return restored[priority];
    }
}
