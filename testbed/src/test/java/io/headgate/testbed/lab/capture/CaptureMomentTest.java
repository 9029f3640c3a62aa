package io.headgate.testbed.lab.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class CaptureMomentTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    private CaptureMoment after(long ns, LongSupplier frames, boolean controlled) {
        return CaptureMoment.after(
                ns, () -> done.add("open"), () -> done.add("shut"), frames, controlled);
    }

    @Test
    void itLastsUntilItHasAFrameOfFlowControl() {
        AtomicInteger looks = new AtomicInteger();
        CaptureMoment moment = after(0, () -> looks.incrementAndGet() > 3 ? 1 : 0, true);
        moment.await();
        assertThat(moment.hasControl()).isTrue();
        assertThat(looks).hasValue(4);
        assertThat(done).containsExactly("open", "shut");
    }

    @Test
    void itIsShortWhereItNeedsNone() {
        AtomicInteger looks = new AtomicInteger();
        CaptureMoment moment = after(0, () -> looks.incrementAndGet() * 0L, false);
        moment.await();
        assertThat(moment.hasControl()).isFalse();
        assertThat(looks).hasValue(2);
    }

    @Test
    void closedBeforeItBeginsItCapturesNothing() {
        CaptureMoment moment =
                after(
                        TimeUnit.HOURS.toNanos(1),
                        () -> {
                            throw new AssertionError("switches may be closed");
                        },
                        true);
        moment.close();
        moment.close();
        assertThat(done).isEmpty();
    }

    /** The lab goes on to close the switches: they must not be asked any more. */
    @Test
    void closedInItsMiddleItIsOverAtOnce() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        CaptureMoment moment =
                after(
                        0,
                        () -> {
                            looks.incrementAndGet();
                            began.countDown();
                            return 0;
                        },
                        true);
        assertThat(began.await(1, TimeUnit.MINUTES)).isTrue();
        moment.close();
        int seen = looks.get();
        assertThat(done).containsExactly("open", "shut");
        assertThat(moment.hasControl()).isFalse();
        Thread.sleep(50);
        assertThat(looks).hasValue(seen);
    }
}
