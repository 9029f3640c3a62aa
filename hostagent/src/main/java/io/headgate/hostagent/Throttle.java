package io.headgate.hostagent;

/** Limits the rate of senders, or releases them, per queue of the TAP that they send into. */
interface Throttle extends AutoCloseable {
    /** Value of {@code atBps} that releases them. */
    long OPEN = 0;

    /**
     * Called by the receiving side; must not wait.
     *
     * @param atBps the limit, in bits per second; or {@link #OPEN}
     */
    void throttle(int queue, long atBps);

    /**
     * Changes that others have made to the throttle since the last call, or faults that remain, in
     * a sentence; empty: none.
     */
    default String trouble() {
        return "";
    }

    /** Releases the senders; called by the code that closes the TAP. */
    @Override
    void close();
}
