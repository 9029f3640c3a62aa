package io.headgate.testbed.scenario.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.Environment;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.FlipScenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.Comparison;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultFiles;
import io.headgate.testbed.scenario.report.ResultReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignTest {
    private static final Set<BedKind> VIRTUAL = Set.of(BedKind.VIRTUAL);

    @TempDir private Path directory;

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    private static Sweep sweep(String seeds, String... settings) throws ScenarioException {
        return Sweep.of(new FlipScenario(), List.of(settings), seeds, VIRTUAL, 0);
    }

    private Result run(Sweep sweep, Shard shard, int jobs) {
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        List<CellResult> runs =
                new Campaign(
                                sweep,
                                shard.of(sweep.cells()),
                                new Campaign.Options(jobs, false, null, out, false))
                        .run();
        return Conclusion.of(
                new Result(
                        sweep.scenario(),
                        null,
                        sweep.id(""),
                        sweep.cells().size(),
                        sweep.varied(),
                        List.of(
                                new Result.Part(
                                        "headgate reproduce flip",
                                        "2026-01-01T00:00:00Z",
                                        1.5,
                                        shard,
                                        Environment.here())),
                        runs,
                        null));
    }

    @Test
    void cellsAreInOneOrderTheLastParameterFastestThenSeeds() throws ScenarioException {
        Sweep sweep = sweep("1..2", "heads=0.2,0.8", "throws=10,20");
        List<String> labels = sweep.cells().stream().map(sweep::label).toList();
        assertThat(labels)
                .containsExactly(
                        "heads 0.2, throws 10, seed 1",
                        "heads 0.2, throws 10, seed 2",
                        "heads 0.2, throws 20, seed 1",
                        "heads 0.2, throws 20, seed 2",
                        "heads 0.8, throws 10, seed 1",
                        "heads 0.8, throws 10, seed 2",
                        "heads 0.8, throws 20, seed 1",
                        "heads 0.8, throws 20, seed 2");
        assertThat(sweep.cells()).extracting(Cell::index).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void resultsDoNotDependOnTheNumberOfThreads() throws ScenarioException {
        Sweep sweep = sweep("1..5", "heads=0.2,0.8");
        List<String> alone = digests(run(sweep, Shard.WHOLE, 1));
        List<String> together = digests(run(sweep, Shard.WHOLE, 4));
        assertThat(together).isEqualTo(alone).hasSize(10).doesNotContain("");
    }

    private static List<String> digests(Result result) {
        return result.results().stream().map(run -> run.outcomeOrThrow().digest()).toList();
    }

    @Test
    void shardsMergedAreWhatOneMachineWouldHaveFound() throws Exception {
        Sweep sweep = sweep("1..5", "heads=0.2,0.8");
        Path whole = directory.resolve("whole");
        ResultFiles.write(run(sweep, Shard.WHOLE, 2), whole);
        List<Path> parts = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Result part = run(sweep, new Shard(i, 3), 1);
            assertThat(part.verdict()).isEqualTo(Result.Verdict.PART);
            assertThat(part.findings()).isNull();
            parts.add(directory.resolve("part" + i));
            ResultFiles.write(part, parts.getLast());
        }
        Result merged = Conclusion.merge(parts, (name, file) -> new FlipScenario());
        assertThat(merged.verdict()).isEqualTo(Result.Verdict.PASS);
        assertThat(merged.parts()).hasSize(3);
        Path together = directory.resolve("together");
        ResultFiles.write(merged, together);
        assertThat(Comparison.of(whole, together).isSame()).isTrue();
        assertThat(Files.readString(together.resolve("figures/shares.csv")))
                .isEqualTo(Files.readString(whole.resolve("figures/shares.csv")));
    }

    @Test
    void mergingRefusesWhatDoesNotBelongTogether() throws Exception {
        Path first = directory.resolve("first");
        Path other = directory.resolve("other");
        ResultFiles.write(run(sweep("1..4"), new Shard(1, 2), 1), first);
        ResultFiles.write(run(sweep("1..6"), new Shard(2, 2), 1), other);
        ResultReader.Finder finder = (name, file) -> new FlipScenario();
        assertThatThrownBy(() -> Conclusion.merge(List.of(first, other), finder))
                .hasMessageContaining("of another sweep");
        assertThatThrownBy(() -> Conclusion.merge(List.of(first, first), finder))
                .hasMessageContaining("each shard is merged once");
        assertThatThrownBy(() -> Conclusion.merge(List.of(first), finder))
                .hasMessage("2 of 4 runs are missing (first 1, 3): all shards are needed");
        assertThatThrownBy(() -> Conclusion.merge(List.of(directory), finder))
                .hasMessageContaining("there is no result");
        Files.writeString(first.resolve("result.json"), "{\"format\": \"other\"}");
        assertThatThrownBy(() -> Conclusion.merge(List.of(first), finder))
                .hasMessageContaining("is no result of this version");
        Files.writeString(first.resolve("result.json"), "{\"form");
        assertThatThrownBy(() -> Conclusion.merge(List.of(first), finder))
                .hasMessageContaining("cannot read");
    }

    @Test
    void aRunThatFailsIsNamedWithTheCommandThatRepeatsIt() throws Exception {
        Result result = run(sweep("7", "coin=fair,broken"), Shard.WHOLE, 2);
        assertThat(result.verdict()).isEqualTo(Result.Verdict.FAIL);
        assertThat(result.failures())
                .containsExactly(
                        "run 1 failed: the coin is broken (again: headgate reproduce flip --seed 7"
                                + " --bed virtual --set heads=0.5 --set throws=10k --set"
                                + " coin=broken)");
        ResultFiles.write(result, directory);
        assertThat(Files.readString(directory.resolve("runs.csv")))
                .startsWith("run,heads,throws,coin,seed,bed,scale,wall time (s),share of heads,")
                .contains("the coin is broken");
    }

    @Test
    void theReportIsOnePageThatLoadsNothing() throws Exception {
        ResultFiles.write(run(sweep("1"), Shard.WHOLE, 1), directory);
        String page = Files.readString(directory.resolve("report.html"));
        assertThat(page).contains("<svg", "PASS", "Bernoulli", "it tends to the probability");
        assertThat(page).doesNotContain("src=", "<script", "<link");
        assertThat(Files.size(directory.resolve("figures/shares.png"))).isGreaterThan(1000);
        String json = Files.readString(directory.resolve("result.json"));
        assertThat(json)
                .contains("\"minted <1713> & fair\"", "\"jvm\"", "\"commit\"", "\"kernel\"");
    }

    @Test
    void wrongSettingsAreOneSentence() {
        assertThatThrownBy(() -> sweep("1", "head=0.5"))
                .hasMessage(
                        "flip has no parameter 'head' (heads?): allowed is heads, throws, coin");
        assertThatThrownBy(() -> sweep("1", "heads"))
                .hasMessage("--set cannot be 'heads': allowed is name=value");
        assertThatThrownBy(() -> sweep("1..1000", "heads=0..1:0.001,0.5"))
                .hasMessageContaining("at most 1000 values");
        assertThatThrownBy(() -> sweep("1..1000", "heads=0..0.9:0.001"))
                .hasMessageContaining("more than 100000 runs");
        assertThatThrownBy(() -> Shard.parse("3/2")).hasMessageContaining("i/n with i from 1 to n");
        assertThatThrownBy(() ->
                        Sweep.of(new FlipScenario(), List.of(), "1", Set.of(BedKind.NETNS), 0))
                .hasMessage("flip does not run on the netns bed: allowed is --bed virtual");
    }

    @Test
    void progressEstimatesWhatIsLeft() {
        assertThat(ProgressLine.describe("flip", 1, 4, 0.25, 10))
                .isEqualTo("flip: 1 of 4 runs, 25 %, about 30 s left");
        assertThat(ProgressLine.describe("flip", 0, 4, 0, 10)).isEqualTo("flip: 0 of 4 runs, 0 %");
        assertThat(ProgressLine.duration(600)).isEqualTo("10 min");
        assertThat(ProgressLine.duration(9000)).isEqualTo("2.5 h");
    }
}
