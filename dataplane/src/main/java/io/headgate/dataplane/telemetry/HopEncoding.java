package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;

/**
 * An encoding of hop records in a frame, one record for each port on its path. Without state.
 * Frames are parsed; their {@code transportOffset} is right again after each call.
 */
public interface HopEncoding {
    /** The result of making room in a frame. */
    enum Room {
        /** The frame has the room. */
        MADE,
        /** This kind of frame cannot carry the encoding. */
        OTHER,
        /** The frame's present records are inconsistent; it is unchanged. */
        DAMAGED,
        /**
         * The frame already has the maximum number of records, and is flagged so if the encoding
         * can.
         */
        HOP_LIMIT,
        /** The frame would be too long, and is flagged so if the encoding can. */
        TOO_LONG
    }

    /** Maximum number of bytes that {@code hops} records add to a frame. */
    int growsBytes(int hops);

    /** Maximum number of records in this encoding. */
    int mostHops();

    /** Whether a frame has data in this encoding, even if damaged. */
    boolean isIn(Frame frame);

    /**
     * Makes the initial room in a frame, without a record, at the source.
     *
     * @param hops maximum number of records on its path
     * @param most maximum payload in bytes with all room
     */
    Room begin(Frame frame, int hops, int most);

    /**
     * Appends a record to those that {@link #isIn} a frame, and notes its place in {@link
     * Frame#recordAt}. The record has the port's identity, and says that the rest is not written
     * yet.
     *
     * @param own the port's record, with the present in {@link HopRecord#timeNs}
     * @param most maximum payload in bytes with the record
     */
    Room add(Frame frame, HopRecord own, int most);

    /**
     * Writes the rest of the record that {@link #add} has made, at the same port; false if the
     * frame has no such record. The rest of the frame is not read again.
     *
     * @param own the record, with the start time of the frame in {@link HopRecord#timeNs}
     */
    boolean write(Frame frame, HopRecord own);

    /**
     * Removes all records: the frame is then as it was sent.
     *
     * @param hops receives the written records, the first port first
     * @return false if they are inconsistent; the frame is then unchanged
     */
    boolean takeOff(Frame frame, HopRecords hops);
}
