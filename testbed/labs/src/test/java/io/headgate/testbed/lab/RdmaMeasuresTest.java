package io.headgate.testbed.lab;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measures of flows of RoCEv2, and of hosts' cards. */
class RdmaMeasuresTest {
    private static final String LAB =
            """
            duration: 3s
            topology:
              name: t
              builder: {single-switch: {hosts: 6}}
              ports: {classify: {trust: dscp}, flow-control: pfc, lossless: [3]}
            traffic:
              - {name: long, from: [h1, h2], to: h4, protocol: rdma, dscp: 26}
              - {name: short, from: h3, to: h4, protocol: rdma, dscp: 26, duration: 1800ms}
            measures:
              - {name: all, unit: Mb/s, value: "[throughput]"}
              - {name: both, unit: Mb/s, value: "[throughput of long]"}
              - {name: third, unit: Mb/s, value: "[throughput of h3]"}
              - {name: index, value: "jain([throughput of h1], [throughput of h2], [throughput of short])"}
              - {name: stopped, unit: ms, value: "[time stopped]"}
            expect:
              - {measure: packets repeated, at-most: 0}
              - {measure: third, at-least: 30}
              - {measure: stopped, at-most: 200}
            """;

    private static Series one(String name, double value) {
        return Series.of(name, "", List.of(new double[] {0, value}));
    }

    private static PhaseFindings findings(double thirdMbps, double stoppedMs, double repeated) {
        OwnLabSpec spec = OwnLabReader.read(LAB, "lab.yaml");
        List<Double> mbps = List.of(20.0, 30.0, thirdMbps);
        List<RdmaFlow.Received> received =
                IntStream.range(0, 3)
                        .mapToObj(i -> new RdmaFlow.Received(spec.rdma().get(i), mbps.get(i) * 1e6))
                        .toList();
        PhaseOutcome outcome =
                new PhaseOutcome(
                        spec.phases().getFirst(),
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(one("time stopped", stoppedMs), one("packets repeated", repeated)),
                        received);
        return new PhaseFindings(spec, List.of(outcome), new RunReport("test"));
    }

    private static List<String> problems(double thirdMbps, double stoppedMs, double repeated) {
        PhaseFindings findings = findings(thirdMbps, stoppedMs, repeated);
        findings.judge(new Holds(2, 2, 1_000_000));
        return findings.report().problems();
    }

    @Test
    void theirThroughputIsThatOfAllOfAHostOrOfAName() {
        PhaseFindings findings = findings(40, 150, 0);
        assertThat(findings.measured("all")).isEqualTo(90);
        assertThat(findings.measured("both")).isEqualTo(50);
        assertThat(findings.measured("third")).isEqualTo(40);
        assertThat(findings.measured("index")).isEqualTo(90.0 * 90 / (3 * (400 + 900 + 1600)));
        assertThat(findings.measured("stopped")).isEqualTo(150);
        assertThat(findings.measured("max of ports in a cyclic wait")).isNaN();
        assertThat(findings.spec().rdma())
                .extracting(RdmaFlow::durationMs)
                .containsExactly(3000L, 3000L, 1800L);
    }

    @Test
    void eachBoundHolds() {
        assertThat(problems(40, 200, 0)).isEmpty();
        assertThat(problems(40, 200, 3))
                .containsExactly(
                        "traffic: packets repeated: 3 packets, expected at most 0 packets");
        assertThat(problems(29, 200, 0))
                .containsExactly("third: 29 Mb/s, expected at least 30 Mb/s");
        assertThat(problems(40, 201, 0))
                .containsExactly("stopped: 201 ms, expected at most 200 ms");
    }

    /** The shortest flow lasts 1.8 s. */
    @Test
    void aTenthOfTheShortestFlowIsDoubted() {
        PhaseFindings findings = findings(40, 200, 0);
        OwnRun.control(findings, new Holds(2, 2, 180_000_000));
        assertThat(findings.report().doubts()).isEmpty();
        OwnRun.control(findings, new Holds(2, 2, 181_000_000));
        assertThat(findings.report().doubts())
                .singleElement()
                .matches(doubt -> doubt.why().contains("more than a tenth of the 1.8 s"));
    }

    private static String twin(String more) {
        return OwnLabReader.read("twin: true\n" + LAB + more, "lab.yaml").twin();
    }

    @Test
    void aTwinIsAScenarioOfTheSameNetworkAndFlows() {
        assertThat(OwnLabReader.read(LAB, "lab.yaml").twin()).isEmpty();
        String twin = twin("orders: [{at: 1s, capture: 100ms}]\n");
        assertThat(ScenarioReader.read(twin, "twin.yaml").about().name()).isEqualTo("twin");
        assertThat(twin)
                .contains("duration: 3s", "\"flow-control\":\"pfc\"")
                .contains("name: flow-2, from: h2, to: h4")
                .contains("name: flow-3, from: h3, to: h4", "stop: 1800ms");
        assertThat(twin("orders: [{at: 1s, picture: a, until: 2s}]\n")).isEqualTo(twin);
        assertThat(twin("orders: [{at: 1s, explain: s1/p4, priority: 3}]\n")).isEqualTo(twin);
        for (String more :
                List.of(
                        "orders: [{at: 1s, down: h1-s1}]\n",
                        "commands: [{at: h5, run: date}]\n",
                        "orders: [{at: 1s, once: '[s1/p4 frames.received]', explain: s1/p4, priority: 3}]\n")) {
            assertThatThrownBy(() -> twin(more).length()).as(more).hasMessageContaining("twin");
        }
        String tcp = LAB.replace("traffic:\n", "traffic:\n  - {from: h5, to: h6}\n");
        assertThatThrownBy(() -> OwnLabReader.read("twin: true\n" + tcp, "lab.yaml"))
                .hasMessageContaining("a twin of a lab whose traffic is not all rdma");
    }

    @Test
    void aTwinIsReadWithTheLab() {
        String many = LAB.replace("dscp: 26}", "dscp: 26, message: 1MB, depth: 4096}");
        assertThat(OwnLabReader.read(many, "lab.yaml").twin()).isEmpty();
        assertThatThrownBy(() -> OwnLabReader.read("twin: true\n" + many, "lab.yaml"))
                .hasMessageContaining("a twin that is not possible: ")
                .hasMessageContaining("window");
    }

    @Test
    void aTwinThatFailsIsALineOfTheReportAndEndsWithTheLab() throws Exception {
        String text = "twin: true\n" + LAB + "series: [{name: q, value: '[s1/p4 no.such]'}]\n";
        OwnTwin twin = new OwnTwin(OwnLabReader.read(text, "lab.yaml"), 1, Set.of());
        RunReport report = new RunReport("test");
        assertThat(twin.run(() -> false, report)).isNull();
        assertThat(report.problems())
                .singleElement()
                .asString()
                .startsWith("in virtual time: ")
                .contains("no.such");
        OwnTwin sound =
                new OwnTwin(OwnLabReader.read("twin: true\n" + LAB, "lab.yaml"), 1, Set.of());
        assertThatThrownBy(() -> sound.run(() -> true, report)).isInstanceOf(BedException.class);
        assertThat(report.problems()).hasSize(1);
    }

    /** Ports of the switch are not counted, whatever its name is. */
    @Test
    void aTwinHasTheTimeThatItsOwnHostsWereStoppedFor() throws Exception {
        String text =
                """
                twin: true
                duration: 1s
                topology:
                  name: two
                  link: {rate: 100Mbps}
                  hosts: [{name: left, at: hub}, {name: right, at: hub}, {name: to, at: hub}]
                  switches: [hub]
                  ports: {classify: {trust: dscp}%s}
                traffic: [{from: [left, right], to: to, protocol: rdma, dscp: 26}]
                """;
        double pfc = stoppedMs(text.formatted(", flow-control: pfc, lossless: [3]"));
        // Both, each for about half of the time.
        assertThat(pfc).isBetween(500.0, 1500.0);
        assertThat(stoppedMs(text.formatted(""))).isNaN();
    }

    private static double stoppedMs(String text) throws Exception {
        OwnLabSpec spec = OwnLabReader.read(text, "lab.yaml");
        RunReport report = new RunReport("test");
        PhaseOutcome outcome =
                requireNonNull(new OwnTwin(spec, 1, Set.of()).run(() -> false, report));
        return outcome.recorded().stream()
                .filter(one -> one.name().equals("time stopped"))
                .mapToDouble(one -> one.values()[0])
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatNoSuchFlowTellsIsRefused() {
        String programs = LAB.replace(", protocol: rdma", "").replace(", duration: 1800ms", "");
        assertThatThrownBy(() -> OwnLabReader.read(programs, "lab.yaml"))
                .hasMessageContaining("packets repeated without traffic of RoCEv2");
        assertThatThrownBy(() -> OwnLabReader.read(LAB.replace("1800ms", "999us"), "lab.yaml"))
                .hasMessageContaining("1s");
        assertThatThrownBy(() -> OwnLabReader.read(LAB.replace("1800ms", "1800500us"), "lab.yaml"))
                .hasMessageContaining("whole milliseconds");
        String tcp = programs.replace("from: h3,", "from: h3, duration: 1500ms,");
        assertThatThrownBy(() -> OwnLabReader.read(tcp, "lab.yaml"))
                .hasMessageContaining("\"1500ms\"; allowed: whole seconds");
    }
}
