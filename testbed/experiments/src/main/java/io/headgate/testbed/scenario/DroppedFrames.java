package io.headgate.testbed.scenario;

import java.util.Locale;

/**
 * The frames that one half of a port dropped in a run for one reason.
 *
 * @param at the half: {@code s1/p1 in} of a switch, {@code h1/wire out} of a host's card
 * @param seenUs time of the periodic look that first found one; NaN if only the end was looked at
 */
public record DroppedFrames(String at, String reason, long frames, double seenUs) {
    /** Such as {@code s1/p1 in dropped 2 frames for HEADROOM_EXHAUSTED, the first by 12.5 us}. */
    public String sentence() {
        return at
                + " dropped "
                + frames
                + (frames == 1 ? " frame for " : " frames for ")
                + reason
                + (Double.isNaN(seenUs)
                        ? ""
                        : String.format(Locale.ROOT, ", the first by %.1f us", seenUs));
    }
}
