package io.headgate.dataplane.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.engine.Duty;
import org.junit.jupiter.api.Test;

/** When a duty that failed is called again. */
class RestingDutyTest {
    private static final long MS = 1_000_000;

    private boolean fails;
    private long deadlineNs = 7;

    private final class Planted implements Duty {
        @Override
        public String name() {
            return "planted";
        }

        @Override
        public int doWork(long nowNs) {
            if (fails) {
                throw new IllegalStateException("planted");
            }
            return 1;
        }

        @Override
        public long deadlineNs() {
            return deadlineNs;
        }
    }

    private final RestingDuty duty = new RestingDuty(new Planted());

    /** Fails now; answers for how long it rests, which is its deadline. */
    private long failMs(long nowNs) {
        fails = true;
        assertThatThrownBy(() -> duty.doWork(nowNs)).hasMessage("planted");
        fails = false;
        assertThat(duty.doWork(duty.deadlineNs() - 1)).isZero();
        return (duty.deadlineNs() - nowNs) / MS;
    }

    @Test
    void itRestsTwiceAsLongEachTimeThatItFailsSoonAgainAndHalfAMinuteAtMost() {
        assertThat(duty.doWork(1)).isEqualTo(1);
        assertThat(duty.deadlineNs()).isEqualTo(7);
        long expectedMs = 100;
        for (int i = 0; i < 12; i++) {
            long nowNs = i == 0 ? 50 : duty.deadlineNs();
            assertThat(failMs(nowNs)).isEqualTo(expectedMs);
            expectedMs = Math.min(2 * expectedMs, 30_000);
        }
        assertThat(expectedMs).isEqualTo(30_000);
    }

    @Test
    void afterAMinuteWithoutAFailureItIsSoundAgain() {
        failMs(0);
        failMs(duty.deadlineNs());
        long againNs = duty.deadlineNs();
        assertThat(duty.doWork(againNs)).isEqualTo(1);
        assertThat(duty.deadlineNs()).isEqualTo(7);
        assertThat(failMs(againNs + 60_000 * MS)).isEqualTo(100);
    }

    @Test
    void ofWhatFailedOnlyAPartTheRestGoesOn() {
        Duty part = new Planted();
        Duty whole =
                new Duty() {
                    @Override
                    public String name() {
                        return "whole";
                    }

                    @Override
                    public int doWork(long nowNs) {
                        return part.doWork(nowNs);
                    }

                    @Override
                    public long deadlineNs() {
                        return deadlineNs;
                    }

                    @Override
                    public Duty whatFailed() {
                        return part;
                    }
                };
        RestingDuty resting = new RestingDuty(whole);
        fails = true;
        assertThatThrownBy(() -> resting.doWork(0)).hasMessage("planted");
        assertThat(resting.whatFailed()).isSameAs(part);
        fails = false;
        assertThat(resting.doWork(1)).isEqualTo(1);
    }
}
