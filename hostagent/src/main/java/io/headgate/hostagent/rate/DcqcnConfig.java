package io.headgate.hostagent.rate;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.config.key.Section;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;

/**
 * The parameters of DCQCN at a host; see {@link DcqcnReaction} and {@link DcqcnNotification}.
 *
 * @param gain g
 * @param cnpIntervalNs N, at the receiver
 * @param alphaTimerNs K
 * @param increaseTimerNs T
 * @param byteCounterBytes B
 * @param fastRecovery F
 */
@Named(
        says =
                "Each flow's rate is cut when its receiver reports marks, and grows while it"
                        + " reports none (DCQCN, Zhu et al., SIGCOMM 2015). Ports mark with"
                        + " congestion: {red: {}}.")
public record DcqcnConfig(
        @Key(absent = "published")
                @Says(
                        "The set of defaults for keys that are not given: of Zhu et al. (SIGCOMM"
                                + " 2015), or of Menikkumbura's dissertation (2022), chapter 3.")
                Parameters parameters,
        @Key(name = "g", min = "0.00001", max = "1", absent = "0.00390625")
                @Says(
                        "How much one notification, or one alpha-timer without a notification,"
                                + " changes alpha.")
                double gain,
        @Key(name = "alpha", min = "0.001", max = "1", absent = "1", example = "0.5")
                @Says("Alpha at a flow's first notification, which cuts the rate by half of alpha.")
                double initialAlpha,
        @Key(example = "silent")
                @Says(
                        "When a receiver reports marks: the first one immediately, then none for"
                                + " cnp-interval (silent) or at the interval's end if marks came in"
                                + " it (end-of-interval); at the end of each interval since the"
                                + " flow's first frame if marks came in it (periodic); or the first"
                                + " mark in each slot of a clock that all flows share (slotted).")
                @Otherwise("silent; dissertation: slotted")
                Notify cnp,
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "50us")
                @Says("The interval that cnp uses, per flow.")
                long cnpIntervalNs,
        @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns", example = "4us")
                @Says(
                        "0ns: each notification cuts the rate and raises alpha. Longer, as in the"
                                + " vendor's cards: at most one cut per this time, and at most one"
                                + " raise of alpha per alpha-timer, if notifications came in that"
                                + " time.")
                long cutIntervalNs,
        @Key(absent = "cut")
                @Says(
                        "Whether every cut sets the target rate to the rate before the cut (cut),"
                                + " or only a cut before which the rate has grown since the"
                                + " previous cut (kept).")
                Target target,
        @Key(quantity = DURATION, min = "1us", max = "10s", example = "55us")
                @Says("After each such time without a notification, alpha falls.")
                @Otherwise("55us; dissertation: 53us, an interval of 50us and the network's 3us")
                long alphaTimerNs,
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "55us")
                @Says("After each such time without a notification, the rate grows.")
                long increaseTimerNs,
        @Key(quantity = SIZE, min = "1kB", max = "1000GB", absent = "10MB")
                @Says(
                        "Byte counter: the rate also rises after this many bytes without a notification.")
                long byteCounterBytes,
        @Key(min = "1", max = "1000", absent = "5")
                @Says(
                        "Number of steps of the timer or the counter in which the target rate stays"
                                + " the same.")
                int fastRecovery,
        @Key(name = "rai", quantity = RATE, min = "1kbps", max = "400Gbps", example = "40Mbps")
                @Says("R_AI: the growth of the target in each step after fast recovery.")
                @Otherwise("40Mbps; dissertation: 4Mbps")
                long additiveBps,
        @Key(absent = "both")
                @Says(
                        "Whether hyper increase begins when both timer and counter have finished"
                                + " fast recovery (both), or when the timer has (timer).")
                Hyper hyper,
        @Key(name = "rhai", quantity = RATE, min = "1kbps", max = "400Gbps", example = "200Mbps")
                @Says("R_HAI: the same in hyper increase.")
                @Otherwise("200Mbps; dissertation: 400Mbps")
                long hyperBps,
        @Key(example = "growing")
                @Says(
                        "Whether R_HAI is added once in each step of hyper increase (equal), or"
                                + " once in the first, twice in the second and so on (growing), as"
                                + " in IEEE 802.1Qau.")
                @Otherwise("growing; dissertation: equal")
                HyperSteps hyperSteps,
        @Key(quantity = RATE, min = "1kbps", max = "400Gbps")
                @Says(
                        "Minimum rate after a cut, at least a 4000th of the line rate: a forged"
                                + " notification cannot stop a flow.")
                @Otherwise("100Mbps; dissertation: 1kbps, since its hosts have none")
                long leastRateBps) {

    /** The source of a set of parameters. */
    public enum Parameters {
        PUBLISHED,
        DISSERTATION
    }

    /** The times at which a receiver notifies the sender of marks. */
    public enum Notify {
        SILENT,
        END_OF_INTERVAL,
        PERIODIC,
        SLOTTED
    }

    /** The effect of a cut on the target rate. */
    public enum Target {
        CUT,
        KEPT
    }

    /** The counters that must be beyond fast recovery before R_HAI is added. */
    public enum Hyper {
        BOTH,
        TIMER
    }

    /** The number of times that R_HAI is added. */
    public enum HyperSteps {
        GROWING,
        EQUAL
    }

    /** A set of parameters without changes. */
    public static DcqcnConfig of(Parameters parameters) {
        Object name = Section.of(DcqcnConfig.class).said("parameters", parameters);
        return of(Collections.singletonMap("parameters", name));
    }

    /** A configuration from keys, written as in a file. */
    public static DcqcnConfig of(Map<String, ?> keys) {
        Section<DcqcnConfig> section = Section.of(DcqcnConfig.class);
        return Objects.requireNonNull(section.read(Place.nowhere().saying(keys), Known.NOTHING));
    }

    private static boolean isPublished(Known known) {
        return known.get("parameters", Parameters.class) == Parameters.PUBLISHED;
    }

    static Notify cnp(Known known) {
        return isPublished(known) ? Notify.SILENT : Notify.SLOTTED;
    }

    static long alphaTimerNs(Known known) {
        return isPublished(known) ? 55_000 : 53_000;
    }

    static long additiveBps(Known known) {
        return isPublished(known) ? 40_000_000 : 4_000_000;
    }

    static long hyperBps(Known known) {
        return isPublished(known) ? 200_000_000 : 400_000_000;
    }

    static HyperSteps hyperSteps(Known known) {
        return isPublished(known) ? HyperSteps.GROWING : HyperSteps.EQUAL;
    }

    static long leastRateBps(Known known) {
        return isPublished(known) ? 100_000_000 : 1_000;
    }
}
