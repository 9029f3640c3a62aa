package io.headgate.dataplane.counter;

/** Counters of a host's RoCEv2 endpoints. */
public enum RdmaCounter implements CounterId {
    MESSAGES_SENT("messages", "messages sent and acknowledged whole"),
    BYTES_SENT("bytes", "their payload"),
    MESSAGES_RECEIVED("messages", "messages received whole"),
    BYTES_RECEIVED("bytes", "their payload"),
    PACKETS_SENT("packets", "packets of messages that were sent"),
    PACKETS_REPEATED("packets", "packets of messages that were sent again"),
    PACKETS_TAKEN("packets", "packets of messages that arrived in order"),
    PACKETS_EARLY(
            "packets", "packets that arrived while an earlier one was missing, and were discarded"),
    PACKETS_KEPT(
            "packets",
            "packets that arrived while an earlier one was missing, and were kept (selective"
                    + " repair)"),
    PACKETS_DUPLICATE("packets", "packets that had come before"),
    PACKETS_INVALID("packets", "packets that are not part of a message of their connection"),
    ACKS_SENT("packets", "acknowledgements sent"),
    NAKS_SENT("packets", "negative acknowledgements sent"),
    ACKS_RECEIVED("packets", "acknowledgements received"),
    NAKS_RECEIVED("packets", "negative acknowledgements received"),
    ACKS_IMPOSSIBLE("packets", "answers to packets that were never sent: ignored"),
    TELEMETRY_IGNORED(
            "packets", "acknowledgements whose telemetry the rate control cannot use: ignored"),
    CNPS_SENT("packets", "congestion notification packets sent"),
    TIMEOUTS("times", "time-outs without an acknowledgement"),
    ICRC_WRONG("packets", "packets with a wrong ICRC: ignored"),
    QP_UNKNOWN("packets", "packets for a queue pair that does not belong to the sender: ignored"),
    MALFORMED("frames", "malformed RoCEv2 frames: ignored"),
    FOREIGN("frames", "frames of other protocols, or for others: ignored"),
    CONNECTIONS_REFUSED("requests", "requests that were refused");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    RdmaCounter(String unit, String description) {
        this.text = CounterText.total(unit, description).named("rdma." + name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
