package io.headgate.testbed.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.BridgeConfig;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.testbed.topology.Topologies.Turn;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a topology becomes: configurations that the reader takes, addresses that fit together. */
class NetworkPlanTest {
    private static final LinkSpec LINK = LinkSpec.of(40_000_000_000L, 1500);

    private static final List<Topology> ALL =
            List.of(
                    Topologies.singleSwitch(4, LINK),
                    Topologies.dumbbell(2, 2, LINK, LINK),
                    Topologies.congestionTree(3, 3, LINK, LINK),
                    Topologies.congestionSpreading(2, 2, LINK),
                    Topologies.ring(4, 2, Turn.SHORTEST, LINK, LINK),
                    Topologies.ring(3, 1, Turn.CLOCKWISE, LINK, LINK),
                    Topologies.parkingLot(2, LINK, LINK),
                    Topologies.multiBottleneck(5, LINK, LINK),
                    Topologies.asymmetric(5, 2, LINK, LINK, LINK),
                    Topologies.leafSpine(3, 2, 3, 2, LINK, LINK),
                    Topologies.fatTree(4, LINK),
                    Fabrics.railOptimised(2, 2, 2, 1, LINK, LINK, LINK),
                    Fabrics.dragonfly(3, 2, 1, 1, LINK, LINK, LINK));

    /** A run's report carries each configuration, from which the switch can be made again. */
    @Test
    void everyConfigurationIsReadBackToTheSameValue() {
        for (Topology topology : ALL) {
            for (SwitchConfig.Mode mode : SwitchConfig.Mode.values()) {
                NetworkPlan plan =
                        NetworkPlan.of(
                                topology.withMode(mode), PlanOptions.virtual(7).withIpv6(true));
                for (SwitchConfig config : plan.switches()) {
                    String yaml = SwitchConfigs.toYaml(config);
                    assertThat(SwitchConfigReader.read(yaml, topology.name())).isEqualTo(config);
                }
            }
        }
    }

    @Test
    void onRealDevicesEveryPriorityHasItsOwnSlots() {
        PlanOptions real =
                PlanOptions.virtual(1)
                        .withPayload(MemoryConfig.Payload.STORED)
                        .withDevices((name, port, _) ->
                                new DeviceConfig.AfPacket("p" + port, name, 2048));
        for (Topology topology : ALL) {
            for (SwitchConfig config : NetworkPlan.of(topology, real).switches()) {
                String yaml = SwitchConfigs.toYaml(config);
                assertThat(SwitchConfigReader.read(yaml, topology.name())).isEqualTo(config);
            }
        }
    }

    /** With mechanisms that add to frames, sizes for the longest frame count the additions. */
    @Test
    void whatIsLaidOutForTheLongestFrameIsForOneThatGrew() {
        NetworkPlan plan = grown(200);
        PortConfig port = plan.switches().getFirst().ports().getFirst();
        assertThat(plan.switches().getFirst().memory().slotBytes()).isEqualTo(4096);
        assertThat(port.accountCapBytes()).isEqualTo(port.accountCapSlots() * (1800L + 22));
        assertThat(card(plan).storing().slots().bytesEach()).isEqualTo(4096);
        assertThat(card(grown(0)).storing().slots().bytesEach()).isEqualTo(2048);
        // Two of the longest frames below the least XOFF of a host's card.
        FlowControlConfig.Buffers small = plan.hosts().getFirst().wire().flowControl().buffers();
        assertThat(small).isNotNull();
        assertThat(small.xonBytes()).isEqualTo(64_000 - 2 * (1800 + 22));
    }

    private static NetworkPlan grown(int bytes) {
        Topology topology =
                Topologies.singleSwitch(2, LINK)
                        .withSizes(new Topology.Sizes(1600, 500_000, 0, 0))
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: pfc, lossless: [3], buffers: {xoff: 200kB},"
                                                + " congestion: {witness: {grows: "
                                                + bytes
                                                + "}}}"));
        return NetworkPlan.of(
                topology, PlanOptions.virtual(1).withPayload(MemoryConfig.Payload.STORED));
    }

    private static CardSetup card(NetworkPlan plan) {
        HostPlan host = plan.hosts().getFirst();
        return CardSetup.of("h1", 1_000_000_000L)
                .withMtuBytes(host.mtuBytes())
                .withWire(host.wire());
    }

    @Test
    void noAddressIsGivenTwice() {
        for (Topology topology : ALL) {
            NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(1).withIpv6(true));
            Set<Object> seen = new HashSet<>();
            for (HostPlan host : plan.hosts()) {
                assertThat(seen.add(host.address())).as(topology.name()).isTrue();
                assertThat(seen.add(host.address6())).isTrue();
                assertThat(seen.add(host.mac())).isTrue();
            }
            for (SwitchConfig config : plan.switches()) {
                for (PortConfig port : config.ports()) {
                    port.addresses().forEach(own -> assertThat(seen.add(own.address())).isTrue());
                }
                for (int port = -1; port < config.ports().size(); port++) {
                    assertThat(seen.add(SwitchAddresses.mac(config.name(), port))).isTrue();
                }
            }
        }
    }

    @Test
    void routedHostsSendToTheirRouterAndBridgedOnesToEachOther() {
        Topology topology = Topologies.leafSpine(2, 2, 2, 1, LINK, LINK);
        NetworkPlan routed = NetworkPlan.of(topology, PlanOptions.virtual(1).withIpv6(true));
        HostPlan host = routed.host("h2-1");
        assertThat(host.ipv4()).hasToString("10.0.2.1/31");
        assertThat(host.gateway()).hasToString("/10.0.2.0");
        assertThat(host.address6().getHostAddress()).isEqualTo("fd48:0:0:1:0:0:0:1");
        assertThat(host.gatewayMac()).isEqualTo(SwitchAddresses.mac("e2", 0));
        NetworkPlan bridged =
                NetworkPlan.of(topology.withMode(SwitchConfig.Mode.BRIDGE), PlanOptions.virtual(1));
        assertThat(bridged.host("h2-1").ipv4()).hasToString("10.0.0.3/8");
        assertThat(bridged.host("h2-1").hasGateway()).isFalse();
    }

    @Test
    void bridgesFloodNothingWhereTheyFormALoop() {
        Topology tree = Topologies.parkingLot(2, LINK, LINK);
        Topology loop =
                Topologies.ring(4, 1, Turn.SHORTEST, LINK, LINK).withMode(SwitchConfig.Mode.BRIDGE);
        assertThat(tree.hasLoop()).isFalse();
        assertThat(NetworkPlan.of(tree, PlanOptions.virtual(1)).switches())
                .allMatch(config -> config.bridge().floodFramesPerSec() > 0);
        assertThat(NetworkPlan.of(loop, PlanOptions.virtual(1)).switches())
                .allMatch(config -> config.bridge().floodFramesPerSec() == 0)
                .allMatch(config -> config.bridge().staticEntries().size() == 4);
    }

    @Test
    void bridgesSpreadDestinationsOverEqualPaths() {
        Topology topology =
                Topologies.leafSpine(2, 4, 8, 1, LINK, LINK).withMode(SwitchConfig.Mode.BRIDGE);
        SwitchConfig leaf = NetworkPlan.of(topology, PlanOptions.virtual(1)).switches().getFirst();
        Set<String> uplinks = new HashSet<>();
        for (BridgeConfig.StaticEntry entry : leaf.bridge().staticEntries().subList(8, 16)) {
            uplinks.add(entry.port());
        }
        assertThat(uplinks).containsExactlyInAnyOrder("p9", "p10", "p11", "p12");
    }

    @Test
    void everySwitchHasASeedOfItsOwnThatNoOtherSwitchChanges() {
        Topology small = Topologies.leafSpine(2, 2, 2, 1, LINK, LINK);
        Topology large = Topologies.leafSpine(3, 2, 2, 1, LINK, LINK);
        List<SwitchConfig> few = NetworkPlan.of(small, PlanOptions.virtual(5)).switches();
        List<SwitchConfig> more = NetworkPlan.of(large, PlanOptions.virtual(5)).switches();
        assertThat(few).extracting(SwitchConfig::seed).doesNotHaveDuplicates();
        assertThat(few.getFirst().seed()).isEqualTo(more.getFirst().seed());
        assertThat(NetworkPlan.of(small, PlanOptions.virtual(6)).switches().getFirst().seed())
                .isNotEqualTo(few.getFirst().seed());
    }

    @Test
    void scalingDividesRatesAndMultipliesDelays() {
        Topology topology = Topologies.dumbbell(2, 2, LINK, LINK);
        NetworkPlan plan = NetworkPlan.of(topology, PlanOptions.virtual(1).withScale(400));
        assertThat(plan.switches().getFirst().ports().getFirst().rateBps()).isEqualTo(100_000_000);
        assertThat(plan.hosts().getFirst().rateBps()).isEqualTo(100_000_000);
        assertThat(plan.path(0, 2)).extracting(LinkPlan::number).containsExactly(0, 4, 2);
        assertThat(plan.path(0, 2)).allMatch(link -> link.spec().delayPs() == 1_500_000L * 400);
        assertThat(plan.switches().getFirst().ports().getFirst().queueLimitBytes())
                .isEqualTo(500_000);
        assertThatThrownBy(() -> NetworkPlan.of(topology, PlanOptions.virtual(1).withScale(50_000)))
                .hasMessageContaining("below 1 Mb/s; a scale of at most 40000 is possible");
    }

    @Test
    void tablesAndSlotsAreNoLargerThanNeeded() {
        NetworkPlan plan = NetworkPlan.of(Topologies.fatTree(8, LINK), PlanOptions.virtual(1));
        for (SwitchConfig config : plan.switches()) {
            assertThat(config.memory().slotBytes()).isEqualTo(512);
            assertThat(config.memory().slotsPerPort()).isLessThanOrEqualTo(768);
            assertThat(config.routed().neighbourEntries()).isLessThanOrEqualTo(32);
            // One route for each edge switch with hosts, not for each host.
            assertThat(config.routed().routes()).hasSizeLessThanOrEqualTo(32);
        }
    }

    @Test
    void anAdjustmentHasTheLastWord() {
        NetworkPlan plan =
                NetworkPlan.of(
                        Topologies.singleSwitch(2, LINK),
                        PlanOptions.virtual(1).withAdjust(config -> config.withSeed(99)));
        assertThat(plan.switches().getFirst().seed()).isEqualTo(99);
    }
}
