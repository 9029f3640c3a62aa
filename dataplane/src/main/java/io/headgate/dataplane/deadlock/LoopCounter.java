package io.headgate.dataplane.deadlock;

import static io.headgate.dataplane.counter.CounterText.total;

import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** What the egress half of a port counts of the search for loops. */
public enum LoopCounter {
    SEARCHED(total("tokens", "searches that began here, at a queue that was paused for long")),
    PASSED(total("tokens", "tokens that came in elsewhere and went on by this port")),
    SENT(total("tokens", "tokens that were sent by this port")),
    FOUND(total("loops", "searches that came back round a cyclic wait of queues")),
    ENDED(total("loops", "loops found here whose wait is over")),
    REFUSED_OPEN(
            total(
                    "tokens",
                    "tokens that ended where they came in: the port does not ask its sender to"
                            + " pause")),
    REFUSED_LOWER(
            total(
                    "tokens",
                    "searches that ended here, as this port searches itself and has the higher"
                            + " address")),
    REFUSED_SEEN(total("tokens", "tokens that ended here, as they had passed before")),
    REFUSED_FAR(total("tokens", "tokens that ended here after the most ports they pass")),
    REFUSED_BUSY(total("tokens", "tokens that ended here: too many wait to be sent")),
    REFUSED_OFF(total("tokens", "tokens that ended where they came in: it is off there")),
    UNSENT(total("tokens", "tokens not yet sent by this port when its link went down"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    LoopCounter(CounterText text) {
        this.text = text.named(name());
    }

    /** All of them, as the first of a mechanism's {@code senderCounters}. */
    public static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
