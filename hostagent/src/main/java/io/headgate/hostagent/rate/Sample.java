package io.headgate.hostagent.rate;

import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content of one acknowledgement, for a {@link RateControl}. A connection has one sample and
 * reuses it for each acknowledgement: a control must copy values that it wants to keep. Owned by
 * the sending host.
 */
public final class Sample {
    /** Value of {@link #roundTripNs} for an acknowledgement that timed nothing. */
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
     * @param echo format in which the receiver echoes the telemetry of the forward path; null: it
     *     does not
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
     * Called when the control ignores the telemetry here, or a part of it, because it makes no
     * sense: time that went back, a queue that no switch can hold. It is counted.
     */
    public void ignore() {
        ignored = true;
    }

    public boolean isIgnored() {
        return ignored;
    }

    /** Sets the telemetry of the acknowledgement's own path; null if there is none. */
    public Sample way(@Nullable HopRecords hops) {
        way = hops;
        return this;
    }

    /**
     * Reads the telemetry that the acknowledgement echoes; none if it has no bytes.
     *
     * @return false if it makes no sense: the sample then has no echo
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
     * The telemetry of the ports on the forward path, if {@link RateControlMechanism#hopEcho} has
     * the receiver echo it; otherwise empty. It may be forged.
     */
    public HopRecords echoed() {
        return echoed;
    }

    /**
     * Number of ports that telemetry reports, in the order of the acknowledgement's path; 0: none.
     * {@link HopRecords} has each. Switches write it, and any sender may have forged it.
     */
    public int hops() {
        return way == null ? 0 : way.hops();
    }

    /** The record of a port; a control must copy values that it wants to keep. */
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

    /** Bytes of the flow that the receiver has, as on the wire; never falls. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /** Bytes of the flow that were sent so far, as on the wire; repeated bytes count once. */
    public long sentBytes() {
        return sentBytes;
    }

    /**
     * Marks found in frames since the previous acknowledgement: {@link RateControl#MARKED_CE},
     * {@link RateControl#MARKED_UE}; 0: none was marked.
     */
    public int marks() {
        return marks;
    }

    /**
     * Time from when a frame was sent until this acknowledgement of it; {@link #NOT_TIMED} if it
     * timed nothing, for example after a frame that was sent twice, since it is unknown which copy
     * was acknowledged (Karn).
     */
    public long roundTripNs() {
        return roundTripNs;
    }

    /** Whether it timed a round trip that no earlier sample has shown. */
    public boolean isFresh() {
        return roundTripNs != NOT_TIMED;
    }
}
