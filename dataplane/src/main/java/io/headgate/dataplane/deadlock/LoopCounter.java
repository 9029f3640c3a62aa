package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** What the egress half of a port counts of the search for loops. */
public enum LoopCounter {
    SEARCHED("searched", "tokens", "searches that began here, at a queue that was paused for long"),
    PASSED("passed", "tokens", "tokens that came in elsewhere and went on by this port"),
    SENT("sent", "tokens", "tokens that were sent by this port"),
    FOUND("found", "loops", "searches that came back round a cyclic wait of queues"),
    ENDED("ended", "loops", "loops found here whose wait is over"),
    REFUSED_OPEN(
            "refused.open",
            "tokens",
            "tokens that ended where they came in: the port does not ask its sender to pause"),
    REFUSED_LOWER(
            "refused.lower",
            "tokens",
            "searches that ended here, as this port searches itself and has the higher address"),
    REFUSED_SEEN("refused.seen", "tokens", "tokens that ended here, as they had passed before"),
    REFUSED_FAR("refused.far", "tokens", "tokens that ended here after the most ports they pass"),
    REFUSED_BUSY("refused.busy", "tokens", "tokens that ended here: too many wait to be sent"),
    REFUSED_OFF("refused.off", "tokens", "tokens that ended where they came in: it is off there"),
    UNSENT("unsent", "tokens", "tokens not yet sent by this port when its link went down");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    LoopCounter(String label, String unit, String description) {
        this.text = CounterText.total(label, unit, description);
    }

    /** All of them, as the first of a mechanism's {@code senderCounters}. */
    public static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
