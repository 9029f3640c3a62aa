package io.headgate.dataplane.queue;

/**
 * Holds an egress port to its rate, the line's or a lower one: computes when the next frame may
 * start. Its {@link WireFormat} says how many bytes a frame occupies on the wire.
 *
 * <p>Time is kept in picoseconds beyond whole nanoseconds, and the division's remainder is carried,
 * so that a million back-to-back frames end at the right picosecond at every rate. Lateness is made
 * up only for frames that have been waiting, and within a bound.
 */
public final class Pacer {
    /** The slowest line, in bits per second. */
    public static final long MIN_RATE_BPS = 1_000_000;

    /** The fastest rate: a port has at most 400 Gb/s, an input of a crossbar sixteen times that. */
    public static final long MAX_RATE_BPS = 16 * 400_000_000_000L;

    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long WHOLE_NS_AFTER_PS = 1_000_000_000;

    /** More than frames ever take, and in picoseconds well within a long: 13 days. */
    private static final long LONGEST_NS = 1L << 50;

    private long rateBps;
    private long psPerByte;
    private final long maxCatchUpNs;
    private final int overheadBytes;
    private final int minFrameBytes;

    // The wire is taken for takenPs picoseconds from sinceNs on, a whole
    // nanosecond. They become nanoseconds only now and then: a division per frame, each waiting for
    // the last, is expensive.
    private long sinceNs;
    private long takenPs;
    private long remainder;

    // At a rate below the line's, the wire is idle behind each frame until the next may start. Link
    // control may start then: the far end sends at the line's rate until it receives a pause.
    private final long lineRateBps;
    private long idlePs;

    // Whether the rate is below the line's, or was when the last frame started.
    private boolean mayIdle;

    /**
     * @param rateBps line rate in bits per second, 1 Mb/s to 6.4 Tb/s
     * @param maxCatchUpNs maximum lateness that is made up while backlogged, in ns; 0 in virtual
     *     time
     */
    public Pacer(long rateBps, long maxCatchUpNs, WireFormat wire) {
        if (maxCatchUpNs < 0) {
            throw new IllegalArgumentException("catch-up " + maxCatchUpNs + " ns");
        }
        this.lineRateBps = rateBps;
        rate(rateBps);
        this.maxCatchUpNs = maxCatchUpNs;
        this.overheadBytes = wire.overheadBytes();
        this.minFrameBytes = wire.minFrameBytes();
        this.sinceNs = Long.MIN_VALUE / 2;
    }

    /**
     * Changes the rate from the next frame on; a frame on the wire ends at its old rate. The line
     * rate remains that of the start.
     */
    public void rate(long newRateBps) {
        if (newRateBps < MIN_RATE_BPS || newRateBps > MAX_RATE_BPS) {
            throw new IllegalArgumentException(newRateBps + " b/s");
        }
        if (newRateBps == rateBps) {
            return;
        }
        rateBps = newRateBps;
        psPerByte = 8 * PS_PER_S % newRateBps == 0 ? 8 * PS_PER_S / newRateBps : 0;
        remainder = 0;
        mayIdle = mayIdle || newRateBps < lineRateBps;
    }

    /**
     * Changes the rate from now on, also for the rest of the last frame's time: for rates other
     * than that of a wire.
     */
    public void rateFrom(long nowNs, long newRateBps) {
        long nowPs = psUntil(nowNs);
        if (takenPs > nowPs) {
            double leftPs = (double) (takenPs - nowPs) * rateBps / newRateBps;
            taken(nowPs + (long) leftPs);
        }
        rate(newRateBps);
    }

    /** Whether the wire is free at or within {@code nowNs}. */
    public boolean mayStart(long nowNs) {
        return isFreeBefore(nowNs + 1);
    }

    private boolean isFreeBefore(long timeNs) {
        return takenPs < psUntil(timeNs);
    }

    private long psUntil(long timeNs) {
        return Math.min(timeNs - sinceNs, LONGEST_NS) * 1000;
    }

    /** The nanosecond within which the wire becomes free. */
    public long nextStartNs() {
        return sinceNs + takenPs / 1000;
    }

    /**
     * Sets the time from which the wire may be taken: when it became free or the frames came,
     * whichever is later. Called before the first {@link #start} of a burst.
     *
     * @param waitingSinceNs time from which the frames may have been waiting, at most {@code
     *     nowNs}; idle time of the wire from then on, for lack of a call, is made up for
     */
    public void resume(long nowNs, long waitingSinceNs) {
        long earliestNs = Math.max(waitingSinceNs, nowNs - maxCatchUpNs);
        if (isFreeBefore(earliestNs)) {
            sinceNs = earliestNs;
            takenPs = 0;
            remainder = 0;
        }
    }

    public void start(int frameLengthBytes) {
        taken(takenPs + durationPs(frameLengthBytes));
    }

    /**
     * Notes the last frame of a burst for which {@link #start} or {@link #taken} took the wire:
     * link control may start once this frame would have ended at the line rate.
     */
    public void noteLastFrame(int frameLengthBytes) {
        if (mayIdle) {
            mayIdle = rateBps < lineRateBps;
            int wireBytes = wireBytes(frameLengthBytes);
            idlePs = mayIdle ? psOf(wireBytes, rateBps) - psOf(wireBytes, lineRateBps) : 0;
        }
    }

    /** Whether link control may start at {@code nowNs}: no frame is on the wire. */
    public boolean mayStartControl(long nowNs) {
        return takenPs - idlePs < psUntil(nowNs + 1);
    }

    /** The nanosecond within which link control may start. */
    public long nextControlNs() {
        return sinceNs + Math.floorDiv(takenPs - idlePs, 1000);
    }

    /**
     * Takes the wire for a link-control frame. In idle time this does not reduce the rate of data.
     */
    public void startControl(long nowNs, int frameLengthBytes) {
        if (mayStart(nowNs)) {
            start(frameLengthBytes);
            noteLastFrame(frameLengthBytes);
            return;
        }
        long beginsPs = Math.max(takenPs - idlePs, psUntil(nowNs));
        long endsPs = beginsPs + psOf(wireBytes(frameLengthBytes), lineRateBps);
        long until = Math.max(takenPs, endsPs);
        idlePs = until - endsPs;
        taken(until);
    }

    private int wireBytes(int frameLengthBytes) {
        return Math.max(frameLengthBytes, minFrameBytes) + overheadBytes;
    }

    private static long psOf(int wireBytes, long rateBps) {
        return wireBytes * 8L * PS_PER_S / rateBps;
    }

    // ---- for loops, which keep in locals what they would read and write for every frame

    /** Picoseconds for which started frames take the wire, counted from an earlier instant. */
    public long takenPs() {
        return takenPs;
    }

    /** A frame may start at {@code nowNs} if {@link #takenPs} is less than this. */
    public long maxTakenPs(long nowNs) {
        return psUntil(nowNs + 1);
    }

    /**
     * Picoseconds for which a frame takes the wire. The division's remainder is carried to the next
     * frame, so this is called once per frame, and the frame must then start.
     */
    public long durationPs(int frameLengthBytes) {
        int wireBytes = wireBytes(frameLengthBytes);
        if (psPerByte != 0) {
            return wireBytes * psPerByte;
        }
        // Not a whole number of picoseconds a byte: carry the division's remainder to the next
        // frame. 16,408 bytes make 1.4e17, well within a long.
        long numerator = wireBytes * 8L * PS_PER_S + remainder;
        long ps = numerator / rateBps;
        remainder = numerator - ps * rateBps;
        return ps;
    }

    /** Notes that frames have started; {@code ps} is {@link #takenPs} plus the time of each. */
    public void taken(long ps) {
        takenPs = ps;
        if (ps > WHOLE_NS_AFTER_PS) {
            sinceNs += ps / 1000;
            takenPs = ps % 1000;
        }
    }
}
