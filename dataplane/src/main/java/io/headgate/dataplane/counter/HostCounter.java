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
                    "longest time from the wish to change the rate until the kernel had done so")),
    BACKLOG_BYTES(gauge("tap.backlog", "bytes", "bytes that wait before the TAP")),
    BACKLOG_DROPPED(
            total(
                    "tap.backlog.dropped",
                    "frames",
                    "frames that found no room before the TAP: more sockets send than the backlog"
                            + " holds")),
    SOCKETS_DROPPED(
            total(
                    "datagrams",
                    "datagrams that came and that a socket of the host's applications had no room"
                            + " for: its reader was late, or its buffer is small (iperf3 -w)")),
    LIMITED_FLOWS(gauge("flows.limited", "flows", "flows whose rates are controlled")),
    LIMITED_WAITING(
            gauge(
                    "flows.limited.waiting",
                    "frames",
                    "frames of such flows that wait until their flow may send again")),
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
