package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.memory.HopRecord;

/** Units of the 32-bit fields that INT-MD and IOAM have in common. */
final class HopWords {
    /** All bits of a field set: no value is given. */
    static final int UNSAID = -1;

    static final int SENT_UNIT_BYTES = 128;

    /** Number of bits of {@link HopRecord#sentBytes}, in these units. */
    static final int SENT_BITS = Integer.SIZE + 7;

    static final long RATE_UNIT_BPS = 100_000;

    private HopWords() {}

    /** Word with the ingress port and the egress port, 16 bits each. */
    static int ports(HopRecord own) {
        return (own.ingressPort << Short.SIZE) | (own.egressPort & 0xFFFF);
    }

    /** Combines two words of 32 bits, for a single write. */
    static long pair(int first, int second) {
        return ((long) first << Integer.SIZE) | (second & 0xFFFF_FFFFL);
    }

    /** The bytes sent before, followed by the rate of the link. */
    static long sentAndRate(HopRecord own) {
        return pair((int) (own.sentBytes / SENT_UNIT_BYTES), (int) (own.rateBps / RATE_UNIT_BPS));
    }
}
