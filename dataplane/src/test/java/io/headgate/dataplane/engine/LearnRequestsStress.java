package io.headgate.dataplane.engine;

import static io.headgate.dataplane.MemoryModelTest.TRIES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.headgate.dataplane.counter.CounterBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** {@link LearnRequests} under compilers and processors that reorder. */
public final class LearnRequestsStress {
    private static final CounterBlock COUNTERS = LearnRequestsOrderTest.COUNTERS;

    private LearnRequestsStress() {}

    /** Whoever sees the tail sees the key below it. */
    @JCStressTest
    @Outcome(
            id = {"2, 0", "0, 2"},
            expect = ACCEPTABLE,
            desc = "taken once, now or later")
    @Outcome(expect = FORBIDDEN, desc = "the key was not there yet, and is lost")
    @State
    public static class Published {
        private final LearnRequests requests = new LearnRequests(1, COUNTERS, inputs -> {});

        @Actor
        public void ingressHalf() {
            requests.request(0, 2, 0);
        }

        @Actor
        public void owner(JJ_Result answers) {
            for (int i = 0; i < TRIES && answers.r1 == 0; i++) {
                answers.r1 = requests.poll();
            }
        }

        @Arbiter
        public void later(JJ_Result answers) {
            answers.r2 = requests.poll();
        }
    }

    /** Whoever sees the head may overwrite what is below it: it was read. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "1, 2"},
            expect = ACCEPTABLE,
            desc = "refused or taken")
    @Outcome(expect = FORBIDDEN, desc = "overwritten before it was read")
    @State
    public static class Reused {
        private final LearnRequests requests = new LearnRequests(1, COUNTERS, inputs -> {});

        public Reused() {
            requests.request(0, 1, 0);
        }

        @Actor
        public void ingressHalf() {
            for (int i = 0; i < TRIES; i++) {
                requests.request(0, 2, 0);
            }
        }

        @Actor
        public void owner(JJ_Result answers) {
            answers.r1 = requests.poll();
        }

        @Arbiter
        public void later(JJ_Result answers) {
            answers.r2 = requests.poll();
        }
    }
}
