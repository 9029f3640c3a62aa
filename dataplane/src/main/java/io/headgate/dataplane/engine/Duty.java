package io.headgate.dataplane.engine;

/**
 * A unit of work of the engine, called again and again by a runner: in real time by a worker's
 * loop, in virtual time by the event queue. One thread at a time calls it.
 */
public interface Duty {

    /** Short and unique within a switch, e.g. {@code p1.ingress}. */
    String name();

    /**
     * Does a bounded burst of the work that is due. A call without work changes no state and makes
     * no random draw.
     *
     * @param nowNs the engine's clock when the cycle began, in ns since its start; never goes back
     * @return how much was done; 0 for nothing
     */
    int doWork(long nowNs);

    /**
     * The time of the next call if no input arrives, in ns; {@link Long#MAX_VALUE} for never, not
     * later than now for "more to do". A field kept up to date, not a search.
     */
    long deadlineNs();

    /**
     * Receives the duration of a call that did some work, from a runner that has a clock.
     *
     * @param durationNs real time, including that of other processes
     * @param isLong whether that is more than the runner's threshold for a stall
     */
    default void took(long durationNs, boolean isLong) {
        // Only the halves of ports have counters for it.
    }

    /**
     * After a call has thrown: the part that failed, if the duty can go on without it; otherwise
     * the duty itself.
     */
    default Duty whatFailed() {
        return this;
    }

    /**
     * Writes the current state into the counters, if the duty does so only before a reading ({@link
     * EngineHost#asksForGauges}).
     */
    default void publish() {
        // Most have it there at the end of each call.
    }
}
