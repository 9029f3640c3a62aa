package io.headgate.hostagent;

import io.headgate.config.HostConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.TbfQdisc;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** One TAP's token bucket. */
    private final class Valve implements HeldTap.HoldSwitch {
        private final HostConfig.Nic nic;
        private final TbfQdisc bucket;
        private final CounterBlock counters;
        private final int frameBytes;

        /** What buckets before this one have dropped. */
        private final long droppedBefore;

        private volatile boolean wantedHeld;
        private volatile long wantedAtNs;
        private boolean held;
        private boolean closed;

        Valve(HostConfig.Nic nic, TbfQdisc bucket, CounterBlock counters, int frameBytes) {
            this.nic = nic;
            this.bucket = bucket;
            this.counters = counters;
            this.frameBytes = frameBytes;
            this.droppedBefore = counters.get(HostCounter.BACKLOG_DROPPED);
        }

        @Override
        public void hold(boolean wanted) {
            wantedAtNs = System.nanoTime();
            wantedHeld = wanted;
            LockSupport.unpark(thread);
        }

        /** The governor's thread: brings the rate to what is wanted. */
        synchronized void turn() {
            boolean wanted = wantedHeld;
            if (closed || wanted == held) {
                return;
            }
            int result =
                    wanted
                            ? bucket.change(nic.holding().floorBps(), 2 * frameBytes, frameBytes)
                            : bucket.change(nic.rateBps(), openBurst(nic), MIN_WIRE_BYTES);
            counters.raise(HostCounter.RATE_LATENESS_MAX_NS, System.nanoTime() - wantedAtNs);
            if (result == 0) {
                held = wanted;
                counters.add(HostCounter.RATE_CHANGES, 1);
            } else {
                counters.add(HostCounter.RATE_FAILURES, 1);
            }
        }

        @Override
        public void close() {
            valves.remove(this);
            synchronized (this) {
                look();
                closed = true;
                bucket.close();
            }
        }

        synchronized void look() {
            if (closed) {
                return;
            }
            if (bucket.readStatistics() == 0) {
                counters.set(HostCounter.BACKLOG_BYTES, bucket.backlogBytes());
                counters.set(HostCounter.BACKLOG_DROPPED, droppedBefore + bucket.droppedFrames());
            }
        }
    }

    void start() {
        thread.start();
    }

    /**
     * Puts a token bucket before a TAP that is there, until it is closed.
     *
     * @param counters what the host counts
     * @throws DeviceException if the kernel has none, or we may not
     */
    HeldTap.HoldSwitch add(HostConfig.Nic nic, CounterBlock counters) throws DeviceException {
        TbfQdisc bucket =
                TbfQdisc.open(
                        nic.tap().netns(),
                        nic.tap().interfaceName(),
                        nic.holding().backlogBytes(),
                        nic.rateBps(),
                        openBurst(nic),
                        MIN_WIRE_BYTES);
        Valve valve = new Valve(nic, bucket, counters, frameBytes(nic));
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
