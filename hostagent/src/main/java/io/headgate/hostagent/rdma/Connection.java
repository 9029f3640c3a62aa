package io.headgate.hostagent.rdma;

import org.jspecify.annotations.Nullable;

/** The state of a connection at one end: being made, in use or ended. */
final class Connection {
    enum State {
        /** The client has asked for the connection. */
        REQUESTING,
        /** Both may send. */
        OPEN,
        /** The client has reported that it is done. */
        ENDING,
        /** The connection is over: only late messages are still answered. */
        ENDED,
        /** The server has refused the connection. */
        REJECTED
    }

    static final int NOTHING = 0;
    static final int MOST_TRIES = 8;
    private static final long AGAIN_NS = 250_000_000;

    final long transaction;
    final int localId;
    final Path path;
    final QueuePair.Peer own;
    final PerfRun run;

    State state;
    int remoteId;
    @Nullable QueuePair pair;

    // At a server: the client's progress when last looked at, and when it last changed.
    private long heard = -1;
    private long heardNs;

    // The message to send next, when, and how many times it was sent.
    private int owed = NOTHING;
    private long oweNs = Long.MAX_VALUE;
    private int tries;

    Connection(
            State state,
            long transaction,
            int localId,
            int remoteId,
            Path path,
            QueuePair.Peer own,
            PerfRun run) {
        this.state = state;
        this.transaction = transaction;
        this.localId = localId;
        this.remoteId = remoteId;
        this.path = path;
        this.own = own;
        this.run = run;
    }

    /** Whether it is over: only late messages can still arrive. */
    boolean isAtItsEnd() {
        return state == State.ENDED || state == State.REJECTED;
    }

    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /**
     * Whether nothing was received for too long.
     *
     * @param progress a number that changes whenever something is received
     */
    boolean isSilent(long nowNs, long progress, long silenceNs) {
        if (progress != heard) {
            heard = progress;
            heardNs = nowNs;
        }
        return nowNs - heardNs >= silenceNs;
    }

    /** The time when {@link #isSilent} may become true, in ns. */
    long silentNs(long silenceNs) {
        return heardNs + silenceNs;
    }

    ConnectionMessage.Ids ids() {
        return new ConnectionMessage.Ids(transaction, localId, remoteId);
    }

    /** Requests that a message is sent as soon as possible. */
    void owe(int message) {
        owed = message;
        oweNs = Long.MIN_VALUE;
        tries = 0;
    }

    int owed() {
        return owed;
    }

    /** The time at which the message is due, in ns; MAX_VALUE: none is. */
    long oweNs() {
        return oweNs;
    }

    /** The owed message has been sent; a request is repeated until it is answered. */
    void sent(long nowNs) {
        tries++;
        boolean asks = owed == ConnectionMessage.REQUEST || owed == ConnectionMessage.END;
        oweNs = asks ? nowNs + AGAIN_NS : Long.MAX_VALUE;
    }

    /** Whether the peer left the message that ends the connection unanswered after all tries. */
    boolean isUnanswered() {
        return owed == ConnectionMessage.END && tries >= MOST_TRIES;
    }

    /** The request has been answered. */
    void answered() {
        owed = NOTHING;
        oweNs = Long.MAX_VALUE;
    }
}
