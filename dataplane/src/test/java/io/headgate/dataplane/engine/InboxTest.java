package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class InboxTest {
    private final AtomicInteger rings = new AtomicInteger();
    private final List<Integer> done = new ArrayList<>();
    private final Inbox<List<Integer>> inbox = new Inbox<>(reason -> rings.incrementAndGet());

    @Test
    void runsAFewOrdersACallInTheOrderInWhichTheyCame() {
        for (int i = 0; i < 10; i++) {
            int number = i;
            assertThat(inbox.offer(into -> into.add(number))).isTrue();
        }

        assertThat(inbox.drainTo(done)).isEqualTo(4);
        assertThat(inbox.drainTo(done)).isEqualTo(4);
        assertThat(inbox.drainTo(done)).isEqualTo(2);
        assertThat(inbox.drainTo(done)).isZero();

        assertThat(done).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(rings).hasValue(10);
    }

    @Test
    void ordersBehindOneThatFailsStillRun() {
        inbox.offer(into -> {
            throw new IllegalStateException("this order fails");
        });
        inbox.offer(into -> into.add(1));

        assertThatThrownBy(() -> inbox.drainTo(done)).hasMessage("this order fails");
        assertThat(inbox.drainTo(done)).isEqualTo(1);

        assertThat(done).containsExactly(1);
    }

    @Test
    void anOrderThatAnOrderGivesRuns() {
        inbox.offer(into -> inbox.offer(also -> also.add(1)));

        while (inbox.drainTo(done) > 0) {
            // until nothing waits
        }

        assertThat(done).containsExactly(1);
    }

    @Test
    void refusesWhatDoesNotFit() {
        int fit = 0;
        while (inbox.offer(into -> into.add(1))) {
            fit++;
        }
        while (inbox.drainTo(done) > 0) {
            // until nothing waits
        }

        assertThat(done).hasSize(fit);
        assertThat(inbox.offer(into -> into.add(1))).isTrue();
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
                                    if (inbox.offer(into -> into.add(1))) {
                                        i++;
                                    } else {
                                        Thread.onSpinWait();
                                    }
                                }
                            }));
        }
        while (done.size() < threads * each) {
            if (inbox.drainTo(done) == 0) {
                Thread.onSpinWait();
            }
        }
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(inbox.drainTo(done)).isZero();
    }
}
