package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * The RDMA extended transport header, with the target memory of a WRITE (InfiniBand architecture
 * volume 1, section 9.3.3).
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                        virtual address                        |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          remote key                           |
 *  +---------------------------------------------------------------+
 *  |                  length of the whole message                  |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class Reth {
    public static final int ADDRESS_OFFSET = 0;
    public static final int REMOTE_KEY_OFFSET = 8;
    public static final int LENGTH_OFFSET = 12;
    public static final int HEADER_BYTES = 16;

    private Reth() {}

    public static long address(MemorySegment segment, long reth) {
        return Wire.i64(segment, reth + ADDRESS_OFFSET);
    }

    public static int remoteKey(MemorySegment segment, long reth) {
        return Wire.i32(segment, reth + REMOTE_KEY_OFFSET);
    }

    /** Length of the whole message, in bytes. */
    public static long lengthBytes(MemorySegment segment, long reth) {
        return Wire.u32(segment, reth + LENGTH_OFFSET);
    }

    /** Writes the header. */
    public static void write(
            MemorySegment segment, long reth, long address, int remoteKey, long lengthBytes) {
        Wire.put64(segment, reth + ADDRESS_OFFSET, address);
        Wire.put32(segment, reth + REMOTE_KEY_OFFSET, remoteKey);
        Wire.put32(segment, reth + LENGTH_OFFSET, (int) lengthBytes);
    }
}
