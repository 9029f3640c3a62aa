package io.headgate.testbed.scenario.explain;

import java.util.Locale;

/**
 * A period in which a queue was paused by its far end.
 *
 * @param place the queue's port, as {@code s1:p2}, or a host
 * @param fromPs when the pause arrived
 * @param untilPs when its end arrived, its time was over, or the run ended
 */
public record Pause(String place, int priority, long fromPs, long untilPs) {
    private static final double PS_PER_US = 1e6;

    /** Whether it contains a moment. */
    boolean covers(long ps) {
        return fromPs <= ps && ps < untilPs;
    }

    /** Whether another pause is of the same queue and overlaps this one. */
    boolean meets(Pause other) {
        return place.equals(other.place)
                && priority == other.priority
                && fromPs < other.untilPs
                && other.fromPs < untilPs;
    }

    @Override
    public String toString() {
        return "%s priority %s, %s to %s".formatted(place, priority, time(fromPs), time(untilPs));
    }

    static String time(long ps) {
        return String.format(Locale.ROOT, "%.3f us", ps / PS_PER_US);
    }
}
