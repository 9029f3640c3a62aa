package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of a host agent outside its card: how the applications' senders are held back. */
public enum HostCounter implements CounterId {
    THROTTLED(gauge("senders.throttled", "yes", "1 while senders are held back")),
    THROTTLES(total("senders.throttles", "times", "times that senders were held back")),
    THROTTLED_NS(total("senders.throttled.ns", "ns", "time that senders were held back")),
    RATE_CHANGES(total("tap.rate.changes", "changes", "changes of the TAP's rate")),
    RATE_FAILURES(total("tap.rate.failures", "changes", "changes of the TAP's rate that failed")),
    RATE_LATENESS_MAX_NS(
            maximum(
                    "tap.rate.lateness.max",
                    "ns",
                    "longest time from a request to change the rate until the kernel changed it")),
    BACKLOG_BYTES(gauge("tap.backlog", "bytes", "bytes that wait in front of the TAP")),
    BACKLOG_DROPPED(
            total(
                    "tap.backlog.dropped",
                    "frames",
                    "frames that found no room in front of the TAP: more sockets send than the"
                            + " backlog can hold")),
    SOCKETS_DROPPED(
            total(
                    "datagrams",
                    "received datagrams for which a socket of the host's applications had no room:"
                            + " the application read too late, or the socket's buffer is too small"
                            + " (iperf3 -w)")),
    LIMITED_FLOWS(gauge("flows.limited", "flows", "flows whose rates are controlled")),
    LIMITED_WAITING(
            gauge(
                    "flows.limited.waiting",
                    "frames",
                    "frames of controlled flows that wait until their flow may send again")),
    LIMITED_SHARING(
            total(
                    "flows.limited.sharing",
                    "frames",
                    "frames that shared the rate of another flow: more flows sent than the card"
                            + " distinguishes"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    HostCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
