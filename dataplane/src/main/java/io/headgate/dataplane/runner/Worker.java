package io.headgate.dataplane.runner;

import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.assembly.RestingDuty;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Affinity;
import io.headgate.dataplane.device.linux.Poller;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.dataplane.device.linux.TimerSlack;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A worker: one thread that calls its duties in a loop. A duty receives the time at which the cycle
 * began; after each duty that did some work the clock is read once more, to measure its duration.
 * Without work the thread spins for a while, then yields, then sleeps in ppoll on its devices and
 * its eventfd until the earliest deadline; if configured so, it always spins. A duty that fails is
 * reported, and stopped until its port is restarted, or not called for a while; the others
 * continue.
 */
@SuppressWarnings("ThreadPriorityCheck") // yielding to hosts on the same core is the point
final class Worker implements Runnable {
    private static final int SPIN_CYCLES = 100;
    private static final int YIELD_CYCLES = SPIN_CYCLES + 20;

    /** Sleeping for less than this costs more than it saves: a wake-up takes as long. */
    private static final long SHORTEST_SLEEP_NS = 30_000;

    /**
     * Shortest sleep with real-time priority. With that priority a yield lets no other thread run,
     * and the kernel takes the core away for 50 ms per second from a thread that leaves no time to
     * others (sched(7)), so the worker sleeps even for short times.
     */
    private static final long SHORTEST_URGENT_SLEEP_NS = 3_000;

    /**
     * Before a sleep of less than this only duties that are due are called once more, as in any
     * cycle. Where traffic is light a worker sleeps after each frame, and to call all duties took
     * it as long as to forward that.
     */
    private static final long SHORT_SLEEP_NS = 1_000_000;

    /** Interval of checks for real-time priority, which a running thread may get or lose. */
    private static final long PRIORITY_LOOK_NS = 10_000_000;

    /** Interval at which a device without a descriptor is polled while the worker sleeps. */
    private static final long POLLED_DEVICE_NS = 100_000;

    /**
     * Counters are committed, and every duty called whether due or not, once in this many cycles.
     */
    private static final int CYCLES_PER_COMMIT = 64;

    // Intervals in a ring that are not calls of a duty.
    private static final int FLUSH = -1;
    private static final int SLEEP = -2;

    /** The devices that are polled in a round of duties, whether or not their duties are due. */
    private enum Polls {
        ALL,
        /** Those that ended the sleep: the kernel has just looked at the others. */
        READY,
        /**
         * None: right after a sleep, whose end showed which are ready, or right before one, which a
         * ready device ends.
         */
        NONE;

        /** What the next round polls, if there is no sleep in between. */
        Polls next() {
            return this == READY ? NONE : ALL;
        }
    }

    private final Duty[] duties;

    // Whether a duty must be called, by its number in the switch: its doorbell rang, or it did not
    // finish at its last call.
    private final boolean[] due;
    private final int[] numbers;

    /** The ingress halves on whose devices the worker sleeps. */
    private final IngressHalf[] ingressHalves;

    /** The egress halves whose devices may collect frames until the end of a cycle. */
    private final EgressHalf[] egressHalves;

    private final CounterBlock counters;
    private final WakeUp wakeUp;
    private final WorkerConfig config;
    private final int core;
    private final long originNs;
    private final BiConsumer<Duty, Throwable> listener;
    private final Poller poller;
    private final IdleStrategy idle;

    private volatile boolean running = true;

    /** The ring that records this worker's intervals; null: none. */
    private volatile @Nullable DutyRing recorded;

    /** Whether the thread had real-time priority at the last check. */
    private boolean isUrgent;

    private long priorityLookNs;

    // The engine's time in this cycle.
    private long nowNs;

    // Totals of this worker, committed to the counters every few cycles.
    private long cycles;
    private long emptyCycles;

    /** The ingress half that comes first in this cycle. */
    private int first;

    // Whether the last cycle did something, after which a device may have kept some of it; and how
    // often devices were flushed.
    private boolean flushAgain;
    private long flushes;

    private long busyNs;
    private long idleNs;
    private long work;

    /** Those of the next cycle. */
    private Polls polls = Polls.ALL;

    /** Call time of the present duty, or of an idle one before it. */
    private long calledNs;

    /**
     * @param all the switch's duties
     * @param numbers those of this worker, in the order in which to call them, ingress halves first
     * @param due by number, set when a duty of this worker rings another duty of this worker
     * @param egressHalves the egress halves that this worker calls, in a domain or not
     * @param core core to pin the thread to, or -1
     * @param originNs {@link System#nanoTime()} at the engine's time 0
     * @param listener notified of a duty that failed, on the worker's thread, once per duty. Its
     *     exceptions go to the thread's handler of uncaught exceptions, and the worker continues
     */
    Worker(
            List<Duty> all,
            int[] numbers,
            List<EgressHalf> egressHalves,
            boolean[] due,
            CounterBlock counters,
            WakeUp wakeUp,
            WorkerConfig config,
            int core,
            long originNs,
            BiConsumer<Duty, Throwable> listener) {
        this.duties =
                Arrays.stream(numbers)
                        .mapToObj(all::get)
                        .map(duty -> isHalf(duty) ? duty : new RestingDuty(duty))
                        .toArray(Duty[]::new);
        this.numbers = numbers;
        this.due = due;
        this.ingressHalves = ingressHalvesIn(duties);
        this.egressHalves = egressHalves.toArray(EgressHalf[]::new);
        this.counters = counters;
        this.wakeUp = wakeUp;
        this.config = config;
        this.core = core;
        this.originNs = originNs;
        this.listener = listener;
        // A worker that always spins does so without a pause instruction: one takes as long as a
        // look at two ports.
        this.idle =
                config.idle() == WorkerConfig.Idle.BACKOFF
                        ? new SpinThenSleep()
                        : NoOpIdleStrategy.INSTANCE;
        int[] descriptors = new int[ingressHalves.length + 1];
        Arrays.fill(descriptors, -1);
        descriptors[ingressHalves.length] = wakeUp.fd();
        this.poller = new Poller(descriptors);
    }

    /**
     * Whether a duty is a port's half, which is restarted after a failure, with the port closed
     * meanwhile.
     */
    private static boolean isHalf(Duty duty) {
        return duty instanceof IngressHalf || duty instanceof EgressHalf;
    }

    private static IngressHalf[] ingressHalvesIn(Duty[] duties) {
        return Arrays.stream(duties)
                .filter(IngressHalf.class::isInstance)
                .map(IngressHalf.class::cast)
                .toArray(IngressHalf[]::new);
    }

    /** Any thread: sets the ring to which the worker adds its intervals; null: none. */
    void record(@Nullable DutyRing ring) {
        recorded = ring;
    }

    /** The name of an interval's kind in a ring. */
    String nameOf(int what) {
        return switch (what) {
            case FLUSH -> "flush";
            case SLEEP -> "sleep";
            default -> duties[what].name();
        };
    }

    /** Any thread: ends the worker after its present cycle. */
    void stop() {
        running = false;
        wakeUp.wake();
    }

    @Override
    public void run() {
        if (core >= 0) {
            Affinity.pin(core);
        }
        counters.set(WorkerCounter.CORE, core);
        TimerSlack.set(1);
        nowNs = System.nanoTime() - originNs;
        priorityLookNs = nowNs;
        while (running) {
            wakeUp.takeRung(due);
            int done = runDuties(nowNs, cycles % CYCLES_PER_COMMIT == 0, polls);
            polls = polls.next();
            long endNs = System.nanoTime() - originNs;
            note(endNs - nowNs, done);
            nowNs = endNs;
            idle.idle(done);
        }
        commit();
    }

    /** Spins a while, yields a while, then sleeps until a duty has work. */
    private final class SpinThenSleep implements IdleStrategy {
        private int idleCycles;

        @Override
        public void idle(int done) {
            if (done > 0) {
                reset();
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            if (nowNs - priorityLookNs >= 0) {
                isUrgent = RealTimePriority.isTaken();
                priorityLookNs = nowNs + PRIORITY_LOOK_NS;
            }
            if (isUrgent) {
                nowNs = sleep(nowNs);
            } else if (++idleCycles < SPIN_CYCLES) {
                Thread.onSpinWait();
            } else if (idleCycles < YIELD_CYCLES) {
                Thread.yield();
            } else {
                nowNs = sleep(nowNs);
            }
        }

        @Override
        public void reset() {
            idleCycles = 0;
        }
    }

    /**
     * Calls only duties that are due: a call of an idle one costs as much as a fifth of a frame.
     *
     * @param all whether to call all of them
     */
    private int runDuties(long nowNs, boolean all, Polls which) {
        int done = 0;
        calledNs = nowNs;
        // The first one finds room in a queue that is nearly full, so each ingress half is first in
        // turn.
        int inTurn = ingressHalves.length;
        first = first + 1 < inTurn ? first + 1 : 0;
        for (int i = first; i < inTurn; i++) {
            done += runDuty(i, nowNs, all, which);
        }
        for (int i = 0; i < first; i++) {
            done += runDuty(i, nowNs, all, which);
        }
        for (int i = inTurn; i < duties.length; i++) {
            done += runDuty(i, nowNs, all, which);
        }
        if (done > 0 || flushAgain) {
            flushAgain = done > 0;
            flush(nowNs);
            DutyRing ring = recorded;
            if (ring != null) {
                ring.add(FLUSH, calledNs, System.nanoTime() - originNs - calledNs);
            }
        }
        return done;
    }

    private void flush(long nowNs) {
        flushes++;
        for (EgressHalf half : egressHalves) {
            try {
                half.flush(nowNs, flushes);
            } catch (RuntimeException | Error failure) {
                if (half.stop()) {
                    tell(half, failure);
                }
            }
        }
    }

    private int runDuty(int i, long nowNs, boolean all, Polls which) {
        int number = numbers[i];
        if (!all
                && !due[number]
                // Only the device itself may know that a frame has come.
                && !(i < ingressHalves.length && polls(which, i) && ingressHalves[i].pollsDevice())
                && duties[i].deadlineNs() - nowNs > 0) {
            return 0;
        }
        try {
            due[number] = false;
            int work = duties[i].doWork(nowNs);
            if (work > 0) {
                // It may have stopped at the bound of its burst.
                due[number] = true;
                tellDuration(i);
            }
            return work;
        } catch (RuntimeException | Error failure) {
            stopDuty(i, failure);
            // Its remaining work must not wait for the worker's next awakening.
            return 1;
        }
    }

    private boolean polls(Polls which, int ingressHalf) {
        return which == Polls.ALL || (which == Polls.READY && poller.isReady(ingressHalf));
    }

    /** Reads the clock once per burst of frames, so that a stall is attributed to its duty. */
    private void tellDuration(int index) {
        long endNs = System.nanoTime() - originNs;
        long durationNs = endNs - calledNs;
        duties[index].took(durationNs, durationNs > config.stallThresholdNs());
        DutyRing ring = recorded;
        if (ring != null) {
            ring.add(index, calledNs, durationNs);
        }
        calledNs = endNs;
    }

    private void stopDuty(int index, Throwable failure) {
        // A half still lets go of what it holds. Should it fail at that, with a frame that cannot
        // even be dropped, say, the rest may work, and nothing more is said.
        boolean isNew =
                switch (duties[index]) {
                    case IngressHalf half -> half.stop();
                    case EgressHalf half -> half.stop();
                    default -> true;
                };
        if (isNew) {
            tell(duties[index].whatFailed(), failure);
        }
    }

    private void tell(Duty failed, Throwable failure) {
        counters.add(WorkerCounter.FAILURES, 1);
        try {
            listener.accept(failed, failure);
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private void note(long durationNs, int done) {
        cycles++;
        // Empty cycles count, too: a thread that loses its core between two looks has mostly done
        // nothing.
        counters.raise(WorkerCounter.LONGEST_CYCLE_NS, durationNs);
        if (durationNs > config.stallThresholdNs()) {
            counters.add(WorkerCounter.STALLS, 1);
            counters.add(WorkerCounter.STALLED_NS, durationNs);
        }
        if (done > 0) {
            busyNs += durationNs;
            work += done;
        } else {
            emptyCycles++;
            idleNs += durationNs;
        }
        if (cycles % CYCLES_PER_COMMIT == 0) {
            commit();
        }
    }

    /** Only the worker, or an order that it runs: resets the maxima of duration and lateness. */
    static void clearMaxima(CounterBlock counters) {
        counters.set(WorkerCounter.LONGEST_CYCLE_NS, 0);
        counters.set(WorkerCounter.LATENESS_MAX_NS, 0);
    }

    private void commit() {
        counters.set(WorkerCounter.CYCLES, cycles);
        counters.set(WorkerCounter.EMPTY_CYCLES, emptyCycles);
        counters.set(WorkerCounter.BUSY_NS, busyNs);
        counters.set(WorkerCounter.IDLE_NS, idleNs);
        counters.set(WorkerCounter.WORK, work);
    }

    /** Sleeps until a device, another worker or the earliest deadline wakes it. */
    private long sleep(long nowNs) {
        long shortestNs = isUrgent ? SHORTEST_URGENT_SLEEP_NS : SHORTEST_SLEEP_NS;
        long soonestNs = nextDeadlineNs(nowNs) - nowNs;
        if (soonestNs < shortestNs) {
            Thread.yield();
            return nowNs; // the time is this cycle's, so that a long hold is seen
        }
        wakeUp.beforeSleep();
        wakeUp.takeRung(due);
        int done = runDuties(nowNs, soonestNs >= SHORT_SLEEP_NS, Polls.NONE);
        long wokenNs = nowNs;
        if (done > 0) {
            // A cycle of its own: what comes in the next one has not come at the same time.
            wokenNs = System.nanoTime() - originNs;
            note(wokenNs - nowNs, done);
        } else if (armDevices() && running) {
            long deadlineNs = nextDeadlineNs(nowNs);
            commit();
            // The time left now: the thread may have been delayed since it read its clock, and must
            // not be late for that twice.
            long asleepNs = System.nanoTime() - originNs;
            poller.await(deadlineNs == Long.MAX_VALUE ? deadlineNs : deadlineNs - asleepNs);
            wokenNs = System.nanoTime() - originNs;
            polls = Polls.READY;
            DutyRing ring = recorded;
            if (ring != null) {
                ring.add(SLEEP, asleepNs, wokenNs - asleepNs);
            }
            idleNs += wokenNs - nowNs;
            counters.add(WorkerCounter.SLEEPS, 1);
            if (wokenNs - deadlineNs > 0) {
                counters.add(WorkerCounter.LATENESS_NS, wokenNs - deadlineNs);
                counters.raise(WorkerCounter.LATENESS_MAX_NS, wokenNs - deadlineNs);
            }
        }
        wakeUp.afterSleep(polls != Polls.READY || poller.isReady(ingressHalves.length));
        return wokenNs;
    }

    /** The next time at which to call a duty or poll a device; MAX_VALUE: never. */
    private long nextDeadlineNs(long nowNs) {
        long deadlineNs = Long.MAX_VALUE;
        for (Duty duty : duties) {
            deadlineNs = Math.min(deadlineNs, duty.deadlineNs());
        }
        for (IngressHalf half : ingressHalves) {
            PortDevice device = inUse(half);
            if (device != null && device.receiveFd() == PortDevice.POLLED) {
                deadlineNs = Math.min(deadlineNs, nowNs + POLLED_DEVICE_NS);
            }
        }
        return deadlineNs;
    }

    private static @Nullable PortDevice inUse(IngressHalf half) {
        return half.isStopped() ? null : half.device();
    }

    /** Prepares all devices for sleeping; false if one has received something already. */
    private boolean armDevices() {
        for (int i = 0; i < ingressHalves.length; i++) {
            IngressHalf half = ingressHalves[i];
            PortDevice device = inUse(half);
            if (device == null) {
                poller.setFd(i, -1);
                continue;
            }
            try {
                boolean up = device.isUp();
                poller.setFd(i, up ? Math.max(-1, device.receiveFd()) : -1);
                if (up && device.armReceive()) {
                    return false;
                }
            } catch (RuntimeException | Error failure) {
                stopDuty(Arrays.asList(duties).indexOf(half), failure);
                return false;
            }
        }
        return true;
    }
}
