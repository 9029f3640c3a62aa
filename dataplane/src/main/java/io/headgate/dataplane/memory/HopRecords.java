package io.headgate.dataplane.memory;

import org.jspecify.annotations.Nullable;

/**
 * What a frame knows of the ports on its way, as a host's card has taken it off: the first port
 * first. The card's, and filled again with the slot's next frame: who needs it longer copies it.
 */
public final class HopRecords {
    /** Most ports that one holds; those beyond are not noted. */
    public static final int MOST = 16;

    private final HopRecord[] records;
    private int hops;
    private boolean isCut;

    /** Has room for {@link #MOST}. */
    public HopRecords() {
        this(MOST);
    }

    /** Has room for fewer, or none. */
    public HopRecords(int most) {
        records = new HopRecord[most];
        for (int i = 0; i < most; i++) {
            records[i] = new HopRecord();
        }
    }

    /** Knows nothing. */
    public void clear() {
        hops = 0;
        isCut = false;
    }

    /** One more port, to be filled: the record says nothing yet. Null if there are too many. */
    public @Nullable HopRecord add() {
        if (hops == records.length) {
            return null;
        }
        HopRecord record = records[hops++];
        record.clear();
        return record;
    }

    /** One more port, of which all is known. */
    public void add(long queueBytes, long sentBytes, long timeNs, long rateBps) {
        HopRecord record = add();
        if (record != null) {
            record.queueBytes = queueBytes;
            record.sentBytes = sentBytes;
            record.timeNs = timeNs;
            record.rateBps = rateBps;
        }
    }

    /** Knows what another one does, of as many ports as there is room for. */
    public void copy(HopRecords from) {
        hops = Math.min(records.length, from.hops);
        isCut = from.isCut;
        for (int i = 0; i < hops; i++) {
            records[i].copy(from.records[i]);
        }
    }

    /** Says that some port on the way is missing: there was no room for it, or no time. */
    public void cut() {
        isCut = true;
    }

    /** Whether the frame itself says that some port is missing. */
    public boolean isCut() {
        return isCut;
    }

    /** All that a port says; valid until this is filled again. */
    public HopRecord hop(int hop) {
        return records[hop];
    }

    /** Ports that it knows of. */
    public int hops() {
        return hops;
    }
}
