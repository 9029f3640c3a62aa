package io.headgate.dataplane.runner;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A recording of the workers' time in an engine: each call of a duty that did some work, the
 * flushes in which devices send collected frames, and sleeps. A duty's interval includes the checks
 * of idle duties before it. Any thread except a worker may use it; the workers never wait for it.
 */
public final class DutyTrace implements AutoCloseable {
    /** Receives an interval. */
    @FunctionalInterface
    public interface Interval {
        /**
         * @param what a duty's name, {@code flush} or {@code sleep}
         * @param startNs time since the recording began
         */
        void took(String what, long startNs, long durationNs);
    }

    private final List<Worker> workers;
    private final List<DutyRing> rings;
    private final LongSupplier nowNs;
    private final long originNs;
    private final long fromNs;
    private long toNs;
    private boolean isOpen = true;

    /**
     * Begins the recording.
     *
     * @param intervals how many of each worker's last intervals are kept; more than one
     * @param nowNs the engine's clock
     * @param originNs the system's monotonic time when the engine's clock was 0
     */
    DutyTrace(List<Worker> workers, int intervals, LongSupplier nowNs, long originNs) {
        this.workers = workers;
        this.rings = Stream.generate(() -> new DutyRing(intervals)).limit(workers.size()).toList();
        this.nowNs = nowNs;
        this.originNs = originNs;
        this.fromNs = nowNs.getAsLong();
        for (int worker = 0; worker < rings.size(); worker++) {
            workers.get(worker).record(rings.get(worker));
        }
    }

    synchronized boolean isOpen() {
        return isOpen;
    }

    /** Ends the recording, which can be read from then on. Idempotent. */
    @Override
    public synchronized void close() {
        if (isOpen) {
            workers.forEach(worker -> worker.record(null));
            toNs = nowNs.getAsLong();
            isOpen = false;
        }
    }

    /**
     * Start time by {@link System#nanoTime}, so that recordings of several engines can be compared.
     */
    public long beganNs() {
        return originNs + fromNs;
    }

    /** Length of the recording, in ns. */
    public synchronized long durationNs() {
        requireClosed();
        return toNs - fromNs;
    }

    public int workers() {
        return rings.size();
    }

    /**
     * Passes on all intervals of a worker, in the order of time; they do not overlap. An interval
     * that had begun before the recording is cut at its beginning; one that continues at its end is
     * left out.
     *
     * @return number of older intervals that were not kept
     */
    public synchronized long forEach(int worker, Interval each) {
        requireClosed();
        DutyRing ring = rings.get(worker);
        long end = ring.end();
        long first = ring.first(end);
        for (long number = first; number < end; number++) {
            long endNs = Math.min(toNs, ring.startNs(number) + ring.durationNs(number));
            long startNs = Math.max(fromNs, ring.startNs(number));
            if (endNs - startNs >= 0) {
                String what = workers.get(worker).nameOf(ring.what(number));
                each.took(what, startNs - fromNs, endNs - startNs);
            }
        }
        return first;
    }

    private void requireClosed() {
        if (isOpen) {
            throw new IllegalStateException("it is being recorded");
        }
    }
}
