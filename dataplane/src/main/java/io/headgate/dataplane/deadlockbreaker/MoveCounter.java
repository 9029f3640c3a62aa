package io.headgate.dataplane.deadlockbreaker;

import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** What the egress half of a port counts of moves, behind what it counts of the search. */
enum MoveCounter {
    ROUNDS("rounds", "moves", Kind.TOTAL, "moves that began here"),
    RETURNED("returned", "moves", Kind.TOTAL, "of these, those that came back round the loop"),
    MOVED("moved", "frames", Kind.TOTAL, "frames that a move took out of a paused queue here"),
    UNMOVED(
            "unmoved",
            "moves",
            Kind.TOTAL,
            "moves that passed without a frame: the next switch had no free slot, or none waited"),
    ARRIVED("arrived", "frames", Kind.TOTAL, "frames that were moved to here, and were queued"),
    UNEXPECTED(
            "unexpected",
            "frames",
            Kind.TOTAL,
            "frames that were moved to here for which no slot was free: they count as ordinary"),
    REPORTED("reported", "reports", Kind.TOTAL, "reports of free slots sent to the far end"),
    SLOTS_PEER(
            "slots.peer", "slots", Kind.GAUGE, "slots that the far end has for frames from here"),
    QUEUE_FRAMES("queue.frames", "frames", Kind.GAUGE, "moved frames that wait to leave");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    MoveCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
