package io.headgate.dataplane.deadlockbreaker;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.total;

import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** Counters of moves at the egress half of a port, after those of the search. */
enum MoveCounter {
    ROUNDS(total("moves", "moves that began here")),
    RETURNED(total("moves", "moves that returned through the loop")),
    MOVED(total("frames", "frames that a move took out of a paused queue here")),
    UNMOVED(
            total(
                    "moves",
                    "moves that passed without a frame: the next switch had no free slot, or no"
                            + " frame waited")),
    ARRIVED(total("frames", "frames that were moved to this port, and were queued")),
    UNEXPECTED(
            total(
                    "frames",
                    "frames that were moved to this port, but for which no slot was free: they"
                            + " count as ordinary frames")),
    REPORTED(total("reports", "reports of free slots sent to the far end")),
    SLOTS_PEER(gauge("slots", "slots that the far end has for frames from this port")),
    QUEUE_FRAMES(gauge("frames", "moved frames that wait to leave"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    MoveCounter(CounterText text) {
        this.text = text.named(name());
    }

    static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
