package io.headgate.dataplane.runner;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.headgate.dataplane.device.linux.Eventfd;
import io.headgate.dataplane.engine.Doorbell;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** {@link WakeUp} under compilers and processors that reorder. */
public final class WakeUpStress {
    /** One for all: a descriptor for each of thousands of states would be too many. */
    private static final Eventfd EVENTFD = new Eventfd();

    private WakeUpStress() {}

    /** The sleeper looks at its inputs after its flag is up, the ringer the other way round. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "the input was seen, or the sleeper is woken")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "the worker sleeps on its input")
    @State
    public static class Sleeping {
        private final WakeUp wakeUp = new WakeUp(new int[] {0}, EVENTFD);
        private int input;

        @Actor
        public void ringer(ZZ_Result is) {
            input = 1;
            is.r2 = wakeUp.wake();
        }

        @Actor
        public void sleeper(ZZ_Result is) {
            wakeUp.beforeSleep();
            is.r1 = input == 1;
        }
    }

    /** The same with bits, of which the sleeper looks at no input before it took its bit. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "the input was seen, or the sleeper is woken")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "the worker sleeps on its input")
    @State
    public static class RungAtSleep {
        private final WakeUp wakeUp = new WakeUp(new int[] {0}, EVENTFD);
        private final boolean[] due = new boolean[1];
        private int input;

        @Actor
        public void ringer(ZZ_Result is) {
            input = 1;
            is.r2 = wakeUp.ring(0);
        }

        @Actor
        public void sleeper(ZZ_Result is) {
            wakeUp.beforeSleep();
            wakeUp.takeRung(due);
            is.r1 = due[0] && input == 1;
        }
    }

    /** No bit is lost, and a worker that takes one sees the input that it was rung for. */
    @JCStressTest
    @Outcome(
            id = {"3, 0", "1, 2", "0, 3"},
            expect = ACCEPTABLE,
            desc = "both duties are due once, and find their input")
    @Outcome(expect = FORBIDDEN, desc = "a ring was lost, or its input not there yet")
    @State
    public static class Rung {
        private final WakeUp wakeUp = new WakeUp(new int[] {0, 1}, EVENTFD);
        private final Doorbell first = wakeUp.doorbell(0);
        private final Doorbell second = wakeUp.doorbell(1);
        private final boolean[] due = new boolean[2];
        private int firstInput;
        private int secondInput;

        @Actor
        public void ringer() {
            firstInput = 1;
            first.ring(Doorbell.ORDERS);
            secondInput = 2;
            second.ring(Doorbell.ORDERS);
        }

        @Actor
        public void worker(II_Result found) {
            for (int i = 0; i < TRIES && found.r1 == 0; i++) {
                found.r1 = look();
            }
        }

        @Arbiter
        public void later(II_Result found) {
            found.r2 = look();
        }

        private int look() {
            wakeUp.takeRung(due);
            int found = (due[0] ? firstInput : 0) + (due[1] ? secondInput : 0);
            due[0] = false;
            due[1] = false;
            return found;
        }
    }
}
