package io.headgate.dataplane.congestion;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.policy.StopView;
import java.util.List;

/**
 * Ternary congestion detection (Zhang, Liu, Meng and Ren, "Congestion Detection in Lossless
 * Networks", SIGCOMM 2021, section 4.2 and figure 9): a queue that its far end often stops is long
 * for that reason, so its length alone does not show congestion. The port is in an undetermined
 * state until it has been sending for longer than the maximum between two such stops.
 *
 * <p>Ton is the time since the last stop ended. Up to max(Ton) frames are marked "undetermined".
 * Then the trend decides: until the queue has grown within a period T, no frame is marked. Once it
 * has grown, or once it is short, only its length decides, as without stops: over its threshold the
 * port is congested, otherwise not.
 *
 * <p>Figure 9 checks whether the queue decreases. So does the first check here, against the length
 * when the stop ended. Later checks need a growth of at least nine tenths of a frame, as in the
 * authors' simulator: the queue of a full link moves by one frame between looks, and a victim with
 * such a trend would seem congested. {@link TcdConfig#trend} sets the time of the checks. Lengths
 * before max(Ton) are not used: the queue falls when a stop ends, and fills again once the sender's
 * own stop is over.
 */
public final class TcdDetector implements Detector {
    /** The queue is short, or was when last looked at. */
    public static final int NON_CONGESTED = 0;

    /** Undetermined: whether this port is congested is not known. */
    public static final int UNDETERMINED = 1;

    /** The queue is over its threshold although the far end does not stop it. */
    public static final int CONGESTED = 2;

    private static final int STATES = 3;

    /** Its counters, after those of {@link MarkingPoint}. */
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.gauge(
                            "state", "state", "0: not congested, 1: undetermined, 2: congested"),
                    CounterText.total("transitions", "changes", "changes of the state"),
                    CounterText.total(
                            "time.undetermined",
                            "ns",
                            "time in the undetermined state, until the last frame that started"),
                    CounterText.total(
                            "time.congested",
                            "ns",
                            "time in the congested state, until the last frame that started; at all"
                                    + " other times the port was not congested"));

    private static final int GROWTH_TENTHS = 9;

    private final RedDetector length;
    private final long maxOnNs;
    private final QueueTrend trend;
    private final long lowBytes;
    private final long growthBytes;

    /** {@link #NON_CONGESTED}, {@link #UNDETERMINED} or {@link #CONGESTED}: LAST_STATE. */
    int state = NON_CONGESTED;

    // Whether a frame has started since the last stop that was later than max(Ton).
    private boolean isOn;
    private long endedNs = StopView.LONG_AGO_NS;
    private long endedBytes; // the queue's length then
    private boolean isTrendAsked; // since max(Ton) has passed

    private final long[] spentNs = new long[STATES];
    private long sinceNs;
    private long lastNs; // when a frame was last asked about
    private long transitions;

    /**
     * @param length decides whether the queue is over its threshold
     * @param maxOnNs longest that a port sends between two stops if the next switch, not this one,
     *     is congested
     * @param trend detects whether the queue has grown
     * @param lowBytes up to this queue length there is no congestion
     * @param frameBytes the largest frame
     */
    TcdDetector(RedDetector length, long maxOnNs, QueueTrend trend, long lowBytes, int frameBytes) {
        this.length = length;
        this.maxOnNs = maxOnNs;
        this.trend = trend;
        this.lowBytes = lowBytes;
        this.growthBytes = (long) frameBytes * GROWTH_TENTHS / 10;
    }

    @Override
    public void goOnFrom(Detector before) {
        if (before instanceof TcdDetector tcd) {
            length.goOnFrom(tcd.length);
            state = tcd.state;
            endedNs = tcd.endedNs;
            endedBytes = tcd.endedBytes;
            isTrendAsked = tcd.isTrendAsked;
            trend.goOnFrom(tcd.trend);
            // What it was in its state for before is counted as its predecessor's.
            sinceNs = Math.max(tcd.sinceNs, tcd.lastNs);
            lastNs = sinceNs;
        }
    }

    @Override
    public int started(long nowNs, int frameBytes, long behindBytes) {
        // Asked whatever the state: an average has seen all, and what is drawn is the same.
        boolean isLong = length.started(nowNs, frameBytes, behindBytes) != Mark.NONE;
        lastNs = nowNs;
        if (nowNs - endedNs <= maxOnNs) {
            become(nowNs, UNDETERMINED);
            return Mark.UNDETERMINED;
        }
        isOn = true;
        if (state == UNDETERMINED && !isDecided(nowNs, behindBytes)) {
            return Mark.NONE;
        }
        become(nowNs, isLong ? CONGESTED : NON_CONGESTED);
        return isLong ? Mark.CONGESTION : Mark.NONE;
    }

    @Override
    public void started(long nowNs, Burst burst, MarkingPoint marks) {
        long over = length.over(nowNs, burst);
        lastNs = nowNs;
        if (nowNs - endedNs <= maxOnNs) {
            become(nowNs, UNDETERMINED);
            marks.mark(nowNs, burst, burst.all(), Mark.UNDETERMINED);
            return;
        }
        isOn = true;
        if (state == UNDETERMINED) {
            over &= decided(nowNs, burst, over);
        } else {
            becomeInTurn(nowNs, over, burst);
        }
        marks.mark(nowNs, burst, over, Mark.CONGESTION);
    }

    /** Mask of the frames for which the queue's length decides. */
    private long decided(long nowNs, Burst burst, long over) {
        long decided = 0;
        for (int i = 0; i < burst.count(); i++) {
            if (state != UNDETERMINED || isDecided(nowNs, burst.behindBytes(i))) {
                become(nowNs, (over >>> i & 1) == 0 ? NON_CONGESTED : CONGESTED);
                decided |= 1L << i;
            }
        }
        return decided;
    }

    /** Takes the states of a burst's frames one after the other, either congested or not. */
    private void becomeInTurn(long nowNs, long over, Burst burst) {
        long before = over << 1 | (state == CONGESTED ? 1 : 0);
        int changes = Long.bitCount((over ^ before) & burst.all());
        if (changes > 0) {
            become(nowNs, state == CONGESTED ? NON_CONGESTED : CONGESTED);
            become(nowNs, (over >>> (burst.count() - 1) & 1) == 0 ? NON_CONGESTED : CONGESTED);
            transitions += changes - (2 - (changes & 1));
        }
    }

    /** While its state is certain, predicts by the queue's length alone. */
    @Override
    public void foresee(long behindBytes, Outlook outlook) {
        length.foresee(behindBytes, outlook);
        boolean isStable =
                (state == NON_CONGESTED && outlook.mark() == Mark.NONE)
                        || (state == CONGESTED && outlook.mark() == Mark.CONGESTION);
        if (!isOn || !isStable) {
            outlook.nothing();
        }
    }

    @Override
    public void passed(int frames, long atNs) {
        lastNs = atNs;
        length.passed(frames, atNs);
    }

    /** Whether the trend shows that the queue's length may decide. */
    private boolean isDecided(long nowNs, long behindBytes) {
        if (behindBytes <= lowBytes) {
            become(nowNs, NON_CONGESTED);
            return false;
        }
        boolean isFirst = !isTrendAsked;
        isTrendAsked = true;
        if (isFirst && behindBytes >= endedBytes) {
            return true;
        }
        return trend.hasGrown(nowNs, behindBytes, growthBytes);
    }

    private void become(long nowNs, int next) {
        if (next != state) {
            spentNs[state] += nowNs - sinceNs;
            sinceNs = nowNs;
            state = next;
            transitions++;
        }
    }

    @Override
    public void released(long stopEndedNs, long queuedBytes, int queuedFrames) {
        isOn = false;
        endedNs = stopEndedNs;
        isTrendAsked = false;
        endedBytes = queuedBytes;
        trend.forget();
    }

    @Override
    public long counted(int counter) {
        return switch (counter) {
            case 0 -> state;
            case 1 -> transitions;
            case 2 -> spentNs(UNDETERMINED);
            default -> spentNs(CONGESTED);
        };
    }

    private long spentNs(int in) {
        return spentNs[in] + (in == state ? lastNs - sinceNs : 0);
    }

    @Override
    public void reset(long nowNs) {
        length.reset(nowNs);
        become(nowNs, NON_CONGESTED);
        endedNs = StopView.LONG_AGO_NS;
    }
}
