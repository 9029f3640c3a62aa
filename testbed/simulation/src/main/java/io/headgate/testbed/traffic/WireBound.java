package io.headgate.testbed.traffic;

/**
 * Limits a greedy host to the frames that the wire could have carried. Without this it could make
 * frames without end in one instant while its card discards them at once: because the link is down,
 * or because a watchdog drops them. While the card discards nothing, its slots are the stricter
 * limit, and this one has no effect.
 */
final class WireBound {
    private static final double PS_PER_BIT_AT_1_BPS = 1e12;

    private final double psPerByte;
    private final long mostAheadPs;

    /** The time at which the wire would be free if it had carried all frames that were made. */
    private long freePs;

    private WireBound(double psPerByte, long mostAheadPs) {
        this.psPerByte = psPerByte;
        this.mostAheadPs = mostAheadPs;
    }

    /** No limit, for a host whose card has a real wire. */
    static WireBound none() {
        return new WireBound(0, 0);
    }

    /**
     * The limit for a wire.
     *
     * @param heldBytes maximum wire length of all frames that a card can hold
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
