package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Differences;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table of {@code --bed both}. */
class BedsComparedTest {
    private static CellResult run(long seed, BedKind bed) {
        boolean isReal = bed == BedKind.NETNS;
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure("late", "us", isReal ? seed : 0));
        measures.add(new Measure("alike", "us", seed));
        for (int i = 1; i <= 44; i++) {
            double apart = isReal ? i + seed / 10.0 : 0;
            measures.add(new Measure("queue " + i, "kB", 100 + seed + apart));
        }
        Outcome outcome =
                new Outcome(isReal ? "" : "d" + seed, measures, List.of(), List.of(), Map.of());
        Cell cell = new Cell(0, new Values(List.of(), List.of()), seed, bed, isReal ? 100 : 1);
        return new CellResult(cell, outcome, null, 0);
    }

    @Test
    void theFurthestApartStandFirstAndAllTestsCount() {
        List<CellResult> runs = new ArrayList<>();
        for (long seed = 1; seed <= 3; seed++) {
            runs.add(run(seed, BedKind.VIRTUAL));
            runs.add(run(seed, BedKind.NETNS));
        }
        Differences beds = Conclusion.beds(List.of(), runs);
        assertThat(beds.rows()).hasSize(40).noneMatch(row -> row.measure().equals("alike"));
        assertThat(beds.rows().getFirst().measure()).isEqualTo("queue 44");
        assertThat(beds.rows()).noneMatch(row -> row.measure().equals("late"));
        assertThat(beds.table().title())
                .isEqualTo(
                        "Means compared with bed virtual; paired t-test over 3 seeds; different if"
                                + " p < 0.05, of 45 tests");
        assertThat(beds.table().table().indented(0))
                .contains("95 % interval of Δ")
                .containsPattern("netns +queue 44 \\(kB\\) +102 +146\\S* +\\+44");
        // From nothing to something is not a share of anything.
        assertThat(
                        Differences.of(
                                        List.of(),
                                        runs,
                                        "bed",
                                        "virtual",
                                        List.of("late", "queue 1"))
                                .furthest(40)
                                .rows())
                .extracting(Differences.Row::measure)
                .containsExactly("queue 1", "late");
        List<CellResult> one =
                runs.stream().filter(run -> run.cell().bed() != BedKind.NETNS).toList();
        assertThat(Conclusion.beds(List.of(), one).rows()).isEmpty();
    }
}
