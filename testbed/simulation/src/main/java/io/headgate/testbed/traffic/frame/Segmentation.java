package io.headgate.testbed.traffic.frame;

/**
 * How a flow's bytes are cut into frames: into segments of {@code maxSegmentBytes}, each sent in a
 * frame longer by {@code addedBytes}.
 *
 * @param maxSegmentBytes most bytes of the flow's size that one frame accounts for, 1 to 16,000
 * @param addedBytes frame length without FCS less its segment, -64 to 256. The headers, if sizes
 *     are those of the payload; -4 if sizes count whole frames with their FCS, as the sources of
 *     some evaluations do
 * @param minSegmentBytes a last segment shorter than this is not sent at all (0: every one is sent)
 */
public record Segmentation(int maxSegmentBytes, int addedBytes, int minSegmentBytes) {
    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public Segmentation {
        if (maxSegmentBytes < 1
                || maxSegmentBytes > 16_000
                || addedBytes < -64
                || addedBytes > 256
                || minSegmentBytes < 0
                || minSegmentBytes > maxSegmentBytes) {
            throw new IllegalArgumentException(
                    ("segments of at most %s B (allowed: 1 to 16000) with %s B added (-64 to 256),"
                                    + " shortest %s B (0 to the longest)")
                            .formatted(maxSegmentBytes, addedBytes, minSegmentBytes));
        }
    }

    /** Frames that a flow of that size takes, at least 1. */
    public long frames(long sizeBytes) {
        long full = sizeBytes / maxSegmentBytes;
        long rest = sizeBytes % maxSegmentBytes;
        return Math.max(1, rest > 0 && rest >= minSegmentBytes ? full + 1 : full);
    }

    /** The last segment of a flow of that size. */
    public int lastSegmentBytes(long sizeBytes) {
        return (int)
                Math.min(maxSegmentBytes, sizeBytes - (frames(sizeBytes) - 1) * maxSegmentBytes);
    }
}
