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
 * The thread that holds senders back and releases them: it sets the rates of TAPs' token buckets as
 * the cards ask, and reads the buckets' drop counters. It is a separate thread because the kernel
 * may make it wait; cards only set a flag and wake it.
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

    /** The token buckets of one TAP, one for each of its queues. */
    private final class Valve implements Throttle {
        private final HostConfig.Nic nic;
        private final List<TbfQdisc> buckets;
        private final CounterBlock counters;
        private final int frameBytes;
        private final SocketDrops sockets;

        /** Frames that sockets had lost before the counting of these began. */
        private final long socketsBefore;

        /** Frames that earlier buckets had dropped. */
        private final long droppedBefore;

        /** The wanted rate per queue in bits per second; {@link #OPEN}: no limit. */
        private final AtomicLongArray wantedBps;

        private final long[] setBps;
        private volatile long wantedAtNs = System.nanoTime();
        private boolean closed;

        /**
         * Changes that others made to the buckets and that were not reported yet, and changes that
         * cannot be undone.
         */
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

        /** Sets the wanted rates. Called by the governor's thread. */
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

        /** Restores the buckets that others have removed or changed. */
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
                        ("another tool removed or changed %d of %d token buckets in front of %s;"
                                        + " they are restored; frames that were sent meanwhile may"
                                        + " be lost")
                                .formatted(restored, setBps.length, TapSettings.of(nic).where());
            }
            broken =
                    failure == 0
                            ? ""
                            : ("another tool removed or changed the token bucket in front of %s,"
                                            + " and it cannot be restored (%s): frames that"
                                            + " applications send while the card is full are lost")
                                    .formatted(
                                            TapSettings.of(nic).where(), Errno.describe(failure));
        }

        @Override
        public synchronized String trouble() {
            String now = broken.isEmpty() ? changed : broken;
            changed = "";
            return now;
        }

        /**
         * Opens all queues. Every queue except the first was set up with a larger burst than an
         * open queue has.
         */
        synchronized void openAll() {
            for (int queue = 1; queue < setBps.length; queue++) {
                turn(queue, OPEN);
            }
        }

        /**
         * Burst of an open queue: for a limited flow at most half of a long list. A busy host
         * releases frames late, and a flow loses the part of a delay that exceeds the burst: with a
         * burst of two frames, flows with a limit of 100 Mb/s reached 25 Mb/s.
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
     * Puts a token bucket before each queue of an existing TAP, until the result is closed.
     *
     * @throws DeviceException if the kernel has no token buckets, or we lack the right
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

    /**
     * Bytes of one millisecond at the line rate: the kernel's timers are no more precise than that.
     */
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
