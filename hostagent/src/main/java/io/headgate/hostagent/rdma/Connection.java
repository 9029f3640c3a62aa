package io.headgate.hostagent.rdma;

import org.jspecify.annotations.Nullable;

/** A connection in the making, in use or at its end: what its end of it knows. */
final class Connection {
    enum State {
        /** The client asks. */
        REQUESTING,
        /** Both may send. */
        OPEN,
        /** The client says that it is done. */
        ENDING,
        /** Nothing more is to come; what is late is answered. */
        ENDED,
        /** The server does not want it. */
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

    // At a server: what had been heard of the client, and when it was less.
    private long heard = -1;
    private long heardNs;

    // The message that is to be sent next, when, and how often it was.
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

    /** Whether nothing is to come of it any more but what is late. */
    boolean isAtItsEnd() {
        return state == State.ENDED || state == State.REJECTED;
    }

    /** The other end said something. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /**
     * Whether nothing was heard for too long.
     *
     * @param progress a number that has another value whenever something came
     */
    boolean isSilent(long nowNs, long progress, long silenceNs) {
        if (progress != heard) {
            heard = progress;
            heardNs = nowNs;
        }
        return nowNs - heardNs >= silenceNs;
    }

    /** When {@link #isSilent} may become true, in ns. */
    long silentNs(long silenceNs) {
        return heardNs + silenceNs;
    }

    ConnectionMessage.Ids ids() {
        return new ConnectionMessage.Ids(transaction, localId, remoteId);
    }

    /** Has a message sent as soon as can be. */
    void owe(int message) {
        owed = message;
        oweNs = Long.MIN_VALUE;
        tries = 0;
    }

    /** The message to be sent. */
    int owed() {
        return owed;
    }

    /** When, in ns; MAX_VALUE: none is. */
    long oweNs() {
        return oweNs;
    }

    /**
     * The message that was owed has been sent: one that asks is sent again until it is answered.
     */
    void sent(long nowNs) {
        tries++;
        boolean asks = owed == ConnectionMessage.REQUEST || owed == ConnectionMessage.END;
        oweNs = asks ? nowNs + AGAIN_NS : Long.MAX_VALUE;
    }

    /** Nobody answers what was asked again and again. */
    boolean isUnanswered() {
        return owed == ConnectionMessage.END && tries >= MOST_TRIES;
    }

    /** What was asked is answered. */
    void answered() {
        owed = NOTHING;
        oweNs = Long.MAX_VALUE;
    }
}
