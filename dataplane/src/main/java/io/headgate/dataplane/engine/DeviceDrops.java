package io.headgate.dataplane.engine;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.memory.DropReason;
import java.util.Arrays;

/**
 * Adds what a device and the kernel behind it have dropped to a half's own drops. Devices count
 * from their opening, the half over all its devices.
 */
final class DeviceDrops {
    private static final DropReason[] REASONS = DropReason.values();

    /**
     * Halves ask in turn, each at every eighth of its visits: a question costs as much as a lone
     * frame's whole way through a switch, and the next frame may be waiting.
     */
    static final int TURNS = 8;

    /** What the half asks its device to fill in before {@link #publish}. */
    final DropTotals totals = new DropTotals();

    private final long[] published = new long[DropReason.COUNT];
    private long publishedUnhandled;
    private final long[] publishedOthers;
    private final DropCounters drops;
    private final CounterBlock counters;
    private final CounterId[] others;

    /** Visits, less those that a half of this number lets others have first. */
    private int visits;

    /**
     * Nothing was dropped yet.
     *
     * @param half the half's number in its switch
     * @param counters of the half, which has those of {@code others}
     * @param others for what faults did: frames corrupted, late and repeated; then frames of
     *     several segments, and these segments
     */
    DeviceDrops(DropCounters drops, int half, CounterBlock counters, CounterId... others) {
        this.drops = drops;
        this.counters = counters;
        this.others = others;
        this.publishedOthers = new long[others.length];
        this.visits = half;
    }

    /** To be asked once at each of the half's visits: whether to ask the device now. */
    boolean isDue() {
        return visits++ % TURNS == 0;
    }

    /**
     * Adds what is new.
     *
     * @return of it, frames that the kernel counts as dropped, and that were received all the same
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
        counters.add(others[index], total - publishedOthers[index]);
        publishedOthers[index] = total;
    }

    /** The next device counts from zero. */
    void startAnew() {
        Arrays.fill(published, 0);
        publishedUnhandled = 0;
        Arrays.fill(publishedOthers, 0);
    }
}
