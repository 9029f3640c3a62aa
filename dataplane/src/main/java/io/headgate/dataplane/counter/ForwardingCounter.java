package io.headgate.dataplane.counter;

/** What the owner of the forwarding table counts. */
public enum ForwardingCounter implements CounterId {
    ENTRIES("fdb.entries", "entries", Kind.GAUGE, "addresses in the forwarding table"),
    LEARNED("fdb.learned", "addresses", Kind.TOTAL, "addresses learned"),
    AGED(
            "fdb.aged",
            "addresses",
            Kind.TOTAL,
            "addresses forgotten because no frame came from them"),
    FLUSHED(
            "fdb.flushed",
            "addresses",
            Kind.TOTAL,
            "addresses forgotten because their port went down"),
    MOVED("fdb.moved", "moves", Kind.TOTAL, "addresses that moved to another port"),
    MOVES_REFUSED(
            "fdb.moves.refused",
            "moves",
            Kind.TOTAL,
            "moves refused by the move limit or a static entry"),
    TABLE_FULL(
            "fdb.full", "requests", Kind.TOTAL, "addresses not learned because the table is full"),
    LOCAL_ANSWERED(
            "local.answered",
            "frames",
            Kind.TOTAL,
            "ARP, ND and ping answered for the switch's own address"),
    LOCAL_RECEIVED("local.received", "frames", Kind.TOTAL, "frames that reached the switch itself"),
    LOCAL_CONSUMED(
            "local.consumed",
            "frames",
            Kind.TOTAL,
            "frames that the switch itself took note of, or that were flooded and not for it"),
    LOCAL_FORWARDED(
            "local.forwarded",
            "frames",
            Kind.TOTAL,
            "frames held by the switch itself until their neighbour was known, then forwarded"),
    LOCAL_ORIGINATED(
            "local.originated",
            "frames",
            Kind.TOTAL,
            "frames that the switch itself made: requests, errors, notifications"),
    LOCAL_REFUSED(
            "local.refused",
            "frames",
            Kind.TOTAL,
            "frames that the switch itself did not send because no buffer was free"),
    NOTICES(
            "notices.sent",
            "notices",
            Kind.TOTAL,
            "notices of congestion points that were sent to the sources of frames"),
    NOTICES_UNSENT(
            "notices.unsent",
            "notices",
            Kind.TOTAL,
            "notices whose receiver was not known, or cannot be sent one"),
    NOTICES_LIMITED(
            "notices.limited",
            "notices",
            Kind.TOTAL,
            "notices beyond the tenth of a port's rate that notices may have"),
    ICMP_ERRORS(
            "icmp.errors",
            "messages",
            Kind.TOTAL,
            "ICMP errors sent: time exceeded, unreachable, too big"),
    NEIGHBOURS(
            "neighbour.entries", "entries", Kind.GAUGE, "neighbours of a router, known or asked"),
    NEIGHBOUR_REQUESTS(
            "neighbour.requests", "requests", Kind.TOTAL, "ARP requests and solicitations sent"),
    NEIGHBOURS_LEARNED(
            "neighbour.learned", "neighbours", Kind.TOTAL, "neighbours whose MAC became known"),
    NEIGHBOURS_LOST(
            "neighbour.lost",
            "neighbours",
            Kind.TOTAL,
            "neighbours given up after three requests without an answer"),
    NEIGHBOURS_REFUSED(
            "neighbour.refused",
            "times",
            Kind.TOTAL,
            "new neighbours for which an ingress port had used up its share of table and requests");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    ForwardingCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
