package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SystemCallsTest {
    @Test
    void warmingUpEndsWhenItsTimeIsOver() {
        assertThat(SystemCalls.warmUp(0)).isZero();
        assertThat(SystemCalls.warmUp(5_000_000)).isLessThan(20_000);
        assertThat(SystemCalls.warmUp(60_000_000_000L)).isEqualTo(20_000);
    }
}
