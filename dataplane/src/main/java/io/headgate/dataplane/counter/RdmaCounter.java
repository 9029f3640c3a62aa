package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.total;

/** What the RoCEv2 endpoints of a host count. */
public enum RdmaCounter implements CounterId {
    MESSAGES_SENT(total("messages", "messages sent and acknowledged whole")),
    BYTES_SENT(total("bytes", "their payload")),
    MESSAGES_RECEIVED(total("messages", "messages received whole")),
    BYTES_RECEIVED(total("bytes", "their payload")),
    PACKETS_SENT(total("packets", "packets of messages that were sent")),
    PACKETS_REPEATED(total("packets", "those of them that were sent again")),
    PACKETS_TAKEN(total("packets", "packets of messages that came in order")),
    PACKETS_EARLY(
            total(
                    "packets",
                    "packets that came while one before was missing, and were thrown away")),
    PACKETS_KEPT(
            total(
                    "packets",
                    "packets that came while one before was missing, and were kept (selective"
                            + " repair)")),
    PACKETS_DUPLICATE(total("packets", "packets that had come before")),
    PACKETS_INVALID(total("packets", "packets that no message of that connection has")),
    ACKS_SENT(total("packets", "acknowledgements sent")),
    NAKS_SENT(total("packets", "negative acknowledgements sent")),
    ACKS_RECEIVED(total("packets", "acknowledgements received")),
    NAKS_RECEIVED(total("packets", "negative acknowledgements received")),
    ACKS_IMPOSSIBLE(total("packets", "answers to packets that were never sent: ignored")),
    TELEMETRY_IGNORED(
            total(
                    "packets",
                    "acknowledgements whose telemetry makes no sense to the rate control:"
                            + " ignored")),
    CNPS_SENT(total("packets", "congestion notification packets sent")),
    TIMEOUTS(total("times", "times that nothing was acknowledged for too long")),
    ICRC_WRONG(total("packets", "packets with a wrong ICRC: ignored")),
    QP_UNKNOWN(total("packets", "packets for no queue pair of the sender's: ignored")),
    MALFORMED(total("frames", "RoCEv2 frames that do not hold together: ignored")),
    FOREIGN(total("frames", "frames of other protocols, or for others: ignored")),
    CONNECTIONS_REFUSED(total("requests", "requests that were refused"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    RdmaCounter(CounterText text) {
        this.text = text.named("rdma." + name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
