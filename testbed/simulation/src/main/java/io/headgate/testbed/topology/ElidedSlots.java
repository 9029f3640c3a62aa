package io.headgate.testbed.topology;

import io.headgate.config.FrameGrowth;
import io.headgate.config.Mechanisms;

/** How large slots are where payload is not stored: what is stored are headers. */
final class ElidedSlots {
    /** Room for all headers that are looked at: 192 bytes. */
    static final int BYTES = 512;

    /** With what mechanisms add to frames: 704 bytes. */
    private static final int GROWN_BYTES = 1024;

    /** Hosts send up to 94 bytes of headers. */
    private static final int MOST_GROWTH_BYTES = 96;

    private ElidedSlots() {}

    static int bytes(Mechanisms ofPort) {
        return FrameGrowth.onLink(ofPort) > MOST_GROWTH_BYTES ? GROWN_BYTES : BYTES;
    }
}
