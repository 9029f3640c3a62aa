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
                    Map.entry(
                            "c07", List.of("lossless: [0, 1, 2, 3, 4, 5, 6, 7]", "lossless: [3]")),
                    Map.entry("c11", List.of("scheduler: dwrr", "scheduler: strict")),
                    Map.entry("c13", List.of("lossless: [3, 4]", "lossless: [4]")),
                    Map.entry("c15", List.of("xon: 15kB", "xon: 25kB")),
                    Map.entry("c16", List.of("xon: 20kB}", "xon: 20kB, headroom: 2kB}")),
                    Map.entry("c17", List.of("headroom: 10kB", "headroom: 5kB")),
                    Map.entry("c18", List.of("alpha: 1/2}", "alpha: 1/4}")),
                    Map.entry("c19", List.of("xon: 90kB}", "xon: 90kB, headroom: 0B}")),
                    Map.entry("c20", List.of("lossless: [3, 4]", "lossless: [4]")),
                    Map.entry("c21", List.of("queue-limit: 60kB", "queue-limit: 30kB")),
                    Map.entry("c22", List.of("action: drop", "action: alert")),
                    Map.entry(
                            "c23",
                            List.of(
                                    "name: td, unit: duration, value: 4 * $tp}",
                                    "name: td, unit: duration, value: $tp}")),
                    Map.entry("c24", List.of("poll: $tp", "poll: $td")),
                    Map.entry("c25", List.of("action: drop", "action: alert")),
                    Map.entry("c26", List.of("lossless: [3, 4]", "lossless: [3]")),
                    Map.entry("c27", List.of("lossless: [3, 4]", "lossless: [4]")),
                    Map.entry("c28", List.of("detection: $td", "detection: $(4 * $pause)ns")),
                    Map.entry(
                            "c29",
                            List.of("delay: 100ns}", "delay: 100ns, faults: {loss: 0.001}}")),
                    Map.entry("c30", List.of("action: drop", "action: alert")),
                    Map.entry("c31", List.of("action: forward", "action: alert")),
                    Map.entry("c32", List.of("action: drop", "action: alert")),
                    Map.entry("c33", List.of("p2: {watchdog: null}", "p2: {queue-limit: 400kB}")),
                    Map.entry(
                            "c34",
                            List.of(
                                    "detection: $td, restoration: $td, poll: $tp",
                                    "detection: 100us, restoration: 100us, poll: 50us")),
                    Map.entry("c35", List.of("lossless: [3, 4]", "lossless: [4]")),
                    Map.entry("c36", List.of("kmin: 20kB, kmax: 40kB", "kmin: 1MB, kmax: 2MB")),
                    Map.entry("c37", List.of("kmin: 100kB, kmax: 100kB", "kmin: 50kB, kmax: 50kB")),
                    Map.entry("c38", List.of("pmax: $share", "pmax: 0.5")),
                    Map.entry("c39", List.of("kmin: 20kB, kmax: 40kB", "kmin: 1MB, kmax: 2MB")),
                    Map.entry("c40", List.of("kmin: 20kB, kmax: 40kB", "kmin: 1MB, kmax: 2MB")),
                    Map.entry("c41", List.of("kmin: 59999B", "kmin: 20kB")),
                    Map.entry("c42", List.of("scheduler: [30", "scheduler: [60")),
                    Map.entry("c43", List.of("scheduler: [30", "scheduler: [60")),
                    Map.entry(
                            "c44",
                            List.of(
                                    "delay: 100ns}",
                                    "delay: 100ns, faults: {reordering: 0.01, reordering-delay: 50us}}")),
                    Map.entry("c45", List.of("scheduler: strict", "scheduler: dwrr")),
                    Map.entry("c46", List.of("lossless: [3, 4]", "lossless: [0, 1, 2, 5, 6, 7]")),
                    Map.entry("c47", List.of("lossless: [3]", "lossless: [4]")),
                    Map.entry("c48", List.of("lossless: [3]", "lossless: [4]")),
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
