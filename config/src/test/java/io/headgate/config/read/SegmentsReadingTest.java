package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@code gso: pass} together with what else a switch has. */
class SegmentsReadingTest {
    private static final String WHOLE = "{afpacket: {interface: v1, gso: pass}}";

    private static SwitchConfig read(String device, String port, String more) {
        return SwitchConfigReader.read(
                "name: s1\n"
                        + more
                        + "ports:\n  - {name: p1, device: "
                        + device
                        + port
                        + "}\n  - {name: p2, device: {tap: t2}}\n",
                "s.yaml");
    }

    private static long headroomBytes(PortConfig port) {
        return Objects.requireNonNull(port.flowControl().buffers()).headroomBytes();
    }

    private static void refuses(String port, String more, String... said) {
        assertThatThrownBy(() -> read(WHOLE, port, more)).hasMessageContainingAll(said);
    }

    @Test
    void slotsQueuesAndRoomFollow() {
        SwitchConfig config = read(WHOLE, ", flow-control: pfc, lossless: [3]", "");
        assertThat(config.memory().slotBytes()).isEqualTo(MemoryConfig.WHOLE_SLOT_BYTES);
        PortConfig whole = config.ports().get(0);
        PortConfig single = config.ports().get(1);
        assertThat(whole.queueLimitBytes()).isEqualTo(4_000_000);
        // Whole frames come to its queues, too, and are cut behind them.
        assertThat(single.queueLimitBytes()).isEqualTo(4_000_000);
        assertThat(whole.countedPayloadBytes() + ConfigDefaults.OVERHEAD_BYTES)
                .isEqualTo(ConfigDefaults.WHOLE_FRAME_BYTES);
        PortConfig pfc =
                read("{tap: t1}", ", flow-control: pfc, lossless: [3]", "").ports().getFirst();
        // Three frames may be on their way when a pause is due.
        assertThat(headroomBytes(whole) - headroomBytes(pfc))
                .isEqualTo(3 * (ConfigDefaults.WHOLE_FRAME_BYTES - 1_522));
        assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), "again"))
                .isEqualTo(config);
        assertThat(read("{tap: t1}", "", "").memory().slotBytes()).isEqualTo(2048);
        assertThat(read("{tap: {interface: t1, gso: pass}}", "", "").memory().slotBytes())
                .isEqualTo(MemoryConfig.WHOLE_SLOT_BYTES);
    }

    @Test
    void smallerSlotsAreRefused() {
        refuses("", "memory: {slot: 16KiB}\n", "memory.slot", "16KiB with gso: pass at port p1");
    }

    @Test
    void devicesOfSingleFramesThatKeepSlotsAreRefused() {
        assertThatThrownBy(() ->
                        SwitchConfigReader.read(
                                "name: s1\nports:\n  - {name: p1, device: "
                                        + WHOLE
                                        + "}\n  - {name: p2, device: {afxdp: v2}}\n",
                                "s.yaml"))
                .hasMessageContaining("68KiB with afxdp on port p2");
    }

    @Test
    void queuesOfPortsThatCutHoldOneWholeFrame() {
        assertThatThrownBy(() ->
                        SwitchConfigReader.read(
                                "name: s1\nports:\n  - {name: p1, device: "
                                        + WHOLE
                                        + "}\n  - {name: p2, device: {tap: t2}, queue-limit: 50kB}\n",
                                "s.yaml"))
                .hasMessageContainingAll(
                        "ports[1].queue-limit",
                        "50kB",
                        "one frame of several TCP segments: 128KiB");
    }

    @Test
    void faultsAreRefused() {
        assertThatThrownBy(() ->
                        read("{afpacket: {interface: v1, gso: pass}, faults: {loss: 0.1}}", "", ""))
                .hasMessageContaining("faults with gso: pass");
    }

    @Test
    void flowControlOfPortsThatCutIsRefused() {
        assertThatThrownBy(() ->
                        SwitchConfigReader.read(
                                "name: s1\ndefaults: {flow-control: pfc, lossless: [3]}\nports:\n"
                                        + "  - {name: p1, device: "
                                        + WHOLE
                                        + "}\n  - {name: p2, device: {tap: t2}}\n",
                                "s.yaml"))
                .hasMessageContaining("pfc with gso: pass at port p1 and none at this port");
    }

    @Test
    void hostsAreRefused() {
        assertThatThrownBy(() ->
                        HostConfigReader.read(
                                "name: hosts\nhosts: [{name: h1, tap: {interface: t1, gso: pass},"
                                        + " device: {afpacket: {interface: v1, gso: pass}}}]\n",
                                "h.yaml"))
                .hasMessageContaining("gso: pass at a host");
    }
}
