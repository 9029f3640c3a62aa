package io.headgate.testbed.topology;

import static io.headgate.config.key.Quantity.DELAY;
import static io.headgate.config.key.Quantity.RATE;

import io.headgate.config.Withers;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a link, the same in both directions. Only the virtual bed has delivery,
 * release, slot credits and header time.
 *
 * @param rateBps line rate in bits per second, 1 Mb/s to 400 Gb/s; a port that is faster waits for
 *     the wire
 * @param delayPs propagation delay in picoseconds, 0 to 1,000 s
 * @param slotCredits whether a frame starts only when the far end has promised it a slot
 * @param faults faults; null: none
 * @param headerPs if the far end has a frame by its header, the time from its first bit to that, in
 *     picoseconds; 0: the time of the preamble and the first 64 bytes
 */
@Named(
        says = "The properties of a link.",
        allowed = "a mapping, such as {rate: 40Gbps, delay: 1us}")
@Withers
public record LinkSpec(
        @Key(quantity = RATE, min = "1Mbps", max = "400Gbps", example = "10Gbps, 100Mbps")
                @Says(
                        "The line rate in both directions; includes preamble and inter-frame gap"
                                + " like a real line.")
                @Otherwise("that of link, or 10Gbps")
                long rateBps,
        @Key(quantity = DELAY, min = "0s", max = "1000s", example = "1us, 1.5ns or 0s")
                @Says(
                        "The propagation delay. On real frames, in labs, a delay of at least 50us"
                                + " is added to the kernel's.")
                @Otherwise("that of link, or 1us")
                @Beds(
                        real =
                                "warned: real links have the kernel's delay; headroom and pauses"
                                        + " are still computed for the given one",
                        lab =
                                "done from 50us: a shorter delay is below the precision of timers"
                                        + " and the delay of the kernel; headroom and pauses are"
                                        + " still computed for it")
                long delayPs,
        @Key(absent = "tail")
                @Says(
                        "When the far end gets a frame: when its last bit has arrived, or already"
                                + " with its header (cut-through, if rates are equal). Virtual bed"
                                + " only.")
                @Beds(real = "refused: only virtual time has it")
                Delivery deliverAt,
        @Key(absent = "start")
                @Says(
                        "When the sender gets its slot back: when transmission starts, or when the"
                                + " last bit has left. Virtual bed only.")
                @Beds(real = "refused: only virtual time has it")
                Release release,
        @Key(absent = "false")
                @Says(
                        "Whether a frame starts only after the far end has reserved a slot for it."
                                + " Virtual bed only.")
                @Beds(real = "refused: only virtual time has it")
                boolean slotCredits,
        @Key @Otherwise("nothing") @Nullable LinkFaults faults,
        @Key(
                        name = "header-time",
                        quantity = DELAY,
                        min = "0s",
                        max = "1000s",
                        absent = "0s",
                        example = "40ns or 0s")
                @Says(
                        "With deliver-at: header, the time from the arrival of a frame's first bit"
                                + " until the far end gets the frame; 0s: the time of the preamble"
                                + " and the first 64 bytes. Virtual bed only.")
                @Beds(real = "refused: only virtual time has it")
                long headerPs)
        implements LinkSpecBuilder.With {

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

    /** 10 Gb/s over 200 m of fibre: 1 us. */
    public static final LinkSpec DEFAULT = new LinkSpec(10_000_000_000L, 1_000_000L);

    public static final long MIN_RATE_BPS = 1_000_000L;
    private static final long MAX_RATE_BPS = 400_000_000_000L;
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

    // ---- what a file does not say of a link is as of the link around it

    private static LinkSpec around(Known known) {
        return known.get("link", LinkSpec.class);
    }

    static long rateBps(Known known) {
        return around(known).rateBps;
    }

    static long delayPs(Known known) {
        return around(known).delayPs;
    }

    static Delivery deliverAt(Known known) {
        return around(known).deliverAt;
    }

    static Release release(Known known) {
        return around(known).release;
    }

    static boolean slotCredits(Known known) {
        return around(known).slotCredits;
    }

    static @Nullable LinkFaults faults(Known known) {
        return around(known).faults;
    }

    static long headerPs(Known known) {
        return around(known).headerPs;
    }

    /** Whether it has only a rate and a delay, like a real link. */
    public boolean isPlain() {
        return equals(new LinkSpec(rateBps, delayPs));
    }
}
