package io.headgate.dataplane.counter;

/** What the RoCEv2 endpoints of a host count. */
public enum RdmaCounter implements CounterId {
    MESSAGES_SENT("rdma.messages.sent", "messages", "messages sent and acknowledged whole"),
    BYTES_SENT("rdma.bytes.sent", "bytes", "their payload"),
    MESSAGES_RECEIVED("rdma.messages.received", "messages", "messages received whole"),
    BYTES_RECEIVED("rdma.bytes.received", "bytes", "their payload"),
    PACKETS_SENT("rdma.packets.sent", "packets", "packets of messages that were sent"),
    PACKETS_REPEATED("rdma.packets.repeated", "packets", "those of them that were sent again"),
    PACKETS_TAKEN("rdma.packets.taken", "packets", "packets of messages that came in order"),
    PACKETS_EARLY(
            "rdma.packets.early",
            "packets",
            "packets that came while one before was missing, and were thrown away"),
    PACKETS_KEPT(
            "rdma.packets.kept",
            "packets",
            "packets that came while one before was missing, and were kept (selective repair)"),
    PACKETS_DUPLICATE("rdma.packets.duplicate", "packets", "packets that had come before"),
    PACKETS_INVALID(
            "rdma.packets.invalid", "packets", "packets that no message of that connection has"),
    ACKS_SENT("rdma.acks.sent", "packets", "acknowledgements sent"),
    NAKS_SENT("rdma.naks.sent", "packets", "negative acknowledgements sent"),
    ACKS_RECEIVED("rdma.acks.received", "packets", "acknowledgements received"),
    NAKS_RECEIVED("rdma.naks.received", "packets", "negative acknowledgements received"),
    ACKS_IMPOSSIBLE(
            "rdma.acks.impossible", "packets", "answers to packets that were never sent: ignored"),
    TELEMETRY_IGNORED(
            "rdma.telemetry.ignored",
            "packets",
            "acknowledgements whose telemetry makes no sense to the rate control: ignored"),
    CNPS_SENT("rdma.cnps.sent", "packets", "congestion notification packets sent"),
    TIMEOUTS("rdma.timeouts", "times", "times that nothing was acknowledged for too long"),
    ICRC_WRONG("rdma.icrc.wrong", "packets", "packets with a wrong ICRC: ignored"),
    QP_UNKNOWN("rdma.qp.unknown", "packets", "packets for no queue pair of the sender's: ignored"),
    MALFORMED("rdma.malformed", "frames", "RoCEv2 frames that do not hold together: ignored"),
    FOREIGN("rdma.foreign", "frames", "frames of other protocols, or for others: ignored"),
    CONNECTIONS_REFUSED("rdma.connections.refused", "requests", "requests that were refused");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    RdmaCounter(String label, String unit, String description) {
        this.text = CounterText.total(label, unit, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
