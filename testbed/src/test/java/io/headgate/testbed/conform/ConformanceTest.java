package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The switch passes every case in virtual time, and each case fails where its property is gone. */
class ConformanceTest {
    /** By case: what of its file is replaced, and by what, so that the switch is wrong. */
    private static final Map<String, List<String>> DEFECTS =
            Map.ofEntries(
                    Map.entry("c01", List.of("lossless: [3, 4]", "lossless: [3]")),
                    Map.entry("c02", List.of("lossless: [3, 4]", "lossless: [0, 3, 4]")),
                    Map.entry("c03", List.of("flow-control: $mode", "flow-control: pfc")),
                    Map.entry("c04", List.of(", vector: 0}", "}")),
                    Map.entry("c05", List.of("lossless: [3]", "lossless: [4]")),
                    Map.entry("c06", List.of("action: alert", "action: drop")),
                    Map.entry("c09", List.of("scheduler: dwrr", "scheduler: strict")),
                    Map.entry(
                            "c10",
                            List.of(
                                    "lossless: [3, 4],",
                                    "lossless: [3, 4], priority-rates: [{priority: 3, rate:"
                                            + " 1Gbps}],")),
                    Map.entry("c12", List.of("scheduler: dwrr", "scheduler: strict")),
                    Map.entry("c14", List.of("headroom: 20kB", "headroom: 10kB")));

    private static CaseResult run(ConformanceCase one, String rates) throws Exception {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return new ConformanceRun(BedKind.VIRTUAL, rates, 1, nowhere, false).run(one);
    }

    static Stream<ConformanceCase> cases() {
        return ConformanceCase.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theSwitchPasses(ConformanceCase one) throws Exception {
        CaseResult result = run(one, "");
        assertThat(result.verdict()).as(result.seen()).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aSwitchWithoutThePropertyFails(ConformanceCase one) throws Exception {
        List<String> defect = DEFECTS.getOrDefault(one.number(), List.of());
        assertThat(defect).as("a defect for " + one.label()).hasSize(2);
        assertThat(one.text()).contains(defect.getFirst());
        String text = one.text().replace(defect.getFirst(), defect.getLast());
        CaseResult result = run(new ConformanceCase(one.number(), one.name(), text), "10Gbps");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        // It was judged, not refused.
        assertThat(result.checks()).as(result.seen()).isNotEmpty();
    }

    @Test
    void casesAreFoundByNumberAndName() throws Exception {
        assertThat(ConformanceCase.named(List.of("C05", "c01-storm-on-lossless")))
                .extracting(ConformanceCase::number)
                .containsExactly("c01", "c05");
    }
}
