package io.headgate.testbed.topology;

/**
 * What a link is like, the same in both directions.
 *
 * @param rateBps line rate in bits per second, 1 Mb/s to 400 Gb/s
 * @param delayPs propagation delay in picoseconds, 0 to 1,000 s
 */
public record LinkSpec(long rateBps, long delayPs) {
    /** 10 Gb/s over 200 m of fibre: 1 us. */
    public static final LinkSpec DEFAULT = new LinkSpec(10_000_000_000L, 1_000_000L);

    static final long MIN_RATE_BPS = 1_000_000L;
    static final long MAX_RATE_BPS = 400_000_000_000L;
    private static final long MAX_DELAY_PS = 1_000_000_000_000_000L;
    private static final long PS_PER_NS = 1000;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public LinkSpec {
        if (rateBps < MIN_RATE_BPS || rateBps > MAX_RATE_BPS) {
            throw new IllegalArgumentException(
                    "a link of " + rateBps + " b/s: 1 Mb/s to 400 Gb/s are allowed");
        }
        if (delayPs < 0 || delayPs > MAX_DELAY_PS) {
            throw new IllegalArgumentException(
                    "a link's delay of " + delayPs + " ps: 0 to 1000 s are allowed");
        }
    }

    /** A link by its rate in bits per second and its delay in nanoseconds. */
    public static LinkSpec of(long rateBps, long delayNs) {
        return new LinkSpec(rateBps, Math.multiplyExact(delayNs, PS_PER_NS));
    }

    public LinkSpec withRateBps(long bps) {
        return new LinkSpec(bps, delayPs);
    }

    public LinkSpec withDelayPs(long ps) {
        return new LinkSpec(rateBps, ps);
    }
}
