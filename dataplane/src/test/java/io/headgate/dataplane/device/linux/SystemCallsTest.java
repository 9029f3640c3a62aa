package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SystemCallsTest {
    @Test
    void warmingUpEndsWhenItsTimeIsOver() {
        assertThat(SystemCalls.warmUp(2500, 0)).isZero();
        assertThat(SystemCalls.warmUp(2500, 100_000)).isLessThan(2500);
        assertThat(SystemCalls.warmUp(2500, 60_000_000_000L)).isEqualTo(2500);
    }
}
