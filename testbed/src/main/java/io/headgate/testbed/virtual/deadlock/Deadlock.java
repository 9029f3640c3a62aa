package io.headgate.testbed.virtual.deadlock;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A circle of queues that waited for one another while none of them sent anything.
 *
 * @param circle each waits for the next, and the last for the first
 * @param seenPs when it was first seen
 * @param overPs when it was first seen to be over; {@link #LASTS} if it never was
 */
public record Deadlock(List<StoppedQueue> circle, long seenPs, long overPs) {
    /** Not over when last looked at. */
    public static final long LASTS = Long.MAX_VALUE;

    private static final double PS_PER_US = 1e6;

    public Deadlock {
        circle = List.copyOf(circle);
    }

    /** Whether it was there when last looked at. */
    public boolean lasts() {
        return overPs == LASTS;
    }

    /** The ports in order and the time at which the deadlock was seen: a sentence. */
    public String describe() {
        String ports =
                circle.stream()
                        .map(StoppedQueue::toString)
                        .collect(Collectors.joining(" waits for "));
        String end =
                lasts()
                        ? "to the end"
                        : String.format(Locale.ROOT, "until %.1f us", overPs / PS_PER_US);
        return String.format(
                Locale.ROOT,
                "deadlock, seen from %.1f us %s: %s waits for %s",
                seenPs / PS_PER_US,
                end,
                ports,
                circle.getFirst());
    }
}
