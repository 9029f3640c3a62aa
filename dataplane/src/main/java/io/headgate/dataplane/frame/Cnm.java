package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The congestion notification message of IEEE 802.1Qau (802.1Q, clause 33.4): sent by a bridge to
 * the source MAC address of a frame.
 *
 * <pre>
 *   Version (4 bits), reserved (6), Quantized Feedback (6)
 *   CPID (8 octets)
 *   cnmQOffset (2), in units of 64 octets: how far the queue is below its set point
 *   cnmQDelta (2), the same: how much it has grown since the sample before
 *   Encapsulated priority (2): in its three most significant bits
 *   Encapsulated destination MAC address (6)
 *   Encapsulated MSDU length (2)
 *   Encapsulated MSDU (0 to 64): EtherType and what is behind it
 * </pre>
 */
public final class Cnm {
    public static final int ETHER_TYPE = 0x22E7;

    /** The kind of these notices; no {@link Notice} uses this value. */
    public static final int KIND = 0x8200;

    /** The largest Quantized Feedback. */
    public static final int MOST_FEEDBACK = 63;

    /** Size of a whole message, in words. */
    public static final int WORDS = 11;

    public static final int HEADER_BYTES = 24;
    private static final int MSDU_BYTES = 64;
    private static final int MSDU_WORD = HEADER_BYTES / Long.BYTES;
    private static final int CPID_OFFSET = 2;
    private static final int MSDU_LENGTH_OFFSET = 22;
    private static final int PRIORITY_SHIFT = 13;
    private static final int QUANTUM = 64;
    private static final int TYPE_BYTES = 2;
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Cnm() {}

    /** Whether a parsed frame is a congestion notification message, by its EtherType. */
    public static boolean is(Frame frame) {
        return frame.etherType == ETHER_TYPE;
    }

    /**
     * Writes a message about a frame as words, in network order.
     *
     * @param feedback 0 to {@link #MOST_FEEDBACK}
     * @param point CPID
     * @param offsetBytes set point minus queue length
     * @param deltaBytes queue length minus that of the sample before
     */
    public static void write(
            MemorySegment segment,
            Frame frame,
            int feedback,
            long point,
            long offsetBytes,
            long deltaBytes,
            long[] words) {
        long at = frame.dataOffset;
        int typeOffset =
                frame.tagged
                        ? Ethernet.ETHER_TYPE_OFFSET + Vlan.TAG_BYTES
                        : Ethernet.ETHER_TYPE_OFFSET;
        int stored = Math.min(frame.storedBytes, frame.lengthBytes) - typeOffset;
        int msdu = Math.clamp(stored, 0, MSDU_BYTES);
        words[0] = (long) (feedback & MOST_FEEDBACK) << 48 | point >>> 16;
        words[1] =
                (point & 0xFFFF) << 48
                        | (units(offsetBytes) & 0xFFFF) << 32
                        | (units(deltaBytes) & 0xFFFF) << 16
                        | (long) frame.priority << PRIORITY_SHIFT;
        words[2] = Ethernet.destination(segment, at) << 16 | msdu;
        for (int word = MSDU_WORD; word < WORDS; word++) {
            int from = (word - MSDU_WORD) * Long.BYTES;
            // A slot has room behind its frame; what is not the frame's becomes 0.
            long eight = from < msdu ? segment.get(LONG, at + typeOffset + from) : 0;
            int left = msdu - from;
            words[word] =
                    left >= Long.BYTES || left <= 0
                            ? eight
                            : eight & (-1L << ((Long.BYTES - left) * 8));
        }
    }

    private static long units(long bytes) {
        return Math.clamp(bytes / QUANTUM, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    public static int feedback(MemorySegment segment, long cnm) {
        return Wire.u16(segment, cnm) & MOST_FEEDBACK;
    }

    /** CPID. */
    public static long point(MemorySegment segment, long cnm) {
        return Wire.i64(segment, cnm + CPID_OFFSET);
    }

    /**
     * Number of quoted bytes; -1 if the message is malformed.
     *
     * @param bytes length of the message
     */
    public static int quotedBytes(MemorySegment segment, long cnm, int bytes) {
        if (bytes < HEADER_BYTES || Wire.u8(segment, cnm) >>> 4 != 0) {
            return -1;
        }
        int length = Wire.u16(segment, cnm + MSDU_LENGTH_OFFSET);
        boolean fits = length <= MSDU_BYTES && HEADER_BYTES + length <= bytes;
        return fits && length >= TYPE_BYTES ? length - TYPE_BYTES : -1;
    }

    /** The EtherType of the quoted frame. */
    public static int quotedType(MemorySegment segment, long cnm) {
        return Wire.u16(segment, cnm + HEADER_BYTES);
    }

    /** Offset of the quoted bytes behind the EtherType. */
    public static long quoted(long cnm) {
        return cnm + HEADER_BYTES + TYPE_BYTES;
    }
}
