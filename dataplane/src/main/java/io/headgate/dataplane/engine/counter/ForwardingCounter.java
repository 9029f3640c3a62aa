package io.headgate.dataplane.engine.counter;

/** What the owner of the forwarding table counts. */
public enum ForwardingCounter implements CounterId {
    ENTRIES("fdb.entries", "entries", Kind.GAUGE, "addresses in the forwarding table"),
    LEARNED("fdb.learned", "addresses", Kind.TOTAL, "addresses learned"),
    AGED("fdb.aged", "addresses", Kind.TOTAL, "addresses forgotten for want of frames"),
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
            "ARP, ND and ping answered for the switch's own address");

    private final String label;
    private final String unit;
    private final Kind kind;
    private final String description;

    ForwardingCounter(String label, String unit, Kind kind, String description) {
        this.label = label;
        this.unit = unit;
        this.kind = kind;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String unit() {
        return unit;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public String description() {
        return description;
    }
}
