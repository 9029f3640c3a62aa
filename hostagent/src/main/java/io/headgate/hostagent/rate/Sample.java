package io.headgate.hostagent.rate;

import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What one acknowledgement shows a {@link RateControl}. A connection has one and fills it again for
 * each acknowledgement: a control copies what it wants to keep. Owned by the sending host.
 */
public final class Sample {
    /** {@link #roundTripNs} of an acknowledgement that timed nothing. */
    public static final long NOT_TIMED = -1;

    private long ackedBytes;
    private long sentBytes;
    private int marks;
    private long roundTripNs = NOT_TIMED;
    private boolean ignored;
    private @Nullable HopRecords way;
    private final @Nullable HopEcho echo;
    private final HopRecords echoed;

    /** A sample for a connection whose receiver echoes nothing. */
    public Sample() {
        this(null);
    }

    /**
     * @param echo how the receiver tells what telemetry said of the way there; null: it does not
     */
    public Sample(@Nullable HopEcho echo) {
        this.echo = echo;
        this.echoed = new HopRecords(echo == null ? 0 : echo.mostHops());
    }

    /**
     * Fills it.
     *
     * @param acked as {@link #ackedBytes}
     * @param sent as {@link #sentBytes}
     * @param found as {@link #marks}
     * @param timedNs as {@link #roundTripNs}
     */
    public Sample set(long acked, long sent, int found, long timedNs) {
        ackedBytes = acked;
        sentBytes = sent;
        marks = found;
        roundTripNs = timedNs;
        ignored = false;
        return this;
    }

    /**
     * The control ignores what telemetry says here, or a part of it, because it makes no sense:
     * time that went back, a queue that no switch holds. It is counted.
     */
    public void ignore() {
        ignored = true;
    }

    public boolean isIgnored() {
        return ignored;
    }

    /** What the acknowledgement knew of its way; null if nothing. */
    public Sample way(@Nullable HopRecords hops) {
        way = hops;
        return this;
    }

    /**
     * Reads what the acknowledgement echoes, nothing if it has no bytes.
     *
     * @return false if it makes no sense: nothing is known then
     */
    public boolean readEcho(MemorySegment segment, long at, int bytes) {
        echoed.clear();
        HopEcho by = echo;
        if (bytes == 0) {
            return true;
        }
        boolean isSound = by != null && by.read(segment, at, bytes, echoed);
        if (!isSound) {
            echoed.clear();
        }
        return isSound;
    }

    /**
     * What telemetry said to the receiver of the ports on the way there, where {@link
     * RateControlMechanism#hopEcho} has it told; empty where it did not. It may be forged.
     */
    public HopRecords echoed() {
        return echoed;
    }

    /**
     * Number of ports that telemetry reports, in the order of the acknowledgement's way; 0: none.
     * {@link HopRecords} has each. Switches write it, and any sender may have forged it.
     */
    public int hops() {
        return way == null ? 0 : way.hops();
    }

    /** All that a port said; a control copies what it wants to keep. */
    public HopRecord hop(int hop) {
        return records(hop).hop(hop);
    }

    private HopRecords records(int hop) {
        HopRecords records = way;
        if (records == null || hop < 0 || hop >= records.hops()) {
            throw new IndexOutOfBoundsException("port " + hop + " of " + hops());
        }
        return records;
    }

    /** All that the receiver has of the flow, on the wire, in bytes; never falls. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /**
     * All that was sent of the flow so far, on the wire, in bytes; what was repeated counts once.
     */
    public long sentBytes() {
        return sentBytes;
    }

    /**
     * What was found in frames since the acknowledgement before: {@link RateControl#MARKED_CE},
     * {@link RateControl#MARKED_UE}; 0: none was marked.
     */
    public int marks() {
        return marks;
    }

    /**
     * Time from when a frame was sent until this acknowledgement of it; {@link #NOT_TIMED} if it
     * timed nothing, as after a frame that was sent twice, of which none can say which one was
     * acknowledged (Karn).
     */
    public long roundTripNs() {
        return roundTripNs;
    }

    /** Whether it timed a round trip that no sample has shown before. */
    public boolean isFresh() {
        return roundTripNs != NOT_TIMED;
    }
}
