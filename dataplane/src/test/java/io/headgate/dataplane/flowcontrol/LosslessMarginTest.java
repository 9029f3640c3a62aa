package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Headroom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The margin against the headroom that was computed for it. */
final class LosslessMarginTest {
    private static LosslessMargin margin(long headroomBytes, int headroomSlots) {
        FlowControlConfig.Buffers buffers =
                FlowControlConfig.Buffers.fixed(
                        100_000, 400, 90_000, 300, headroomBytes, headroomSlots);
        return new LosslessMargin(TestPorts.port(TestPorts.pfc(buffers), List.of(3), 100_000, 100));
    }

    private static Headroom headroom(long ownReactionNs) {
        return new Headroom(
                TestPorts.RATE_BPS, 1500, new FlowControlConfig.Link(1000, ownReactionNs, 0));
    }

    @Test
    void headroomForTheTimesThatWereSeenLeavesAMarginOfZero() {
        Headroom needed = headroom(50_000 + 20_000 + 30_000);
        LosslessMargin margin = margin(needed.bytes(), needed.slots());
        assertThat(margin.bytes(50_000, 20_000, 30_000)).isZero();
        assertThat(margin.slots(50_000, 20_000, 30_000)).isZero();
        assertThat(margin.explain(50_000, 20_000, 30_000)).startsWith("guaranteed;");
    }

    @Test
    void longerCycleMakesItNegativeAndSaysWhy() {
        Headroom needed = headroom(100_000);
        LosslessMargin margin = margin(needed.bytes(), needed.slots());
        // 8 ns more at 10 Gb/s are 10 bytes.
        assertThat(margin.bytes(50_000, 20_008, 30_000)).isEqualTo(-10);
        assertThat(margin.explain(50_000, 20_008, 30_000))
                .startsWith("not guaranteed: more bytes can arrive")
                .contains("cycles of 20,008 ns and 30,000 ns")
                .contains("own reaction of 100008ns at 10Gbps");
    }

    @Test
    void slotsMayRunOutBeforeBytes() {
        LosslessMargin margin = margin(headroom(100_000).bytes(), 50);
        assertThat(margin.bytes(0, 0, 0)).isPositive();
        assertThat(margin.slots(0, 0, 0)).isNegative();
        assertThat(margin.explain(0, 0, 0)).startsWith("not guaranteed: more short frames");
    }

    @Test
    void creditsNeedNoMargin() {
        FlowControlConfig flowControl =
                TestPorts.credits(
                        new FlowControlConfig.Credits(
                                FlowControlConfig.Credits.Update.PERIODIC, 1, 0, 0, 6_400, 100));
        LosslessMargin margin =
                new LosslessMargin(TestPorts.port(flowControl, List.of(3), 100_000, 100));
        assertThat(margin.isNeeded()).isFalse();
        assertThat(margin.bytes(1, 1, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(margin.explain(1, 1, 1)).startsWith("guaranteed");
    }

    @Test
    void stallsOfHoursAreAnsweredToo() {
        LosslessMargin margin = margin(100_000, 1000);
        assertThat(margin.bytes(0, Long.MAX_VALUE / 4, 0)).isNegative();
        assertThat(margin.slots(0, Long.MAX_VALUE / 4, 0)).isNegative();
    }
}
