package io.headgate.dataplane.memory;

import org.jspecify.annotations.Nullable;

/**
 * The records of the ports on a frame's path, as a host's card has removed them from the frame, in
 * path order. Owned by the card and overwritten with the slot's next frame: copy it to keep it
 * longer.
 */
public final class HopRecords {
    /** Maximum number of ports; further ports are not recorded. */
    public static final int MOST = 16;

    private final HopRecord[] records;
    private int hops;
    private boolean isCut;

    /** Creates room for {@link #MOST} ports. */
    public HopRecords() {
        this(MOST);
    }

    /** Creates room for fewer ports, or none. */
    public HopRecords(int most) {
        records = new HopRecord[most];
        for (int i = 0; i < most; i++) {
            records[i] = new HopRecord();
        }
    }

    /** Removes all records. */
    public void clear() {
        hops = 0;
        isCut = false;
    }

    /**
     * Adds a port and returns its record, still unknown, to be filled; null if there are too many.
     */
    public @Nullable HopRecord add() {
        if (hops == records.length) {
            return null;
        }
        HopRecord record = records[hops++];
        record.clear();
        return record;
    }

    /** Adds a port with known values. */
    public void add(long queueBytes, long sentBytes, long timeNs, long rateBps) {
        HopRecord record = add();
        if (record != null) {
            record.queueBytes = queueBytes;
            record.sentBytes = sentBytes;
            record.timeNs = timeNs;
            record.rateBps = rateBps;
        }
    }

    /** Copies another instance, as far as there is room. */
    public void copy(HopRecords from) {
        hops = Math.min(records.length, from.hops);
        isCut = from.isCut;
        for (int i = 0; i < hops; i++) {
            records[i].copy(from.records[i]);
        }
    }

    /** Notes that a port on the path is missing: there was no room for it, or no time. */
    public void cut() {
        isCut = true;
    }

    /** Whether the frame itself reports that a port is missing. */
    public boolean isCut() {
        return isCut;
    }

    /** The record of a port; valid until this object is filled again. */
    public HopRecord hop(int hop) {
        return records[hop];
    }

    /** Number of recorded ports. */
    public int hops() {
        return hops;
    }
}
