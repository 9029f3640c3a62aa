package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.WorkerConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which duties a worker calls when others ring. */
@Tag("threads")
class WorkerTest {
    /** Of tests whose thread may seldom have a core. */
    private static final long PATIENCE_NS = 120_000_000_000L;

    private static final int CYCLES_PER_CALL_OF_ALL = 64;

    /** Does nothing but count how often it is called. */
    private static final class Counting implements Duty {
        private volatile long calls;

        @Override
        public String name() {
            return "counting";
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
        public int doWork(long nowNs) {
            calls++;
            return 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }
    }

    /** Takes its time when it is rung, and keeps the delays reported to it. */
    private static final class Slow implements Duty {
        private final long takesNs;
        private volatile boolean isToWork;
        private volatile long longestNs;
        private volatile long stalls;

        Slow(long takesNs) {
            this.takesNs = takesNs;
        }

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public int doWork(long nowNs) {
            if (!isToWork) {
                return 0;
            }
            isToWork = false;
            long endNs = System.nanoTime() + takesNs;
            while (System.nanoTime() - endNs < 0) {
                Thread.onSpinWait();
            }
            return 1;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
        public void took(long durationNs, boolean isLong) {
            longestNs = Math.max(longestNs, durationNs);
            stalls += isLong ? 1 : 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }
    }

    private static CounterBlock counters() {
        CounterDirectory directory = new CounterDirectory();
        int reservation =
                directory.reserve(
                        CounterDirectory.Scope.WORKER,
                        0,
                        "worker",
                        List.of(WorkerCounter.values()));
        directory.bindPrivately();
        return directory.block(reservation);
    }

    /** A worker that has every third duty of a switch. */
    private static final class Run implements AutoCloseable {
        private final List<Counting> duties = new ArrayList<>();
        private final int[] numbers;
        private final CounterBlock counters;
        private final WakeUp wakeUp;
        private final Worker worker;
        private final Thread thread;

        Run(int count, WorkerConfig.Idle idle) {
            for (int i = 0; i < 3 * count; i++) {
                duties.add(new Counting());
            }
            // In another order than that of their numbers.
            numbers = IntStream.range(0, count).map(i -> 3 * (count - 1 - i) + 1).toArray();
            counters = counters();
            wakeUp = new WakeUp(numbers);
            worker =
                    new Worker(
                            List.copyOf(duties),
                            numbers,
                            List.of(),
                            new boolean[3 * count],
                            counters,
                            wakeUp,
                            new WorkerConfig(
                                    WorkerConfig.Layout.SINGLE, 0, idle, List.of(), 1_000_000),
                            -1,
                            System.nanoTime(),
                            (duty, failure) -> {
                                throw new AssertionError(failure);
                            });
            thread = new Thread(worker);
            thread.start();
        }

        /** Rings, and waits until that duty has been called. */
        void ring(int number, Doorbell doorbell) {
            long before = duties.get(number).calls;
            doorbell.ring(Doorbell.FRAMES);
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (duties.get(number).calls == before) {
                assertThat(System.nanoTime() - endNs).as("a ring is lost").isNegative();
                Thread.onSpinWait();
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

    @ParameterizedTest
    @ValueSource(ints = {3, 64, 65, 130})
    void aRingFromOutsideCallsThatDutyAndNoOther(int count) {
        Run run = new Run(count, WorkerConfig.Idle.BUSY_SPIN);
        Doorbell[] doorbells =
                Arrays.stream(run.numbers).mapToObj(run.wakeUp::doorbell).toArray(Doorbell[]::new);
        int rings = 5_000;
        for (int i = 0; i < rings; i++) {
            int rung = i % 2;
            run.ring(run.numbers[rung], doorbells[rung]);
        }
        run.close();
        long ofAll = Math.ceilDiv(run.counters.get(WorkerCounter.CYCLES), CYCLES_PER_CALL_OF_ALL);
        for (int i = 2; i < count; i++) {
            assertThat(run.duties.get(run.numbers[i]).calls).isEqualTo(ofAll);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(run.duties.get(run.numbers[i]).calls).isBetween(ofAll, ofAll + rings / 2);
        }
        for (int i = 0; i < run.duties.size(); i += 3) {
            assertThat(run.duties.get(i).calls).as("not this worker's").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(WorkerConfig.Idle.class)
    void noRingIsLostWhicheverOfTwoThreadsRingsWhatDuty(WorkerConfig.Idle idle) throws Exception {
        try (Run run = new Run(70, idle)) {
            List<Thread> ringing = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            for (int half = 0; half < 2; half++) {
                int first = half;
                Thread thread =
                        new Thread(() -> {
                            for (int i = 0; i < 1_000; i++) {
                                int number = run.numbers[(2 * i + first) % 70];
                                run.ring(number, run.wakeUp.doorbell(number));
                            }
                        });
                thread.setUncaughtExceptionHandler((itself, failure) -> {
                    synchronized (failures) {
                        failures.add(failure);
                    }
                });
                ringing.add(thread);
                thread.start();
            }
            for (Thread thread : ringing) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void aWorkerThatSleepsIsWokenForItsDuty() throws Exception {
        try (Run run = new Run(3, WorkerConfig.Idle.BACKOFF)) {
            for (int i = 0; i < 20; i++) {
                long sleeps = run.counters.get(WorkerCounter.SLEEPS);
                Thread.sleep(2);
                run.ring(run.numbers[1], run.wakeUp.doorbell(run.numbers[1]));
                assertThat(run.counters.get(WorkerCounter.SLEEPS)).isGreaterThanOrEqualTo(sleeps);
            }
            assertThat(run.counters.get(WorkerCounter.SLEEPS)).isPositive();
        }
    }

    /** Each 5 ms, after a call that finds nothing, it works at the next two. */
    private static final class Recurring implements Duty {
        private static final long PERIOD_NS = 5_000_000;

        private long lastNs = -1;
        private long nextNs;
        private int phase;
        private volatile int rounds;
        private volatile boolean hadOneTimeTwice;

        @Override
        public String name() {
            return "recurring";
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
        public int doWork(long nowNs) {
            if (nowNs < nextNs) {
                return 0;
            }
            nextNs = Long.MIN_VALUE;
            hadOneTimeTwice |= phase == 2 && nowNs == lastNs;
            lastNs = nowNs;
            phase++;
            if (phase == 3) {
                phase = 0;
                nextNs = nowNs + PERIOD_NS;
                rounds++;
                return 1;
            }
            return phase - 1;
        }

        @Override
        public long deadlineNs() {
            return phase == 0 ? nextNs : Long.MAX_VALUE;
        }
    }

    /**
     * The last look before a worker sleeps has its own time: with that of the next cycle, a frame
     * that left in it would have left when those behind it had come.
     */
    @Test
    void workFoundBeforeSleepingAndThatOfTheNextCycleHaveTheirOwnTimes() throws Exception {
        Recurring duty = new Recurring();
        WakeUp wakeUp = new WakeUp(new int[] {0});
        Worker worker =
                new Worker(
                        List.of(duty),
                        new int[] {0},
                        List.of(),
                        new boolean[1],
                        counters(),
                        wakeUp,
                        new WorkerConfig(
                                WorkerConfig.Layout.SINGLE,
                                0,
                                WorkerConfig.Idle.BACKOFF,
                                List.of(),
                                1_000_000),
                        -1,
                        System.nanoTime(),
                        (failed, failure) -> {
                            throw new AssertionError(failure);
                        });
        Thread thread = new Thread(worker);
        thread.start();
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (duty.rounds < 20) {
            assertThat(System.nanoTime() - endNs).as("time left").isNegative();
            Thread.onSpinWait();
        }
        worker.stop();
        thread.join();
        wakeUp.close();
        assertThat(duty.hadOneTimeTwice).isFalse();
    }

    @Test
    void aStallIsSaidToTheDutyThatTookTheTime() throws Exception {
        Slow quick = new Slow(0);
        Slow slow = new Slow(20_000_000);
        Slow idle = new Slow(0);
        int[] numbers = {0, 1, 2};
        WakeUp wakeUp = new WakeUp(numbers);
        // Longer than another process may hold this one, so that only what is slow is over it.
        long thresholdNs = 15_000_000;
        Worker worker =
                new Worker(
                        List.of(quick, slow, idle),
                        numbers,
                        List.of(),
                        new boolean[3],
                        counters(),
                        wakeUp,
                        new WorkerConfig(
                                WorkerConfig.Layout.SINGLE,
                                0,
                                WorkerConfig.Idle.BUSY_SPIN,
                                List.of(),
                                thresholdNs),
                        -1,
                        System.nanoTime(),
                        (duty, failure) -> {
                            throw new AssertionError(failure);
                        });
        Thread thread = new Thread(worker);
        thread.start();
        quick.isToWork = true;
        slow.isToWork = true;
        wakeUp.doorbell(0).ring(Doorbell.FRAMES);
        wakeUp.doorbell(1).ring(Doorbell.FRAMES);
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (slow.stalls == 0 || quick.longestNs == 0) {
            assertThat(System.nanoTime() - endNs).as("time left").isNegative();
            Thread.onSpinWait();
        }
        worker.stop();
        thread.join();
        wakeUp.close();
        assertThat(slow.stalls).isEqualTo(1);
        assertThat(slow.longestNs).isGreaterThanOrEqualTo(20_000_000);
        assertThat(idle.longestNs).as("does nothing").isZero();
    }

    /** What a worker did in a time, and no more than that time. */
    @Test
    void aTraceHasCallsFlushesAndSleepsOneAfterTheOther() throws Exception {
        Slow slow = new Slow(2_000_000);
        WakeUp wakeUp = new WakeUp(new int[] {0});
        CounterBlock counters = counters();
        long originNs = System.nanoTime();
        Worker worker =
                new Worker(
                        List.of(slow),
                        new int[] {0},
                        List.of(),
                        new boolean[1],
                        counters,
                        wakeUp,
                        new WorkerConfig(
                                WorkerConfig.Layout.SINGLE,
                                0,
                                WorkerConfig.Idle.BACKOFF,
                                List.of(),
                                1_000_000),
                        -1,
                        originNs,
                        (duty, failure) -> {
                            throw new AssertionError(failure);
                        });
        long beforeNs = System.nanoTime();
        DutyTrace trace =
                new DutyTrace(List.of(worker), 1000, () -> System.nanoTime() - originNs, originNs);
        assertThat(trace.beganNs()).isBetween(beforeNs, System.nanoTime());
        Thread thread = new Thread(worker);
        thread.start();
        int calls = 5;
        for (int i = 0; i < calls; i++) {
            slow.isToWork = true;
            wakeUp.doorbell(0).ring(Doorbell.FRAMES);
            while (slow.isToWork) {
                Thread.onSpinWait();
            }
        }
        long patienceNs = System.nanoTime() + PATIENCE_NS;
        while (counters.get(WorkerCounter.SLEEPS) == 0) {
            assertThat(System.nanoTime() - patienceNs).as("it never sleeps").isNegative();
            Thread.sleep(2);
            wakeUp.doorbell(0).ring(Doorbell.FRAMES);
        }
        worker.stop();
        thread.join();
        trace.close();
        wakeUp.close();
        List<String> whats = new ArrayList<>();
        long[] endNs = new long[1];
        long[] calledNs = new long[1];
        assertThat(
                        trace.forEach(
                                0,
                                (what, startNs, durationNs) -> {
                                    assertThat(startNs).isGreaterThanOrEqualTo(endNs[0]);
                                    endNs[0] = startNs + durationNs;
                                    calledNs[0] += what.equals("slow") ? durationNs : 0;
                                    whats.add(what);
                                }))
                .isZero();
        assertThat(endNs[0]).isLessThanOrEqualTo(trace.durationNs());
        assertThat(whats).contains("sleep", "flush").filteredOn("slow"::equals).hasSize(calls);
        assertThat(calledNs[0]).isBetween(calls * 2_000_000L, trace.durationNs());
    }

    @Test
    void aRingKeepsTheLastIntervalsButTheOneThatMayBeWrittenOver() {
        DutyRing ring = new DutyRing(4);
        for (int i = 0; i < 10; i++) {
            ring.add(i, 100L * i, i);
        }
        long end = ring.end();
        assertThat(ring.first(end)).isEqualTo(7);
        assertThat(end).isEqualTo(10);
        assertThat(ring.what(7)).isEqualTo(7);
        assertThat(ring.startNs(9)).isEqualTo(900);
        assertThat(ring.durationNs(8)).isEqualTo(8);
    }

    /** Fails some times, then does what it is for. */
    private static final class FailingAtFirst implements Duty {
        private int failures;
        private volatile long calls;

        FailingAtFirst(int failures) {
            this.failures = failures;
        }

        @Override
        public String name() {
            return "fdb";
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
        public int doWork(long nowNs) {
            if (failures-- > 0) {
                throw new IllegalStateException("planted");
            }
            calls++;
            return 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }
    }

    @Test
    void aDutyThatIsNoHalfIsSaidToHaveFailedAndCalledAgain() throws Exception {
        FailingAtFirst duty = new FailingAtFirst(2);
        Counting other = new Counting();
        List<String> told = new CopyOnWriteArrayList<>();
        int[] numbers = {0, 1};
        WakeUp wakeUp = new WakeUp(numbers);
        long startNs = System.nanoTime();
        Worker worker =
                new Worker(
                        List.of(duty, other),
                        numbers,
                        List.of(),
                        new boolean[2],
                        counters(),
                        wakeUp,
                        new WorkerConfig(
                                WorkerConfig.Layout.SINGLE,
                                0,
                                WorkerConfig.Idle.BACKOFF,
                                List.of(),
                                1_000_000),
                        -1,
                        startNs,
                        (failed, failure) -> told.add(failed.name() + ": " + failure.getMessage()));
        Thread thread = new Thread(worker);
        thread.start();
        long callsBefore = other.calls;
        while (duty.calls == 0 && System.nanoTime() - startNs < PATIENCE_NS) {
            Thread.sleep(5);
        }
        long tookNs = System.nanoTime() - startNs;
        worker.stop();
        thread.join();
        wakeUp.close();
        assertThat(duty.calls).isPositive();
        assertThat(tookNs).as("0.1 s of rest, then 0.2 s").isGreaterThan(300_000_000);
        assertThat(told).containsExactly("fdb: planted", "fdb: planted");
        assertThat(other.calls).isGreaterThan(callsBefore);
    }
}
