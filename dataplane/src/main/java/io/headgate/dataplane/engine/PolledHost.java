package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.linkcontrol.PresentTime;

/**
 * Runs an engine whose duties one thread calls in every cycle, due or not: doorbells need no ring,
 * and its counters are in memory of its own. Without state.
 *
 * @param housekeepingIntervalNs as {@link EngineHost#housekeepingIntervalNs}
 * @param maxCatchUpNs as {@link EngineHost#maxCatchUpNs}
 * @param presentTime as {@link EngineHost#presentTime}
 */
public record PolledHost(long housekeepingIntervalNs, long maxCatchUpNs, PresentTime presentTime)
        implements EngineHost {

    /** For time that is set by hand. */
    public PolledHost(long housekeepingIntervalNs, long maxCatchUpNs) {
        this(housekeepingIntervalNs, maxCatchUpNs, PresentTime.OF_THE_CALL);
    }

    @Override
    public void bindCounters(CounterDirectory directory) {
        directory.bindPrivately();
    }

    @Override
    public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
        return inputs -> {};
    }
}
