package io.headgate.testbed.topology;

import io.headgate.config.Withers;
import io.headgate.testbed.virtual.link.LinkFaults;
import io.headgate.testbed.virtual.link.LinkSetup;
import io.headgate.testbed.virtual.link.LinkSetup.Delivery;
import io.headgate.testbed.virtual.link.LinkSetup.Release;
import org.jspecify.annotations.Nullable;

/**
 * What a link is like, the same in both directions. What is beyond rate and delay is the virtual
 * bed's alone.
 *
 * @param rateBps line rate in bits per second, 1 Mb/s to 400 Gb/s
 * @param delayPs propagation delay in picoseconds, 0 to 1,000 s
 * @param deliverAt when the far end has a frame
 * @param release when the sender has its slot back
 * @param slotCredits whether a frame starts only when the far end has promised it a slot
 * @param faults what goes wrong; null for nothing
 * @param headerPs if the far end has a frame by its header, how long that takes, in picoseconds; 0:
 *     as long as preamble and the first 64 bytes
 */
@Withers
public record LinkSpec(
        long rateBps,
        long delayPs,
        Delivery deliverAt,
        Release release,
        boolean slotCredits,
        @Nullable LinkFaults faults,
        long headerPs)
        implements LinkSpecBuilder.With {

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
        if (headerPs < 0 || headerPs > MAX_DELAY_PS) {
            throw new IllegalArgumentException(
                    "a link's header of " + headerPs + " ps: 0 to 1000 s are allowed");
        }
    }

    /** An Ethernet cable. */
    public LinkSpec(long rateBps, long delayPs) {
        this(rateBps, delayPs, Delivery.TAIL, Release.START, false, null, 0);
    }

    /** A link by its rate in bits per second and its delay in nanoseconds. */
    public static LinkSpec of(long rateBps, long delayNs) {
        return new LinkSpec(rateBps, Math.multiplyExact(delayNs, PS_PER_NS));
    }

    /** Whether it is nothing but rate and delay, as a real link is. */
    public boolean isPlain() {
        return equals(new LinkSpec(rateBps, delayPs));
    }

    /** The same for the virtual bed. */
    public LinkSetup setup() {
        return new LinkSetup(rateBps, delayPs, deliverAt, release, slotCredits, faults, headerPs);
    }
}
