package io.headgate.dataplane.congestion;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;
import io.headgate.config.key.Scale;
import io.headgate.dataplane.congestion.flows.FlowTableKind;
import io.headgate.dataplane.frame.RoccNotice;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Configuration of RoCC's fair rates at a port; see {@link FairRate}. Parameters are published for
 * links of 10, 40 and 100 Gb/s; any other link uses those of the nearest rate, with the rate step
 * in proportion to its rate, and the period in inverse proportion to it.
 *
 * @param referenceBytes Qref
 * @param middleBytes Qmid
 * @param maximumBytes Qmax
 * @param alpha proportional gain, in steps of ΔF per step of ΔQ
 * @param rateStepBps ΔF
 * @param queueStepBytes ΔQ
 * @param leastRateBps Fmin
 * @param flows number of flows that the table knows at a time; 1024 in section 3.4.3 of the
 *     dissertation
 * @param computedBy where rates are computed; section 3.3.6
 */
@Named(
        says =
                "Sends the fair rate to the sources of the flows in a queue, so that the queue"
                        + " keeps a reference length (RoCC, CoNEXT 2020). Hosts obey it with"
                        + " control: rocc.")
public record RoccConfig(
        @Key(name = "qref", quantity = SIZE, min = "1kB", max = "1GB")
                @Says("Reference length of the queue.")
                @Otherwise("75kB below 20 Gb/s, 150kB up to 63 Gb/s, 300kB above")
                long referenceBytes,
        @Key(name = "qmid", quantity = SIZE, min = "1kB", max = "1GB")
                @Says("A queue that grows by more than this in a period halves the rate.")
                @Otherwise("twice qref")
                long middleBytes,
        @Key(name = "qmax", quantity = SIZE, min = "1kB", max = "1GB")
                @Says("A queue longer than this reduces the rate to fmin.")
                @Otherwise("qmid and 60kB")
                long maximumBytes,
        @Key(min = "0.001", max = "100", example = "0.3")
                @Says(
                        "Change of the rate, in steps, per step of the queue's deviation from the"
                                + " reference.")
                @Otherwise("0.1875 below 20 Gb/s, 0.3 up to 63 Gb/s, 0.45 above")
                double alpha,
        @Key(min = "0.001", max = "100", example = "1.5")
                @Says("Change of the rate, in steps, per step of the queue's growth.")
                @Otherwise("0.375 below 20 Gb/s, 1.5 up to 63 Gb/s, 2.25 above")
                double beta,
        @Key(quantity = DURATION, min = "1us", max = "10s", example = "40us")
                @Says("T: the period in which the fair rate is computed and sent to the sources.")
                @Otherwise(
                        "100us at 10 Gb/s, 40us at 40 and at 100 Gb/s; the longer, the slower the"
                                + " link")
                long periodNs,
        @Key(
                        quantity = RATE,
                        scale = Scale.DIVIDED_IN_KBPS,
                        min = "1kbps",
                        max = "65Mbps",
                        example = "10Mbps")
                @Says("The unit of rates in notifications.")
                @Otherwise(
                        "a thousandth of the rate below 20 Gb/s, a 4000th up to 63 Gb/s, a"
                                + " 10000th above")
                long rateStepBps,
        @Key(quantity = SIZE, min = "1B", max = "1MB", absent = "600B")
                @Says("The unit in which the queue's length is measured.")
                long queueStepBytes,
        @Key(
                        name = "fmin",
                        quantity = RATE,
                        scale = Scale.DIVIDED_IN_KBPS,
                        min = "1kbps",
                        max = "400Gbps",
                        example = "100Mbps")
                @Says("Minimum rate in notifications.")
                @Otherwise("ten steps")
                long leastRateBps,
        @Key(
                        name = "start",
                        quantity = RATE,
                        scale = Scale.DIVIDED_IN_KBPS,
                        min = "1kbps",
                        max = "400Gbps",
                        example = "40Gbps")
                @Says("The initial fair rate.")
                @Otherwise("the link's")
                long startRateBps,
        @Key(absent = "queued")
                @Says(
                        "Which flows get notifications: flows with frames in the queue (queued),"
                                + " flows with a recent frame (aged), or large flows that are found"
                                + " by sampling frames (afd-ft, elephant-trap and bubble-cache).")
                FlowTableKind flowTable,
        @Key(min = "1", max = "65536", example = "1024")
                @Says("Size of the flow table; further flows get no notifications.")
                @Otherwise(
                        "1024; with aged, the port's rate divided by fmin; with elephant-trap and"
                                + " bubble-cache, 64")
                int flows,
        @Key(quantity = DURATION, min = "1us", max = "100s", example = "80us")
                @Says(
                        "With aged: a flow gets no further notifications after this time without a"
                                + " frame.")
                @Otherwise("twice period")
                long ageNs,
        @Key(unit = "frames", min = "1", max = "10000", absent = "10")
                @Says(
                        "With afd-ft, elephant-trap and bubble-cache: on average one of this number"
                                + " of frames is sampled, at random.")
                int sampleOneOf,
        @Key(unit = "samples", min = "1", max = "1000", absent = "3")
                @Says(
                        "With afd-ft and elephant-trap: number of samples after which a flow gets"
                                + " notifications; afd-ft counts in full frames.")
                int elephant,
        @Key(absent = "switch")
                @Says(
                        "Where the rate is computed: in the switch, or in each host, which then"
                                + " gets all the inputs in the notifications.")
                Computes computedBy,
        @Key(min = "0", max = "7")
                @Says("The priorities whose queues are watched.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("0 to 5: notifications use 6")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities)
        implements Checked {

    /** The node that computes rates. */
    public enum Computes {
        /** The switch, and notices tell the rate. */
        SWITCH,

        /** Each host, from the queue's length and all parameters of the switch. */
        HOST
    }

    /** Published parameters for a link. */
    private record Published(
            double rateBps,
            long referenceBytes,
            double alpha,
            double beta,
            double periodNs,
            int steps) {
        private static final List<Published> ALL =
                List.of(
                        new Published(10e9, 75_000, 0.1875, 0.375, 100_000, 1_000),
                        new Published(40e9, 150_000, 0.3, 1.5, 40_000, 4_000),
                        new Published(100e9, 300_000, 0.45, 2.25, 40_000, 10_000));

        /** The parameters of the nearest rate, by ratio. */
        static Published of(Known known) {
            return of(known.number("rate"));
        }

        static Published of(long rateBps) {
            return Collections.min(
                    ALL, Comparator.comparingDouble(each -> each.distance((double) rateBps)));
        }

        private double distance(double rate) {
            return Math.max(rate / rateBps, rateBps / rate);
        }
    }

    private static final long MAXIMUM_ABOVE_MIDDLE_BYTES = 60_000;
    private static final int LEAST_STEPS = 10;

    // With fewer flows, the bytes that an entry needs for a notification are more than any flow
    // among others ever has.
    private static final int LEAST_AFD_FLOWS = 4;
    private static final int MOST_FLOWS = 65_536;
    private static final int FLOWS = 1_024;
    private static final int ELEPHANTS = 64;

    public RoccConfig {
        priorities = List.copyOf(priorities);
    }

    static long referenceBytes(Known known) {
        return Published.of(known).referenceBytes;
    }

    static long middleBytes(Known known) {
        return 2 * known.number("qref");
    }

    static long maximumBytes(Known known) {
        return known.number("qmid") + MAXIMUM_ABOVE_MIDDLE_BYTES;
    }

    static double alpha(Known known) {
        return Published.of(known).alpha;
    }

    static double beta(Known known) {
        return Published.of(known).beta;
    }

    static long periodNs(Known known) {
        return publishedPeriodNs(known.number("rate"));
    }

    /** Default period for links of a rate, in ns. */
    public static long publishedPeriodNs(long rateBps) {
        Published published = Published.of(rateBps);
        return Math.max(1_000, Math.round(published.periodNs * published.rateBps / rateBps));
    }

    static long rateStepBps(Known known) {
        long exact = known.number("rate") / Published.of(known).steps;
        // Notices tell it in kb/s.
        return Math.max(1, exact / RoccNotice.BPS_PER_KBPS) * RoccNotice.BPS_PER_KBPS;
    }

    static long leastRateBps(Known known) {
        return LEAST_STEPS * known.number("rate-step");
    }

    static long startRateBps(Known known) {
        return known.number("rate");
    }

    static int flows(Known known) {
        return switch (known.get("flow-table", FlowTableKind.class)) {
            case QUEUED, AFD_FT -> FLOWS;
            case AGED -> Math.clamp(known.number("rate") / known.number("fmin"), 1, MOST_FLOWS);
            case ELEPHANT_TRAP, BUBBLE_CACHE -> ELEPHANTS;
        };
    }

    static long ageNs(Known known) {
        return 2 * known.number("period");
    }

    /** Layout of a port's flow table. */
    FlowTableKind.Layout layout(int mtuBytes) {
        return new FlowTableKind.Layout(flows, ageNs, sampleOneOf, elephant, mtuBytes);
    }

    static List<Integer> priorities(Known known) {
        return List.of(0, 1, 2, 3, 4, 5);
    }

    /** Parameters in the units of {@link FairRate}, for a port's rate. */
    FairRate.Parameters parameters(long rateBps) {
        return new FairRate.Parameters(
                referenceBytes / queueStepBytes,
                middleBytes / queueStepBytes,
                maximumBytes / queueStepBytes,
                Math.max(1, leastRateBps / rateStepBps),
                Math.max(1, rateBps / rateStepBps),
                fixed(alpha),
                fixed(beta),
                (int) queueStepBytes);
    }

    private static long fixed(double gain) {
        return Math.round(gain * (1 << FairRate.FRACTION));
    }

    @Override
    public void check(Known known, Place place) {
        if (rateStepBps % RoccNotice.BPS_PER_KBPS != 0) {
            place.child("rate-step")
                    .refuse(Quantity.RATE.format(rateStepBps), "whole kilobits a second");
        }
        long rateBps = known.number("rate");
        atMostRate(place, "rate-step", rateStepBps, rateBps);
        atMostRate(place, "fmin", leastRateBps, rateBps);
        if (flowTable == FlowTableKind.AFD_FT && flows < LEAST_AFD_FLOWS) {
            place.child("flows")
                    .refuse(
                            Integer.toString(flows),
                            "at least " + LEAST_AFD_FLOWS + " with flow-table: afd-ft");
        }
        atLeast(place, "qmid", middleBytes, "qref", referenceBytes);
        atLeast(place, "qmax", maximumBytes, "qmid", middleBytes);
    }

    private static void atMostRate(Place place, String key, long value, long rateBps) {
        if (value > rateBps) {
            place.child(key)
                    .refuse(
                            Quantity.RATE.format(value),
                            "at most the port's rate, which is " + Quantity.RATE.format(rateBps));
        }
    }

    private static void atLeast(Place place, String key, long value, String than, long least) {
        if (value < least) {
            place.child(key)
                    .refuse(
                            Quantity.SIZE.format(value),
                            "at least " + than + ", which is " + Quantity.SIZE.format(least));
        }
    }
}
