package io.headgate.testbed.traffic;

/**
 * Keeps a host that sends all it can from sending without end, at one instant, what its card throws
 * away at once: for a link that is down, or by order of a watchdog. In the end it makes no more
 * than the wire could have carried. While the card throws nothing away, its slots hold the host to
 * less, and this changes nothing.
 */
final class WireBound {
    private static final double PS_PER_BIT_AT_1_BPS = 1e12;

    private final double psPerByte;
    private final long mostAheadPs;

    /** When the wire would be free, if it had carried all that was made. */
    private long freePs;

    private WireBound(double psPerByte, long mostAheadPs) {
        this.psPerByte = psPerByte;
        this.mostAheadPs = mostAheadPs;
    }

    /** No bound: of a host whose card has a real wire. */
    static WireBound none() {
        return new WireBound(0, 0);
    }

    /**
     * The bound for a wire.
     *
     * @param heldBytes all frames that a card can hold, as long on the wire as they can be
     */
    static WireBound of(long rateBps, long heldBytes) {
        double psPerByte = 8 * PS_PER_BIT_AT_1_BPS / rateBps;
        return new WireBound(psPerByte, (long) (heldBytes * psPerByte));
    }

    void made(long nowPs, int wireBytes) {
        freePs = Math.max(freePs, nowPs) + (long) (wireBytes * psPerByte);
    }

    boolean isReached(long nowPs) {
        return untilPs() - nowPs > 0;
    }

    long untilPs() {
        return freePs - mostAheadPs;
    }
}
