package io.headgate.testbed.scenario.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who wins where. */
class RankingTest {
    private static CellResult run(String control, long seed, double use, double queue) {
        List<Parameter> parameters = new CompareControllers().parameters();
        List<Object> said = new ArrayList<>();
        for (Parameter parameter : parameters) {
            said.add(
                    parameter.name().equals(CompareControllers.CONTROL)
                            ? control
                            : parameter.defaults().getFirst());
        }
        List<Measure> measures =
                List.of(
                        new Measure(Judged.USE, "%", use),
                        new Measure(Judged.QUEUE, "kB", queue),
                        new Measure(Judged.PAUSES, "pauses", 0));
        return new CellResult(
                new Cell(0, new Values(parameters, said), seed, BedKind.VIRTUAL, 1),
                new Outcome("", measures, List.of(), List.of(), Map.of()),
                null,
                0);
    }

    private static List<List<String>> rows(CellResult... runs) {
        return Ranking.table(Ranking.of("here", Group.of(List.of(runs)))).rows();
    }

    @Test
    void meansOfAllSeedsAreRankedAndTheSameWithinAHundredthSharePlaces() {
        // Means: rocc 10, swift 10.05, hpcc 20, dcqcn 40; that none paused ranks no one.
        assertThat(
                        rows(
                                run("dcqcn", 1, 99, 40),
                                run("rocc", 1, 99, 5),
                                run("rocc", 2, 99, 15),
                                run("swift", 1, 99, 10.05),
                                run("hpcc", 1, 90, 20)))
                .containsExactly(
                        List.of("here", "use", "dcqcn, rocc, swift: 99 %", "", "hpcc: 90 %"),
                        List.of(
                                "here",
                                "queue",
                                "rocc, swift: 10 kB",
                                "hpcc: 20 kB",
                                "dcqcn: 40 kB"));
    }

    @Test
    void aShortQueueBeforeALinkThatIsNotUsedIsNoMerit() {
        assertThat(rows(run("rocc", 1, 100, 10), run("swift", 1, 81, 20), run("hpcc", 1, 79, 1)))
                .contains(List.of("here", "queue", "rocc: 10 kB", "", "swift: 20 kB"));
    }

    @Test
    void everyRegisteredControlThatRunsWithoutAKeyIsThere() {
        assertThat(Controller.all().stream().map(Controller::word))
                .doesNotHaveDuplicates()
                .contains("rocc", "dcqcn-pi", "timely-patched", "icc", "lipd")
                .doesNotContain("fixed");
    }

    @Test
    void sharesAreJudgedByJainsIndexOfWhatFlowsHaveOfThem() {
        // (1 + 1 + 2)^2 / (3 (1 + 1 + 4)) = 16 / 18
        assertThat(Judged.jain(new double[] {1, 1, 2})).isEqualTo(16.0 / 18);
    }
}
