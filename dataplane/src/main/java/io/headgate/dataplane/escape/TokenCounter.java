package io.headgate.dataplane.escape;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.total;

import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** Counters of Escape at the egress half of a port. */
enum TokenCounter {
    MADE("tokens", "tokens that began here, for flows that leave by this port"),
    PASSED("tokens", "tokens that arrived here and were forwarded to the sender"),
    SENT("tokens", "tokens that were sent by this port"),
    ESCAPED(
            "frames",
            "frames that tokens took out of their queue, to leave by this port immediately"),
    ARRIVED("frames", "frames that escaped to this port, and were queued like other frames"),
    THROUGH("frames", "frames that escaped through this port, to a switch behind it"),
    EXCHANGED("frames", "escaping frames that an older frame of their flow replaced"),
    UNEXPECTED(
            "frames",
            "frames that escaped to this port although no token of this port was in transit"),
    DROPPED("frames", "frames that escaped to this port for a token, and were dropped on arrival"),
    RECLAIMED("tokens", "unused tokens that were taken back"),
    REFUSED_UNKNOWN(
            "tokens",
            "tokens that ended here: no frame of the flow waits, and its ingress is not"
                    + " known"),
    REFUSED_OPEN(
            "tokens",
            "tokens that ended here: no frame of the flow waits, and its sender is not paused, or"
                    + " is further away than a token can go"),
    REFUSED_POOL("tokens", "tokens that ended here: all are in transit"),
    REFUSED_BUSY(
            "tokens",
            "tokens that ended here: too many wait to be sent by the other port, or it is"
                    + " down"),
    REFUSED_OFF("tokens", "tokens that ended here: Escape is off"),
    REFUSED_DOWN("tokens", "tokens that ended here: the link went down before they were processed"),
    UNSENT("tokens", "tokens not yet sent by this port when its link went down"),
    POOL_OWN(gauge("tokens", "tokens left for frames that are queued at this port")),
    POOL_THROUGH(gauge("tokens", "tokens left for frames that pass through")),
    QUEUE_FRAMES(gauge("frames", "escaping frames that wait to leave"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    TokenCounter(String unit, String description) {
        this(total(unit, description));
    }

    TokenCounter(CounterText text) {
        this.text = text.named(name());
    }

    static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
