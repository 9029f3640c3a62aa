package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.HostConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.key.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class HostConfigReaderTest {
    private static final String BRIEF =
            "name: hosts\nhosts: [{name: h1, tap: tap1, device: {afpacket: eth1}}]\n";

    @Test
    void shippedExamplesAreRead() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples", "hosts"))) {
            List<Path> examples = files.toList();
            assertThat(examples).isNotEmpty();
            for (Path example : examples) {
                assertThat(HostConfigReader.read(example).nics()).isNotEmpty();
            }
        }
    }

    @Test
    void whatIsNotSaidIsASaneCard() {
        HostConfig.Nic nic = HostConfigReader.read(BRIEF, "t").nics().getFirst();
        assertThat(nic.tap()).isEqualTo(new DeviceConfig.Tap("tap1", null, true));
        assertThat(nic.rateBps()).isEqualTo(1_000_000_000);
        assertThat(nic.mtuBytes()).isEqualTo(1500);
        assertThat(MemoryConfig.slotBytesFor(nic.linkMtuBytes())).isEqualTo(2048);
        assertThat(nic.wire().flowControl()).isEqualTo(FlowControlConfig.NONE);
        assertThat(nic.throttling().floorBps()).isEqualTo(10_000_000);
    }

    @Test
    void flowControlIsThatOfASwitchsPortWithTheSameWords() {
        String words = "flow-control: pfc, lossless: [3], buffers: {xoff: 200kB}";
        HostConfig.Nic nic =
                HostConfigReader.read(BRIEF + "defaults: {" + words + "}\n", "t").nics().getFirst();
        PortConfig port =
                SwitchConfigReader.read(
                                "name: s\ndefaults: {"
                                        + words
                                        + "}\nports: [{name: p1, device: {afpacket: v1}}]\n",
                                "t")
                        .ports()
                        .getFirst();
        assertThat(nic.wire().flowControl()).isEqualTo(port.flowControl());
        assertThat(nic.wire().traffic().withWeights(port.traffic().weights()))
                .isEqualTo(port.traffic());
        assertThat(nic.wire().slots()).isEqualTo(port.promisedSlots());
    }

    /** ARP is in priority 0; strictly behind a lossless priority that is full it would starve. */
    @Test
    void aHostWithFlowControlSharesItsLinkUnlessItsFileSaysOtherwise() {
        assertThat(weights("flow-control: pfc")).containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(weights("flow-control: pfc, scheduler: strict")).containsOnly(0);
        assertThat(weights("flow-control: none")).containsOnly(0);
        // A network's hosts are of virtual time, too, where there is no ARP.
        PortTraffic network = PortTrafficReader.read("{flow-control: pfc}");
        assertThat(network.at(1_000_000_000, 1500, 0, 0).traffic().weights()).containsOnly(0);
    }

    private static List<Integer> weights(String defaults) {
        return HostConfigReader.read(BRIEF + "defaults: {" + defaults + "}\n", "t")
                .nics()
                .getFirst()
                .wire()
                .traffic()
                .weights();
    }

    @Test
    void ofAJumboMtuTheFloorRisesAndSlotsGrow() {
        HostConfig.Nic nic =
                HostConfigReader.read(BRIEF + "defaults: {mtu: 9000}\n", "t").nics().getFirst();
        assertThat(nic.throttling().floorBps()).isBetween(36_000_000L, 37_000_000L);
        assertThat(MemoryConfig.slotBytesFor(nic.linkMtuBytes())).isEqualTo(16_384);
        assertThatThrownBy(() ->
                        HostConfigReader.read(
                                BRIEF + "defaults: {mtu: 9000, floor: 20Mbps}\n", "t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("defaults.floor")
                .hasMessageContaining("at least");
    }

    @Test
    void whatIsWrongIsToldAllAtOnce() {
        assertThatThrownBy(() ->
                        HostConfigReader.read(
                                "name: hosts\n"
                                        + "hosts:\n"
                                        + "  - {name: h1, tap: tap1, device: {virtual: l}}\n"
                                        + "  - {name: h1, tap: tap1, device: {afpacket:"
                                        + " eth1}}\n",
                                "t.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("without a connection to a switch")
                .hasMessageContaining("a second host named")
                .hasMessageContaining("a TAP that another host has");
    }

    @Test
    void portsOfANetworkFollowFromEachLinksRate() {
        String said =
                "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 800kB, xon: 770kB}}";
        PortTraffic ports = PortTrafficReader.read(said);
        FlowControlConfig slow = ports.at(10_000_000_000L, 1500, 1_000, 0).flowControl();
        FlowControlConfig fast = ports.at(100_000_000_000L, 1500, 1_000, 0).flowControl();
        FlowControlConfig.Buffers slowBuffers = Objects.requireNonNull(slow.buffers());
        FlowControlConfig.Buffers fastBuffers = Objects.requireNonNull(fast.buffers());
        assertThat(slowBuffers.xoffBytes()).isEqualTo(800_000);
        assertThat(fastBuffers.headroomBytes()).isGreaterThan(slowBuffers.headroomBytes());
        assertThat(ports).isEqualTo(PortTrafficReader.read(said));
        assertThat(Section.slower(slow, 10).link().delayNs()).isEqualTo(10_000);
        assertThatThrownBy(() -> PortTrafficReader.read("{flow-control: token-ring}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("pfc");
    }
}
