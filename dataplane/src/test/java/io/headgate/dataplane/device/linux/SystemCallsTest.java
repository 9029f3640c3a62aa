package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SystemCallsTest {
    @Test
    void warmingUpEndsWhenItsTimeIsOver() {
        assertThat(SystemCalls.warmUp(0)).isZero();
        assertThat(SystemCalls.warmUp(5_000_000)).isBetween(1, 19_999);
    }
}
