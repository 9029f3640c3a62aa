package io.headgate.testbed.virtual.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.PacingWheel;
import org.junit.jupiter.api.Test;

final class LeavingFramesTest {
    private final FrameRegion region = new FrameRegion(8, 512);
    private final LeavingFrames leaving = new LeavingFrames("a>b");
    private final Frame[] into = new Frame[8];

    @Test
    void framesAreGivenBackInOrderOnceTheyHaveLeft() {
        assertThat(leaving.nextPs(0)).isEqualTo(PacingWheel.NEVER);
        for (int round = 0; round < 5; round++) {
            long fromPs = 100L * round;
            leaving.add(region.frame(0), fromPs + 10);
            leaving.add(region.frame(1), fromPs + 20);
            leaving.add(region.frame(2), fromPs + 20);
            assertThat(leaving.firstPs()).isEqualTo(fromPs + 10);
            assertThat(leaving.haveLeft(fromPs + 9)).isFalse();
            assertThat(leaving.take(fromPs + 9, into, 8)).isZero();
            assertThat(leaving.nextPs(fromPs + 9)).isEqualTo(fromPs + 10);
            assertThat(leaving.haveLeft(fromPs + 10)).isTrue();
            assertThat(leaving.nextPs(fromPs + 10)).isEqualTo(fromPs + 20);
            assertThat(leaving.take(fromPs + 20, into, 2)).isEqualTo(2);
            assertThat(into[0]).isSameAs(region.frame(0));
            assertThat(into[1]).isSameAs(region.frame(1));
            assertThat(leaving.take(fromPs + 20, into, 2)).isEqualTo(1);
            assertThat(into[0]).isSameAs(region.frame(2));
            assertThat(leaving.nextPs(fromPs + 20)).isEqualTo(PacingWheel.NEVER);
        }
    }

    @Test
    void moreFramesThanAWireTakesAreRefused() {
        for (int i = 0; i < 4; i++) {
            leaving.add(region.frame(i), i);
        }
        assertThatThrownBy(() -> leaving.add(region.frame(4), 4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a>b has more than 4 frames");
    }
}
