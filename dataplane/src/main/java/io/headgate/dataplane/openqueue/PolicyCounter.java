package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/**
 * Counters of each queue of a policy (listing 2.1 of the dissertation, and more), since the policy
 * was loaded.
 */
public enum PolicyCounter {
    MAX("max", "", Kind.MAXIMUM, "most that the queue has held, in what sizes count"),
    CURRENT("current", "", Kind.GAUGE, "what it holds, in what sizes count"),
    TOTAL("total", "packets", Kind.TOTAL, "packets that came for it"),
    DROPPED("dropped", "packets", Kind.TOTAL, "packets of it that were dropped"),
    PUSHED_OUT("pushed-out", "packets", Kind.TOTAL, "of those, what had been admitted before"),
    MARKED("marked", "packets", Kind.TOTAL, "packets that the policy marked"),
    CAME_MARKED(
            "came-marked",
            "packets",
            Kind.TOTAL,
            "packets it would have, that came marked already"),
    INCAPABLE("incapable", "packets", Kind.TOTAL, "packets it would have, whose transport cannot"),
    EVENTS("events", "", Kind.TOTAL, "events that the policy raised (notify)");

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final CounterText text;

    PolicyCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    /** Name and description for the user. */
    public CounterText text() {
        return text;
    }

    /** All of them, in their order. */
    public static List<CounterText> texts() {
        return Arrays.stream(values()).map(PolicyCounter::text).toList();
    }

    long of(QueueState queue, PolicyState state) {
        return switch (this) {
            case MAX -> queue.maxSize;
            case CURRENT -> state.shape.sizeOf(queue.held);
            case TOTAL -> queue.total;
            case DROPPED -> queue.dropped;
            case PUSHED_OUT -> queue.pushedOut;
            case MARKED -> queue.marks[Mark.WRITTEN];
            case CAME_MARKED -> queue.marks[Mark.CAME_MARKED];
            case INCAPABLE -> queue.marks[Mark.INCAPABLE];
            case EVENTS -> queue.events;
        };
    }
}
