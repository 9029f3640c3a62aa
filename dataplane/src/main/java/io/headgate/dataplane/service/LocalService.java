package io.headgate.dataplane.service;

import java.lang.foreign.MemorySegment;

/**
 * A service of a switch, at work. Called by one thread, the worker of the local port: it has no
 * lock, knows no clock but the time that it is given, and does a bounded piece of work a call. What
 * others read of it, it publishes ({@link io.headgate.dataplane.memory.sync.PublishedWords}).
 *
 * <p>One that throws is stopped, reported once, and made again a while later.
 */
public interface LocalService {
    /** Makes nothing due. */
    long NEVER = Long.MAX_VALUE;

    /**
     * A frame came that it listens to. The memory is another frame's after the call.
     *
     * @param port by which it came in
     * @param frame where it begins
     * @param bytes of it, its header included
     */
    void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes);

    /**
     * Does what is due.
     *
     * @return how much was done; 0 for nothing
     */
    default int doWork(long nowNs) {
        return 0;
    }

    /** When something is due though nothing comes, in ns: a field kept up to date. */
    default long deadlineNs() {
        return NEVER;
    }

    /**
     * Takes the place of another of its kind, because the configuration changed, before anything
     * else is called. That one is not called again; if this throws, both are let go, and one is
     * made a while later.
     */
    default void goOnFrom(LocalService before) {
        // What holds no state has nothing to take over.
    }
}
