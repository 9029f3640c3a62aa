package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.engine.TestSwitch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That a warm-up meets what a frame may meet, rare or not. */
class EngineWarmUpTest {
    private static final int FRAMES = 40_000;

    @Test
    void aBridgeMeetsBusyLinesAndAddressesThatAreRefreshed() {
        CounterDirectory counters = EngineWarmUp.countersAfter(TestSwitch.bridge(3), FRAMES);
        assertThat(TestSwitch.total(counters, "frames.received")).isGreaterThanOrEqualTo(FRAMES);
        assertThat(TestSwitch.total(counters, "frames.flooded")).isPositive();
        assertThat(TestSwitch.total(counters, "device.busy")).isPositive();
        assertThat(TestSwitch.total(counters, "queue.max.bytes")).isPositive();
        // Three are new; all else are refreshed ones.
        assertThat(TestSwitch.total(counters, "fdb.learned")).isEqualTo(3);
        assertThat(TestSwitch.total(counters, "learn.requests")).isGreaterThan(20);
    }

    @Test
    void aRouterRoutesBothFamilies() {
        SwitchConfig config =
                TestSwitch.routed(
                        List.of(
                                List.of("192.0.2.1/30", "2001:db8::1/64"),
                                List.of("198.51.100.1/24"),
                                List.of("203.0.113.1/24")),
                        List.of(),
                        7);
        CounterDirectory counters = EngineWarmUp.countersAfter(config, FRAMES);
        long received = TestSwitch.total(counters, "frames.received");
        assertThat(received).isGreaterThanOrEqualTo(FRAMES);
        // All but the broadcasts.
        assertThat(TestSwitch.total(counters, "frames.forwarded")).isGreaterThan(received * 9 / 10);
        assertThat(TestSwitch.total(counters, "drop.BAD_IP_HEADER")).isZero();
        assertThat(TestSwitch.total(counters, "drop.NEIGHBOUR_UNRESOLVED")).isZero();
        assertThat(TestSwitch.total(counters, "device.busy")).isPositive();
    }
}
