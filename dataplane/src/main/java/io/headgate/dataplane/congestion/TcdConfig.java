package io.headgate.dataplane.congestion;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import java.util.List;

/**
 * Configuration of ternary congestion detection at a port; see {@link TcdDetector}. Equations and
 * their numbers are those of "Congestion Detection in Lossless Networks" (SIGCOMM 2021), section 4.
 */
@Named(
        says =
                "Distinguishes queues that are long because the next switch stops them from"
                        + " congested queues, and marks frames of the former \"undetermined\" (TCD,"
                        + " SIGCOMM 2021). Senders that distinguish the two marks use ECT(1).")
public record TcdConfig(
        @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "100kB")
                @Says("Up to this length, a queue is not over its threshold.")
                long kminBytes,
        @Key(quantity = SIZE, min = "1kB", max = "1GB")
                @Says(
                        "From this length on, a queue is over its threshold; between kmin and kmax"
                                + " the choice is random, as in RED.")
                @Otherwise("kmin: one threshold")
                long kmaxBytes,
        @Key(min = "0", max = "1", absent = "1", example = "0.01")
                @Says("Probability that a queue just below kmax counts as over its threshold.")
                double pmax,
        @Key(quantity = SIZE, min = "0B", max = "1GB")
                @Says("A queue that was stopped counts as not congested up to this length.")
                @Otherwise("two packets of mtu")
                long lowBytes,
        @Key(min = "0.001", max = "0.5", absent = "0.05", example = "0.04")
                @Says(
                        "Minimum excess of a port's rate in congestion over the rate that the next"
                                + " switch forwards, as a share of the line rate.")
                double epsilon,
        @Key(quantity = DURATION, min = "0ns", max = "1s", example = "20us")
                @Says("Time from the cause of a pause, or of its end, until the port obeys.")
                @Otherwise("the time of two packets of mtu at the line rate plus twice link.delay")
                long reactionNs,
        @Key(quantity = DURATION, min = "1ns", max = "10s", example = "870us")
                @Says(
                        "max(Ton): a port that sends longer than this without a stop is not limited"
                                + " by the next switch.")
                @Otherwise(
                        "(xoff − xon) / (epsilon · rate) + reaction · (1 + 1 / (2 · epsilon)), with"
                                + " two packets of mtu for xoff − xon if alpha is given; with"
                                + " credits, credits.period")
                long maxOnNs,
        @Key(absent = "period")
                @Says(
                        "When the growth of a queue over max-on is checked, beginning one max-on"
                                + " after a stop: at the end of each max-on (period), as in the"
                                + " authors' simulator, or at each frame, against the queue one"
                                + " max-on earlier (sliding).")
                Trend trend,
        @Key(name = "mark", absent = "ecn")
                @Says(
                        "Where marks are written: in the IP header (ecn), in RoCEv2's base"
                                + " transport header (bth), or in both.")
                Mark.Field field,
        @Key(min = "0", max = "7")
                @Says("The priorities whose frames are marked.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {

    /** The period over which the growth of a queue is checked. */
    public enum Trend {
        PERIOD,
        SLIDING
    }

    private static final double NS_PER_BYTE_AT_1_BPS = 8e9;
    private static final int FRAMES = 2;

    public TcdConfig {
        priorities = List.copyOf(priorities);
    }

    static long kmaxBytes(Known known) {
        return known.number("kmin");
    }

    static long lowBytes(Known known) {
        return FRAMES * known.number("mtu");
    }

    static long reactionNs(Known known) {
        double sendingNs =
                FRAMES * known.number("mtu") * NS_PER_BYTE_AT_1_BPS / bitsPerSecond(known);
        long delayNs = known.get("link", FlowControlConfig.Link.class).delayNs();
        return Math.round(sendingNs) + 2 * delayNs;
    }

    static long maxOnNs(Known known) {
        if (known.has("credits")) {
            return known.get("credits", FlowControlConfig.Credits.class).periodNs();
        }
        double epsilon = known.get("epsilon", Number.class).doubleValue();
        double fillingNs =
                swingBytes(known) * NS_PER_BYTE_AT_1_BPS / (epsilon * bitsPerSecond(known));
        double reactingNs = known.number("reaction") * (1 + 1 / (2 * epsilon));
        return Math.round(fillingNs + reactingNs);
    }

    /**
     * Bytes that a far end, configured like this port, receives from the end of a pause to the next
     * one.
     */
    private static long swingBytes(Known known) {
        if (known.has("buffers")) {
            var buffers = known.get("buffers", FlowControlConfig.Buffers.class);
            if (!buffers.isDynamic()) {
                return buffers.xoffBytes() - buffers.xonBytes();
            }
        }
        return FRAMES * known.number("mtu");
    }

    private static double bitsPerSecond(Known known) {
        return known.number("rate");
    }

    static List<Integer> priorities(Known known) {
        return MarkingKeys.allPriorities();
    }

    @Override
    public void check(Known known, Place place) {
        MarkingKeys.checkThresholds(kminBytes, kmaxBytes, place);
    }
}
