package io.headgate.hostagent.rate.swift;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Checked;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;

/**
 * The parameters of Swift; see {@link SwiftWindow}. The paper prints no value of its production
 * network: the defaults are those of the csg-htsim simulator.
 *
 * @param leastScaled fs_min_cwnd, in frames
 * @param mostScaled fs_max_cwnd, in frames
 * @param leastWindow min_cwnd, in frames
 * @param mostWindow max_cwnd, in frames
 * @param resetAfter RETX_RESET_THRESHOLD
 */
@Named(
        says =
                "A window that grows while round trips are shorter than a target, and shrinks in"
                        + " proportion to their excess over it (Swift, SIGCOMM 2020); switches need"
                        + " no configuration.")
public record SwiftConfig(
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "20us")
                @Says(
                        "The target round trip of a flow with a large window, without the part of"
                                + " its hops.")
                long baseTargetNs,
        @Key(quantity = DURATION, min = "0ns", max = "1s", absent = "3us")
                @Says("The part of the target per hop.")
                long hopNs,
        @Key(min = "0", max = "64", absent = "1")
                @Says("The number of switches on a path; the hosts do not read it from packets.")
                int hops,
        @Key(name = "fs-range", quantity = DURATION, min = "0ns", max = "10s", absent = "100us")
                @Says("Maximum increase of the target by flow scaling. 0ns: no flow scaling.")
                long rangeNs,
        @Key(name = "fs-min-window", unit = "frames", min = "0.001", max = "1000", absent = "0.1")
                @Says("Up to this window, flow scaling adds all of fs-range.")
                double leastScaled,
        @Key(
                        name = "fs-max-window",
                        unit = "frames",
                        min = "0.001",
                        max = "1000000",
                        absent = "100")
                @Says("From this window on, flow scaling adds nothing.")
                double mostScaled,
        @Key(name = "ai", unit = "frames", min = "0.001", max = "1000", absent = "1")
                @Says("Additive increase: growth of the window per round trip.")
                double additive,
        @Key(min = "0.01", max = "1", absent = "0.8")
                @Says("Beta: the share of the excess delay by which the window shrinks.")
                double beta,
        @Key(name = "max-mdf", min = "0.01", max = "0.99", absent = "0.5")
                @Says("The largest share by which the window shrinks in a round trip.")
                double mostDecrease,
        @Key(unit = "frames", min = "1", max = "1000000", absent = "10")
                @Says("The window that a flow begins with.")
                int initialWindow,
        @Key(name = "min-window", unit = "frames", min = "0.001", max = "1", absent = "0.01")
                @Says("The smallest window. A window below one frame means a pause between frames.")
                double leastWindow,
        @Key(name = "max-window", unit = "frames", min = "1", max = "1000000", absent = "1000")
                @Says("The largest window.")
                int mostWindow,
        @Key(min = "1", max = "100", absent = "5")
                @Says(
                        "After this number of losses without progress, the window becomes the"
                                + " smallest one.")
                int resetAfter)
        implements Checked {

    @Override
    public void check(Known known, Place place) {
        if (mostScaled <= leastScaled) {
            place.child("fs-max-window")
                    .refuse(String.valueOf(mostScaled), "more than fs-min-window, " + leastScaled);
        }
    }
}
