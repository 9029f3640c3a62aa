package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
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
        assertThat(margin.at(50_000, 20_000, 30_000).bytes()).isZero();
        assertThat(margin.at(50_000, 20_000, 30_000).slots()).isZero();
        assertThat(margin.at(50_000, 20_000, 30_000).explain())
                .startsWith("guaranteed, even if a worker is delayed for 0 ns longer;");
    }

    @Test
    void longerCycleMakesItNegativeAndSaysWhy() {
        Headroom needed = headroom(100_000);
        LosslessMargin margin = margin(needed.bytes(), needed.slots());
        // 8 ns more at 10 Gb/s are 10 bytes.
        assertThat(margin.at(50_000, 20_008, 30_000).bytes()).isEqualTo(-10);
        assertThat(margin.at(50_000, 20_008, 30_000).explain())
                .startsWith("not guaranteed: more bytes can arrive")
                .contains("; buffers: {headroom: " + (needed.bytes() + 10) + "B} would be enough;")
                .contains("; margin -10 B, ")
                .contains("50 us to wake, then cycles of 20 us (ingress) and 30 us (egress)")
                .contains("own reaction of 100 us at 10 Gbps");
    }

    @Test
    void slotsMayRunOutBeforeBytes() {
        LosslessMargin margin = margin(headroom(100_000).bytes(), 50);
        assertThat(margin.at(0, 0, 0).bytes()).isPositive();
        assertThat(margin.at(0, 0, 0).slots()).isNegative();
        assertThat(margin.at(0, 0, 0).explain())
                .startsWith("not guaranteed: more short frames")
                .contains(
                        "; buffers: {headroom-slots: " + headroom(0).slots() + "} would be enough");
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
        assertThat(margin.at(1, 1, 1).bytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(margin.at(1, 1, 1).explain()).startsWith("guaranteed");
    }

    @Test
    void stallsOfHoursAreAnsweredToo() {
        LosslessMargin margin = margin(100_000, 1000);
        assertThat(margin.at(0, Long.MAX_VALUE / 4, 0).bytes()).isNegative();
        assertThat(margin.at(0, Long.MAX_VALUE / 4, 0).slots()).isNegative();
    }

    @Test
    void asATimeItIsWhatCanBeAddedBeforeItIsNegative() {
        Headroom needed = headroom(100_000);
        LosslessMargin margin = margin(needed.bytes(), needed.slots());
        long spareNs = margin.at(10_000, 5_000, 5_000).spareNs();
        // Slightly more than 80 us, because bytes and slots are whole numbers.
        assertThat(spareNs).isBetween(80_000L, 80_067L);
        assertThat(margin.at(10_000 + spareNs, 5_000, 5_000).isGuaranteed()).isTrue();
        assertThat(margin.at(10_000 + spareNs + 1, 5_000, 5_000).isGuaranteed()).isFalse();
        assertThat(margin.at(200_000, 0, 0).spareNs()).isZero();
        assertThat(margin.at(10_000, 5_000, 5_000).explain()).contains("delayed for 80 us longer");
    }

    @Test
    void whereNoRingIsLargeEnoughItSaysWhatElseWouldDo() {
        LosslessMargin margin =
                new LosslessMargin(
                        TestPorts.port(
                                new DeviceConfig.AfPacket("veth1", null, 2048),
                                TestPorts.pfc(
                                        FlowControlConfig.Buffers.fixed(
                                                100_000, 400, 90_000, 300, 1 << 30, 1 << 30)),
                                List.of(3),
                                100_000,
                                100));
        assertThat(margin.at(3_000_000, 0, 0).explain())
                .contains(" (2,048)", "; no ring is large enough: use a lower");
    }

    @Test
    void theDevicesRingMustHoldWhatComesBeforeThePortLooks() {
        Headroom needed = headroom(1_000_000);
        FlowControlConfig.Buffers buffers =
                FlowControlConfig.Buffers.fixed(
                        100_000, 400, 90_000, 300, needed.bytes(), needed.slots());
        LosslessMargin margin =
                new LosslessMargin(
                        TestPorts.port(
                                new DeviceConfig.AfPacket("veth1", null, 64),
                                TestPorts.pfc(buffers),
                                List.of(3),
                                100_000,
                                100));
        // At 10 Gb/s a frame of the least size takes 67.2 ns of the wire.
        assertThat(margin.at(0, 0, 0).ringFrames()).isEqualTo(64);
        assertThat(margin.at(1_000, 2_000, 0).ringFrames()).isEqualTo(64 - 45);
        assertThat(margin.at(1_000, 2_000, 900_000).isGuaranteed()).isTrue();
        assertThat(margin.at(2_300, 2_001, 0).ringFrames()).isEqualTo(-1);
        assertThat(margin.at(2_300, 2_001, 0).isGuaranteed()).isFalse();
        assertThat(margin.at(0, 0, 0).spareNs()).isBetween(4_295L, 4_301L);
        assertThat(margin.at(2_300, 2_001, 0).explain())
                .startsWith(
                        "not guaranteed: more short frames can arrive between two polls of the"
                                + " port")
                .contains("than its device's ring can hold (64); ring: 128 would hold them;");
        assertThat(margin.at(0, 128 * 67_200L / 1000, 0).ringFrames()).isEqualTo(-64);
        assertThat(margin.at(0, 128 * 67_200L / 1000, 0).explain()).contains("; ring: 128 would");
        assertThat(margin.at(0, 129 * 67_200L / 1000, 0).explain()).contains("; ring: 256 would");
    }
}
