package io.headgate.dataplane.pause;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacControl;
import java.lang.foreign.MemorySegment;

/**
 * Makes the PAUSE or PFC frames of a port: XOFF when a priority must stop, again before the pause
 * runs out while the priority must stop, and XON when it may go on (IEEE 802.3 Annexes 31B and
 * 31D). One frame carries all changes that are due; between two that only repeat earlier ones data
 * can start. Owned by the egress half, which sends these frames before all others. The ingress half
 * decides which priorities must stop.
 */
public final class PauseSender {
    private static final int ALL = (1 << PRIORITIES) - 1;
    private static final long WIRE_BITS =
            8L * (Ethernet.MIN_FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES);
    private static final long NS_PER_S = 1_000_000_000L;

    private final boolean wholeLink;
    private final long linkRateBps;
    private int quanta;
    private long pauseNs;
    private long refreshNs;
    private long apartNs;

    // The priorities that the far end was asked to stop, and when each request must be repeated.
    private int told;
    private final long[] refreshAtNs = new long[PRIORITIES];
    private final long[] endsAtNs = new long[PRIORITIES];
    private final long[] toldSinceNs = new long[PRIORITIES];
    private long nextRefreshNs = Long.MAX_VALUE;
    private int changes;

    private final long[] xoffs = new long[PRIORITIES];
    private final long[] refreshes = new long[PRIORITIES];
    private final long[] xons = new long[PRIORITIES];
    private final long[] lapses = new long[PRIORITIES];

    /**
     * Creates the sender of one port.
     *
     * @param mode {@code PFC} or {@code PAUSE}, which stops all priorities if any must stop
     * @param linkRateBps rate by which the far end, too, counts quanta: the port's rate at its
     *     start
     */
    public PauseSender(
            FlowControlConfig.Mode mode, FlowControlConfig.Pause pause, long linkRateBps) {
        if (mode != FlowControlConfig.Mode.PFC && mode != FlowControlConfig.Mode.PAUSE) {
            throw new IllegalArgumentException("no pauses in mode " + mode);
        }
        this.wholeLink = mode == FlowControlConfig.Mode.PAUSE;
        this.linkRateBps = linkRateBps;
        change(pause);
    }

    /** Changes the length of pauses from the next one on; the present ones keep their length. */
    public void change(FlowControlConfig.Pause pause) {
        quanta = pause.quanta();
        pauseNs = ConfigDefaults.pauseNs(quanta, linkRateBps);
        // The configuration checks it by the port's rate. At the link's, which may be higher, a
        // pause is shorter.
        refreshNs = pause.refreshNs() < pauseNs ? pause.refreshNs() : Math.max(1, pauseNs / 4);
        // What is due again as soon as it has been sent would leave data no gap in which to start.
        long frameNs = Math.ceilDiv(WIRE_BITS * NS_PER_S, linkRateBps);
        apartNs = Math.min(2 * frameNs, pauseNs - 1);
    }

    /** The priorities that the next frame must name; 0 if none is due. */
    public int due(long nowNs, int wanted) {
        int stop = stop(wanted);
        int changed = stop ^ told;
        if (changed == 0 && nextRefreshNs - nowNs > 0) {
            return 0;
        }
        int due = changed;
        for (int rest = stop & told; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if (refreshAtNs[priority] - nowNs <= 0) {
                due |= 1 << priority;
            }
        }
        return due;
    }

    private int stop(int wanted) {
        return wholeLink && wanted != 0 ? ALL : wanted;
    }

    /**
     * Writes a frame of {@link MacControl#FRAME_BYTES} that names the priorities that are due, and
     * counts it as sent.
     *
     * @param nowNs time at which the frame is made; it leaves later, so the next repetition is
     *     early, never late
     */
    public void write(
            long nowNs, int wanted, int due, MemorySegment segment, long frame, long source) {
        changes++;
        int stop = stop(wanted) & due;
        if (wholeLink) {
            MacControl.writePause(segment, frame, source, stop == 0 ? 0 : quanta);
        } else {
            MacControl.writePfc(segment, frame, source, due, 0);
            for (int rest = stop; rest != 0; rest &= rest - 1) {
                int priority = Integer.numberOfTrailingZeros(rest);
                MacControl.quanta(segment, frame, priority, quanta);
            }
        }
        for (int rest = due; rest != 0; rest &= rest - 1) {
            sent(nowNs, Integer.numberOfTrailingZeros(rest), stop);
        }
        told = (told & ~due) | stop;
        nextRefreshNs = Long.MAX_VALUE;
        for (int rest = told; rest != 0; rest &= rest - 1) {
            nextRefreshNs =
                    Math.min(nextRefreshNs, refreshAtNs[Integer.numberOfTrailingZeros(rest)]);
        }
        nextRefreshNs = Math.max(nextRefreshNs, nowNs + apartNs);
    }

    private void sent(long nowNs, int priority, int stop) {
        boolean wasTold = (told >>> priority & 1) != 0;
        if ((stop >>> priority & 1) == 0) {
            xons[priority]++;
            return;
        }
        if (wasTold) {
            refreshes[priority]++;
            if (endsAtNs[priority] - nowNs <= 0) {
                lapses[priority]++;
            }
        } else {
            xoffs[priority]++;
            toldSinceNs[priority] = nowNs;
        }
        refreshAtNs[priority] = nowNs + refreshNs;
        endsAtNs[priority] = nowNs + pauseNs;
    }

    /** The time of the next call of {@link #due} if no state changes before. */
    public long deadlineNs() {
        return nextRefreshNs;
    }

    /** Starts over when the link came up: the far end has received no request yet. */
    public void reset() {
        changes++;
        told = 0;
        nextRefreshNs = Long.MAX_VALUE;
    }

    /**
     * Grows with every change of these counts; the times of {@link #toldNs} also grow while {@link
     * #told} is not 0.
     */
    public int changes() {
        return changes;
    }

    /** The priorities that the far end was asked to stop. */
    public int told() {
        return told;
    }

    /** Time for which the far end has been asked to stop a priority, in ns; 0 if it may send. */
    public long toldNs(int priority, long nowNs) {
        return (told >>> priority & 1) == 0 ? 0 : Math.max(1, nowNs - toldSinceNs[priority]);
    }

    /** Number of requests to stop a priority that was not stopped. */
    public long xoffs(int priority) {
        return xoffs[priority];
    }

    public long refreshes(int priority) {
        return refreshes[priority];
    }

    /** Number of requests to go on. */
    public long xons(int priority) {
        return xons[priority];
    }

    /**
     * Number of repeated requests that were late: the pause had run out, and frames may have come.
     */
    public long lapses(int priority) {
        return lapses[priority];
    }
}
