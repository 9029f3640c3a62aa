package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SystemCallsTest {
    @Test
    void warmingUpEndsWhenItsTimeIsOver() {
        assertThat(SystemCalls.warmUp(0)).isZero();
        assertThat(SystemCalls.warmUp(100_000)).isLessThan(SystemCalls.CALLS);
        assertThat(SystemCalls.warmUp(60_000_000_000L)).isEqualTo(SystemCalls.CALLS);
    }
}
