package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** Counters of the search for loops at the egress half of a port. */
public enum LoopCounter {
    SEARCHED("tokens", "searches that began here, at a queue that was paused for a long time"),
    PASSED("tokens", "tokens that arrived at another port and were forwarded by this port"),
    SENT("tokens", "tokens that were sent by this port"),
    FOUND("loops", "searches that returned through a cyclic wait of queues"),
    ENDED("loops", "loops found here whose wait is over"),
    REFUSED_OPEN(
            "tokens",
            "tokens that ended at their ingress port: the port does not pause its sender"),
    REFUSED_LOWER(
            "tokens",
            "searches that ended here because this port searches itself and has the higher"
                    + " address"),
    REFUSED_SEEN("tokens", "tokens that ended here because they had passed before"),
    REFUSED_FAR("tokens", "tokens that ended here after the maximum number of ports"),
    REFUSED_BUSY("tokens", "tokens that ended here: too many wait to be sent"),
    REFUSED_OFF("tokens", "tokens that ended at their ingress port: the mechanism is off there"),
    UNSENT("tokens", "tokens not yet sent by this port when its link went down");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    LoopCounter(String unit, String description) {
        this.text = CounterText.total(unit, description).named(name());
    }

    /**
     * The texts of all these counters, which come first in a mechanism's {@code senderCounters}.
     */
    public static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
