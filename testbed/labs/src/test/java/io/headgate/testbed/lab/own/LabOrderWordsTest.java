package io.headgate.testbed.lab.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.testbed.lab.cli.ReadyLab;
import io.headgate.testbed.scenario.Series;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders that wait, explain and capture, the warm-up, and counters from a time on. */
class LabOrderWordsTest {
    private static final String STAR =
            "topology: {name: t, builder: {single-switch: {hosts: 3}}}\nduration: 3s\n";
    private static final String TRAFFIC = "traffic: [{from: h1, to: h2}]\n";

    private static OwnLabSpec read(String rest) {
        return OwnLabReader.read(STAR + rest, "lab.yaml");
    }

    @Test
    void anOrderWaitsForCountersExplainsAndCaptures() {
        OwnLabSpec lab =
                read(
                        TRAFFIC
                                + """
                                orders:
                                  - {at: 1s, once: "[s1/p1 frames.received] > 9", within: 500ms, switch: s1, set: {p1: {rate: 1Gbps}}}
                                  - {at: 1s, once: "[s1/p2 frames.received]", explain: s1/p2, priority: 3}
                                  - {at: 2s, capture: 100ms}
                                """);
        OwnLabSpec.Order waits = lab.orders().getFirst();
        assertThat(waits.once()).isEqualTo(new OwnLabSpec.Once("[s1/p1 frames.received] > 9", 500));
        assertThat(waits.steps()).hasSize(1);
        assertThat(lab.orders().get(1).once())
                .isEqualTo(new OwnLabSpec.Once("[s1/p2 frames.received]", 1000));
        assertThat(lab.orders().get(1).explained()).isEqualTo(new OwnLabSpec.Paused("s1", "p2", 3));
        assertThat(lab.orders().getLast().captureMs()).isEqualTo(100);
        assertThat(lab.counters())
                .containsExactly("s1/p1 frames.received", "s1/p2 frames.received");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{at: 1s, within: 2s, down: h1-s1}           | within without once",
                "{at: 1s, once: '[s2/p1 x] > 0', down: h1-s1} | no counter of a switch \"s2/p1 x\"",
                "{at: 1s, once: '[s1/p1 x', down: h1-s1}      | allowed: arithmetic with counters",
                "{at: 1s, explain: s1/p9, priority: 3}        | no port \"s1/p9\"",
                "{at: 1s, explain: s1/p1}                     | explain with priority, and capture",
                "{at: 1s, capture: 10ms, down: h1-s1}         | explain with priority, and capture",
                "{at: 1s, capture: 1500us}                    | whole milliseconds",
            })
    void anOrderThatCannotBeIsRefused(String order, String told) {
        assertThatThrownBy(() -> read(TRAFFIC + "orders: [" + order + "]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told);
    }

    @Test
    void aWarmUpHasTheTrafficFromItsFirstMomentOn() {
        OwnLabSpec lab =
                read(
                        """
                        traffic: [{from: h1, to: h2, start: 1s, protocol: udp, rate: 5Mbps}]
                        warm-up: {duration: 4s, orders: [{at: 0s, down: h3-s1}, {at: 3s, up: h3-s1}]}
                        """);
        OwnLabSpec.Phase warmUp = Objects.requireNonNull(lab.warmUp());
        assertThat(warmUp.seconds()).isEqualTo(4);
        assertThat(warmUp.flows())
                .singleElement()
                .matches(flow -> flow.startMs() == 0 && flow.seconds() == 4);
        assertThat(warmUp.orders()).hasSize(2);
        assertThat(lab.seconds()).isEqualTo(3);
        assertThat(lab.flows()).singleElement().matches(flow -> flow.startMs() == 1000);
        assertThat(read(TRAFFIC).warmUp()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "traffic: [{from: h1, to: h2, protocol: rdma}]",
                "traffic: [{from: h1, to: h2, protocol: probe}]",
                "phases: [{name: one, traffic: [{from: h1, to: h2}]}]",
            })
    void aWarmUpIsForProgramsWithoutPhases(String traffic) {
        assertThatThrownBy(() -> read(traffic + "\nwarm-up: {duration: 2s}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a warm-up of other traffic than tcp and udp");
    }

    @Test
    void aCounterIsCountedFromATimeOn() {
        Series counter =
                Series.of(
                        "s1/p1 x",
                        "",
                        List.of(
                                new double[] {1e6, 3},
                                new double[] {2e6, 5},
                                new double[] {3e6, 9}));
        assertThat(value("last of s1/p1 x", counter)).isEqualTo(9);
        assertThat(value("last of s1/p1 x from 2s", counter)).isEqualTo(4);
        assertThat(value("last of s1/p1 x from 2500ms", counter)).isEqualTo(4);
        assertThat(value("last of s1/p1 x from 500ms", counter)).isEqualTo(9);
    }

    private static double value(String name, Series of) {
        LabSeries.Of parsed = Objects.requireNonNull(LabSeries.Of.parse(name, List.of()));
        assertThat(parsed.of()).isEqualTo("s1/p1 x");
        return parsed.value(of);
    }

    @ParameterizedTest
    @CsvSource({
        "escape, escape, 14",
        "watchdog, escape, 14",
        "lb, loop-breaker, 14",
        "dlb, deadlock-breaker, 14",
        "none, escape, 14",
        "gfc, , 8"
    })
    void theRingIsAFileForEachRemedy(String with, String warm, int orders) throws Exception {
        OwnLabSpec lab = ReadyLab.read("deadlock", Map.of("with", with)).getFirst();
        assertThat(lab.seconds()).isEqualTo(with.equals("none") ? 18 : 17);
        assertThat(lab.topology().switches()).hasSize(3);
        List<OwnLabSpec.Order> warmUp = Objects.requireNonNull(lab.warmUp()).orders();
        assertThat(warmUp).hasSize(warm == null ? 0 : 3);
        assertThat(warmUp).allMatch(order -> order.words().contains(String.valueOf(warm)));
        assertThat(lab.orders().size() - warmUp.size()).isEqualTo(orders);
        assertThat(lab.warnings()).isEmpty();
        assertThat(ReadyLab.read("deadlock", Map.of("run", "1..3")))
                .extracting(OwnLabSpec::run)
                .containsExactly("1", "2", "3");
    }
}
