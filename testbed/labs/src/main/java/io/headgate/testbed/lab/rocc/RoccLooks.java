package io.headgate.testbed.lab.rocc;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.lab.series.Sampler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a switch every hundredth of a second, on a thread of its own: at the queue and the fair
 * rate of one port, and at what comes in by others but for the frames of flow control. Afterwards
 * it knows how that was over time, from when traffic began. It reads those few counters and makes
 * next to no garbage: a collection would stop the workers that it looks at.
 */
public final class RoccLooks implements AutoCloseable {
    private static final long INTERVAL_NS = 10_000_000;

    private static final double BEGUN_SHARE = 0.1;

    /** One look; bytes are those of the wire since the start. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Look(long takenNs, double fairBps, long queueBytes, long[] wireBytes) {}

    private final CounterDirectory counters;
    private final @Nullable Entry rate;
    private final Entry queue;
    private final List<Entry> bytes;
    private final List<Entry> frames;
    private final List<Entry> linkControl;
    private final List<Look> looks = new ArrayList<>();
    private final Sampler sampler;

    /**
     * @param counters of the switch
     * @param port the congested one
     * @param senders ports of those who send there
     * @param rateLabel the fair rate's counter; empty if it has no counter
     */
    public RoccLooks(
            CounterDirectory counters, String port, List<String> senders, String rateLabel) {
        this.counters = counters;
        List<Entry> entries = counters.entries();
        this.rate =
                rateLabel.isEmpty()
                        ? null
                        : CounterLookup.find(entries, Scope.EGRESS, port, rateLabel);
        this.queue =
                CounterLookup.find(entries, Scope.EGRESS, port, EgressCounter.QUEUE_BYTES.label());
        this.bytes = received(entries, senders, IngressCounter.BYTES_RECEIVED);
        this.frames = received(entries, senders, IngressCounter.FRAMES_RECEIVED);
        this.linkControl = received(entries, senders, IngressCounter.LINK_CONTROL_RECEIVED);
        this.sampler = new Sampler("rocc", INTERVAL_NS, this::look);
    }

    private static List<Entry> received(
            List<Entry> entries, List<String> senders, IngressCounter what) {
        return senders.stream()
                .map(sender -> CounterLookup.find(entries, Scope.INGRESS, sender, what.label()))
                .toList();
    }

    private void look() {
        long takenNs = System.nanoTime();
        long[] wire = new long[bytes.size()];
        for (int i = 0; i < wire.length; i++) {
            // The shortest frames, however many priorities they are about.
            wire[i] =
                    counters.value(bytes.get(i))
                            + WireFormat.ETHERNET.overheadBytes() * counters.value(frames.get(i))
                            - WireFormat.ETHERNET.wireBytes(0) * counters.value(linkControl.get(i));
        }
        Entry told = rate;
        double fairBps = told == null ? 0 : counters.value(told) * 1e3;
        Look look = new Look(takenNs, fairBps, counters.value(queue), wire);
        synchronized (looks) {
            looks.add(look);
        }
    }

    /** Ends looking. */
    @Override
    public void close() {
        sampler.close();
    }

    /**
     * What was seen, once {@link #close} has been called.
     *
     * @param lineBps of the congested port
     */
    public History history(double lineBps) {
        List<Look> all;
        synchronized (looks) {
            all = List.copyOf(looks);
        }
        int count = Math.max(0, all.size() - History.RATE_OF);
        List<double[]> mbps = new ArrayList<>();
        for (int sender = 0; sender < bytes.size(); sender++) {
            mbps.add(new double[count]);
        }
        long beginNs = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            Look before = all.get(i);
            Look now = all.get(i + History.RATE_OF);
            double sum = 0;
            for (int sender = 0; sender < mbps.size(); sender++) {
                long came = now.wireBytes[sender] - before.wireBytes[sender];
                mbps.get(sender)[i] = came * 8e3 / (now.takenNs - before.takenNs);
                sum += mbps.get(sender)[i] * 1e6;
            }
            if (beginNs == Long.MAX_VALUE && sum >= BEGUN_SHARE * lineBps) {
                beginNs = now.takenNs;
            }
        }
        long originNs = beginNs;
        List<Look> shown = all.subList(all.size() - count, all.size());
        return new History(
                shown.stream().mapToDouble(look -> (look.takenNs - originNs) / 1e9).toArray(),
                shown.stream().mapToDouble(look -> look.fairBps / 1e6).toArray(),
                shown.stream().mapToDouble(look -> look.queueBytes / 1e3).toArray(),
                mbps);
    }
}
