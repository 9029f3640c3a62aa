package io.headgate.dataplane.queue;

/**
 * Holds an egress port to its line rate: says when the next frame may start. What a frame occupies
 * on the wire is its {@link WireFormat}'s to say.
 *
 * <p>Time is kept in picoseconds beyond whole nanoseconds, and the division's remainder is carried,
 * so that a million back-to-back frames end at the right picosecond at every rate. Lateness is made
 * up only for frames that have been waiting, and within a bound.
 */
public final class Pacer {
    private static final long PS_PER_S = 1_000_000_000_000L;

    private final long rateBps;
    private final long psPerByte;
    private final long maxCatchUpNs;
    private final int overheadBytes;
    private final int minFrameBytes;

    private long freeAtNs;
    private int freeAtPs;
    private long remainder;

    /**
     * @param rateBps line rate in bits per second, 1 Mb/s to 400 Gb/s
     * @param maxCatchUpNs most lateness that is made up while backlogged, in ns; 0 in virtual time
     */
    public Pacer(long rateBps, long maxCatchUpNs, WireFormat wire) {
        if (rateBps < 1_000_000 || rateBps > 400_000_000_000L || maxCatchUpNs < 0) {
            throw new IllegalArgumentException(rateBps + " b/s, catch-up " + maxCatchUpNs + " ns");
        }
        this.rateBps = rateBps;
        this.psPerByte = 8 * PS_PER_S % rateBps == 0 ? 8 * PS_PER_S / rateBps : 0;
        this.maxCatchUpNs = maxCatchUpNs;
        this.overheadBytes = wire.overheadBytes();
        this.minFrameBytes = wire.minFrameBytes();
        this.freeAtNs = Long.MIN_VALUE / 2;
    }

    /** Whether the wire is free at or within {@code nowNs}. */
    public boolean mayStart(long nowNs) {
        return freeAtNs - nowNs <= 0;
    }

    /** The nanosecond within which the wire becomes free. */
    public long nextStartNs() {
        return freeAtNs;
    }

    /**
     * Takes the wire for one frame, from when it became free or the frame came, whichever is later.
     *
     * @param waitingSinceNs since when the frame may have been waiting, at most {@code nowNs}; a
     *     wire that stood idle because nobody called is made up for from then on
     */
    public void start(long nowNs, int frameLengthBytes, long waitingSinceNs) {
        long earliestNs = Math.max(waitingSinceNs, nowNs - maxCatchUpNs);
        if (freeAtNs - earliestNs < 0) {
            freeAtNs = earliestNs;
            freeAtPs = 0;
            remainder = 0;
        }
        long ps = freeAtPs + durationPs(Math.max(frameLengthBytes, minFrameBytes) + overheadBytes);
        freeAtNs += ps / 1000;
        freeAtPs = (int) (ps % 1000);
    }

    private long durationPs(int wireBytes) {
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
}
