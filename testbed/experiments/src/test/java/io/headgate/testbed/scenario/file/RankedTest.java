package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Values;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who wins where. */
class RankedTest {
    private static final List<Parameter> PARAMETERS =
            List.of(
                    Parameter.words("network", List.of("here", "there"), "where"),
                    Parameter.words("control", List.of("rocc", "swift", "hpcc", "dcqcn"), "what"));

    private static CellResult run(
            String network, String control, long seed, double use, double queue) {
        List<Measure> measures =
                List.of(
                        new Measure("use", "%", use),
                        new Measure("queue", "kB", queue),
                        new Measure("pauses", "pauses", 0));
        return new CellResult(
                new Cell(
                        0,
                        new Values(PARAMETERS, List.of(network, control)),
                        seed,
                        BedKind.VIRTUAL,
                        1),
                new Outcome("", measures, List.of(), List.of(), Map.of()),
                null,
                0);
    }

    private static List<List<String>> rows(CellResult... runs) {
        return new Ranked("t", "control", List.of("use"), List.of("queue", "pauses"), "use", 0.8)
                .of(PARAMETERS, List.of(runs))
                .table()
                .rows();
    }

    @Test
    void meansOfAllSeedsAreRankedAndTheSameWithinAHundredthSharePlaces() {
        // Means: rocc 10, swift 10.05, hpcc 20, dcqcn 40; that none paused ranks no one.
        assertThat(
                        rows(
                                run("here", "dcqcn", 1, 99, 40),
                                run("here", "rocc", 1, 99, 5),
                                run("here", "rocc", 2, 99, 15),
                                run("here", "swift", 1, 99, 10.05),
                                run("here", "hpcc", 1, 90, 20)))
                .containsExactly(
                        List.of("", "use", "dcqcn, rocc, swift: 99 %", "", "hpcc: 90 %"),
                        List.of("", "queue", "rocc, swift: 10 kB", "hpcc: 20 kB", "dcqcn: 40 kB"));
    }

    @Test
    void aShortQueueBeforeALinkThatIsNotUsedIsNoMeritAndEachSettingHasItsOwnRanks() {
        assertThat(
                        rows(
                                run("here", "rocc", 1, 100, 10),
                                run("here", "swift", 1, 81, 20),
                                run("here", "hpcc", 1, 79, 1),
                                run("there", "swift", 1, 50, 3),
                                run("there", "hpcc", 1, 50, 4)))
                .contains(
                        List.of("network here", "queue", "rocc: 10 kB", "", "swift: 20 kB"),
                        List.of("network there", "queue", "swift: 3 kB", "", "hpcc: 4 kB"));
    }

    @Test
    void whatHasNoUseIsNotRankedAndTakesNoOtherOut() {
        assertThat(
                        rows(
                                run("here", "rocc", 1, 100, 10),
                                run("here", "dcqcn", 1, Double.NaN, 1),
                                run("here", "swift", 1, 81, 20)))
                .contains(List.of("", "queue", "rocc: 10 kB", "", "swift: 20 kB"));
    }

    @Test
    void whatOneDefinitionLacksAnotherHas() {
        Ranked one = new Ranked("t", "control", List.of("use"), List.of("queue"), "", 0.8);
        Ranked other = new Ranked("t", "control", List.of(), List.of("pauses", "queue"), "", 0.8);
        assertThat(one.with(other).measures()).containsExactly("use", "queue", "pauses");
    }
}
