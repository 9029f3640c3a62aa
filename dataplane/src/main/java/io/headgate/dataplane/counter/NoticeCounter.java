package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of a host's card for arriving notices; each notice counts in one of them. */
public enum NoticeCounter implements CounterId {
    OBEYED(total("notices", "notifications that a flow's rate control has obeyed")),
    MALFORMED(total("notices", "notifications that were truncated, or quote no packet")),
    CHECKSUM(total("notices", "notices with a wrong checksum")),
    UNKNOWN_FLOW(
            total(
                    "notices.unknown",
                    "notices",
                    "notifications about a flow that this host does not control")),
    EXCESS(
            total(
                    "notices",
                    "notifications beyond two per flow, congestion point and period of its"
                            + " mechanism")),
    IGNORED(
            total(
                    "notices",
                    "notifications that a flow's rate control ignored, such as a rate of 0"));

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
