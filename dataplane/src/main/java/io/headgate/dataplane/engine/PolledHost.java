package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.linkcontrol.PresentTime;

/**
 * Host of an engine whose duties one thread calls in every cycle, due or not: doorbells do nothing,
 * and the counters lie in private memory. Without state.
 *
 * @param housekeepingIntervalNs as {@link EngineHost#housekeepingIntervalNs}
 * @param maxCatchUpNs as {@link EngineHost#maxCatchUpNs}
 * @param presentTime as {@link EngineHost#presentTime}
 */
public record PolledHost(long housekeepingIntervalNs, long maxCatchUpNs, PresentTime presentTime)
        implements EngineHost {

    /** A host for time that is set by hand. */
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
