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

    /** How many frames there are more at each look. */
    private int rate = 100;

    private CaptureMoment after(long ns, LongSupplier control, boolean controlled) {
        AtomicInteger frames = new AtomicInteger();
        return CaptureMoment.after(
                ns,
                () -> done.add("open"),
                () -> done.add("shut"),
                () -> frames.getAndAdd(rate),
                control,
                controlled,
                TimeUnit.HOURS.toNanos(1));
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
    void itLastsUntilAHundredFramesHavePassed() {
        rate = 26;
        AtomicInteger looks = new AtomicInteger();
        after(0, () -> looks.incrementAndGet(), false).await();
        assertThat(looks).hasValue(1 + 4);
    }

    @Test
    void oneOfATimeLastsSoLongHoweverFewFramesPass() {
        long beginNs = System.nanoTime();
        CaptureMoment moment =
                CaptureMoment.during(
                        TimeUnit.MILLISECONDS.toNanos(50),
                        () -> done.add("open"),
                        () -> done.add("shut"));
        moment.await();
        assertThat(System.nanoTime() - beginNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(49));
        assertThat(done).containsExactly("open", "shut");
        assertThat(moment.hasControl()).isFalse();
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
