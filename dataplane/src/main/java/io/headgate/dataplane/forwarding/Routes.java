package io.headgate.dataplane.forwarding;

/**
 * The table of routes that is in force: one for all halves of a switch, replaced as a whole. A
 * packet is looked up in the one table that was there when its look-up began.
 */
public final class Routes {
    private volatile RouteTable table;

    public Routes(RouteTable table) {
        this.table = table;
    }

    /** The table now. */
    public RouteTable table() {
        return table;
    }

    /** Any thread: puts another table in its place. */
    public void replace(RouteTable other) {
        table = other;
    }
}
