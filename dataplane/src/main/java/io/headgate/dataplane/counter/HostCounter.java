package io.headgate.dataplane.counter;

/** Counters of a host agent outside its card: how the applications' senders are held back. */
public enum HostCounter implements CounterId {
    THROTTLED("senders.throttled", "yes", Kind.GAUGE, "1 while senders are held back"),
    THROTTLES("senders.throttles", "times", Kind.TOTAL, "times that senders were held back"),
    THROTTLED_NS("senders.throttled.ns", "ns", Kind.TOTAL, "time that senders were held back"),
    RATE_CHANGES("tap.rate.changes", "changes", Kind.TOTAL, "changes of the TAP's rate"),
    RATE_FAILURES(
            "tap.rate.failures", "changes", Kind.TOTAL, "changes of the TAP's rate that failed"),
    RATE_LATENESS_MAX_NS(
            "tap.rate.lateness.max",
            "ns",
            Kind.MAXIMUM,
            "longest time from the wish to change the rate until the kernel had done so"),
    BACKLOG_BYTES("tap.backlog", "bytes", Kind.GAUGE, "bytes that wait before the TAP"),
    BACKLOG_DROPPED(
            "tap.backlog.dropped",
            "frames",
            Kind.TOTAL,
            "frames that found no room before the TAP: more sockets send than the backlog holds"),
    SOCKETS_DROPPED(
            "sockets.dropped",
            "datagrams",
            Kind.TOTAL,
            "datagrams that came and that a socket of the host's applications had no room for: its"
                    + " reader was late, or its buffer is small (iperf3 -w)"),
    LIMITED_FLOWS("flows.limited", "flows", Kind.GAUGE, "flows whose rates are controlled"),
    LIMITED_WAITING(
            "flows.limited.waiting",
            "frames",
            Kind.GAUGE,
            "frames of such flows that wait until their flow may send again"),
    LIMITED_SHARING(
            "flows.limited.sharing",
            "frames",
            Kind.TOTAL,
            "frames that shared the rate of another flow: more flows sent than the card distinguishes");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    HostCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
