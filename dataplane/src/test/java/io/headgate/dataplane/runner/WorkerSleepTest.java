package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.engine.WorkerPlan;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A worker that is held up between the reading of its clock and its sleep. */
class WorkerSleepTest {
    private static final long EVERY_NS = 400_000_000;
    private static final long HELD_NS = 100_000_000;
    private static final int TIMES = 20;

    /**
     * Is to be called every now and then, and holds its worker up whenever it is called in between,
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

    @Test
    void aWorkerThatWasHeldBeforeItsSleepSleepsForWhatIsLeft() throws InterruptedException {
        SwitchEngine engine =
                new SwitchEngine(TestSwitch.bridge(2), WorkerPlan.single(2), new PolledHost(0, 0));
        Holding duty = new Holding();
        WakeUp wakeUp = new WakeUp(new int[] {0});
        Worker worker =
                new Worker(
                        List.of(duty),
                        new int[] {0},
                        new boolean[1],
                        engine.workerCounters(0),
                        wakeUp,
                        engine.config().workers(),
                        -1,
                        System.nanoTime(),
                        (failed, failure) -> {});
        Thread thread = Thread.ofPlatform().daemon().start(worker);
        try {
            while (duty.inTime.getCount() > 0 && duty.over.getCount() > 0) {
                duty.inTime.await(50, TimeUnit.MILLISECONDS);
            }
            assertThat(duty.inTime.getCount()).isZero();
        } finally {
            worker.stop();
            thread.join();
            wakeUp.close();
        }
    }
}
