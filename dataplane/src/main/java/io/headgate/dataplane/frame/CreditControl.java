package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * Credit frames: InfiniBand's flow control packets (FCP; InfiniBand architecture volume 1, 7.9.4),
 * several in an Ethernet frame. No standard carries them over Ethernet; this is our own layout,
 * under an EtherType for private use, sent to the address that no bridge forwards and never tagged.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |              destination 01-80-C2-00-00-01                    |
 *  |                               +-------------------------------+
 *  |                               |   source                      |
 *  +-------------------------------+                               |
 *  |                                                               |
 *  +-------------------------------+-------+-------+---------------+
 *  |            0x88B5             |version| type  |     count     |
 *  +---------------+-------------+-+-------+-------+---------------+
 *  |  block scale  |  reserved   |H|           sequence            |
 *  +---------------+-------------+-+-------------------------------+
 *  |           sequence            |  count times an FCP ...       |
 *  +-------------------------------+-------------------------------+
 *
 *  FCP:
 *  +-------+-----------------------+-------+-----------------------+
 *  |  op   |         FCTBS         | lane  |         FCCL          |
 *  +-------+-----------------------+-------+-----------------------+
 *  |             LPCRC             |
 *  +-------------------------------+
 * </pre>
 *
 * Version 1, type 1. A block is 64 × 2<sup>scale</sup> bytes. H: the sender has heard the
 * receiver's own initialisation. An FCP's op is 0, or 1 to initialise, for all FCPs of a frame
 * alike; others are reserved and discarded. A frame that initialises has the 8-byte digest of its
 * sender's classification behind the FCPs. FCTBS counts the blocks that the sender has sent in a
 * lane (a priority), FCCL up to which count it accepts blocks; both are modulo 4,096. LPCRC is the
 * CRC of the four bytes before it (generator 0x100B), its low byte first.
 */
public final class CreditControl {
    public static final int VERSION_OFFSET = 14;
    public static final int COUNT_OFFSET = 15;
    public static final int SCALE_OFFSET = 16;
    public static final int FLAGS_OFFSET = 17;
    public static final int SEQUENCE_OFFSET = 18;
    public static final int FCPS_OFFSET = 22;

    public static final int FCP_BYTES = 6;
    public static final int DIGEST_BYTES = 8;
    public static final int MAX_FCPS = 15;
    public static final int MAX_SCALE = 7;

    /** Counters are modulo this. */
    public static final int MODULUS = 4096;

    /** Maximum number of blocks granted beyond those received. */
    public static final int MAX_GRANT_BLOCKS = 2048;

    public static final int NORMAL = 0;
    public static final int INITIALISE = 1;

    private static final int VERSION_AND_TYPE = 0x11;
    private static final int HEARD_BIT = 1;
    private static final int COUNTER_MASK = MODULUS - 1;

    /** 0x100B (x^16 + x^12 + x^3 + x + 1), reflected. */
    private static final int REFLECTED_POLYNOMIAL = 0xD008;

    private static final short[] CRC_TABLE = crcTable();

    private CreditControl() {}

    /** Whether the two bytes behind the EtherType are a credit frame's: version and type, count. */
    public static boolean isOpcode(int opcode) {
        return opcode >>> 8 == VERSION_AND_TYPE;
    }

    /** Whether it is a complete credit frame; the FCPs' own CRCs are not checked. */
    public static boolean isValid(MemorySegment segment, long frame, int availableBytes) {
        if (availableBytes < FCPS_OFFSET + FCP_BYTES
                || Ethernet.etherType(segment, frame) != EtherType.LINK_CONTROL
                || Wire.u8(segment, frame + VERSION_OFFSET) != VERSION_AND_TYPE) {
            return false;
        }
        int count = count(segment, frame);
        return count >= 1
                && count <= MAX_FCPS
                && scale(segment, frame) <= MAX_SCALE
                && op(segment, frame, 0) <= INITIALISE
                && availableBytes >= lengthBytes(count, isInitialising(segment, frame));
    }

    /** Length of a frame without padding, in bytes. */
    static int lengthBytes(int count, boolean initialising) {
        return FCPS_OFFSET + count * FCP_BYTES + (initialising ? DIGEST_BYTES : 0);
    }

    /** Number of FCPs. */
    public static int count(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + COUNT_OFFSET);
    }

    public static int scale(MemorySegment segment, long frame) {
        return Wire.u8(segment, frame + SCALE_OFFSET);
    }

    /** Whether the sender has heard the receiver's initialisation. */
    public static boolean isHeard(MemorySegment segment, long frame) {
        return (Wire.u8(segment, frame + FLAGS_OFFSET) & HEARD_BIT) != 0;
    }

    public static int sequence(MemorySegment segment, long frame) {
        return Wire.i32(segment, frame + SEQUENCE_OFFSET);
    }

    public static boolean isInitialising(MemorySegment segment, long frame) {
        return op(segment, frame, 0) == INITIALISE;
    }

    /** Digest of the sender's classification. Only for an initialising frame. */
    public static long digest(MemorySegment segment, long frame) {
        return Wire.i64(segment, fcp(frame, count(segment, frame)));
    }

    private static long fcp(long frame, int index) {
        return frame + FCPS_OFFSET + (long) index * FCP_BYTES;
    }

    /** Whether an FCP's CRC is correct. */
    public static boolean isFcpSound(MemorySegment segment, long frame, int index) {
        long fcp = fcp(frame, index);
        int sent = Wire.u8(segment, fcp + 4) | (Wire.u8(segment, fcp + 5) << 8);
        return sent == crc(Wire.i32(segment, fcp));
    }

    public static int op(MemorySegment segment, long frame, int index) {
        return Wire.u16(segment, fcp(frame, index)) >>> 12;
    }

    /** Blocks that the sender has sent in the lane, modulo 4,096. */
    public static int fctbs(MemorySegment segment, long frame, int index) {
        return Wire.u16(segment, fcp(frame, index)) & COUNTER_MASK;
    }

    public static int lane(MemorySegment segment, long frame, int index) {
        return Wire.u16(segment, fcp(frame, index) + 2) >>> 12;
    }

    /** Count of blocks up to which the sender accepts them in the lane, modulo 4,096. */
    public static int fccl(MemorySegment segment, long frame, int index) {
        return Wire.u16(segment, fcp(frame, index) + 2) & COUNTER_MASK;
    }

    /** Begins a frame; {@link #writeFcp} and {@link #finish} complete it. */
    public static void writeHeader(
            MemorySegment segment,
            long frame,
            long source,
            int count,
            int scale,
            boolean heard,
            int sequence) {
        Ethernet.destination(segment, frame, MacAddress.MAC_CONTROL);
        Ethernet.source(segment, frame, source);
        Ethernet.etherType(segment, frame, EtherType.LINK_CONTROL);
        Wire.put8(segment, frame + VERSION_OFFSET, VERSION_AND_TYPE);
        Wire.put8(segment, frame + COUNT_OFFSET, count);
        Wire.put8(segment, frame + SCALE_OFFSET, scale);
        Wire.put8(segment, frame + FLAGS_OFFSET, heard ? HEARD_BIT : 0);
        Wire.put32(segment, frame + SEQUENCE_OFFSET, sequence);
    }

    public static void writeFcp(
            MemorySegment segment, long frame, int index, int op, int fctbs, int lane, int fccl) {
        long fcp = fcp(frame, index);
        int word =
                (op << 28) | ((fctbs & COUNTER_MASK) << 16) | (lane << 12) | (fccl & COUNTER_MASK);
        int crc = crc(word);
        Wire.put32(segment, fcp, word);
        Wire.put8(segment, fcp + 4, crc);
        Wire.put8(segment, fcp + 5, crc >>> 8);
    }

    /**
     * Ends a frame: writes the digest if it initialises, and pads it.
     *
     * @return the frame's length, at least {@link Ethernet#MIN_FRAME_BYTES}
     */
    public static int finish(MemorySegment segment, long frame, long digest) {
        int count = count(segment, frame);
        boolean initialising = isInitialising(segment, frame);
        int lengthBytes = lengthBytes(count, initialising);
        if (initialising) {
            Wire.put64(segment, fcp(frame, count), digest);
        }
        for (; lengthBytes < Ethernet.MIN_FRAME_BYTES; lengthBytes++) {
            Wire.put8(segment, frame + lengthBytes, 0);
        }
        return lengthBytes;
    }

    /** The CRC of an FCP's first four bytes, read as one word. */
    static int crc(int word) {
        int crc = 0xFFFF;
        for (int shift = 24; shift >= 0; shift -= 8) {
            crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (word >>> shift)) & 0xFF] & 0xFFFF);
        }
        return ~crc & 0xFFFF;
    }

    private static short[] crcTable() {
        short[] table = new short[256];
        for (int value = 0; value < table.length; value++) {
            int crc = value;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) * REFLECTED_POLYNOMIAL);
            }
            table[value] = (short) crc;
        }
        return table;
    }
}
