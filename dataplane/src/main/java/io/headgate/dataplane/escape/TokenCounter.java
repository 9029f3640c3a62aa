package io.headgate.dataplane.escape;

import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterText;
import java.util.Arrays;
import java.util.List;

/** What the egress half of a port counts of Escape. */
enum TokenCounter {
    MADE("made", "tokens", Kind.TOTAL, "tokens that began here, for flows that leave by this port"),
    PASSED("passed", "tokens", Kind.TOTAL, "tokens that came in here and went on to the sender"),
    SENT("sent", "tokens", Kind.TOTAL, "tokens that were sent by this port"),
    ESCAPED(
            "escaped",
            "frames",
            Kind.TOTAL,
            "frames that tokens took out of their queue, to leave by this port at once"),
    ARRIVED(
            "arrived",
            "frames",
            Kind.TOTAL,
            "frames that escaped to here, and were queued as any others"),
    THROUGH(
            "through",
            "frames",
            Kind.TOTAL,
            "frames that escaped through this port, to a switch behind it"),
    EXCHANGED(
            "exchanged",
            "frames",
            Kind.TOTAL,
            "such frames that an older one of their flow went in place of"),
    UNEXPECTED(
            "unexpected",
            "frames",
            Kind.TOTAL,
            "frames that escaped to here though no token of this port was under way"),
    DROPPED(
            "dropped",
            "frames",
            Kind.TOTAL,
            "frames that escaped to here for a token, and were dropped as they came"),
    RECLAIMED("reclaimed", "tokens", Kind.TOTAL, "tokens that nothing came of, taken back"),
    REFUSED_UNKNOWN(
            "refused.unknown",
            "tokens",
            Kind.TOTAL,
            "tokens that ended here: no frame of the flow waits, and its ingress is not known"),
    REFUSED_OPEN(
            "refused.open",
            "tokens",
            Kind.TOTAL,
            "tokens that ended here: no frame of the flow waits, and its sender is not paused,"
                    + " or further away than a token goes"),
    REFUSED_POOL("refused.pool", "tokens", Kind.TOTAL, "tokens that ended here: all are under way"),
    REFUSED_BUSY(
            "refused.busy",
            "tokens",
            Kind.TOTAL,
            "tokens that ended here: too many wait to be sent by the other port, or it is down"),
    REFUSED_OFF("refused.off", "tokens", Kind.TOTAL, "tokens that ended here: Escape is off"),
    REFUSED_DOWN(
            "refused.down",
            "tokens",
            Kind.TOTAL,
            "tokens that ended here: the link went down before they were looked at"),
    UNSENT(
            "unsent",
            "tokens",
            Kind.TOTAL,
            "tokens not yet sent by this port when its link went down"),
    POOL_OWN("pool.own", "tokens", Kind.GAUGE, "tokens left for frames that stay here"),
    POOL_THROUGH("pool.through", "tokens", Kind.GAUGE, "tokens left for frames that pass"),
    QUEUE_FRAMES("queue.frames", "frames", Kind.GAUGE, "escaping frames that wait to leave");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    TokenCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    static List<CounterText> texts() {
        return Arrays.stream(values()).map(counter -> counter.text).toList();
    }
}
