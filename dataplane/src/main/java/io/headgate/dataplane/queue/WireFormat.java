package io.headgate.dataplane.queue;

import io.headgate.dataplane.frame.Ethernet;

/**
 * Bytes that a frame occupies on a wire in addition to its own. Real ports use {@link #ETHERNET};
 * simulations that are compared with published ones may count fewer.
 *
 * @param overheadBytes bytes before and behind each frame: preamble, FCS and gap
 * @param gapBytes the part of the overhead that follows the frame's last bit, so that the frame has
 *     arrived before it ends; at most {@code overheadBytes}
 * @param minFrameBytes a shorter frame, without FCS, occupies as much as one of this length
 */
public record WireFormat(int overheadBytes, int gapBytes, int minFrameBytes) {
    /** Bytes between the end of a frame and the next preamble (IEEE 802.3 clause 4.4.2). */
    private static final int INTER_FRAME_GAP_BYTES = 12;

    /** IEEE 802.3: preamble 8, FCS 4, gap 12; frames of at least 64 bytes with their FCS. */
    public static final WireFormat ETHERNET =
            new WireFormat(
                    Ethernet.WIRE_OVERHEAD_BYTES, INTER_FRAME_GAP_BYTES, Ethernet.MIN_FRAME_BYTES);

    /** Only the frame's own bytes. */
    public static final WireFormat BARE = new WireFormat(0, 0, 0);

    public WireFormat {
        if (gapBytes < 0 || overheadBytes < gapBytes || minFrameBytes < 0 || overheadBytes > 1024) {
            throw new IllegalArgumentException(
                    "overhead %d bytes, gap %d bytes, minimum %d bytes"
                            .formatted(overheadBytes, gapBytes, minFrameBytes));
        }
    }

    /** Bytes of wire that a frame takes, for its length without FCS. */
    public int wireBytes(int frameLengthBytes) {
        return Math.max(frameLengthBytes, minFrameBytes) + overheadBytes;
    }
}
