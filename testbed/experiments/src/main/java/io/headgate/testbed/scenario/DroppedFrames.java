package io.headgate.testbed.scenario;

import java.util.Locale;

/**
 * Frames that a half of a port dropped in a run for one reason.
 *
 * @param at the half: {@code s1/p1 in} of a switch, {@code h1/wire out} of a host's card
 * @param seenUs when the first of them had been counted, looking now and then; NaN where only the
 *     end was looked at
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
