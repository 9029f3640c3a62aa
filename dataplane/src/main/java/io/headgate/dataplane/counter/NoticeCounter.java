package io.headgate.dataplane.counter;

/** What a host's card counts of the notices that arrive: each under one of these. */
public enum NoticeCounter implements CounterId {
    OBEYED("notices.obeyed", "notices that a flow's rate control has obeyed"),
    MALFORMED("notices.malformed", "notices that were cut short, or quote no packet"),
    CHECKSUM("notices.checksum", "notices with a wrong checksum"),
    UNKNOWN_FLOW("notices.unknown", "notices about a flow that this host does not control"),
    EXCESS(
            "notices.excess",
            "notices beyond two for a flow, a congestion point and the period of its mechanism"),
    IGNORED(
            "notices.ignored",
            "notices that a flow's rate control ignored, such as of a rate of 0");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    NoticeCounter(String label, String description) {
        this.text = CounterText.total(label, "notices", description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
