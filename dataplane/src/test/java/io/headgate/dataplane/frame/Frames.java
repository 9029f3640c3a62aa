package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Frames in a region of their own, for tests. */
public final class Frames {
    private static final int SLOT_BYTES = 16384;

    private Frames() {}

    /** One slot; {@code region.frame(0)} holds the bytes. */
    public static FrameRegion regionWith(byte[] bytes) {
        FrameRegion region = new FrameRegion(1, SLOT_BYTES);
        fill(region, bytes);
        return region;
    }

    public static FrameRegion regionWith(String hex) {
        return regionWith(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
    }

    public static Frame fill(FrameRegion region, byte[] bytes) {
        Frame frame = region.frame(0);
        MemorySegment.copy(
                MemorySegment.ofArray(bytes), 0, region.segment(), frame.dataOffset, bytes.length);
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        return frame;
    }

    /** A segment of exactly these bytes, so that reading past them throws. */
    public static MemorySegment segment(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
    }
}
