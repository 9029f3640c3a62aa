package io.headgate.testbed.lab.twin;

import io.headgate.testbed.scenario.Numbers;
import java.util.Locale;

/**
 * A number of a lab, compared with that of its twin.
 *
 * @param place a port, as in {@code s1/p4}, or a host
 * @param what the quantity measured there
 * @param unit bit/s, byte, frames or %
 * @param fromS the beginning, in seconds since the traffic began; negative: the whole phase
 * @param toS the end
 * @param allowed the allowed difference
 */
record Compared(
        String place,
        String what,
        String unit,
        double fromS,
        double toS,
        double lab,
        double twin,
        double allowed) {
    static final double WHOLE = -1;

    boolean differs() {
        return Math.abs(lab - twin) > allowed;
    }

    boolean isOfWholePhase() {
        return fromS < 0;
    }

    /** A sentence without its full stop. */
    String describe() {
        String when =
                isOfWholePhase()
                        ? "of the whole phase"
                        : String.format(Locale.ROOT, "from %.1f to %.1f s", fromS, toS);
        return "%s, %s, %s: %s in the lab and %s in virtual time; up to %s apart is allowed"
                .formatted(when, place, what, shown(lab), shown(twin), shown(allowed));
    }

    String shown(double value) {
        return switch (unit) {
            case "bit/s" -> Numbers.rate(value);
            case "byte" -> String.format(Locale.ROOT, "%.1f kB", value / 1e3);
            case "%" -> String.format(Locale.ROOT, "%.0f %%", value);
            default -> String.format(Locale.ROOT, "%.0f %s", value, unit);
        };
    }
}
