package io.headgate.dataplane.forwarding;

/**
 * Holds the current routing table of a switch, for all its halves; it is replaced as a whole. A
 * packet is looked up in the table that was current when its look-up began.
 */
public final class Routes {
    private volatile RouteTable table;

    public Routes(RouteTable table) {
        this.table = table;
    }

    /** The current table. */
    public RouteTable table() {
        return table;
    }

    /** Any thread: replaces the table. */
    public void replace(RouteTable other) {
        table = other;
    }
}
