package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.measures.RunFindings;
import io.headgate.testbed.lab.measures.RunMeasures;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a report says first of many runs. */
class RunFindingsTest {
    /** Nothing in it says what the report begins with. */
    private static final String PLAIN =
            """
            duration: 2s
            topology: {name: t, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
            parameters: [{name: run, unit: count, default: 1, min: 1, max: 99}]
            traffic: [{from: h1, to: h2, protocol: udp, rate: 5Mbps}]
            measures:
              - {name: had been above xon, unit: s, value: "[throughput of h1]"}
              - {name: least, unit: Mb/s, value: "[throughput of h1]"}
              - {name: dropped, unit: frames, value: "[frames dropped]"}
            """;

    /** A run of which each measure is its number. */
    private record Run(OwnLabSpec spec, double number) implements RunMeasures {
        @Override
        public double measured(String name) {
            return switch (name) {
                case "dropped" -> 0;
                case "sometimes" -> number == 3 ? Double.NaN : number;
                case "the ring stood still" -> number == 3 ? 0 : 1;
                default -> number;
            };
        }
    }

    private static RunFindings findings(List<OwnLabSpec> specs) {
        List<Run> runs = new ArrayList<>();
        for (OwnLabSpec spec : specs) {
            runs.add(new Run(spec, runs.size() + 1));
        }
        RunFindings findings = new RunFindings(runs, new RunReport("test"));
        findings.judge();
        return findings;
    }

    private static Map<String, String> headlines(int count) throws Exception {
        List<OwnLabSpec> specs =
                OwnLabReader.read(PLAIN, "plain.yaml", Map.of("run", "1.." + count));
        assertThat(specs).hasSize(count);
        return findings(specs).report().headlines();
    }

    private static RunFindings deadlocks(String runs) {
        return findings(ReadyLabs.deadlock("escape", "100Mbps", 10, 5, runs));
    }

    @Test
    void ofFewRunsEachHasItsFirstNumbers() throws Exception {
        assertThat(headlines(12))
                .hasSize(12)
                .allSatisfy((name, _) -> assertThat(name).startsWith("had been above xon, "));
    }

    @Test
    void ofMoreRunsEachNumberIsFromTheLeastToTheMost() throws Exception {
        assertThat(headlines(20))
                .containsEntry("had been above xon, of 20 runs", "from 1 to 20 s")
                .containsEntry("least, of 20 runs", "from 1 to 20 Mb/s")
                .containsEntry("dropped, of 20 runs", "0 frames");
    }

    @Test
    void aFileSaysWhatItsReportBeginsWith() {
        assertThat(deadlocks("1").report().headlines())
                .containsExactly(
                        Map.entry("the ring stood still", "yes"),
                        Map.entry("least that a flow got in a second behind the remedy", "1 Mb/s"),
                        Map.entry("dropped", "0 frames"));
        assertThat(deadlocks("1..20").report().headlines())
                .containsExactly(
                        Map.entry("the ring stood still", "in 19 of 20 runs"),
                        Map.entry(
                                "least that a flow got in a second behind the remedy, least of 20"
                                        + " runs",
                                "1 Mb/s, run 1"),
                        Map.entry("dropped, all 20 runs together", "0 frames"));
    }

    @Test
    void whereAFileChoosesEachOfManyRunsAddsItsLossesAlone() throws Exception {
        Map<String, String> own =
                Map.of(
                        "lost anywhere, 1", "3 frames",
                        "lost anywhere, 2", "0 frames",
                        "not accounted for, of all, 3", "2 frames",
                        "hosts were stopped, all together, 1", "3 ms");
        RunFindings chosen = deadlocks("1..20");
        chosen.headlinesOfRuns(own);
        assertThat(chosen.report().headlines())
                .hasSize(5)
                // Losses are never hidden.
                .containsEntry("lost anywhere, 1", "3 frames")
                .containsEntry("not accounted for, of all, 3", "2 frames");
        RunFindings plain = findings(OwnLabReader.read(PLAIN, "plain.yaml", Map.of("run", "1..2")));
        plain.headlinesOfRuns(own);
        assertThat(plain.report().headlines()).containsEntry("lost anywhere, 1", "3 frames");
    }

    @Test
    void mostSumAndEachAreSaidTheSameWay() throws Exception {
        String text =
                PLAIN.replace("name: had", "headline: sum, name: had")
                        .replace("name: least,", "headline: most, name: sometimes,")
                        .replace("name: dropped,", "headline: each, name: dropped,");
        assertThat(
                        findings(OwnLabReader.read(text, "plain.yaml", Map.of("run", "1..3")))
                                .report()
                                .headlines())
                .containsExactly(
                        Map.entry("had been above xon, all 3 runs together", "6 s"),
                        // Run 3 has no such number.
                        Map.entry("sometimes, most of 3 runs", "2 Mb/s, run 2; not measured in 1"),
                        Map.entry("dropped, 1", "0 frames"),
                        Map.entry("dropped, 2", "0 frames"),
                        Map.entry("dropped, 3", "0 frames"));
    }

    @Test
    void aRunWithoutANumberHidesNotThoseOfOthers() throws Exception {
        String text = PLAIN.replace("name: least,", "name: sometimes,");
        assertThat(
                        findings(OwnLabReader.read(text, "plain.yaml", Map.of("run", "1..20")))
                                .report()
                                .headlines())
                .containsEntry("sometimes, of 20 runs", "from 1 to 20 Mb/s; not measured in 1");
        String sum = PLAIN.replace("name: least,", "headline: sum, name: sometimes,");
        assertThat(
                        findings(OwnLabReader.read(sum, "plain.yaml", Map.of("run", "1..4")))
                                .report()
                                .headlines())
                .containsEntry("sometimes, all 4 runs together", "7 Mb/s; not measured in 1");
    }

    @Test
    void aTwinInVirtualTimeIsNoRunToCount() throws Exception {
        String text = PLAIN.replace("name: had", "headline: sum, name: had");
        List<OwnLabSpec> specs =
                new ArrayList<>(OwnLabReader.read(text, "plain.yaml", Map.of("run", "1..2")));
        specs.add(specs.getFirst().virtual());
        assertThat(findings(specs).report().headlines())
                .containsExactly(Map.entry("had been above xon, all 2 runs together", "3 s"));
        OwnLabSpec alone = OwnLabReader.read(text, "plain.yaml", Map.of()).getFirst();
        assertThat(findings(List.of(alone, alone.virtual())).report().headlines())
                .containsEntry("had been above xon", "1 s")
                .containsEntry("had been above xon, virtual time", "2 s");
    }

    @Test
    void whatAFileChoosesComesBeforeWhatItsRunSays() {
        List<OwnLabSpec> specs = ReadyLabs.deadlock("escape", "100Mbps", 10, 5, "1");
        RunReport report = new RunReport("test");
        report.headline("lost anywhere", "0 frames");
        new RunFindings(List.of(new Run(specs.getFirst(), 1)), report).judge();
        assertThat(report.headlines().keySet())
                .startsWith("the ring stood still")
                .endsWith("lost anywhere");
    }

    @Test
    void whatIsNothingInAllRunsHasNoFigure() throws Exception {
        RunFindings plain = findings(OwnLabReader.read(PLAIN, "plain.yaml", Map.of("run", "1..2")));
        assertThat(plain.figures())
                .extracting(Figure::title)
                .containsExactly("had been above xon", "least");
    }

    @Test
    void aFigureKeepsItsNumberWhereAnotherHasNothing() throws Exception {
        String dropped = "  - {name: dropped, unit: frames, value: \"[frames dropped]\"}\n";
        String text = PLAIN.replace(dropped, "").replace("measures:\n", "measures:\n" + dropped);
        assertThat(findings(OwnLabReader.read(text, "plain.yaml", Map.of("run", "1..2"))).figures())
                .extracting(Figure::name)
                .containsExactly("measures-2", "measures-3");
    }

    @Test
    void whetherSomethingWasSoIsAWordInTheTableANumberForProgramsAndNoBar() {
        RunFindings findings = deadlocks("1..3");
        assertThat(findings.report().toText())
                .containsPattern("the ring stood still, 1 +yes")
                .containsPattern("the ring stood still, 3 +no");
        assertThat(findings.figures())
                .extracting(Figure::title)
                .noneMatch(title -> title.contains("the ring stood still"))
                .anyMatch(title -> title.contains("least that a flow got"));
        JsonNode rows =
                JsonMapper.builder()
                        .build()
                        .readTree(findings.report().toJson())
                        .path("results")
                        .path("Measures");
        JsonNode first =
                rows.valueStream()
                        .filter(row -> row.path("name").asString().equals("the ring stood still"))
                        .findFirst()
                        .orElseThrow();
        assertThat(first.path("run").asString()).isEqualTo("1");
        assertThat(first.path("value").asDouble()).isEqualTo(1);
        assertThat(first.path("of").asString()).startsWith("if(");
    }
}
