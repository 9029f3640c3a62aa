package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.memory.HopRecord;

/** What INT-MD and IOAM write alike of a port: units of fields of 32 bits. */
final class HopWords {
    /** All bits of a field set: it is not said. */
    static final int UNSAID = -1;

    static final int SENT_UNIT_BYTES = 128;

    /** Of {@link HopRecord#sentBytes}, in such units. */
    static final int SENT_BITS = Integer.SIZE + 7;

    static final long RATE_UNIT_BPS = 100_000;

    private HopWords() {}

    /** Ingress port, egress port, 16 bits each. */
    static int ports(HopRecord own) {
        return (own.ingressPort << Short.SIZE) | (own.egressPort & 0xFFFF);
    }

    /** Two words of 32 bits, to be written at a time. */
    static long pair(int first, int second) {
        return ((long) first << Integer.SIZE) | (second & 0xFFFF_FFFFL);
    }

    /** What was sent before, and the rate of the link behind it. */
    static long sentAndRate(HopRecord own) {
        return pair((int) (own.sentBytes / SENT_UNIT_BYTES), (int) (own.rateBps / RATE_UNIT_BPS));
    }
}
