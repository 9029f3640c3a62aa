package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;

/**
 * A form in which the ports on a frame's way stand in it. Without state. Frames are parsed; their
 * {@code transportOffset} is right again behind each call.
 */
public interface HopEncoding {
    /** The result of making room in a frame. */
    enum Room {
        /** It has the room. */
        MADE,
        /** A frame of a kind that this form does not go into. */
        OTHER,
        /** What it has of the form does not hold together; it is as it was. */
        DAMAGED,
        /** It has as many records as it may have, which it says itself where the form can. */
        HOP_LIMIT,
        /** It would be too long, which it says itself where the form can. */
        TOO_LONG
    }

    /** Most bytes that a frame grows by with {@code hops} records. */
    int growsBytes(int hops);

    /** Most records that the form has room for. */
    int mostHops();

    /** Whether a frame has something of this form, be it damaged. */
    boolean isIn(Frame frame);

    /**
     * Makes the room that a frame begins with, without a record: a source's part.
     *
     * @param hops most records that it may get on its way
     * @param most largest payload in bytes that it may then have, with all room
     */
    Room begin(Frame frame, int hops, int most);

    /**
     * Makes a record at the end of those that {@link #isIn} a frame, and notes where: {@link
     * Frame#recordAt}. It says who the port is, and that the rest is not written.
     *
     * @param own whose {@link HopRecord#timeNs} is the present
     * @param most bytes of payload that it may then have
     */
    Room add(Frame frame, HopRecord own, int most);

    /**
     * Writes the rest of the record that {@link #add} has made, at the same port; false if the
     * frame has no such record. The frame is not looked at again.
     *
     * @param own the record, with the {@link HopRecord#timeNs} at which the frame starts
     */
    boolean write(Frame frame, HopRecord own);

    /**
     * Takes all of it off: the frame is as it was sent.
     *
     * @param hops gets the records that were written, the first port first
     * @return false if it does not hold together; the frame is as it was
     */
    boolean takeOff(Frame frame, HopRecords hops);
}
