package io.headgate.dataplane.engine;

/**
 * A piece of the engine that a runner drives: in real time a worker's loop, in virtual time the
 * event queue. One thread at a time calls it.
 */
public interface Duty {

    /** Short and unique within a switch, e.g. {@code p1.ingress}. */
    String name();

    /**
     * Does a bounded burst of what can be done now. A call that finds nothing to do changes
     * nothing: no state, no random draw.
     *
     * @param nowNs the engine's clock when the cycle began, in ns since its start; never goes back
     * @return how much was done; 0 for nothing
     */
    int doWork(long nowNs);

    /**
     * When it must be called again though nothing arrives, in ns; {@link Long#MAX_VALUE} for never,
     * not later than now for "more to do". A field kept up to date, not a search.
     */
    long deadlineNs();

    /**
     * Told by a runner that has a clock how long a call took that did something.
     *
     * @param durationNs real time, what other processes took included
     * @param isLong whether that is more than the runner's threshold for a stall
     */
    default void took(long durationNs, boolean isLong) {
        // Only the halves of ports have counters for it.
    }

    /** After a call has thrown: what of it failed, where it goes on without that; else itself. */
    default Duty whatFailed() {
        return this;
    }

    /**
     * Writes the current state into the counters, if the duty leaves that to the time of a reading
     * ({@link EngineHost#asksForGauges}).
     */
    default void publish() {
        // Most have it there at the end of each call.
    }
}
