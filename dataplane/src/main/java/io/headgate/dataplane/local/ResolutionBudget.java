package io.headgate.dataplane.local;

import io.headgate.dataplane.forwarding.TokenBucket;

/**
 * Counts each ingress port's use of a router's address resolution, and decides whether it may have
 * more. Packets to unused addresses, or requests from ever new senders, would otherwise use it up
 * for all ports (RFC 6583 section 5). An entry is charged to the port of the packet that caused it,
 * until it is removed.
 *
 * <p>Limits follow from what is left, like the thresholds of a shared buffer: a port may hold a
 * fixed multiple of what is free. A single port gets most of it, and however many ports flood, the
 * next one gets some.
 */
final class ResolutionBudget {
    /** Most neighbours that have never answered, over all ports. */
    static final int MAX_UNANSWERED = 512;

    /** Neighbours that one port may have asked for in a second. */
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
     * @param free entries that the table has left
     */
    boolean mayAdd(int port, int free) {
        return entries[port] < (long) TABLE_SHARE * free;
    }

    /** Whether a port may also have it asked for, which counts as done. */
    boolean mayAsk(long nowNs, int port) {
        return unanswered[port] < MAX_UNANSWERED - allUnanswered && requests[port].take(nowNs);
    }

    /** An entry was made, which has not answered yet. */
    void added(int port) {
        entries[port]++;
        unanswered[port]++;
        allUnanswered++;
    }

    /** One that had not answered has. */
    void answered(int port) {
        unanswered[port]--;
        allUnanswered--;
    }

    /** An entry was removed that had answered; one that had not is {@link #answered} first. */
    void removed(int port) {
        entries[port]--;
    }
}
