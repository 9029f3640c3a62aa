package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.domain.Domain;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DomainDutyTest {
    /** A domain that throws at the place that a test sets. */
    private static final class Failing implements Domain {
        private boolean beginFails;
        private boolean endFails;

        private static void failIf(boolean wanted) {
            if (wanted) {
                throw new IllegalStateException("made to fail");
            }
        }

        @Override
        public Queues queues(int egress, PortConfig port, @Nullable Schedule schedule) {
            throw new AssertionError();
        }

        @Override
        public void change(int port, PortConfig config) {
            // There is no port.
        }

        @Override
        public void begin(long nowNs) {
            failIf(beginFails);
        }

        @Override
        public void end(long nowNs) {
            failIf(endFails);
        }

        @Override
        public long started() {
            return 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }
    }

    @Test
    void aDomainThatFailsIsCalledAgainThoughNothingRings() {
        Failing domain = new Failing();
        DomainDuty duty = new DomainDuty(domain, new EgressHalf[0]);
        domain.beginFails = true;
        assertThatThrownBy(() -> duty.doWork(5)).hasMessage("made to fail");
        assertThat(duty.deadlineNs()).isEqualTo(5 + DomainDuty.AGAIN_NS);
        assertThat(duty.whatFailed()).isSameAs(duty);
        domain.beginFails = false;
        domain.endFails = true;
        assertThatThrownBy(() -> duty.doWork(7)).hasMessage("made to fail");
        assertThat(duty.deadlineNs()).isEqualTo(7 + DomainDuty.AGAIN_NS);
        domain.endFails = false;
        assertThat(duty.doWork(9)).isZero();
        assertThat(duty.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }
}
