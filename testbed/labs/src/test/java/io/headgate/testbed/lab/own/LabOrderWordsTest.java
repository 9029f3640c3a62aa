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
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that wait, explain, capture and draw, the warm-up, and counters from a time on. */
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

    @Test
    void anOrderHasThePartOfTheRunDrawnThatFollows() {
        OwnLabSpec lab =
                read(
                        TRAFFIC
                                + """
                                orders:
                                  - {at: 1500ms, picture: Behind the stop, until: 3s}
                                  - {at: 0s, picture: before it, until: 1500ms}
                                """);
        assertThat(lab.orders())
                .extracting(OwnLabSpec.Order::picture)
                .containsExactly(
                        new OwnLabSpec.Picture("before it", 0, 1500),
                        new OwnLabSpec.Picture("Behind the stop", 1500, 3000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{at: 1s, picture: a}                            | picture with until",
                "{at: 1s, until: 2s}                             | picture with until",
                "{at: 1s, once: '[s1/p1 frames.received]', picture: a, until: 2s} | only one of the"
                        + " two",
                "{at: 1s, until: 2s, capture: 10ms}              | picture with until",
                "{at: 1s, until: 2s, down: h1-s1}                | picture with until",
                "{at: 1s, picture: a, until: 2s, down: h1-s1}    | picture with until",
                "{at: 1s, picture: a, until: 2s, priority: 3}    | picture with until",
                "{at: 1s, picture: a, until: 2s, switch: s1}     | picture with until",
                "{at: 1s, picture: a, until: 2s, capture: 10ms}  | picture with until",
                "{at: 2s, picture: a, until: 2s}                 | a time after 'at'",
                "{at: 2s, picture: a, until: 4s}                 | up to the lab's 3 s",
                "{at: 0s, picture: a/b, until: 1s}               | letters, digits, spaces",
                "{at: 0s, picture: a, until: 1s}, {at: 1s, picture: A, until: 2s} | a second \"A\"",
                "{at: 0s, every: 1s, in-turn: [{p1: {rate: 1Gbps}}], picture: a, until: 2s} | every with in-turn",
            })
    void aPictureHasANameOfItsOwnAndAnEndBehindItsBeginning(String orders, String told) {
        assertThatThrownBy(() -> read(TRAFFIC + "orders: [" + orders + "]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told);
    }

    @Test
    void aPictureHasNoNameOfAPhase() {
        String phases =
                """
                phases:
                  - name: Two pairs
                    traffic: [{from: h1, to: h2}]
                    orders: [{at: 1s, picture: two pairs, until: 2s}]
                """;
        assertThatThrownBy(() -> read(phases)).hasMessageContaining("a second \"two pairs\"");
        assertThat(read(phases.replace("picture: two", "picture: some")).orders()).hasSize(1);
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
                "{at: 1s, priority: 3, down: h1-s1}           | explain with priority, and capture",
                "{at: 1s, priority: 3, switch: s1, set: {p1: {rate: 1Gbps}}} | explain with priority",
                "{at: 0s, every: 1s, in-turn: [{p1: {rate: 1Gbps}}], capture: 10ms}  | every with in-turn",
                "{at: 0s, every: 1s, in-turn: [{p1: {rate: 1Gbps}}], priority: 3}    | every with in-turn",
                "{at: 0s, every: 1s, in-turn: [{p1: {rate: 1Gbps}}], explain: s1/p1} | every with in-turn",
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
                "traffic: [{from: h1, to: h2, protocol: rdma}]        | with traffic of protocol:"
                        + " rdma or probe",
                "traffic: [{from: h1, to: h2, protocol: probe}]       | with traffic of protocol:"
                        + " rdma or probe",
                "phases: [{name: one, traffic: [{from: h1, to: h2}]}] | a warm-up together with"
                        + " phases",
                "commands: [{at: h1, run: 'true'}]                    | a warm-up without traffic",
            })
    void aWarmUpIsForProgramsWithoutPhases(String traffic, String told) {
        assertThatThrownBy(() -> read(traffic + "\nwarm-up: {duration: 2s}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told);
    }

    @Test
    void ofTrafficThatIsWrongAWarmUpSaysNothing() {
        assertThatThrownBy(() -> read("traffic: [{from: h1, to: h9}]\nwarm-up: {}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no host \"h9\"")
                .hasMessageNotContaining("warm-up");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{at: 1s, explain: s1/p1, priority: 3} | explain in a warm-up",
                "{at: 1s, capture: 10ms}               | capture in a warm-up",
                "{at: 1s, picture: a, until: 2s}       | picture in a warm-up",
            })
    void nothingOfAWarmUpIsReported(String order, String told) {
        assertThatThrownBy(() -> read(TRAFFIC + "warm-up: {orders: [" + order + "]}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told);
    }

    @Test
    void anOrderCapturesWhereNothingElseDoes() {
        String order = TRAFFIC + "orders: [{at: 1s, capture: 10ms}]\n";
        assertThatThrownBy(() -> read(order + "capture: all\n"))
                .hasMessageContaining("an order that captures together with capture: all");
        String marks =
                """
                traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps, ecn: ect0}]
                orders: [{at: 1s, capture: 10ms}]
                measures: [{name: marked, value: '[frames marked congested]'}]
                """;
        assertThatThrownBy(() -> read(marks))
                .hasMessageContaining("an order that captures in a lab that measures marks");
        assertThat(read(order).capturesAll()).isFalse();
    }

    @Test
    void onlyAnOrderThatExplainsTellsOfACyclicWait() {
        String order = "orders: [{at: 1s, explain: s1/p2, priority: 3}]\n";
        String measure = "measures: [{name: ring, value: '[max of ports in a cyclic wait]'}]\n";
        assertThat(read(TRAFFIC + order + measure).derived()).hasSize(1);
        assertThatThrownBy(() -> read(TRAFFIC + measure))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("without an order that explains a pause");
        String phases =
                "phases: [{name: a, traffic: [{from: h1, to: h2}], "
                        + order.strip()
                        + "}, {name: b, traffic: [{from: h1, to: h2}]}]\n";
        assertThat(read(phases + measure.replace("max", "a: max")).derived()).hasSize(1);
        assertThatThrownBy(() -> read(phases + measure.replace("max", "b: max")))
                .hasMessageContaining("without an order that explains a pause");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ports in a cyclic wait", "time stopped", "throughput"})
    void aSeriesDoesNotTakeANameThatLabsHave(String name) {
        String series = "series: [{name: " + name + ", value: '[s1/p1 bytes.received]'}]\n";
        assertThatThrownBy(() -> read(TRAFFIC + series))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a second \"" + name + "\"");
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

    @Test
    void theCountersThatAreCountedFromATimeOnAreKnown() {
        String measures =
                """
                measures:
                  - {name: a, value: "[last of s1/p1 queue.bytes]"}
                  - {name: b, value: "[last of s1/p2 bytes.received from 1s]"}
                """;
        assertThat(read(TRAFFIC + measures).countersFromATime())
                .containsExactly("s1/p2 bytes.received");
    }

    private static double value(String name, Series of) {
        LabSeries.Of parsed = Objects.requireNonNull(LabSeries.Of.parse(name, List.of()));
        assertThat(parsed.of()).isEqualTo("s1/p1 x");
        return parsed.value(of);
    }

    @ParameterizedTest
    @CsvSource({
        "escape, escape, 16",
        "watchdog, escape, 16",
        "lb, loop-breaker, 16",
        "dlb, deadlock-breaker, 16",
        "none, escape, 16",
        "gfc, , 10"
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
