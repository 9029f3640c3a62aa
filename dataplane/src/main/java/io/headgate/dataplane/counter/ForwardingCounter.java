package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of the owner of the forwarding table. */
public enum ForwardingCounter implements CounterId {
    ENTRIES(gauge("fdb.entries", "entries", "addresses in the forwarding table")),
    LEARNED("fdb.learned", "addresses", "addresses learned"),
    AGED("fdb.aged", "addresses", "addresses removed because no frame came from them"),
    FLUSHED("fdb.flushed", "addresses", "addresses removed because their port went down"),
    MOVED("fdb.moved", "moves", "addresses that moved to another port"),
    MOVES_REFUSED(
            "fdb.moves.refused", "moves", "moves refused by the move limit or a static entry"),
    TABLE_FULL("fdb.full", "requests", "addresses not learned because the table is full"),
    LOCAL_ANSWERED(total("frames", "ARP, ND and ping answered for the switch's own address")),
    LOCAL_RECEIVED(total("frames", "frames that reached the switch itself")),
    LOCAL_CONSUMED(
            total(
                    "frames",
                    "frames that the switch itself evaluated, or that were flooded and not"
                            + " addressed to it")),
    LOCAL_FORWARDED(
            total(
                    "frames",
                    "frames held by the switch itself until their neighbour was known, then"
                            + " forwarded")),
    LOCAL_ORIGINATED(
            total(
                    "frames",
                    "frames that the switch itself created: requests, errors, notifications")),
    LOCAL_REFUSED(
            total(
                    "frames",
                    "frames that the switch itself did not send because no buffer was free")),
    NOTICES(
            "notices.sent",
            "notices",
            "notifications of congestion points that were sent to the sources of frames"),
    NOTICES_UNSENT(
            total("notices", "notifications whose receiver was not known, or cannot get one")),
    NOTICES_LIMITED(
            total(
                    "notices",
                    "notifications dropped because they exceed a tenth of the port's rate,"
                            + " their limit")),
    ICMP_ERRORS(total("messages", "ICMP errors sent: time exceeded, unreachable, too big")),
    NEIGHBOURS(
            gauge(
                    "neighbour.entries",
                    "entries",
                    "neighbours of a router, resolved or being resolved")),
    NEIGHBOUR_REQUESTS(total("requests", "ARP requests and solicitations sent")),
    NEIGHBOURS_LEARNED("neighbour.learned", "neighbours", "neighbours whose MAC became known"),
    NEIGHBOURS_LOST(
            "neighbour.lost",
            "neighbours",
            "neighbours given up after three requests without an answer"),
    NEIGHBOURS_REFUSED(
            "neighbour.refused",
            "times",
            "new neighbours for which an ingress port had used up its share of table and"
                    + " requests");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    ForwardingCounter(String label, String unit, String description) {
        this(total(label, unit, description));
    }

    ForwardingCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
