package io.headgate.testbed.virtual.link;

import io.headgate.config.Withers;
import org.jspecify.annotations.Nullable;

/**
 * What a link is.
 *
 * @param rateBps line rate in bits per second, 1 Mb/s to 400 Gb/s; normally what the pacers of the
 *     ports at both ends are configured to. A port that is faster waits for the wire
 * @param delayPs propagation delay, from 0
 * @param deliverAt when the far end has a frame
 * @param release when the sender has its slot back
 * @param perSlotCredits whether a frame starts only when the far end has promised it a slot
 * @param faults what goes wrong; null for nothing
 * @param headerPs with {@link Delivery#HEADER}, how long after its first bit has arrived the far
 *     end has a frame; 0: as long as preamble and the first 64 bytes take
 */
@Withers
public record LinkSetup(
        long rateBps,
        long delayPs,
        Delivery deliverAt,
        Release release,
        boolean perSlotCredits,
        @Nullable LinkFaults faults,
        long headerPs)
        implements LinkSetupBuilder.With {

    /** When the far end has a frame. */
    public enum Delivery {
        /** When its last bit has arrived (store and forward). */
        TAIL,
        /**
         * When its header has, by default its first 64 bytes: a port of the same rate may send on
         * what it is still receiving (cut-through). The frame is there whole; that its tail could
         * not overtake itself needs equal rates.
         */
        HEADER
    }

    /** When the sender has its slot back. */
    public enum Release {
        /** When transmission starts. */
        START,
        /** When the last bit has left. */
        END
    }

    private static final long MIN_RATE_BPS = 1_000_000;
    private static final long MAX_RATE_BPS = 400_000_000_000L;

    // A day: sums of times stay far from a long's end.
    private static final long MAX_DELAY_PS = 86_400_000_000_000_000L;

    public LinkSetup {
        if (rateBps < MIN_RATE_BPS || rateBps > MAX_RATE_BPS) {
            throw new IllegalArgumentException(
                    "a link of %d b/s; allowed are 1 Mb/s to 400 Gb/s".formatted(rateBps));
        }
        if (delayPs < 0 || delayPs > MAX_DELAY_PS) {
            throw new IllegalArgumentException(
                    "a link with a delay of %d ps; allowed are 0 to a day".formatted(delayPs));
        }
        if (headerPs < 0 || headerPs > MAX_DELAY_PS) {
            throw new IllegalArgumentException(
                    "a link with headers of %d ps; allowed are 0 to a day".formatted(headerPs));
        }
    }

    /** An Ethernet cable: whole frames, slots free when transmission starts, no faults. */
    public static LinkSetup of(long rateBps, long delayPs) {
        return new LinkSetup(rateBps, delayPs, Delivery.TAIL, Release.START, false, null, 0);
    }
}
