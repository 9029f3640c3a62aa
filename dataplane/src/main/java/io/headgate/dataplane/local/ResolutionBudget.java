package io.headgate.dataplane.local;

import io.headgate.dataplane.forwarding.TokenBucket;

/**
 * Counts each ingress port's use of a router's address resolution, and decides whether it may have
 * more. Without it, packets to unused addresses, or requests from ever new senders, could use up
 * address resolution for all ports (RFC 6583 section 5). An entry is charged to the port of the
 * packet that caused it, until it is removed.
 *
 * <p>Limits depend on the free entries, like the thresholds of a shared buffer: a port may hold a
 * fixed multiple of the free entries. A single port gets most of them, and even if many ports
 * flood, the next one gets some.
 */
final class ResolutionBudget {
    /** Maximum number of neighbours that have never answered, over all ports. */
    static final int MAX_UNANSWERED = 512;

    /** Maximum number of neighbours that one port may have requested per second. */
    static final int REQUESTS_PER_SEC = 1000;

    /** A port may fill four fifths of the table, if the others have none of it. */
    private static final int TABLE_SHARE = 4;

    private final int[] entries;
    private final int[] unanswered;
    private final TokenBucket[] requests;
    private int allUnanswered;

    ResolutionBudget(int ports) {
        entries = new int[ports];
        unanswered = new int[ports];
        requests = new TokenBucket[ports];
        for (int port = 0; port < ports; port++) {
            requests[port] = new TokenBucket(REQUESTS_PER_SEC);
        }
    }

    /**
     * Whether a port may cause another entry.
     *
     * @param free free entries of the table
     */
    boolean mayAdd(int port, int free) {
        return entries[port] < (long) TABLE_SHARE * free;
    }

    /** Whether a port may also request the neighbour's address; if so, it is counted as done. */
    boolean mayAsk(long nowNs, int port) {
        return unanswered[port] < MAX_UNANSWERED - allUnanswered && requests[port].take(nowNs);
    }

    /** Counts a new entry, which has not answered yet. */
    void added(int port) {
        entries[port]++;
        unanswered[port]++;
        allUnanswered++;
    }

    /** Counts the first answer of an entry. */
    void answered(int port) {
        unanswered[port]--;
        allUnanswered--;
    }

    /**
     * Counts a removed entry that had answered; for one that had not, call {@link #answered} first.
     */
    void removed(int port) {
        entries[port]--;
    }
}
