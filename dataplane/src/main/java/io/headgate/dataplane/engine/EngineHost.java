package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.queue.WireFormat;

/**
 * The services of a runner for an engine: memory for counters and slots, doorbells, and the
 * properties of its clock.
 */
public interface EngineHost {
    /** {@link #doorbell}'s {@code fromWorker} for threads other than workers. */
    int OUTSIDE = -1;

    /** Gives the directory its memory, once everything is reserved. */
    void bindCounters(CounterDirectory directory);

    /** The doorbell that a worker rings for a duty, on its own or another worker. */
    Doorbell doorbell(int fromWorker, int toWorker, int duty);

    /**
     * Interval at which devices are asked for link state, in ns, and every eighth time for kernel
     * drops; 0: never.
     */
    long housekeepingIntervalNs();

    /** The present time, for events that are not timed by the call of their duty. */
    PresentTime presentTime();

    /** Maximum lateness that a pacer makes up while backlogged, in ns. */
    long maxCatchUpNs();

    /**
     * Whether all devices ring the egress half's doorbell when they have room again or are done
     * with a frame. Otherwise the half polls them.
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
     * Called when a service of the switch has failed and will be restarted. By default, without a
     * listener, the run ends, as with any duty that fails.
     */
    default void serviceFailed(String service, Throwable failure) {
        throw new IllegalStateException("service " + service + " failed", failure);
    }

    default SlotMemory slotMemory() {
        return SlotMemory.RESIDENT;
    }

    /**
     * Whether frame objects are created when first needed, not all at the start: most slots of a
     * large network are never used.
     */
    default boolean makesFramesLate() {
        return false;
    }

    /** The wire format behind a port, for its pacer. */
    default WireFormat wireFormat(int port) {
        return WireFormat.ETHERNET;
    }
}
