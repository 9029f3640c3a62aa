package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FrameGrowth;
import io.headgate.config.HostConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What congestion points add to frames is counted wherever the length of a frame is. */
class FrameGrowthTest {
    private static PortConfig port(int mtu, String keys) {
        return SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {mtu: %d, rate: 10Gbps, %s}
                        ports:
                          - {name: p1, device: {tap: t1}}
                          - {name: p2, device: {tap: t2}}
                        """
                                .formatted(mtu, keys),
                        "g.yaml")
                .ports()
                .getFirst();
    }

    private static FlowControlConfig.Buffers buffers(PortConfig port) {
        return Objects.requireNonNull(port.flowControl().buffers());
    }

    @Test
    void theLongestFrameIsLongerAndTheMtuIsNot() {
        PortConfig port = port(1_500, "congestion: {grower: {}}");
        assertThat(port.mtuBytes()).isEqualTo(1_500);
        assertThat(port.grownMtuBytes()).isEqualTo(1_600);
        assertThat(port(1_500, "flow-control: none").grownMtuBytes()).isEqualTo(1_500);
        // With the header of a detour, once.
        PortConfig both =
                port(
                        1_500,
                        "flow-control: pfc, congestion: {grower: {bytes: 40}}, detour: {bypass: {}}");
        assertThat(both.grownMtuBytes()).isEqualTo(1_540);
        assertThat(FrameGrowth.onLink(both.mechanisms())).isEqualTo(44);
    }

    /** Where a slot's worth of bytes follows from the longest frame. */
    @Test
    void whatFollowsFromTheLongestFrameFollowsFromTheGrownOne() {
        PortConfig grown = port(1_500, "flow-control: none, congestion: {grower: {}}");
        assertThat(grown.accountCapBytes()).isEqualTo(grown.accountCapSlots() * (1_600L + 22));
        assertThat(grown.linkMtuBytes()).isEqualTo(1_600);
        HostConfig.Nic nic =
                HostConfigReader.read(
                                """
                                name: hosts
                                hosts:
                                  - name: h1
                                    tap: t1
                                    device: {memory: m}
                                    mtu: 1700
                                    congestion: {grower: {}}
                                """,
                                "h.yaml")
                        .nics()
                        .getFirst();
        assertThat(nic.linkMtuBytes()).isEqualTo(1_800);
        assertThat(MemoryConfig.slotBytesFor(nic.mtuBytes())).isEqualTo(2048);
        assertThat(MemoryConfig.slotBytesFor(nic.linkMtuBytes())).isEqualTo(4096);
        assertThat(MemoryConfig.slotBytesFor(4_000)).isEqualTo(16_384);
    }

    @Test
    void headroomIsThatOfAPortWhoseMtuIsAsMuchLarger() {
        String pfc = "flow-control: pfc, lossless: [3]";
        long grown = buffers(port(1_500, pfc + ", congestion: {grower: {}}")).headroomBytes();
        assertThat(grown)
                .isEqualTo(buffers(port(1_600, pfc)).headroomBytes())
                .isGreaterThan(buffers(port(1_500, pfc)).headroomBytes());
    }

    @Test
    void creditsAndSlotsMustHoldTheLongestFrame() {
        String credits = "flow-control: credits, lossless: [3], credits: {buffer: 1600B}";
        assertThat(port(1_500, credits).grownMtuBytes()).isEqualTo(1_500);
        assertThatThrownBy(() -> port(1_500, credits + ", congestion: {grower: {bytes: 200}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at least one frame of the port's MTU in whole blocks");
        String none = "flow-control: none";
        assertThat(port(1_680, none).grownMtuBytes()).isEqualTo(1_680);
        assertThatThrownBy(() -> port(1_680, none + ", congestion: {grower: {}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1680 with slots of 2KiB");
    }
}
