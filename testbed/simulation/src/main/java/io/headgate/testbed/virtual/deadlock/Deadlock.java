package io.headgate.testbed.virtual.deadlock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A circle of queues that waited for one another while none of them sent anything.
 *
 * @param circle the queues; each waits for the next, and the last for the first
 * @param seenPs when it was first seen
 * @param overPs when it was first seen to be over; {@link #LASTS} if it never was
 */
public record Deadlock(List<StoppedQueue> circle, long seenPs, long overPs) {
    /** It was not over at the last look. */
    public static final long LASTS = Long.MAX_VALUE;

    private static final double PS_PER_US = 1e6;

    public Deadlock {
        circle = List.copyOf(circle);
    }

    /** Whether it was there at the last look. */
    public boolean lasts() {
        return overPs == LASTS;
    }

    /** A sentence with the ports in order and the time at which the deadlock was seen. */
    public String describe() {
        return "deadlock, seen " + when() + ": " + ports();
    }

    /** A sentence for each circle, however often it formed. */
    public static List<String> describe(List<Deadlock> found) {
        Map<Set<StoppedQueue>, List<Deadlock>> byCircle = new LinkedHashMap<>();
        for (Deadlock one : found) {
            byCircle.computeIfAbsent(Set.copyOf(one.circle), _ -> new ArrayList<>()).add(one);
        }
        return byCircle.values().stream().map(Deadlock::ofOneCircle).toList();
    }

    private static String ofOneCircle(List<Deadlock> same) {
        Deadlock first = same.getFirst();
        return same.size() == 1
                ? first.describe()
                : "%d deadlocks, the first seen %s, the last %s: %s"
                        .formatted(same.size(), first.when(), same.getLast().when(), first.ports());
    }

    private String when() {
        String end =
                lasts()
                        ? "to the end"
                        : String.format(Locale.ROOT, "until %.1f us", overPs / PS_PER_US);
        return String.format(Locale.ROOT, "from %.1f us %s", seenPs / PS_PER_US, end);
    }

    private String ports() {
        return circle.stream()
                        .map(StoppedQueue::toString)
                        .collect(Collectors.joining(" waits for "))
                + " waits for "
                + circle.getFirst();
    }
}
