package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.queue.WireFormat;

/**
 * What a runner gives an engine: memory for its counters and slots, doorbells, and how its time
 * behaves.
 */
public interface EngineHost {
    /** {@link #doorbell}'s {@code fromWorker} for threads other than workers. */
    int OUTSIDE = -1;

    /** Gives the directory its memory, once everything is reserved. */
    void bindCounters(CounterDirectory directory);

    /** The doorbell that a worker rings for a duty on another worker or its own. */
    Doorbell doorbell(int fromWorker, int toWorker, int duty);

    /**
     * How often devices are asked for link state, in ns, and every eighth time for kernel drops; 0:
     * never.
     */
    long housekeepingIntervalNs();

    /** The present, for what is not timed by when its duty was called. */
    PresentTime presentTime();

    /** Most lateness that a pacer makes up while backlogged, in ns. */
    long maxCatchUpNs();

    /**
     * Whether all devices ring the egress half's doorbell when they have room again or are done
     * with a frame. Otherwise they are looked at again after a while.
     */
    default boolean devicesRing() {
        return false;
    }

    /**
     * Whether readers ask duties to {@link Duty#publish publish} their state before they read it,
     * so that duties need not do so at the end of each call.
     */
    default boolean asksForGauges() {
        return false;
    }

    /**
     * A service of the switch failed, and will be made again. By default, without a listener, the
     * run ends, as with any duty that fails.
     */
    default void serviceFailed(String service, Throwable failure) {
        throw new IllegalStateException("service " + service + " failed", failure);
    }

    default SlotMemory slotMemory() {
        return SlotMemory.RESIDENT;
    }

    /**
     * Whether the objects of frames are made when they are first needed, not all at the start: most
     * slots of a large network are never used.
     */
    default boolean makesFramesLate() {
        return false;
    }

    /** What frames occupy on the wire behind a port, for its pacer. */
    default WireFormat wireFormat(int port) {
        return WireFormat.ETHERNET;
    }
}
