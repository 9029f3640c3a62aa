package io.headgate.dataplane.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** {@link Orders} under compilers and processors that reorder. */
public final class OrdersStress {
    private OrdersStress() {}

    /** An owner that takes back {@code waiting} and then finds nothing is notified again. */
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 0"},
            expect = ACCEPTABLE,
            desc = "each order ran once")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "an order waits, and no worker knows")
    @Outcome(expect = FORBIDDEN, desc = "an order ran twice or was not the sender's")
    @State
    public static class Waiting {
        private final Orders<int[]> orders = new Orders<>(inputs -> {});
        private final int[] sum = new int[1];
        private int given;

        public Waiting() {
            orders.offer(total -> total[0]++);
        }

        @Actor
        public void sender() {
            given = 1; // plain: the orders is what publishes it
            orders.offer(total -> total[0] += given);
        }

        @Actor
        public void owner(II_Result ran) {
            orders.drainTo(sum);
            ran.r1 = sum[0];
        }

        @Arbiter
        public void later(II_Result ran) {
            orders.drainTo(sum);
            ran.r2 = ran.r1 == sum[0] ? 0 : sum[0];
        }
    }
}
