package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of a host's card for arriving notices; each notice counts in one of them. */
public enum NoticeCounter implements CounterId {
    OBEYED(total("notices", "notices that a flow's rate control has obeyed")),
    MALFORMED(total("notices", "notices that were cut short, or quote no packet")),
    CHECKSUM(total("notices", "notices with a wrong checksum")),
    UNKNOWN_FLOW(
            total(
                    "notices.unknown",
                    "notices",
                    "notices about a flow that this host does not control")),
    EXCESS(
            total(
                    "notices",
                    "notices beyond two for a flow, a congestion point and the period of its"
                            + " mechanism")),
    IGNORED(total("notices", "notices that a flow's rate control ignored, such as of a rate of 0"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    NoticeCounter(CounterText text) {
        this.text = text.named("notices." + name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
