package io.headgate.dataplane.service;

import java.lang.foreign.MemorySegment;

/**
 * A running service of a switch. Called by one thread, the worker of the local port: it has no
 * lock, knows no clock except the time that it receives, and does a bounded amount of work per
 * call. It publishes the values that other threads read ({@link
 * io.headgate.dataplane.memory.sync.PublishedWords}).
 *
 * <p>A service that throws is stopped, reported once, and made again after a while.
 */
public interface LocalService {
    /** A deadline that never comes. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Handles a frame that the service listens to. Its memory is reused after the call.
     *
     * @param port ingress port
     * @param frame offset of the frame
     * @param bytes length including its header
     */
    void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes);

    /**
     * Does the work that is due.
     *
     * @return amount of work done; 0 for none
     */
    default int doWork(long nowNs) {
        return 0;
    }

    /** The time of the next call if no frame comes, in ns: a field kept up to date. */
    default long deadlineNs() {
        return NEVER;
    }

    /**
     * Takes over from another service of its kind, because the configuration changed. This is the
     * first call. The other is not called again; if this call throws, both are discarded, and a new
     * one is made after a while.
     */
    default void goOnFrom(LocalService before) {
        // What holds no state has nothing to take over.
    }
}
