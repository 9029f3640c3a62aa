package io.headgate.testbed.lab.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.config.ConfigException;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.FixedConfig;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.testbed.lab.cli.ReadyLab;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Check.Relation;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OwnLabReaderTest {
    private static final String STAR =
            "topology: {name: t, builder: {single-switch: {hosts: 3}}}\n";

    private static OwnLabSpec read(String rest) {
        return OwnLabReader.read(STAR + rest, "lab.yaml");
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples/labs"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsALab(Path file) {
        OwnLabSpec lab = OwnLabReader.read(file);
        assertThat(lab.flows().size() + lab.commands().size()).isPositive();
    }

    @Test
    void sendersAndReceiversOfAListEachHaveAFlow() {
        OwnLabSpec lab =
                read(
                        "duration: 10s\ntraffic: [{from: [h1, h2], to: [h2, h3], protocol: udp,"
                                + " rate: 5Mbps, start: 1500ms, dscp: 26, socket: 1MB}]\n");
        assertThat(lab.seconds()).isEqualTo(10);
        assertThat(lab.flows())
                .containsExactly(
                        new OwnLabSpec.Flow(
                                "",
                                0,
                                1,
                                Protocol.UDP,
                                5_000_000,
                                1500,
                                8,
                                26 << 2,
                                1_000_000,
                                "",
                                0,
                                ""),
                        new OwnLabSpec.Flow(
                                "",
                                0,
                                2,
                                Protocol.UDP,
                                5_000_000,
                                1500,
                                8,
                                26 << 2,
                                1_000_000,
                                "",
                                0,
                                ""),
                        new OwnLabSpec.Flow(
                                "",
                                1,
                                2,
                                Protocol.UDP,
                                5_000_000,
                                1500,
                                8,
                                26 << 2,
                                1_000_000,
                                "",
                                0,
                                ""));
    }

    @Test
    void flowsOfRdmaHaveWhatTheFileSaysAndAControlThatIsSlowedDown() {
        OwnLabSpec lab =
                OwnLabReader.read(
                        """
                        topology:
                          name: t
                          builder: {single-switch: {hosts: 3, link: {rate: 100Mbps}}}
                          ports: {congestion: {red: {kmin: 5kB, kmax: 20kB}}}
                        traffic:
                          - {from: [h1, h2], to: h3, protocol: rdma, verb: send, message: 4kB,
                             queue-pairs: 3, depth: 2, dscp: 26, timeout: 200ms, start: 1s, control: dcqcn}
                          - {from: h3, to: h1, protocol: rdma, transport: selective, control: {fixed: {rate: 10Mbps}}}
                        """,
                        "lab.yaml");
        assertThat(lab.flows()).isEmpty();
        assertThat(lab.rdma()).hasSize(3);
        RdmaFlow first = lab.rdma().getFirst();
        RateControls<?> control = first.control();
        assertThat(first)
                .isEqualTo(
                        new RdmaFlow(
                                "",
                                0,
                                2,
                                PerfPlan.Test.SEND_BW,
                                4_000,
                                3,
                                2,
                                1_000,
                                4_000,
                                26,
                                200_000_000L,
                                0,
                                control));
        assertThat(lab.rdma().getLast().reordering()).isEqualTo(3);
        assertThat(control).isNotNull();
        // 100 Mb/s are a 400th of the 40 Gb/s that it is published for.
        assertThat(((DcqcnConfig) control.configuration()).increaseTimerNs())
                .isEqualTo(400 * 55_000L);
        RateControls<?> fixed = lab.rdma().getLast().control();
        assertThat(fixed).isNotNull();
        assertThat(((FixedConfig) fixed.configuration()).rateBps()).isEqualTo(10_000_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{from: h1, to: h2, protocol: rdma, rate: 5Mbps} | rate with protocol: rdma",
                "{from: h1, to: h2, queue-pairs: 2} | queue-pairs with TCP",
                "{from: h1, to: h2, transport: selective} | transport with TCP",
                "{from: h1, to: h2, protocol: rdma, reordering: 8}"
                        + " | reordering without transport: selective",
                "{from: h1, to: h2, protocol: rdma, message: 60MB, queue-pairs: 2}"
                        + " | 2 queue pairs with messages of 60000000 bytes",
                "{from: h1, to: h2, protocol: rdma, control: dcqcn} | at ports without its"
                        + " congestion mechanism",
                "{from: h1, to: h2, protocol: rdma}, {from: h3, to: h2}"
                        + " | h2 with protocol: rdma and with programs"
            })
    void whatAFlowOfRdmaCannotHaveIsRefused(String traffic, String found) {
        assertThatThrownBy(() -> read("traffic: [" + traffic + "]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(found);
    }

    @Test
    void ordersAreSortedByTimeAndSaidToEachSwitch() {
        OwnLabSpec lab =
                read(
                        """
                        orders:
                          - {at: 2s, up: h1-s1}
                          - {at: 1s, down: [h1-s1, s1-h2]}
                          - {at: 500ms, link: h3-s1, set: {delay: 5ms, loss: 1%}, towards: h3}
                          - {at: 3s, set: {p1: {rate: 50Mbps}}}
                        """);
        assertThat(lab.orders())
                .extracting(OwnLabSpec.Order::atMs)
                .containsExactly(500L, 1000L, 2000L, 3000L);
        assertThat(lab.orders().get(0).steps())
                .containsExactly(
                        new OwnLabSpec.Step(
                                "s1",
                                List.of(
                                        "p3.device.faults.transmit.delay=5ms",
                                        "p3.device.faults.transmit.loss=1%"),
                                Map.of()));
        assertThat(lab.orders().get(1).steps())
                .extracting(OwnLabSpec.Step::assignments)
                .containsExactly(
                        List.of("p1.device.faults.link=down"),
                        List.of("p2.device.faults.link=down"));
        assertThat(lab.orders().get(3).steps())
                .containsExactly(
                        new OwnLabSpec.Step(
                                "s1", List.of(), Map.of("p1", Map.of("rate", "50Mbps"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{at: 9s, down: h1-s1}|a time after the lab's 5 s",
                "{at: 1s}|allowed: a mapping with at and one of down, up, link with set",
                "{at: 1s, down: h1-s1, up: h1-s1}|allowed: a mapping with at and one of down",
                "{at: 1s, down: h1-h2}|no link \"h1-h2\" at a switch; allowed: one of h1-s1, h2-s1",
                "{at: 1s, link: h1-s1, set: {color: red}}|\"color\" is not a key of a link",
                "{at: 1s, link: h1-s1, set: {loss: 2}}|found p1.device.faults.loss: 2; allowed: a",
                "{at: 1s, link: h1-s1, set: {loss: 0}, towards: h2}|h2 is not an end of link h1-s1",
                "{at: 1s, link: h1-s1, set: {up: 1s}}|up without down",
                "{at: 1s, switch: s7, set: {p1: {rate: 1Gbps}}}|no switch \"s7\"",
                "{at: 1s, set: {p1: {mtu: 9000}}}|until the switch restarts",
            })
    void anOrderThatCannotBeIsRefusedWhereItStands(String order, String sentence) {
        assertThatThrownBy(() -> read("orders: [" + order + "]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lab.yaml:2:")
                .hasMessageContaining(sentence);
    }

    @Test
    void aCommandRunsAtEachOfItsHosts() {
        OwnLabSpec lab =
                read(
                        "commands: [{at: [h1, h3], run: ping -c 1 h2, start: 1s}, {at: h2, run:"
                                + " nc -l 80, until: end}]\n");
        assertThat(lab.commands())
                .containsExactly(
                        new OwnLabSpec.Command(0, "ping -c 1 h2", 1000, false),
                        new OwnLabSpec.Command(2, "ping -c 1 h2", 1000, false),
                        new OwnLabSpec.Command(1, "nc -l 80", 0, true));
        assertThat(lab.name()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "traffic: [{from: h9, to: h1}] | no host \"h9\"",
                "traffic: [{from: h1, to: h2, rate: 5Mbps}] | rate with TCP",
                "traffic: [{from: h1, to: h2, protocol: udp}] | protocol: udp without rate",
                "traffic: [{from: h1, to: h2, start: 4s, duration: 2s}] | ends after the lab's 5 s",
                "commands: [{at: h1, run: true, start: 5s}] | run",
                "commands: [{at: h1, run: 'true', start: 5s}] | a start after the lab's 5 s",
                "commands: [{at: h1, run: 'true', start: 1s, until: end}] | a start with until: end",
                "duration: 1500ms | 1500ms",
                "trafic: [] | trafic",
            })
    void whatIsWrongIsToldWithItsLine(String rest, String found) {
        assertThatThrownBy(() -> read(rest + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lab.yaml:2")
                .hasMessageContaining(found);
    }

    @Test
    void phasesHaveTrafficOrdersAndExpectationsOfTheirOwn() {
        OwnLabSpec lab =
                read(
                        """
                        duration: 2s
                        phases:
                          - {name: TCP pairs, traffic: [{from: h1, to: h2}]}
                          - name: UDP incast
                            duration: 3s
                            traffic: [{from: [h1, h2], to: h3, protocol: udp, rate: 5Mbps, start: 1s}]
                            commands: [{at: h1, run: ls}]
                            orders: [{at: 1s, down: h1-s1}]
                            expect: [{measure: frames dropped, at-least: 1, control: true}]
                        """);
        assertThat(lab.hasPhases()).isTrue();
        assertThat(lab.seconds()).isEqualTo(5);
        assertThat(lab.phases())
                .extracting(OwnLabSpec.Phase::name, OwnLabSpec.Phase::seconds)
                .containsExactly(tuple("TCP pairs", 2), tuple("UDP incast", 3));
        OwnLabSpec.Phase last = lab.phases().getLast();
        assertThat(last.flows()).extracting(OwnLabSpec.Flow::seconds).containsExactly(2, 2);
        assertThat(last.commands()).hasSize(1);
        assertThat(last.orders()).hasSize(1);
        assertThat(last.expectations())
                .containsExactly(
                        new LabExpectation(
                                LabMeasure.FRAMES_DROPPED, "", Relation.AT_LEAST, 1, true));
        assertThat(lab.flows()).hasSize(3);
        assertThat(read("traffic: [{from: h1, to: h2}]\n").hasPhases()).isFalse();
    }

    @Test
    void ordersOfAPhaseAreForSwitchesAsThoseBeforeLeftThem() {
        assertThatThrownBy(() ->
                        read(
                                """
                                phases:
                                  - {name: a, orders: [{at: 1s, set: {p1: {queue-limit: 1MB}}}]}
                                  - {name: b, orders: [{at: 1s, set: {p1: {mtu: 9000}}}]}
                                """))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lab.yaml:4:")
                .hasMessageContaining("until the switch restarts");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "phases: [{name: a}, {name: a}]|a second \"a\"",
                "phases: [{traffic: [{from: h1, to: h2}]}]|name",
                "phases: [{name: a/b}]|allowed: 1 to 32 letters, digits, spaces",
                "phases: [{name: a, traffic: [{from: h1, to: h9}]}]|no host \"h9\"",
                "phases: [{name: a, duration: 1s, traffic: [{from: h1, to: h2, start: 2s}]}]|ends"
                        + " after the lab",
                "phases: [{name: a, traffic: [{from: h1, to: h2, protocol: probe}]}]|rdma or probe",
                "phases: [{name: a, expect: [{measure: frames lost, at-most: 0}]}]|expectations of"
                        + " hosts without Headgate's own cards",
                "phases: [{name: a, expect: [{measure: time stopped, at-most: 0}]}]"
                        + "|time stopped of a phase; allowed: expectations for all phases",
                "phases: [{name: a, expect: [{measure: frames dropped, of: h1, at-most: 0}]}]"
                        + "|frames dropped of a host; allowed: no of with it",
                "phases: [{name: a, orders: [{at: 0s, every: 1s}]}]|allowed: a mapping with at",
                "phases: [{name: a, orders: [{at: 0s, every: 1s, set: {p1: {rate: 1Gbps}},"
                        + " in-turn: [{p1: {rate: 1Gbps}}]}]}]|allowed: a mapping with at",
                "phases: [{name: a, duration: 100s, orders: [{at: 0s, every: 10ms, in-turn:"
                        + " [{p1: {rate: 1Gbps}}]}]}]|10000 orders in turn",
                "phases: [{name: a, orders: [{at: 0s, every: 1s, in-turn: [{p1: {mtu: 9000}}]}]}]"
                        + "|until the switch restarts",
                "phases: [{name: a}] NEXT measures: [{name: x, value: '[b: frames dropped]'}]"
                        + "|no measure \"b: frames dropped\"",
                "phases: [{name: a}] NEXT measures: [{name: x, value: '1 +'}]|found \"1 +\"",
                "phases: [{name: a}] NEXT measures: [{name: x, value: 1}] NEXT expect: [{measure: x,"
                        + " at-most: '[y]'}]|no measure \"y\"",
                "measures: [{name: x, value: 1, whole: 0 - 5}]|measures[0].whole: found \"0 - 5\"",
                "measures: [{name: x, value: 1, whole: '7'}]|measures[0].whole: found",
                "measures: [{name: x, value: 1, whole: -5}]|measures[0].whole: found -5",
                "series: [{name: q, value: '[s1/p1 queue.bytes] +'}]|found \"[s1/p1 queue.bytes] +\"",
                "series: [{name: q, value: '[h1/wire frames.transmitted]'}]|no counter of a switch"
                        + " \"h1/wire frames.transmitted\"; allowed: counters of s1 by place",
                "series: [{name: q, value: 1}, {name: q, value: 2}]|a second \"q\"",
                "series: [{name: sent it, value: 1}]|a second \"sent it\"",
                "series: [{name: q, value: 1}] NEXT measures: [{name: x, value: '[mean of r from"
                        + " 1s]'}]|no series \"r\"; allowed: a name in series: q; or sent with a",
                "measures: [{name: x, value: '[mean of sent h9]'}]|no series \"sent h9\"",
                "measures: [{name: x, value: '[last of s2/p1 queue.bytes]'}]|no counter of a switch"
                        + " \"s2/p1 queue.bytes\"",
                "phases: [{name: a}] NEXT measures: [{name: x, value: '[last of s1/p1 queue.bytes]'}]"
                        + "|no measure \"last of s1/p1 queue.bytes\"",
                "traffic: [{from: h1, to: h2, burst: 9}]|burst with TCP",
                "traffic: [{from: h1, to: h2, protocol: rdma, ecn: ce}]|ecn with protocol: rdma",
                "phases: [{name: a, expect: [{measure: share received, at-least: 1}]}]|share"
                        + " received without traffic of UDP",
                "traffic: [{from: h1, to: h2, name: t}] NEXT measures: [{name: x, value: '[frames"
                        + " marked congested of t]'}]|\"frames marked congested of t\" without"
                        + " traffic of UDP",
                "capture: all NEXT traffic: [{from: h1, to: h2, protocol: udp, rate: 1Mbps}] NEXT"
                        + " measures: [{name: x, value: '[frames marked congested]'}]"
                        + "|capture: found all where marks are measured; allowed: moments",
                "phases: [{name: a, traffic: [{from: h1, to: h2, protocol: udp, rate: 1Mbps}]}]"
                        + " NEXT measures: [{name: x, value: '[a: datagrams received of h2]'}]"
                        + "|without traffic of UDP",
                "traffic: [{from: h1, to: h2}] NEXT phases: [{name: a}]|traffic together with"
                        + " phases",
                "phases: [{name: UDP a}, {name: udp-a}]|a second \"udp-a\"; allowed: another name",
                "phases: [{name: a}] NEXT expect: [{measure: frames dropped, at-most: 0}]"
                        + "|frames dropped of all phases; allowed: expectations for a phase",
            })
    void aPhaseThatCannotBeIsRefusedWhereItStands(String rest, String told) {
        assertThatThrownBy(() -> read(rest.replace(" NEXT ", "\n") + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lab.yaml:")
                .hasMessageContaining(told);
    }

    @Test
    void flowsOfTheSameEndsAreToldApartWhateverElseTheyAre() {
        OwnLabSpec.Phase phase =
                read("""
                phases:
                  - name: a
                    traffic:
                      - {from: h1, to: h2}
                      - {from: h2, to: h1}
                      - {from: h1, to: h2, protocol: udp, rate: 1Mbps}
                """)
                        .phases()
                        .getFirst();
        assertThat(IntStream.range(0, 3).mapToObj(phase::isFirstOfItsEnds))
                .containsExactly(true, true, false);
    }

    /** Without phases all of a file is one. */
    @Test
    void whatIsToldOfAPhaseIsExpectedOfALabWithoutPhases() {
        OwnLabSpec lab =
                read(
                        """
                        traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps}]
                        expect: [{measure: share received, at-least: 90}]
                        """);
        assertThat(lab.phases().getFirst().expectations())
                .containsExactly(
                        new LabExpectation(
                                LabMeasure.SHARE_RECEIVED, "", Relation.AT_LEAST, 90, false));
        assertThat(lab.expectations()).isEmpty();
    }

    @Test
    void ordersInTurnStandForOneAtEachTimeUntilTheEnd() {
        OwnLabSpec lab =
                read(
                        """
                        phases:
                          - name: a
                            duration: 1s
                            orders:
                              - {at: 100ms, every: 300ms, in-turn: [{p1: {rate: 1Gbps}}, {p2: {rate: 2Gbps}}]}
                        """);
        // The first names them, and changes nothing.
        assertThat(lab.orders().getFirst().steps()).isEmpty();
        assertThat(lab.orders().getFirst().words()).startsWith("every \"300ms\" in-turn");
        assertThat(lab.orders().subList(1, lab.orders().size()))
                .allMatch(order -> order.words().isEmpty())
                .extracting(
                        OwnLabSpec.Order::atMs, order -> order.steps().getFirst().set().keySet())
                .containsExactly(
                        tuple(100L, Set.of("p1")),
                        tuple(400L, Set.of("p2")),
                        tuple(700L, Set.of("p1")));
    }

    @Test
    void measuresAreMadeOfThoseOfPhasesAndComparedWithOneAnother() {
        OwnLabSpec lab =
                read(
                        """
                        phases: [{for: {p: [a, b]}, name: $p, traffic: [{from: h1, to: h2, protocol: udp, rate: 1Mbps, dscp: 15, ecn: ce, burst: 9}]}]
                        measures:
                          - {name: ratio, unit: times, value: "[b: datagrams received of h1] / [a: datagrams received of h1]"}
                          - {name: twice, value: "2 * [ratio]"}
                        expect: [{measure: ratio, above: "[twice] / 2"}, {measure: ratio, below: "[twice] / 2"}, {measure: twice, at-least: "[ratio] + 1"}]
                        """);
        assertThat(lab.derived()).extracting(LabDerived::name).containsExactly("ratio", "twice");
        assertThat(lab.compared())
                .last()
                .isEqualTo(
                        new LabDerived.Expected(
                                lab.derived().getLast(), Relation.AT_LEAST, "[ratio] + 1", false));
        for (double ratio : List.of(2.0, 3.0, 4.0, Double.NaN)) {
            List<Boolean> passed =
                    lab.compared().stream()
                            .map(one ->
                                    one.check("r", name -> name.equals("ratio") ? ratio : 6)
                                            .passed())
                            .toList();
            assertThat(passed).as("neither holds at the limit").startsWith(ratio > 3, ratio < 3);
        }
        assertThat(lab.flows().getFirst().tos()).isEqualTo(63);
        assertThat(lab.flows().getFirst().burst()).isEqualTo(9);
    }

    @Test
    void seriesAreMadeOfCountersAndMeasuredByPhase() {
        OwnLabSpec lab =
                read(
                        """
                        series: [{name: queue, unit: kB, value: "[s1/p3 queue.bytes] / 1000"}]
                        phases: [{for: {p: [a, b]}, name: $p, traffic: [{from: h1, to: h2, name: t, protocol: udp, rate: 1Mbps}]}]
                        measures:
                          - {name: longer, value: "[b: mean of queue from 1s] / [a: p99 of queue from 1s to 2s]"}
                          - {name: sent, value: "[b: max of sent t] + [a: last of s1/p1 frames.received]"}
                        """);
        assertThat(lab.counters()).containsExactly("s1/p3 queue.bytes", "s1/p1 frames.received");
        assertThat(Objects.requireNonNull(lab.recorded("b: mean of queue from 1s")).phase())
                .isEqualTo(1);
        assertThat(lab.recorded("mean of queue from 1s")).isNull();
    }

    private static final String VARIED =
            """
            parameters:
              - {name: rate, unit: rate, default: 10Mbps, min: 1Mbps, max: 1Gbps}
              - {name: control, words: [pfc, none]}
            topology:
              name: t
              builder: {single-switch: {hosts: 3}}
              ports:
                classify: {trust: dscp}
                flow-control: $control
                lossless: {when: $control = pfc, then: [3]}
            traffic: [{from: h1, to: h2, protocol: udp, rate: $rate}]
            expect:
              - {when: $control = pfc, measure: time stopped, at-least: 1, control: true}
              - {measure: frames lost, at-most: 0}
            """;

    @Test
    void defaultsThatTheFilesOwnRulesRefuseAreToldWithTheRule() {
        String ruled =
                """
                require:
                  - {that: $rate > 1Mbps, else: not told}
                  - {that: $rate >= 20Mbps, else: "$rate is slow: 20Mbps and more"}
                """;
        assertThatThrownBy(() -> OwnLabReader.read(VARIED + ruled, "lab.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "lab.yaml:17:5: require[1]: the defaults do not fit together: 10Mbps is"
                                + " slow: 20Mbps and more");
    }

    @Test
    void parametersHaveTheirDefaultsOrWhatIsSet() throws ScenarioException {
        OwnLabSpec byDefault = OwnLabReader.read(VARIED, "lab.yaml");
        assertThat(byDefault.flows().getFirst().rateBps()).isEqualTo(10_000_000);
        assertThat(byDefault.expectations())
                .containsExactly(
                        new LabExpectation(LabMeasure.TIME_STOPPED, "", Relation.AT_LEAST, 1, true),
                        new LabExpectation(LabMeasure.FRAMES_LOST, "", Relation.AT_MOST, 0, false));
        OwnLabSpec set =
                OwnLabReader.read(VARIED, "lab.yaml", Map.of("rate", "20Mbps", "control", "none"))
                        .getFirst();
        assertThat(set.flows().getFirst().rateBps()).isEqualTo(20_000_000);
        assertThat(set.expectations()).hasSize(1);
        assertThat(set.expects(LabMeasure.TIME_STOPPED)).isFalse();
    }

    private static List<OwnLabSpec> runs(String rest, String... settings) throws ScenarioException {
        Map<String, String> set = new LinkedHashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            set.put(settings[i], settings[i + 1]);
        }
        return OwnLabReader.read(VARIED + rest, "lab.yaml", set);
    }

    @Test
    void severalValuesAreRunsThatAreCalledByThem() throws ScenarioException {
        assertThat(runs("")).extracting(OwnLabSpec::run).containsExactly("");
        List<OwnLabSpec> two = runs("", "control", "none,pfc");
        assertThat(two).extracting(OwnLabSpec::run).containsExactly("none", "pfc");
        assertThat(two).extracting(lab -> lab.phases().getFirst().name()).contains("none", "pfc");
        assertThat(two).allMatch(OwnLabSpec::namesPhases).noneMatch(OwnLabSpec::hasPhases);
        assertThat(two).extracting(lab -> lab.expectations().size()).containsExactly(1, 2);
        assertThat(runs("", "control", "none,pfc", "rate", "1Mbps,2Mbps"))
                .extracting(OwnLabSpec::run)
                .containsExactly("1Mbps none", "1Mbps pfc", "2Mbps none", "2Mbps pfc");
        List<OwnLabSpec> range = runs("", "rate", "10Mbps..30Mbps:10Mbps");
        assertThat(range).extracting(OwnLabSpec::run).containsExactly("10Mbps", "20Mbps", "30Mbps");
        assertThat(range)
                .extracting(lab -> lab.flows().getFirst().rateBps())
                .containsExactly(10_000_000L, 20_000_000L, 30_000_000L);
        // What may have several values names its run where one is chosen, too.
        String text =
                VARIED.replace("words: [pfc, none]", "words: [pfc, none], default: [none, pfc]");
        assertThat(OwnLabReader.read(text, "lab.yaml", Map.of("control", "pfc")))
                .extracting(OwnLabSpec::run)
                .containsExactly("pfc");
    }

    private static final String COMPARED =
            """
              - {when: $control = pfc, measure: got, at-least: "[none: got] / 2 + [none: frames lost]"}
            measures: [{name: got, value: "[throughput of h1]"}]
            """;

    @Test
    void aRunIsComparedWithAnotherWhereThatIsAskedForToo() throws ScenarioException {
        List<OwnLabSpec> both = runs(COMPARED, "control", "none,pfc");
        assertThat(both.getFirst().compared()).isEmpty();
        assertThat(both.getLast().compared()).hasSize(1);
        String sweep = "words: [pfc, none], default: [none, pfc]";
        String text = VARIED.replace("words: [pfc, none]", sweep) + COMPARED;
        List<OwnLabSpec> one = OwnLabReader.read(text, "lab.yaml", Map.of("control", "pfc"));
        assertThat(one).hasSize(1);
        assertThat(one.getFirst().compared()).isEmpty();
        assertThatThrownBy(() ->
                        OwnLabReader.read(
                                text.replace("[none: got]", "[some: got]"), "lab.yaml", Map.of()))
                .hasMessageContaining("no measure \"some: got\"")
                .hasMessageContaining("MEASURE of HOST, also of a name of traffic, with one of")
                .hasMessageContaining("also of a run, as in RUN: MEASURE");
        assertThatThrownBy(() -> runs(COMPARED)).hasMessageContaining("no measure \"none: got\"");
    }

    private static String controlled(String ports, String second) {
        return """
        topology:
          name: t
          builder: {single-switch: {hosts: 3, link: {rate: 100Mbps}}}
          ports: {%s}
        traffic:
          - {from: h1, to: h3, control: {fixed: {rate: 10Mbps}}}
          - {from: h1, to: h2%s}
        """
                .formatted(ports, second);
    }

    @Test
    void aCardHasTheControlOfAllThatItsHostSends() {
        String pfc = "flow-control: pfc, lossless: [3], classify: {trust: dscp}";
        OwnLabSpec lab =
                OwnLabReader.read(controlled(pfc, ", control: {fixed: {rate: 10Mbps}}"), "f");
        assertThat(lab.flows())
                .extracting(OwnLabSpec.Flow::rateControl)
                .allMatch(text -> text.startsWith("{\"fixed\":{") && text.contains("10Mbps"));
        assertThatThrownBy(() -> OwnLabReader.read(controlled(pfc, ""), "f"))
                .hasMessageContaining("a control that differs from that of the host's other flows");
        assertThatThrownBy(() -> OwnLabReader.read(controlled("", ""), "f"))
                .hasMessageContaining("control at hosts without Headgate's own cards");
    }

    @Test
    void roccIsAFileWithRunsWithoutItAndWithIt() throws Exception {
        List<OwnLabSpec> runs = ReadyLab.read("rocc", Map.of());
        assertThat(runs)
                .extracting(OwnLabSpec::run)
                .containsExactly("uniform none", "uniform rocc", "mixed none", "mixed rocc");
        OwnLabSpec mixed = runs.getLast();
        assertThat(mixed.flows())
                .extracting(OwnLabSpec.Flow::rateBps)
                .containsExactly(100_000_000L, 28_200_000L, 9_400_000L);
        // Congestion points of 100 Mb/s have this period, too.
        assertThat(mixed.flows().getFirst().rateControl())
                .contains("\"period\":\"10ms\"", "\"recovery\":\"13750us\"");
        assertThat(
                        ReadyLab.read("rocc", Map.of("demand", "one-host", "protocol", "tcp"))
                                .getLast()
                                .flows())
                .extracting(OwnLabSpec.Flow::from)
                .containsExactly(0, 0, 0, 1, 2);
        assertThatThrownBy(() -> ReadyLab.read("rocc", Map.of("protocol", "tcp")))
                .hasMessageContaining("demand uniform and one-host are allowed");
    }

    @Test
    void aFileOfRunsHasNoPhases() {
        String text =
                VARIED.substring(0, VARIED.indexOf("traffic:"))
                        + "phases: [{name: one, traffic: [{from: h1, to: h2}]}]\n";
        assertThatThrownBy(() -> OwnLabReader.read(text, "lab.yaml", Map.of("control", "none,pfc")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("phases with several values of a parameter");
    }

    @Test
    void measuresAreOfHostsOrOfTrafficByItsName() {
        String traffic = "traffic: [{name: %s, from: h1, to: h2, protocol: udp, rate: 5Mbps}]\n";
        String expect = "expect: [{measure: share received, of: %s, at-least: 1}]\n";
        OwnLabSpec lab = read(traffic.formatted("mice") + expect.formatted("mice"));
        assertThat(lab.phases().getFirst().expectations().getFirst().of()).isEqualTo("mice");
        assertThatThrownBy(() -> read(traffic.formatted("mice") + expect.formatted("men")))
                .hasMessageContaining("no host \"men\"")
                .hasMessageContaining("names of traffic: mice");
        String inQueues =
                expect.formatted("mice").replace("share received", "share lost in queues");
        assertThatThrownBy(() -> read(traffic.formatted("mice") + inQueues))
                .hasMessageContaining("share lost in queues of traffic by its name")
                .hasMessageNotContaining("names of traffic");
        assertThatThrownBy(() -> read(traffic.formatted("h3") + expect.formatted("h3")))
                .hasMessageContaining("the name of a host");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate  | 1Mbps,1000kbps | '1Mbps' would give two runs of lab.yaml: allowed is each",
                "rate  | 2Gbps       | parameter rate cannot be '2Gbps': allowed is 1Mbps to 1Gbps",
                "speed | 1Mbps       | lab.yaml has no parameter 'speed': allowed is rate, control",
            })
    void aSettingThatCannotBeIsRefusedWithWhatCan(String name, String value, String told) {
        assertThatThrownBy(() -> OwnLabReader.read(VARIED, "lab.yaml", Map.of(name, value)))
                .isInstanceOf(ScenarioException.class)
                .hasMessageStartingWith(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expect: [{measure: frames lost, at-most: 0}]  | expectations of hosts without"
                        + " Headgate",
                "expect: [{measure: frames lost}]              | allowed: a mapping with measure and one of",
                "expect: [{measure: frames lost, at-most: 0, below: 1}] | allowed: a mapping with measure and one of",
                "expect: [{measure: frames, at-most: 0}]       | allowed: frames lost, datagrams out of order",
            })
    void anExpectationThatCannotBeMeasuredIsRefused(String rest, String told) {
        assertThatThrownBy(() -> read(rest + "\ncommands: [{at: h1, run: ls}]\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(told);
    }
}
