package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;

/**
 * Adds the drops of a device, and of the kernel behind it, to a half's drop counters. A device
 * counts from its opening; the half's counters go on over all its devices.
 */
final class DeviceDrops {
    private static final DropReason[] REASONS = DropReason.values();

    /**
     * Halves read their devices in turn, each in every eighth visit: one read costs as much as a
     * single frame's whole way through a switch, and the next frame may be waiting.
     */
    static final int TURNS = 8;

    /** Totals that the half has its device fill in before {@link #publish}. */
    final DropTotals totals = new DropTotals();

    private final long[] published = new long[DropReason.COUNT];
    private long publishedUnhandled;
    private final long[] publishedOthers;
    private final DropCounters drops;
    private final CounterBlock counters;
    private final CounterId[] others;

    /** Visits so far, plus the half's number, so that halves read in different visits. */
    private int visits;

    /**
     * Drops of a half that has had no device yet.
     *
     * @param half the half's number in its switch
     * @param counters of the half, which has those of {@code others}
     * @param others counters of injected faults (frames corrupted, late, repeated), then of frames
     *     of several segments, and of these segments
     */
    DeviceDrops(DropCounters drops, int half, CounterBlock counters, CounterId... others) {
        this.drops = drops;
        this.counters = counters;
        this.others = others;
        this.publishedOthers = new long[others.length];
        this.visits = half;
    }

    /** Whether to read the device now; called once per visit of the half. */
    boolean isDue() {
        return visits++ % TURNS == 0;
    }

    /**
     * Adds the drops since the last call.
     *
     * @return frames among them that the kernel counts as dropped although they were received
     */
    long publish() {
        for (DropReason reason : REASONS) {
            long total = totals.get(reason);
            long added = total - published[reason.ordinal()];
            if (added != 0) {
                published[reason.ordinal()] = total;
                drops.add(reason, added);
            }
        }
        long unhandled = totals.unhandled() - publishedUnhandled;
        publishedUnhandled += unhandled;
        publish(0, totals.corrupted());
        publish(1, totals.late());
        publish(2, totals.repeated());
        publish(3, totals.wholeFrames());
        publish(4, totals.wholeSegments());
        totals.clear();
        return unhandled;
    }

    private void publish(int index, long total) {
        long added = total - publishedOthers[index];
        if (added != 0) {
            publishedOthers[index] = total;
            counters.add(others[index], added);
        }
    }

    /** Starts over for the next device, which counts from zero. */
    void startAnew() {
        Arrays.fill(published, 0);
        publishedUnhandled = 0;
        Arrays.fill(publishedOthers, 0);
    }
}
