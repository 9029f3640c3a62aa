package io.headgate.hostagent;

import io.headgate.config.HostConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.net.TbfQdisc;
import io.headgate.hostagent.rate.FlowShaper;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds senders back and lets them go: a thread that turns the rates of TAPs' token buckets as the
 * cards ask, and reads what those have dropped. A thread of its own, since the kernel may have it
 * wait. Cards only set a flag and wake it.
 */
final class SenderGovernor implements AutoCloseable {
    private static final long STATISTICS_NS = 100_000_000;
    private static final long STOP_TIMEOUT_MS = 5_000;
    private static final long BURST_NS = 1_000_000;
    private static final int MIN_WIRE_BYTES = 84;

    /** Ethernet header, tag, frame check sequence, preamble and gap. */
    private static final int WIRE_OVERHEAD_BYTES = 18 + 24;

    private final List<Valve> valves = new CopyOnWriteArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("headgate-governor").unstarted(this::run);
    private volatile boolean stopping;

    private interface BucketCall {
        int set(long rateBps, int burstBytes, int leastBytes);
    }

    /** One TAP's token buckets, one for each of its queues. */
    private final class Valve implements Throttle {
        private final HostConfig.Nic nic;
        private final List<TbfQdisc> buckets;
        private final CounterBlock counters;
        private final int frameBytes;
        private final SocketDrops sockets;

        /** What sockets lost before these were looked at. */
        private final long socketsBefore;

        /** What buckets before these have dropped. */
        private final long droppedBefore;

        /** The wanted rate per queue in bits per second; {@link #OPEN}: no limit. */
        private final AtomicLongArray wantedBps;

        private final long[] setBps;
        private volatile long wantedAtNs = System.nanoTime();
        private boolean closed;

        /** What others did to the buckets, not told yet; and what cannot be put back. */
        private String changed = "";

        private String broken = "";

        Valve(
                HostConfig.Nic nic,
                List<TbfQdisc> buckets,
                CounterBlock counters,
                int frameBytes,
                SocketDrops sockets) {
            this.sockets = sockets;
            this.socketsBefore = counters.get(HostCounter.SOCKETS_DROPPED);
            this.nic = nic;
            this.buckets = buckets;
            this.counters = counters;
            this.frameBytes = frameBytes;
            this.droppedBefore = counters.get(HostCounter.BACKLOG_DROPPED);
            this.wantedBps = new AtomicLongArray(buckets.size());
            this.setBps = new long[buckets.size()];
        }

        @Override
        public void throttle(int queue, long atBps) {
            wantedAtNs = System.nanoTime();
            wantedBps.set(queue, atBps);
            LockSupport.unpark(thread);
        }

        /** The governor's thread: brings the rates to what is wanted. */
        synchronized void turn() {
            for (int queue = 0; queue < setBps.length; queue++) {
                long wanted = wantedBps.get(queue);
                if (!closed && wanted != setBps[queue]) {
                    turn(queue, wanted);
                }
            }
        }

        private void turn(int queue, long wanted) {
            TbfQdisc bucket = buckets.get(queue);
            int result = set(bucket::change, queue, wanted);
            counters.raise(HostCounter.RATE_LATENESS_MAX_NS, System.nanoTime() - wantedAtNs);
            if (result == 0) {
                setBps[queue] = wanted;
                counters.add(HostCounter.RATE_CHANGES, 1);
            } else {
                counters.add(HostCounter.RATE_FAILURES, 1);
            }
        }

        private int set(BucketCall call, int queue, long wanted) {
            return wanted == OPEN
                    ? call.set(nic.rateBps(), openBurst(queue), MIN_WIRE_BYTES)
                    : call.set(wanted, 2 * frameBytes, frameBytes);
        }

        /** Puts back the buckets that others have removed or changed. */
        private void restore() {
            int restored = 0;
            int failure = 0;
            for (int queue = 0; queue < setBps.length; queue++) {
                TbfQdisc bucket = buckets.get(queue);
                if (!bucket.isInPlace()) {
                    int result = set(bucket::restore, queue, setBps[queue]);
                    restored += result == 0 ? 1 : 0;
                    failure = Math.min(failure, result);
                }
            }
            if (restored > 0) {
                changed =
                        ("%d of %d token buckets before %s had been removed or changed by another"
                                        + " tool, and are put back; what was sent meanwhile may be lost")
                                .formatted(restored, setBps.length, TapSettings.of(nic).where());
            }
            broken =
                    failure == 0
                            ? ""
                            : ("the token bucket before %s was removed or changed by another tool,"
                                            + " and cannot be put back (%s): what applications send while"
                                            + " the card is full is lost")
                                    .formatted(
                                            TapSettings.of(nic).where(), Errno.describe(failure));
        }

        @Override
        public synchronized String trouble() {
            String now = broken.isEmpty() ? changed : broken;
            changed = "";
            return now;
        }

        /** Every queue but the first has been given a larger burst than an open queue has. */
        synchronized void openAll() {
            for (int queue = 1; queue < setBps.length; queue++) {
                turn(queue, OPEN);
            }
        }

        /**
         * A limited flow's burst is at most half of a long list. A busy host releases frames late,
         * and a flow loses what it was late for beyond the burst: with a burst of two frames, flows
         * with a limit of 100 Mb/s reached 25 Mb/s.
         */
        private int openBurst(int queue) {
            return queue == 0
                    ? SenderGovernor.openBurst(nic)
                    : FlowShaper.LONG_FRAMES / 2 * frameBytes;
        }

        @Override
        public void close() {
            valves.remove(this);
            synchronized (this) {
                look();
                closed = true;
                buckets.forEach(TbfQdisc::close);
                sockets.close();
            }
        }

        synchronized void look() {
            if (closed) {
                return;
            }
            long known = counters.get(HostCounter.SOCKETS_DROPPED) - socketsBefore;
            counters.set(HostCounter.SOCKETS_DROPPED, socketsBefore + sockets.sinceThen(known));
            long backlogBytes = 0;
            long droppedFrames = droppedBefore;
            for (TbfQdisc bucket : buckets) {
                if (bucket.readStatistics() != 0) {
                    return;
                }
                backlogBytes += bucket.backlogBytes();
                droppedFrames += bucket.droppedFrames();
            }
            restore();
            counters.set(HostCounter.BACKLOG_BYTES, backlogBytes);
            counters.set(HostCounter.BACKLOG_DROPPED, droppedFrames);
        }
    }

    void start() {
        thread.start();
    }

    /**
     * Puts a token bucket before each queue of a TAP that is there, until it is closed.
     *
     * @throws DeviceException if the kernel has none, or we may not
     */
    Throttle add(HostConfig.Nic nic, int queues, CounterBlock counters) throws DeviceException {
        String netns = nic.tap().netns();
        String name = nic.tap().interfaceName();
        List<TbfQdisc> buckets =
                TbfQdisc.open(
                        netns,
                        name,
                        queues,
                        nic.throttling().backlogBytes(),
                        nic.rateBps(),
                        openBurst(nic),
                        MIN_WIRE_BYTES);
        Valve valve = new Valve(nic, buckets, counters, frameBytes(nic), SocketDrops.open(netns));
        valve.openAll();
        valves.add(valve);
        return valve;
    }

    private static int frameBytes(HostConfig.Nic nic) {
        return nic.mtuBytes() + WIRE_OVERHEAD_BYTES;
    }

    /** What a millisecond at the line rate brings: the kernel's timers are no better than that. */
    private static int openBurst(HostConfig.Nic nic) {
        long bytes = nic.rateBps() / 8 * BURST_NS / 1_000_000_000;
        return (int) Math.clamp(bytes, 2L * frameBytes(nic), 1 << 24);
    }

    private void run() {
        long nextLookNs = System.nanoTime();
        while (!stopping) {
            valves.forEach(Valve::turn);
            long nowNs = System.nanoTime();
            if (nowNs - nextLookNs >= 0) {
                nextLookNs = nowNs + STATISTICS_NS;
                valves.forEach(Valve::look);
            } else {
                // A permit that was given meanwhile lets this return at once.
                LockSupport.parkNanos(this, nextLookNs - nowNs);
            }
        }
    }

    /** Ends the thread and removes all token buckets. Idempotent. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            thread.join(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        valves.forEach(Valve::close);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
