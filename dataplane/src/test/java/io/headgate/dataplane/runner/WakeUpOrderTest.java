package io.headgate.dataplane.runner;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import io.headgate.dataplane.device.linux.Poller;
import io.headgate.dataplane.engine.Doorbell;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The order of bits, flag and eventfd, with a real eventfd: a worker misses no input, whether it is
 * awake, asleep or about to sleep. For the memory model see {@link WakeUpStress}.
 */
final class WakeUpOrderTest {
    /** Numbers of the duties of the worker, whose bits are in one word. */
    private static final int[] DUTIES = {4, 5};

    public static final class Sleeper {
        private final WakeUp wakeUp = new WakeUp(DUTIES);
        private final Doorbell[] doorbells = {
            wakeUp.doorbell(DUTIES[0]), wakeUp.doorbell(DUTIES[1])
        };
        private final Poller poller = new Poller(wakeUp.fd());
        private final AtomicIntegerArray inputs = new AtomicIntegerArray(2);
        private final boolean[] due = new boolean[DUTIES[1] + 1];
        private boolean asleep;

        @Operation
        public void ring(@Param(gen = IntGen.class, conf = "0:1") int duty) {
            inputs.incrementAndGet(duty);
            doorbells[duty].ring(Doorbell.ORDERS);
        }

        /** A cycle of a worker that is awake or was woken; answers the inputs that it found. */
        @Operation(nonParallelGroup = "worker")
        public int cycle() {
            if (asleep) {
                if (poller.await(0) == 0) {
                    return 0;
                }
                wakeUp.afterSleep(poller.isReady(0));
                asleep = false;
            }
            wakeUp.takeRung(due);
            return inputsOfThoseDue();
        }

        private int inputsOfThoseDue() {
            int found = 0;
            for (int i = 0; i < DUTIES.length; i++) {
                if (due[DUTIES[i]]) {
                    due[DUTIES[i]] = false;
                    found += inputs.getAndSet(i, 0);
                }
            }
            return found;
        }

        /** As {@link #cycle}, also of a worker that sleeps and that no ring has woken. */
        @Operation(nonParallelGroup = "worker")
        public int cycleAtDeadline() {
            if (asleep) {
                poller.await(0);
                wakeUp.afterSleep(poller.isReady(0));
                asleep = false;
            }
            return cycle();
        }

        /**
         * As {@link #cycle}; a worker that found nothing goes to sleep, unless others have rung up
         * to when they would wake it.
         */
        @Operation(nonParallelGroup = "worker")
        public int cycleAndSleep() {
            int found = cycle();
            if (found > 0 || asleep) {
                return found;
            }
            wakeUp.beforeSleep();
            wakeUp.takeRung(due);
            found = inputsOfThoseDue();
            if (found > 0) {
                wakeUp.afterSleep(true);
                return found;
            }
            asleep = true;
            return 0;
        }

        @Validate
        public void close() {
            wakeUp.close();
        }
    }

    public static final class Inputs {
        private int input;

        public void ring(int duty) {
            input++;
        }

        public int cycle() {
            int found = input;
            input = 0;
            return found;
        }

        public int cycleAtDeadline() {
            return cycle();
        }

        public int cycleAndSleep() {
            return cycle();
        }
    }

    @Test
    void aWorkerMissesNoRingHoweverItAndTheRingerAreHeld() {
        Interleavings.check(
                Sleeper.class,
                Inputs.class,
                new Scenario(List.of(), List.of("ring 0", "ring 1"), List.of("cycle", "cycle")),
                new Scenario(List.of(), List.of("ring 0"), List.of("cycleAndSleep", "cycle")),
                new Scenario(
                        List.of("cycleAndSleep"),
                        List.of("ring 0", "ring 1"),
                        List.of("cycleAtDeadline", "cycleAndSleep", "cycle")));
    }
}
