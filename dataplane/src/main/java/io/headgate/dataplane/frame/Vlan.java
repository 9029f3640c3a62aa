package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * An 802.1Q tag (IEEE 802.1Q clause 9). Its offset is that of its TPID, which is at the position of
 * an untagged frame's EtherType.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-----+-+-----------------------+
 *  |             TPID              | PCP |D|        VLAN id        |
 *  +-------------------------------+-----+-+-----------------------+
 *  |      EtherType or TPID        |
 *  +-------------------------------+
 * </pre>
 */
public final class Vlan {
    public static final int TPID_OFFSET = 0;
    public static final int TCI_OFFSET = 2;
    public static final int ETHER_TYPE_OFFSET = 4;
    public static final int TAG_BYTES = 4;

    /** VLAN id of a tag that carries a priority only. */
    public static final int PRIORITY_ONLY = 0;

    /** Reserved; no frame may carry it. */
    public static final int RESERVED_ID = 0xFFF;

    private static final int PRIORITY_SHIFT = 13;
    private static final int DROP_ELIGIBLE_BIT = 0x1000;
    private static final int ID_MASK = 0x0FFF;

    private Vlan() {}

    /** Whether the tag and the type behind it are complete, and its VLAN id is not reserved. */
    public static boolean isValid(MemorySegment segment, long tag, int availableBytes) {
        return availableBytes >= ETHER_TYPE_OFFSET + 2
                && tpid(segment, tag) == EtherType.VLAN
                && id(tci(segment, tag)) != RESERVED_ID;
    }

    public static int tpid(MemorySegment segment, long tag) {
        return Wire.u16(segment, tag + TPID_OFFSET);
    }

    public static int tci(MemorySegment segment, long tag) {
        return Wire.u16(segment, tag + TCI_OFFSET);
    }

    /** The type behind the tag, which may be another tag's TPID. */
    public static int etherType(MemorySegment segment, long tag) {
        return Wire.u16(segment, tag + ETHER_TYPE_OFFSET);
    }

    public static void tci(MemorySegment segment, long tag, int tci) {
        Wire.put16(segment, tag + TCI_OFFSET, tci);
    }

    /** Priority code point of a TCI, 0 to 7. */
    public static int priority(int tci) {
        return tci >>> PRIORITY_SHIFT;
    }

    public static boolean dropEligible(int tci) {
        return (tci & DROP_ELIGIBLE_BIT) != 0;
    }

    /** VLAN id of a TCI, 0 to 4095. */
    public static int id(int tci) {
        return tci & ID_MASK;
    }

    public static int tci(int priority, boolean dropEligible, int id) {
        return (priority << PRIORITY_SHIFT) | (dropEligible ? DROP_ELIGIBLE_BIT : 0) | id;
    }

    /**
     * Puts a tag into a frame by moving its addresses four bytes to the left.
     *
     * @param frame offset of the frame; the four bytes before it are overwritten
     * @return the frame's new offset, four less
     */
    public static long push(MemorySegment segment, long frame, int tpid, int tci) {
        long addressesHigh = Wire.i64(segment, frame);
        int addressesLow = Wire.i32(segment, frame + 8);
        long pushed = frame - TAG_BYTES;
        Wire.put64(segment, pushed, addressesHigh);
        Wire.put32(segment, pushed + 8, addressesLow);
        Wire.put32(segment, pushed + Ethernet.ETHER_TYPE_OFFSET, (tpid << 16) | tci);
        return pushed;
    }

    /**
     * Takes the outer tag out of a frame by moving its addresses four bytes to the right. The
     * caller pads the frame to {@link Ethernet#MIN_FRAME_BYTES} before it is transmitted.
     *
     * @return the frame's new offset, four more
     */
    public static long pop(MemorySegment segment, long frame) {
        long addressesHigh = Wire.i64(segment, frame);
        int addressesLow = Wire.i32(segment, frame + 8);
        long popped = frame + TAG_BYTES;
        Wire.put64(segment, popped, addressesHigh);
        Wire.put32(segment, popped + 8, addressesLow);
        return popped;
    }
}
