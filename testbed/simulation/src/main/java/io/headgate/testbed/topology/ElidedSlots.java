package io.headgate.testbed.topology;

import io.headgate.config.FrameGrowth;
import io.headgate.config.Mechanisms;

/** The size of slots that store only headers, in runs that elide the payload. */
final class ElidedSlots {
    /** Has room for all headers that the switch reads: 192 bytes. */
    static final int BYTES = 512;

    /** Also has room for the bytes that mechanisms add to frames: 704 bytes. */
    private static final int GROWN_BYTES = 1024;

    /** Hosts send up to 94 bytes of headers. */
    private static final int MOST_GROWTH_BYTES = 96;

    private ElidedSlots() {}

    static int bytes(Mechanisms ofPort) {
        return FrameGrowth.onLink(ofPort) > MOST_GROWTH_BYTES ? GROWN_BYTES : BYTES;
    }
}
