package io.headgate.dataplane.engine;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The order in which an order is put, said to be waiting and rung for: an owner that looks only
 * when it was rung for misses none. For the memory model see {@link OrdersStress}.
 */
final class OrdersOrderTest {
    private static final int THAT_FAILS = 1;

    public static final class Rung {
        private final AtomicBoolean rung = new AtomicBoolean();
        private final Orders<Rung> orders = new Orders<>(inputs -> rung.set(true));

        // The orders that ran, a decimal place each.
        private long ran;

        @Operation
        public boolean offer(@Param(gen = IntGen.class, conf = "1:4") int order) {
            return orders.offer(owner -> {
                owner.ran = 10 * owner.ran + order;
                if (order == THAT_FAILS) {
                    throw new IllegalStateException();
                }
            });
        }

        /** Answers the orders that it ran, which are all that wait. */
        @Operation(nonParallelGroup = "owner")
        public long look() {
            ran = 0;
            if (rung.getAndSet(false)) {
                boolean more;
                do {
                    try {
                        more = orders.drainTo(this) > 0;
                    } catch (IllegalStateException e) {
                        more = true;
                    }
                } while (more);
            }
            return ran;
        }
    }

    public static final class Queue {
        private long orders;

        public boolean offer(int order) {
            orders = 10 * orders + order;
            return true;
        }

        public long look() {
            long all = orders;
            orders = 0;
            return all;
        }
    }

    @Test
    void anOwnerThatLooksWhenItWasRungForMissesNoOrder() {
        Interleavings.check(
                Rung.class,
                Queue.class,
                new Scenario(List.of(), List.of("offer 2"), List.of("look", "look")),
                new Scenario(
                        List.of("offer 1", "offer 2"),
                        List.of("offer 3"),
                        List.of("look", "look")));
    }
}
