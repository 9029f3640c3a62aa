package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.device.DeviceDecorator;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.linux.Eventfd;
import io.headgate.dataplane.device.linux.RealTimePriority;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a worker sleeps, and for how long. */
class WorkerSleepTest {
    private static final long WORK_EVERY_NS = 500_000;
    private static final int CYCLES_OF_WHO_SPINS_FIRST = 100;
    private static final long SLEEPS_SEEN = 100;
    private static final long LIMIT_NS = 60_000_000_000L;

    private static final long EVERY_NS = 400_000_000;
    private static final long HELD_NS = 100_000_000;
    private static final int TIMES = 20;

    /**
     * Must be called every now and then, and holds its worker up whenever it is called in between,
     * as it is before each sleep. However loaded the machine is, some of the calls are in time: not
     * late by as much as the worker was held.
     */
    private static final class Holding implements Duty {
        final CountDownLatch inTime = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(TIMES);
        private long deadlineNs;

        @Override
        public String name() {
            return "holding";
        }

        @Override
        public int doWork(long nowNs) {
            if (nowNs - deadlineNs < 0) {
                LockSupport.parkNanos(HELD_NS);
                return 0;
            }
            if (deadlineNs > 0 && nowNs - deadlineNs < HELD_NS) {
                inTime.countDown();
            }
            over.countDown();
            deadlineNs = nowNs + EVERY_NS;
            return 0;
        }

        @Override
        public long deadlineNs() {
            return deadlineNs;
        }
    }

    /** Has something to do now and then. */
    private static final class Periodic implements Duty {
        private long deadlineNs;

        @Override
        public String name() {
            return "periodic";
        }

        @Override
        public int doWork(long nowNs) {
            if (nowNs - deadlineNs < 0) {
                return 0;
            }
            deadlineNs = nowNs + WORK_EVERY_NS;
            return 1;
        }

        @Override
        public long deadlineNs() {
            return deadlineNs;
        }
    }

    /**
     * Has a descriptor, which nothing makes ready unless asked to; counts how often it is polled.
     */
    private static final class Quiet extends DeviceDecorator {
        final Eventfd descriptor = new Eventfd();
        volatile long polls;

        Quiet(SwitchEngine engine, int port) {
            super(new MemoryWire("wire" + port, 64, 2000).device(0, engine.region()));
            engine.ingress(port).attach(this);
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
        public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
            polls++;
            descriptor.drain();
            return 0;
        }

        @Override
        public int receiveFd() {
            return descriptor.fd();
        }
    }

    /** A worker of some duties, on a thread of its own. */
    private static final class Run implements AutoCloseable {
        final CounterBlock counters;
        private final WakeUp wakeUp;
        private final Worker worker;
        private final Thread thread;

        Run(Duty duty, String threadName) {
            this(engine(), List.of(duty), threadName);
        }

        Run(SwitchEngine engine, List<Duty> duties, String threadName) {
            int[] numbers = IntStream.range(0, duties.size()).toArray();
            wakeUp = new WakeUp(numbers);
            counters = engine.workerCounters(0);
            worker =
                    new Worker(
                            duties,
                            numbers,
                            List.of(),
                            new boolean[duties.size()],
                            counters,
                            wakeUp,
                            engine.config().workers(),
                            -1,
                            System.nanoTime(),
                            (failed, failure) -> {});
            thread = Thread.ofPlatform().daemon().name(threadName).start(worker);
        }

        /**
         * Mean number of cycles from one sleep to the next, over the next {@code SLEEPS_SEEN}
         * sleeps.
         */
        private double cyclesPerSleep(long endNs) {
            long cycles = counters.get(WorkerCounter.CYCLES);
            long sleeps = counters.get(WorkerCounter.SLEEPS);
            while (counters.get(WorkerCounter.SLEEPS) - sleeps < SLEEPS_SEEN) {
                assertThat(System.nanoTime() - endNs).as("it does not sleep").isNegative();
                LockSupport.parkNanos(WORK_EVERY_NS);
            }
            return (double) (counters.get(WorkerCounter.CYCLES) - cycles)
                    / (counters.get(WorkerCounter.SLEEPS) - sleeps);
        }

        /** Waits until the worker sleeps at once when it has nothing to do, or does so no more. */
        void awaitAtOnce(boolean atOnce) {
            long endNs = System.nanoTime() + LIMIT_NS;
            while (cyclesPerSleep(endNs) < CYCLES_OF_WHO_SPINS_FIRST != atOnce) {
                assertThat(System.nanoTime() - endNs).as("sleeps as before").isNegative();
            }
        }

        @Override
        public void close() {
            worker.stop();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            wakeUp.close();
        }
    }

    private static SwitchEngine engine() {
        return new SwitchEngine(TestSwitch.bridge(2), WorkerPlan.single(2), new PolledHost(0, 0));
    }

    /** Else the kernel would take the core from it for 50 ms in a second. */
    @Test
    @Tag("netns") // needs CAP_SYS_NICE
    void aWorkerThatIsGivenRealTimePriorityWhileItRunsSleepsAtOnce() {
        String name = "sleep-test";
        try (Run run = new Run(new Periodic(), name)) {
            run.awaitAtOnce(false);
            RealTimePriority.give(name);
            try {
                run.awaitAtOnce(true);
            } finally {
                RealTimePriority.takeBack(name);
            }
            run.awaitAtOnce(false);
        }
    }

    @Test
    void aWorkerThatWasHeldBeforeItsSleepSleepsForWhatIsLeft() throws InterruptedException {
        Holding duty = new Holding();
        Run run = new Run(duty, "holding-test");
        try {
            while (duty.inTime.getCount() > 0 && duty.over.getCount() > 0) {
                duty.inTime.await(50, TimeUnit.MILLISECONDS);
            }
            assertThat(duty.inTime.getCount()).isZero();
        } finally {
            run.close();
        }
    }

    /** A poll may be a system call, and ppoll has just looked at all devices. */
    @Test
    @Tag("netns") // needs CAP_SYS_NICE, or it would spin, and poll, for a while after each sleep
    void aDeviceThatIsNotReadyIsNotPolledAroundShortSleeps() throws InterruptedException {
        String name = "polls-test";
        SwitchEngine engine = engine();
        Quiet busy = new Quiet(engine, 0);
        Quiet quiet = new Quiet(engine, 1);
        List<Duty> duties = List.of(engine.ingress(0), engine.ingress(1), new Periodic());
        try (Run run = new Run(engine, duties, name)) {
            RealTimePriority.give(name);
            try {
                run.awaitAtOnce(true);
                long sleeps = run.counters.get(WorkerCounter.SLEEPS);
                long polls = quiet.polls;
                long endNs = System.nanoTime() + LIMIT_NS;
                long asked = 0;
                for (; asked < SLEEPS_SEEN; asked++) {
                    long before = busy.polls;
                    busy.descriptor.signal();
                    while (busy.polls == before) {
                        assertThat(System.nanoTime() - endNs).as("is not polled").isNegative();
                        Thread.sleep(1);
                    }
                }
                long slept = run.counters.get(WorkerCounter.SLEEPS) - sleeps;
                assertThat(slept).isGreaterThanOrEqualTo(asked);
                assertThat(quiet.polls - polls).isLessThan(slept / 2);
            } finally {
                RealTimePriority.takeBack(name);
            }
        } finally {
            busy.descriptor.close();
            quiet.descriptor.close();
        }
    }
}
