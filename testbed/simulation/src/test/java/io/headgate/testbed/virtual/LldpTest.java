package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.control.lldp.LldpNeighbour;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.lldp.Lldp;
import io.headgate.dataplane.lldp.LldpConfig;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Switches that say who they are, in virtual time. */
class LldpTest {
    private static final long MS = 1_000_000_000;
    private static final LinkSpec LINK = LinkSpec.of(10_000_000_000L, 1_000);

    private final VirtualRun run = new VirtualRun(RunOptions.of(1));

    private VirtualNetwork network(
            SwitchConfig.Mode mode, String ports, UnaryOperator<SwitchConfig> adjust) {
        Topology topology =
                Topology.builder("row")
                        .mode(mode)
                        .switchNode("s1")
                        .switchNode("s2")
                        .host("h1", "s1", LINK)
                        .host("h2", "s2", LINK)
                        .link("s1", "s2", LINK)
                        .build()
                        .withPorts(PortTrafficReader.read(ports));
        return VirtualNetwork.in(
                run,
                NetworkPlan.of(
                        topology,
                        PlanOptions.virtual(1)
                                .withAdjust(config ->
                                        adjust.apply(
                                                config.withMechanisms(
                                                        Mechanisms.NONE.with(
                                                                new Lldp()
                                                                        .use(
                                                                                new LldpConfig(
                                                                                        500_000_000L,
                                                                                        4))))))));
    }

    private List<LldpNeighbour> neighbours(VirtualNetwork network, int node) {
        return LldpNeighbour.of(network.switchNode(node).engine(), run.clock().ns());
    }

    @ParameterizedTest
    @EnumSource(SwitchConfig.Mode.class)
    void eachLearnsTheOtherAndItsPort(SwitchConfig.Mode mode) {
        VirtualNetwork network =
                network(mode, "{flow-control: pfc, lossless: [3, 4]}", config -> config);
        run.runUntil(3_000 * MS);
        assertThat(neighbours(network, 0))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.port()).isEqualTo("p2");
                    assertThat(row.system()).isEqualTo("s2");
                    assertThat(row.farPort()).isEqualTo("p2");
                    assertThat(row.chassis()).startsWith("02:");
                    assertThat(row.pfc()).isEqualTo(0b11000);
                    assertThat(row.problem()).isEmpty();
                    assertThat(row.ageMs()).isBetween(0L, 1_000L);
                    assertThat(row.secondsLeft()).isBetween(2L, 3L);
                });
        assertThat(neighbours(network, 1)).extracting(LldpNeighbour::system).containsExactly("s1");
    }

    @Test
    void endsThatDifferAreToldApart() {
        VirtualNetwork network =
                network(
                        SwitchConfig.Mode.ROUTED,
                        "{flow-control: pfc, lossless: [3, 4]}",
                        config ->
                                config.name().equals("s2")
                                        ? config.withPorts(
                                                config.ports().stream()
                                                        .map(port ->
                                                                port.withTraffic(
                                                                        port.traffic()
                                                                                .withLossless(
                                                                                        List.of(
                                                                                                3))))
                                                        .toList())
                                        : config);
        run.runUntil(2_000 * MS);
        assertThat(neighbours(network, 0))
                .singleElement()
                .extracting(LldpNeighbour::problem)
                .asString()
                .startsWith(
                        "port p2 has priority flow control (IEEE 802.1Qbb PFC) for priority 3, 4,"
                                + " but its far end s2 has it for priority 3: frames of the other"
                                + " priorities");
    }

    @Test
    void withoutTheKeyNobodySpeaksAndNothingIsLearned() {
        VirtualNetwork network =
                network(
                        SwitchConfig.Mode.ROUTED,
                        "{}",
                        config -> config.withMechanisms(Mechanisms.NONE));
        run.runUntil(2_000 * MS);
        assertThat(neighbours(network, 0)).isEmpty();
        assertThat(run.frameHops()).isZero();
    }

    @Test
    void noFrameOfItIsDroppedAtASwitch() {
        VirtualNetwork network = network(SwitchConfig.Mode.BRIDGE, "{}", config -> config);
        run.runUntil(5_000 * MS);
        for (int node = 0; node < 2; node++) {
            var counters = network.switchNode(node).engine().counters();
            assertThat(counters.entries())
                    .filteredOn(entry -> entry.label().startsWith(DropCounters.LABEL_PREFIX))
                    .allMatch(entry -> counters.value(entry) == 0);
        }
        assertThat(run.frameHops()).as("each speaks at two ports, ten times").isGreaterThan(30);
    }
}
