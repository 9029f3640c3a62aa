package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.QuietRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file makes of its runs is so, and nothing passes of which nothing is known. */
class SoundFindingsTest {
    private static final String TEXT =
            """
            name: s
            duration: 100us
            parameters: [{name: hosts, unit: count, default: "3,4", min: 3, max: 9}]
            topology: {name: t, link: {rate: 10Gbps}, builder: {single-switch: {hosts: $hosts}}}
            traffic:
              - {name: a, from: h1, to: h3, send: {rate: 2Gbps}}
              - {name: b, from: h2, to: h3, send: {rate: 1Gbps}}
            record: {interval: 10us}
            """;

    private static FileScenario read(String more) {
        return (FileScenario) ScenarioReader.read(TEXT + more, "s.yaml");
    }

    private static Cell cell(FileScenario scenario, double hosts, int seed) {
        Values values = new Values(scenario.parameters(), List.of(hosts));
        return new Cell(0, values, seed, BedKind.VIRTUAL, 1);
    }

    private static Outcome run(String more) throws Exception {
        FileScenario scenario = read(more);
        return scenario.run(cell(scenario, 3, 1), new QuietRun());
    }

    @ParameterizedTest
    @CsvSource({"throughput of both, throughput", "throughput of both, throughput *"})
    void aKindIsTheSumOfWhatIsRecordedAlone(String first, String of) throws Exception {
        Outcome outcome =
                run(
                        """
                        series:
                          - {name: %s, of: throughput}
                          - {name: all, of: "%s"}
                          - {name: again, of: throughput of both}
                        """
                                .formatted(first, of));
        double[] recorded = outcome.series("throughput a").values().clone();
        for (int i = 0; i < recorded.length; i++) {
            recorded[i] += outcome.series("throughput b").values()[i];
        }
        assertThat(outcome.series("all").values()).containsExactly(recorded);
        assertThat(outcome.series("again").values()).containsExactly(recorded);
    }

    @Test
    void aSeriesThatBearsTheNameOfAKindIsItAlone() throws Exception {
        Outcome outcome =
                run(
                        """
                        series:
                          - {name: throughput, of: throughput, per: 2}
                          - {name: all, of: throughput}
                        """);
        assertThat(outcome.series("all").values())
                .containsExactly(outcome.series("throughput").values());
    }

    @Test
    void aSumOfAKindOfWhichNothingIsRecordedIsRefused() {
        assertThatThrownBy(() ->
                        read(
                                """
                                series:
                                  - {name: queue of both, of: throughput}
                                  - {name: all, of: queue}
                                """))
                .hasMessageContaining("series[1].of: found the series \"queue\", which is not");
    }

    @ParameterizedTest
    @CsvSource({
        "a*, a, false",
        "a*, ab, true",
        "*a, a, false",
        "a*a, aa, false",
        "a*a, aba, true",
        "a*b*a, abba, false",
        "a*b*a, axbbxa, true",
        "**, x, false",
        "**, xy, true",
        "*b, axbxb, true",
        "*ab*, ab abx, true",
        "*\\E(*, a\\E(b, true",
        "*\\E(*, a(b, false",
    })
    void aStarStandsForOneCharacterOrMore(String starred, String name, boolean isLike) {
        assertThat(Starred.among(List.of(name), starred).isEmpty()).isEqualTo(!isLike);
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 50, 100})
    void manyStarsTakeNoTime(int stars) {
        List<String> known = List.of("a".repeat(300), "a".repeat(300) + "b");
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () ->
                        assertThat(Starred.among(known, "*a".repeat(stars) + "*b"))
                                .containsExactly(known.getLast()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0ns     | 0ns; allowed: at least the interval of 'record', 10us
                    9999ns  | 9999ns; allowed: at least the interval of 'record', 10us
                    1.2.3ms | "1.2.3ms"; allowed: a time such as 1ms
                    0.5ns   | "0.5ns"; allowed: a time such as 1ms
                    NaN     | "NaN"; allowed: a time such as 1ms
                    """)
    void aTimeThatHoldsNoSampleIsRefused(String each, String sentence) {
        assertThatThrownBy(() ->
                        read("series: [{name: m, of: throughput, each: " + each + ", as: sum}]\n"))
                .hasMessageContaining("series[0].each: found " + sentence);
    }

    @Test
    void samplesOfATimeMuchLongerThanTheRunAreFolded() throws Exception {
        String each = "series: [{name: m, of: throughput, each: %s, as: sum}]\n";
        assertThat(run(each.formatted("10us")).series("m").values()).hasSize(10);
        // 10 us is a part of 10^-9 of it, as much as is taken for rounding.
        assertThat(run(each.formatted("10000s")).series("m").values()).hasSize(1);
    }

    private static final String BY_A_NUMBER =
            "compare: [{by: hosts%s, measures: [frames dropped]}]\n";

    @Test
    void runsAreComparedByANumberToo() {
        for (String to : List.of("", ", to: 4")) {
            FileScenario scenario = read(BY_A_NUMBER.formatted(to));
            List<CellResult> results =
                    List.of(result(scenario, 3, 1, 10), result(scenario, 4, 1, 20));
            assertThat(scenario.conclude(results).tables()).as(to).hasSize(1);
        }
        for (String to : List.of("10", "two", "3,4")) {
            assertThatThrownBy(() -> read(BY_A_NUMBER.formatted(", to: '" + to + "'")))
                    .hasMessageContaining("compare[0].to: found \"" + to + "\"");
        }
    }

    @Test
    void whatIsWantedCannotBeChanged() {
        Definition.Wanted wanted =
                ScenarioReader.define(
                                TEXT.replace("$hosts", "3")
                                        + BY_A_NUMBER.formatted("")
                                        + "expect: [{measure: frames dropped, at-most: 0}]\n"
                                        + "plot: [{y: throughput of a, x: hosts}]\n",
                                "s.yaml")
                        .findings();
        for (List<?> one : List.of(wanted.places(), wanted.plots(), wanted.compared())) {
            assertThat(one).hasSize(1).isUnmodifiable();
        }
    }

    private static final String COMPARED =
            "expect: [{when: $hosts = 4, measure: frames dropped, than: {hosts: 3}, %s}]\n";

    /** Checks of two runs, with 3 and 4 hosts, by the numbers of frames that they dropped. */
    private static List<Check> checks(String expectations, double three, double four) {
        FileScenario scenario = read(expectations);
        return scenario.conclude(
                        List.of(result(scenario, 3, 1, three), result(scenario, 4, 1, four)))
                .checks();
    }

    private static CellResult result(
            FileScenario scenario, double hosts, int seed, double dropped) {
        List<Measure> measures = List.of(new Measure("frames dropped", "frames", dropped));
        Outcome outcome = new Outcome("", measures, List.of(), List.of(), Map.of());
        return new CellResult(cell(scenario, hosts, seed), outcome, null, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"near: 1", "at-most: 2", "at-least: 0"})
    void nothingOverNothingIsNotAsExpected(String relation) {
        assertThat(checks(COMPARED.formatted(relation), 0, 0))
                .singleElement()
                .matches(check -> !check.passed() && Double.isNaN(check.measured()));
        assertThat(checks(COMPARED.formatted(relation + ", equal-zeros: true"), 0, 0))
                .singleElement()
                .matches(check -> check.passed() && check.measured() == 1);
        assertThat(checks(COMPARED.formatted(relation + ", equal-zeros: true"), 0, 3))
                .singleElement()
                .matches(check -> Double.isInfinite(check.measured()));
        assertThat(checks(COMPARED.formatted(relation), 3, 3))
                .singleElement()
                .matches(Check::passed);
    }

    /**
     * With 3 hosts the seeds drop none and four frames, two on average, with 4 hosts three each.
     */
    @Test
    void meansOverSeedsAreComparedWithMeansOverSeeds() throws Exception {
        FileScenario scenario = read(COMPARED.formatted("at-least: 1.6, seeds: 2"));
        List<CellResult> results = new ArrayList<>();
        for (int seed = 1; seed <= 2; seed++) {
            results.add(result(scenario, 3, seed, seed == 1 ? 0 : 4));
            results.add(result(scenario, 4, seed, 3));
        }
        assertThat(scenario.conclude(results).checks())
                .extracting(Check::sentence)
                .containsExactly(
                        "mean frames dropped, of that with 3 (hosts 4): 1.5 times, expected at least 1.6 times");
        assertThat(scenario.conclude(results.subList(0, 2)).checks()).isEmpty();
    }

    /** Each of what 'for' makes is of one entry, and its limit differs by the parameter. */
    @Test
    void anEntryWhoseConditionHoldsOfNoRunIsNotAsExpected() {
        String text =
                """
                expect:
                  - {for: {i: 1..2}, measure: frames dropped, at-most: $i * $hosts, if: "[frames dropped] > $i"}
                """;
        assertThat(checks(text, 0, 1)).singleElement().matches(check -> !check.passed());
        assertThat(checks(text, 0, 1).getFirst().sentence())
                .isEqualTo(
                        "runs with frames dropped > 1, of which frames dropped is judged: 0,"
                                + " expected at least 1");
        assertThat(checks(text, 2, 0)).singleElement().matches(Check::passed);
        assertThat(checks(text, 0, 3)).hasSize(2).allMatch(Check::passed);
    }

    @Test
    void anEntryBesideOneThatIsJudgedIsNotPassedOver() {
        String text =
                "expect: [{measure: frames dropped, at-most: 9, if: '[frames dropped] > 1'}, "
                        + "{measure: frames dropped, at-most: 9, if: '[frames dropped] > 5'}]\n";
        assertThat(checks(text, 2, 2)).hasSize(3).filteredOn(Check::passed).hasSize(2);
        // Of runs that are not there nothing is expected.
        assertThat(checks(COMPARED.formatted("near: 1, bed: netns, if: 1 = 2"), 1, 1)).isEmpty();
    }
}
