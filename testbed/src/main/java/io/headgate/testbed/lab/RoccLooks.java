package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.queue.WireFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at a switch every hundredth of a second, on a thread of its own: at the queue and the fair
 * rate of one port, and at what comes in by others. Afterwards it knows how that was over time,
 * from when traffic began.
 */
final class RoccLooks implements AutoCloseable {
    private static final long INTERVAL_NS = 10_000_000;

    /** Looks between which rates are taken. */
    private static final int RATE_OF = 10;

    private static final double BEGUN_SHARE = 0.5;

    /** One look; bytes are those of the wire since the start. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Look(long takenNs, double fairBps, long queueBytes, long[] wireBytes) {}

    private final RunningSwitch running;
    private final String port;
    private final List<String> senders;
    private final String rateLabel;
    private final List<Look> looks = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * @param port the congested one
     * @param senders ports of those who send there
     * @param rateLabel the fair rate's counter; empty if there is none
     */
    RoccLooks(RunningSwitch running, String port, List<String> senders, String rateLabel) {
        this.running = running;
        this.port = port;
        this.senders = List.copyOf(senders);
        this.rateLabel = rateLabel;
        this.thread = Thread.ofPlatform().daemon().name("headgate-lab-rocc").start(this::run);
    }

    private void run() {
        while (!stopping) {
            Look look = look();
            synchronized (looks) {
                looks.add(look);
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private Look look() {
        CounterSnapshot now = running.counters();
        long[] wire = new long[senders.size()];
        for (int i = 0; i < wire.length; i++) {
            String sender = senders.get(i);
            wire[i] =
                    now.value(Scope.INGRESS, sender, IngressCounter.BYTES_RECEIVED)
                            + WireFormat.ETHERNET.overheadBytes()
                                    * now.value(
                                            Scope.INGRESS, sender, IngressCounter.FRAMES_RECEIVED);
        }
        return new Look(
                now.takenNs(),
                rateLabel.isEmpty() ? 0 : now.value(Scope.EGRESS, port, rateLabel) * 1e3,
                now.value(Scope.EGRESS, port, EgressCounter.QUEUE_BYTES),
                wire);
    }

    /** Ends looking. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * How it was, once {@link #close} has been called.
     *
     * @param seconds from when the senders together first filled half of the line
     * @param fairMbps of all looks
     * @param queueKb likewise
     * @param senderMbps of each sender, on the wire
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record History(
            double[] seconds, double[] fairMbps, double[] queueKb, List<double[]> senderMbps) {
        /** The mean of values between two times. */
        double mean(double[] values, double fromSeconds, double toSeconds) {
            double sum = 0;
            int count = 0;
            for (int i = 0; i < values.length; i++) {
                if (seconds[i] >= fromSeconds && seconds[i] < toSeconds) {
                    sum += values[i];
                    count++;
                }
            }
            return count == 0 ? Double.NaN : sum / count;
        }
    }

    /**
     * What was seen.
     *
     * @param lineBps of the congested port
     */
    History history(double lineBps) {
        List<Look> all;
        synchronized (looks) {
            all = List.copyOf(looks);
        }
        int count = Math.max(0, all.size() - RATE_OF);
        List<double[]> mbps = new ArrayList<>();
        for (int sender = 0; sender < senders.size(); sender++) {
            mbps.add(new double[count]);
        }
        long beginNs = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            Look before = all.get(i);
            Look now = all.get(i + RATE_OF);
            double sum = 0;
            for (int sender = 0; sender < mbps.size(); sender++) {
                long bytes = now.wireBytes[sender] - before.wireBytes[sender];
                mbps.get(sender)[i] = bytes * 8e3 / (now.takenNs - before.takenNs);
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
                mbps.stream().map(values -> Arrays.copyOf(values, count)).toList());
    }
}
