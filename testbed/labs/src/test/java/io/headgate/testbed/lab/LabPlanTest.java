package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.MemoryConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.read.SwitchPatch;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LabPlanTest {
    private static LabOptions options(DeviceKind device, int mtuBytes) {
        return options(device, "1Gbps", mtuBytes);
    }

    private static LabOptions options(DeviceKind device, String rate, int mtuBytes) {
        Path nowhere = Path.of("nowhere");
        return new LabOptions(
                device, "single", "backoff", rate, 1, mtuBytes, false, false, nowhere, nowhere, "",
                1, false);
    }

    private static LinkSpec link(LabOptions options) {
        return LinkSpec.of(Objects.requireNonNull(Quantity.RATE.parse(options.rate())), 0);
    }

    private static SwitchConfig star(DeviceKind device, int mtuBytes) throws BedException {
        return star(options(device, mtuBytes));
    }

    private static SwitchConfig star(LabOptions options) throws BedException {
        Topology any = Topologies.singleSwitch(4, link(options));
        Topology star = any.withSizes(any.sizes().withMtuBytes(options.mtuBytes()));
        return new LabPlan(star, options, false, Map.of()).network().switches().getFirst();
    }

    @Test
    void anMtuThatAfXdpDoesNotCarryIsRefusedInTheWordsOfTheCommandLine() throws BedException {
        assertThat(star(DeviceKind.AFXDP, 3754).ports()).hasSize(4);
        assertThatThrownBy(() -> star(DeviceKind.AFXDP, 3755))
                .isInstanceOf(BedException.class)
                .hasMessage(
                        "AF_XDP carries an MTU of at most 3754 bytes; the lab's would be"
                                + " 3755; give a smaller --mtu, or --device afpacket or tap");
        assertThat(star(DeviceKind.AFPACKET, 9000).ports()).hasSize(4);
    }

    @Test
    void hostsOffloadsStayOnWhereAllPortsPassSegments() throws BedException {
        for (DeviceKind kind : List.of(DeviceKind.AFPACKET, DeviceKind.TAP)) {
            SwitchConfig config = star(options(kind, 1500).withGso(true));
            assertThat(config.memory().slotBytes()).isEqualTo(MemoryConfig.WHOLE_SLOT_BYTES);
            assertThat(config.ports())
                    .allMatch(port -> port.device().kind().passesSegments())
                    .allMatch(port -> port.queueLimitBytes() == 4_000_000)
                    // Of whole segments a full queue drops, and not an account before it.
                    .allMatch(port -> port.accountCapBytes() > 3 * port.queueLimitBytes())
                    .allMatch(port ->
                            8 * port.accountCapSlots() + port.device().receiveSlots()
                                    <= config.memory().slotsPerPort());
        }
    }

    private static List<Integer> rings(DeviceKind device, String rate) throws BedException {
        LabOptions options = options(device, rate, 1500);
        Topology star = Topologies.singleSwitch(4, link(options));
        return new LabPlan(star, options, true, Map.of())
                .network().switches().getFirst().ports().stream()
                        .map(port -> port.device().kind().ringFrames())
                        .distinct()
                        .toList();
    }

    @Test
    void theRingOfALosslessLabHoldsWhatComesWhileAWorkerIsHeld() throws BedException {
        assertThat(rings(DeviceKind.AFPACKET, "100Mbps")).containsExactly(8192);
        assertThat(rings(DeviceKind.AFPACKET, "1Gbps")).containsExactly(32_768);
        assertThat(rings(DeviceKind.AFPACKET, "200Mbps")).containsExactly(16_384);
    }

    /** Each run has its own where parameters have several values. */
    @Test
    void aLabFromAFileHasTheMtuAndTheRateOfItsTopology() throws BedException {
        Topology slow = Topologies.singleSwitch(2, LinkSpec.of(20_000_000, 0));
        LabPlan plan =
                new LabPlan(
                        slow.withSizes(slow.sizes().withMtuBytes(9000)),
                        options(DeviceKind.AFPACKET, 1500),
                        false,
                        Map.of());
        assertThat(plan.network().switches().getFirst().ports())
                .allSatisfy(port -> {
                    assertThat(port.mtuBytes()).isEqualTo(9000);
                    assertThat(port.rateBps()).isEqualTo(20_000_000);
                });
    }

    /** Slots are planned for the ring of the device that the lab is run with. */
    @Test
    void linksOfALabFromAFileBecomeLateOnAnyDevice() throws BedException {
        for (DeviceKind kind : DeviceKind.values()) {
            SwitchConfig config =
                    new LabPlan(
                                    Topologies.singleSwitch(2, LinkSpec.of(1_000_000_000, 0)),
                                    options(kind, 1500),
                                    false,
                                    Map.of())
                            .network()
                            .switches()
                            .getFirst();
            assertThat(
                            SwitchPatch.apply(config, List.of("p1.device.faults.delay=5ms"))
                                    .config()
                                    .ports())
                    .as(kind.word())
                    .hasSize(2);
        }
        Topology lossless =
                Topologies.singleSwitch(2, LinkSpec.of(1_000_000_000, 0))
                        .withPorts(PortTraffic.NONE.with("lossless", List.of(3)));
        for (DeviceKind kind : List.of(DeviceKind.TAP, DeviceKind.AFXDP)) {
            assertThatThrownBy(() -> new LabPlan(lossless, options(kind, 1500), false, Map.of()))
                    .isInstanceOf(BedException.class)
                    .hasMessageContaining(
                            "--device "
                                    + kind.word()
                                    + " does not work with Headgate's own cards in hosts");
        }
        LabOptions whole = options(DeviceKind.AFPACKET, 1500).withGso(true);
        assertThatThrownBy(() -> new LabPlan(lossless, whole, false, Map.of()))
                .isInstanceOf(BedException.class)
                .hasMessageContaining("--gso does not work with Headgate's own cards in hosts");
    }
}
