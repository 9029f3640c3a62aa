package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("threads")
final class OrdersTest {
    private final AtomicInteger rings = new AtomicInteger();
    private final List<Integer> done = new ArrayList<>();
    private final Orders<List<Integer>> orders = new Orders<>(reason -> rings.incrementAndGet());

    @Test
    void runsAFewOrdersACallInTheOrderInWhichTheyCame() {
        for (int i = 0; i < 10; i++) {
            int number = i;
            assertThat(orders.offer(into -> into.add(number))).isTrue();
        }

        assertThat(orders.drainTo(done)).isEqualTo(4);
        assertThat(orders.drainTo(done)).isEqualTo(4);
        assertThat(orders.drainTo(done)).isEqualTo(2);
        assertThat(orders.drainTo(done)).isZero();

        assertThat(done).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(rings).hasValue(10);
    }

    @Test
    void ordersBehindOneThatFailsStillRun() {
        orders.offer(into -> {
            throw new IllegalStateException("this order fails");
        });
        orders.offer(into -> into.add(1));

        assertThatThrownBy(() -> orders.drainTo(done)).hasMessage("this order fails");
        assertThat(orders.drainTo(done)).isEqualTo(1);

        assertThat(done).containsExactly(1);
    }

    @Test
    void anOrderThatAnOrderGivesRuns() {
        orders.offer(into -> orders.offer(also -> also.add(1)));

        while (orders.drainTo(done) > 0) {
            // until nothing waits
        }

        assertThat(done).containsExactly(1);
    }

    @Test
    void refusesWhatDoesNotFit() {
        int fit = 0;
        while (orders.offer(into -> into.add(1))) {
            fit++;
        }
        while (orders.drainTo(done) > 0) {
            // until nothing waits
        }

        assertThat(done).hasSize(fit);
        assertThat(orders.offer(into -> into.add(1))).isTrue();
    }

    @Test
    @Timeout(60)
    void losesNoOrderOfSeveralThreadsWhileTheOwnerLooks() throws InterruptedException {
        int threads = 3;
        int each = 20_000;
        List<Thread> senders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            senders.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < each; ) {
                                    if (orders.offer(into -> into.add(1))) {
                                        i++;
                                    } else {
                                        Thread.onSpinWait();
                                    }
                                }
                            }));
        }
        while (done.size() < threads * each) {
            if (orders.drainTo(done) == 0) {
                Thread.onSpinWait();
            }
        }
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(orders.drainTo(done)).isZero();
    }
}
