package io.headgate.hostagent;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import org.junit.jupiter.api.Test;

final class SenderThrottleTest {
    private static final int SLOTS = 64;

    private final FrameRegion region = new FrameRegion(SLOTS, 512);
    private final Accounts accounts = new Accounts(Long.MAX_VALUE, Integer.MAX_VALUE);
    private final SenderThrottle throttle = new SenderThrottle(SLOTS);
    private int held;

    private void charge(int priority, int frames) {
        for (int i = 0; i < frames; i++) {
            Frame frame = region.frame(held++);
            frame.lengthBytes = 60;
            accounts.charge(frame, priority);
        }
    }

    private void release(int frames) {
        for (int i = 0; i < frames; i++) {
            accounts.release(region.frame(--held));
        }
    }

    @Test
    void throttlesWhenOnePriorityHasMoreThanAnEighthOfTheSlots() {
        charge(3, SLOTS / 8);
        assertThat(throttle.update(accounts)).isFalse();
        charge(3, 1);
        assertThat(throttle.update(accounts)).isTrue();
    }

    @Test
    void letsGoOnlyWhenTheQueueIsHalfEmptyAgain() {
        charge(3, SLOTS / 8 + 1);
        assertThat(throttle.update(accounts)).isTrue();
        release(4);
        assertThat(throttle.update(accounts)).isTrue();
        release(1);
        assertThat(throttle.update(accounts)).isFalse();
        charge(3, 1);
        assertThat(throttle.update(accounts)).isFalse();
    }

    @Test
    void throttlesWhenManyPrioritiesTogetherHaveMoreThanAQuarterOfTheSlots() {
        for (int priority = 0; priority < 4; priority++) {
            charge(priority, SLOTS / 16);
        }
        assertThat(throttle.update(accounts)).isFalse();
        charge(4, 1);
        assertThat(throttle.update(accounts)).isTrue();
    }
}
