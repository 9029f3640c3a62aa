package io.headgate.hostagent;

/** Turns senders down, or lets them go, by the queue of the TAP that they send into. */
interface Throttle extends AutoCloseable {
    /** {@code atBps} that lets them go. */
    long OPEN = 0;

    /**
     * Called by the receiving side; must not wait.
     *
     * @param atBps to which they are turned down, in bits per second; {@link #OPEN}
     */
    void throttle(int queue, long atBps);

    /**
     * What others have done to what throttles them since this was last asked, or what stays wrong,
     * in a sentence; empty: nothing.
     */
    default String trouble() {
        return "";
    }

    /** Stops holding them back; called by the code that closes the TAP. */
    @Override
    void close();
}
