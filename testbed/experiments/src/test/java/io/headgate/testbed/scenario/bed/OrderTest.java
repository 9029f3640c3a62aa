package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderTest {
    private static final int FACTOR = 100;

    private static List<SwitchConfig> switches(int scale) {
        Topology topology =
                Topologies.singleSwitch(3, LinkSpec.of(10_000_000_000L, 1_000))
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: pfc, congestion: {red: {enabled: false}},"
                                                + " watchdog: {action: drop, detection: 300us,"
                                                + " restoration: 300us, poll: 100us}}"));
        return NetworkPlan.of(topology, PlanOptions.virtual(1).withScale(scale)).switches();
    }

    @Test
    void anOrderIsSlowerAsTheSwitchIsThatItIsFor() throws Exception {
        Map<String, Object> p2 =
                Map.of(
                        "rate",
                        "5Gbps",
                        "queue-limit",
                        "77kB",
                        "congestion",
                        Map.of("red", Map.of("enabled", true)),
                        "watchdog",
                        Map.of("detection", "200us"));
        List<Order> orders =
                List.of(
                        new Order(2_000_000_000L, "s1", Map.of("p3", Map.of("rate", "4Gbps"))),
                        new Order(
                                1_000_000_000L,
                                "s1",
                                Map.of("p2", p2, "ports", Map.of("p3", Map.of("rate", "8Gbps")))));
        List<Order> slower =
                Order.plan(orders, switches(1)).stream()
                        .map(planned -> planned.slower(FACTOR))
                        .toList();
        assertThat(slower)
                .extracting(Order::atPs)
                .containsExactly(100_000_000_000L, 200_000_000_000L);
        List<Order.Planned> planned = Order.plan(slower, switches(FACTOR));
        SwitchConfig first = planned.getFirst().after();
        assertThat(first.ports().get(1).rateBps()).isEqualTo(50_000_000L);
        assertThat(first.ports().get(2).rateBps()).isEqualTo(80_000_000L);
        assertThat(first.ports().get(1).queueLimitBytes()).isEqualTo(77_000);
        assertThat(
                        Objects.requireNonNull(first.ports().get(1).flowControl().watchdog())
                                .detectionNs())
                .isEqualTo(20_000_000L);
        assertThat(first.ports().get(1).mechanisms().uses().getFirst().isEnabled()).isTrue();
        assertThat(first.ports().get(2).mechanisms().uses().getFirst().isEnabled()).isFalse();
        assertThat(planned.getLast().after().ports().get(2).rateBps()).isEqualTo(40_000_000L);
        assertThat(planned.getLast().after().ports().get(1)).isEqualTo(first.ports().get(1));
    }

    @Test
    void aSectionThatAnOrderTakesAwayIsGoneWhereItIsSlowerToo() throws Exception {
        // What a file writes as "watchdog:" with nothing behind it.
        Map<String, Object> none = new HashMap<>();
        none.put("watchdog", null);
        List<Order> orders = List.of(new Order(0, "s1", Map.of("p1", none)));
        Order slower = Order.plan(orders, switches(1)).getFirst().slower(FACTOR);
        SwitchConfig after = Order.plan(List.of(slower), switches(FACTOR)).getFirst().after();
        assertThat(after.ports().get(0).flowControl().watchdog()).isNull();
        assertThat(after.ports().get(1).flowControl().watchdog()).isNotNull();
    }

    @Test
    void whatAlternatesIsWorkedOutOnce() throws Exception {
        Map<String, Object> on = Map.of("p1", Map.of("rate", "5Gbps"));
        Map<String, Object> off = Map.of("p1", Map.of("rate", "10Gbps"));
        List<Order> orders =
                IntStream.range(0, 6)
                        .mapToObj(i -> new Order(i, "s1", i % 2 == 0 ? on : off))
                        .toList();
        List<SwitchConfig> after =
                Order.plan(orders, switches(1)).stream().map(Order.Planned::after).toList();
        assertThat(after)
                .extracting(config -> config.ports().getFirst().rateBps() / 1_000_000_000)
                .containsExactly(5L, 10L, 5L, 10L, 5L, 10L);
        assertThat(after.get(4)).isSameAs(after.get(2));
        assertThat(after.get(5)).isSameAs(after.get(3));
    }
}
