package io.headgate.testbed.scenario.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.Environment;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.FlipScenario;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.CellDirectory;
import io.headgate.testbed.scenario.report.CellRecord;
import io.headgate.testbed.scenario.report.CellRecord.Maker;
import io.headgate.testbed.scenario.report.Comparison;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import io.headgate.testbed.scenario.report.ResultDirectory;
import io.headgate.testbed.scenario.report.ResultFiles;
import io.headgate.testbed.scenario.report.SweepDescription;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.TopologyWriter;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignTest {
    private static final Set<BedKind> VIRTUAL = Set.of(BedKind.VIRTUAL);
    private static final Shard ALL = new Shard(1, 1);
    private static final String WHOLE = CellDirectory.WHOLE;

    @TempDir private Path directory;

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    private static Sweep sweep(String seeds, String... settings) throws ScenarioException {
        return Sweep.of(new FlipScenario(), List.of(settings), seeds, VIRTUAL, 0);
    }

    /** Runs a part of a sweep into a directory, as one process would. */
    private Path run(Sweep sweep, Shard shard, int jobs, String name) throws Exception {
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        Path path = Files.createDirectories(directory.resolve(name));
        SweepDescription description = describe(sweep);
        Maker maker =
                new Maker("headgate reproduce flip", "2026-01-01T00:00:00Z", Environment.here());
        List<Cell> mine = shard.of(sweep.cells());
        try (CellDirectory cells = CellDirectory.open(path, description, mine, false, WHOLE)) {
            new Campaign(sweep, mine, new Campaign.Options(jobs, false, null, out, false))
                    .run(result -> cells.save(new CellRecord(result, maker, 1.5)));
        }
        return path;
    }

    private static SweepDescription describe(Sweep sweep) {
        return SweepDescription.of(
                sweep, null, new SweepRequest("flip", List.of(), "1..5", null, null, null));
    }

    private Result merge(Path... from) throws ScenarioException {
        return Conclusion.merge(
                List.of(from), directory.resolve("whole"), (name, file) -> new FlipScenario());
    }

    private Result run(Sweep sweep, int jobs) throws Exception {
        return merge(run(sweep, ALL, jobs, "by-" + jobs));
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
    void resultsDoNotDependOnTheNumberOfThreads() throws Exception {
        Sweep sweep = sweep("1..5", "heads=0.2,0.8");
        List<String> alone = digests(run(sweep, 1));
        List<String> together = digests(run(sweep, 4));
        assertThat(together).isEqualTo(alone).hasSize(10).doesNotContain("");
    }

    private static List<String> digests(Result result) {
        return result.results().stream().map(run -> run.outcomeOrThrow().digest()).toList();
    }

    @Test
    void shardsMergedAreWhatOneMachineWouldHaveFoundInWhateverOrderAndHoweverOften()
            throws Exception {
        Sweep sweep = sweep("1..5", "heads=0.2,0.8");
        Path whole = directory.resolve("one");
        ResultFiles.write(run(sweep, 2), Files.createDirectory(whole), Column.FITTING, List.of());
        Path a = run(sweep, new Shard(1, 3), 1, "a");
        Path b = run(sweep, new Shard(2, 3), 1, "b");
        Path c = run(sweep, new Shard(3, 3), 1, "c");
        Result merged = merge(a, b, c);
        assertThat(merged.verdict()).isEqualTo(Result.Verdict.PASS);
        assertThat(merged.parts()).hasSize(1);
        assertThat(merged.parts().getFirst().runs()).isEqualTo("0..9");
        Path together = Files.createDirectory(directory.resolve("together"));
        ResultFiles.write(merged, together, Column.FITTING, List.of());
        Path again = Files.createDirectory(directory.resolve("again"));
        // Half of it comes from cells, and all of it from an earlier result.
        ResultFiles.write(merge(c, together, a, c), again, Column.FITTING, List.of());
        assertThat(Comparison.of(whole, together).isSame()).isTrue();
        assertThat(again.resolve("result.json"))
                .hasSameTextualContentAs(together.resolve("result.json"));
        assertThat(Files.readString(together.resolve("figures/shares.csv")))
                .isEqualTo(Files.readString(whole.resolve("figures/shares.csv")));
    }

    @Test
    void loadsThatAreNotOfTheNetworksLinksCostAPictureAndNotTheResult() throws Exception {
        Object network = TopologyWriter.toMap(Topologies.singleSwitch(2, LinkSpec.DEFAULT));
        Result plain = run(sweep("1"), 1);
        assertThat(pictures(withLoads(plain, Map.of("topology", network), 2), "both"))
                .containsExactly("network-0.svg");
        assertThat(pictures(withLoads(plain, Map.of("topology", network), 1), "one")).isEmpty();
        assertThat(pictures(withLoads(plain, Map.of("topology", "?"), 1), "strange")).isEmpty();
        assertThat(pictures(withLoads(plain, Map.of(), 1), "none")).isEmpty();
        Path file = directory.resolve("none/result.json");
        String text = Files.readString(file);
        assertThat(text).contains("0.25");
        Files.writeString(file, text.replace("0.25", "1.25"));
        assertThatThrownBy(() -> merge(file))
                .hasMessageContaining("is damaged: shareBtoA of a link is 1.25; allowed: 0 to 1");
    }

    private static Result withLoads(Result result, Map<String, Object> configuration, int links) {
        CellResult run = result.results().getFirst();
        Outcome outcome = run.outcomeOrThrow();
        Outcome loaded =
                new Outcome(
                        outcome.digest(),
                        outcome.measures(),
                        outcome.series(),
                        outcome.statements(),
                        configuration,
                        Collections.nCopies(links, new LinkLoad(0.5, 0.25, 0, 0)),
                        List.of());
        return new Result(
                result.scenario(),
                result.sweep(),
                result.parts(),
                List.of(new CellResult(run.cell(), loaded, null, run.wallSeconds())),
                result.findings());
    }

    /** Pictures of networks that are written with a result. */
    private List<String> pictures(Result result, String name) throws Exception {
        Path out = Files.createDirectory(directory.resolve(name));
        ResultFiles.write(result, out, Column.FITTING, List.of());
        assertThat(out.resolve("result.json")).exists();
        try (Stream<Path> figures = Files.list(out.resolve("figures"))) {
            return figures.map(file -> file.getFileName().toString())
                    .filter(file -> file.startsWith("network-"))
                    .toList();
        }
    }

    @Test
    void mergingSaysWhatIsMissingAndWhatRunsExactlyThat() throws Exception {
        Sweep sweep = sweep("1..5", "heads=0.2,0.8");
        Path first = run(sweep, new Shard(1, 2), 1, "first");
        Files.delete(first.resolve("cells/cell-000004.json"));
        // A machine that lost its power leaves an incomplete file, which does not count as a run.
        Files.writeString(first.resolve("cells/cell-000006.json"), "{\"format\": \"headg");
        assertThatThrownBy(() -> merge(first))
                .hasMessageStartingWith(
                        "7 of 10 runs are missing; this command runs exactly the missing ones")
                .hasMessageContaining(
                        "\n    headgate reproduce flip --seed 1..5 --cells 1..9:2,4,6 --resume --out "
                                + directory.resolve("whole")
                                + "\n");
    }

    @Test
    void mergingRefusesWhatDoesNotBelongTogether() throws Exception {
        Path first = run(sweep("1..4"), new Shard(1, 2), 1, "first");
        Path other = run(sweep("1..6"), new Shard(2, 2), 1, "other");
        assertThatThrownBy(() -> merge(first, other)).hasMessageContaining("of another sweep");
        assertThatThrownBy(() -> merge(directory)).hasMessageContaining("there is no result");
        Path changed = run(sweep("1..4"), ALL, 1, "changed");
        Path cell = changed.resolve("cells/cell-000000.json");
        Files.writeString(
                cell, Files.readString(cell).replaceFirst("\"digest\":\"0", "\"digest\":\"1"));
        assertThatThrownBy(() -> merge(changed, first))
                .hasMessageContaining("run 0 exists twice with different results");
        Files.writeString(directory.resolve("result.json"), "{\"format\": \"other\"}");
        assertThatThrownBy(() -> merge(directory))
                .hasMessageContaining("is not a result of this version");
    }

    @Test
    void aPartGoesOnWithWhatIsThereAndThrowsNothingAwayUnasked() throws Exception {
        Sweep sweep = sweep("1..4");
        Path path = run(sweep, new Shard(1, 2), 1, "first");
        SweepDescription description = describe(sweep);
        assertThatThrownBy(() -> CellDirectory.open(path, description, sweep.cells(), false, WHOLE))
                .hasMessage(
                        path
                                + " already has 2 of the 4 runs of this sweep, from a process that"
                                + " did not finish; add --resume to continue from there, or remove "
                                + path.resolve("cells")
                                + " to run them again");
        assertThatThrownBy(() ->
                        CellDirectory.open(path, describe(sweep("7")), List.of(), true, WHOLE))
                .hasMessageStartingWith(
                        path + " has 2 of 4 runs of another sweep that is not complete");
        try (CellDirectory cells =
                CellDirectory.open(path, description, sweep.cells(), true, WHOLE)) {
            assertThat(cells.done().stream()).containsExactly(0, 2);
        }
    }

    @Test
    void oneProcessAtATimeRunsAPart() throws Exception {
        Sweep sweep = sweep("1..4");
        SweepDescription description = describe(sweep);
        try (CellDirectory first =
                        CellDirectory.open(directory, description, List.of(), true, "a");
                CellDirectory other =
                        CellDirectory.open(directory, description, List.of(), true, "b")) {
            assertThat(first.done()).isEqualTo(other.done());
            assertThatThrownBy(
                            () -> CellDirectory.open(directory, description, List.of(), true, "a"))
                    .hasMessageContaining("another process is running this part of the sweep into");
        }
        CellDirectory.open(directory, description, List.of(), true, "a").close();
    }

    /** Lays the result of a sweep into a directory, as one process would. */
    private Path result(Sweep sweep, String name) throws Exception {
        Path path = run(sweep, ALL, 1, name);
        try (ResultDirectory directory = ResultDirectory.open(path)) {
            directory.publish(merge(path), Column.FITTING, List.of());
        }
        assertThat(path.resolve("cells")).doesNotExist();
        return path;
    }

    @Test
    void aSweepThatIsBegunAnewDoesNotGoOnWithAnEarlierResultHoweverItIsGoneOnWith()
            throws Exception {
        Sweep sweep = sweep("1..4");
        SweepDescription description = describe(sweep);
        Path path = result(sweep, "again");
        Path json = path.resolve("result.json");
        Files.writeString(
                json, Files.readString(json).replaceFirst("\"digest\" : \".", "\"digest\" : \"-"));
        CellRecord first = records(sweep).getFirst();
        try (CellDirectory cells =
                CellDirectory.open(path, description, sweep.cells(), false, WHOLE)) {
            assertThat(cells.ended()).isEqualTo(new BitSet());
            cells.save(first);
        }
        try (CellDirectory cells =
                CellDirectory.open(path, description, sweep.cells(), true, WHOLE)) {
            assertThat(cells.done().stream()).containsExactly(0);
            assertThat(cells.ended().stream()).containsExactly(0);
        }
        assertThatThrownBy(() -> CellDirectory.open(path, description, sweep.cells(), false, WHOLE))
                .hasMessageContaining("already has 1 of the 4 runs of this sweep");
        assertThatThrownBy(() ->
                        CellDirectory.open(path, describe(sweep("7")), List.of(), false, WHOLE))
                .hasMessageContaining("has 1 of 4 runs of another sweep");
        assertThatThrownBy(() -> merge(path)).hasMessageStartingWith("3 of 4 runs are missing");
        try (CellDirectory cells =
                CellDirectory.open(path, description, sweep.cells(), true, WHOLE)) {
            for (CellRecord record : records(sweep).subList(1, 4)) {
                cells.save(record);
            }
        }
        assertThat(digests(merge(path))).noneMatch(digest -> digest.startsWith("-"));
    }

    @Test
    void aSweepThatIsResumedGoesOnWithItsResult() throws Exception {
        Sweep sweep = sweep("1..4");
        Path path = result(sweep, "again");
        try (CellDirectory cells =
                CellDirectory.open(path, describe(sweep), sweep.cells(), true, WHOLE)) {
            assertThat(cells.done().cardinality()).isEqualTo(4);
            assertThat(cells.ended().cardinality()).isEqualTo(4);
            assertThat(digests(merge(path))).hasSize(4);
        }
    }

    private List<CellRecord> records(Sweep sweep) {
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        Maker maker = new Maker("headgate flip", "2026-01-02T00:00:00Z", Environment.here());
        return new Campaign(sweep, sweep.cells(), new Campaign.Options(1, false, null, out, false))
                .run().stream().map(result -> new CellRecord(result, maker, 1)).toList();
    }

    @Test
    void aRunThatFailedIsRunAgainOnceAndNotForEver() throws Exception {
        Sweep sweep = sweep("1..2", "coin=fair,broken");
        SweepDescription description = describe(sweep);
        Path path = run(sweep, ALL, 1, "failed");
        try (CellDirectory cells =
                CellDirectory.open(path, description, sweep.cells(), true, WHOLE)) {
            assertThat(cells.ended().stream()).containsExactly(0, 1);
            Path file = path.resolve("cells/cell-000002.json");
            FileTime before = Files.getLastModifiedTime(file);
            cells.save(records(sweep).get(2));
            Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1000));
            assertThat(cells.ended().stream()).containsExactly(0, 1, 2);
        }
    }

    @Test
    void whoRunsASweepKeepsAnotherOneOutAlsoBeforeItsFirstCell() throws Exception {
        SweepDescription mine = describe(sweep("1..4"));
        SweepDescription other = describe(sweep("7"));
        Path file = directory.resolve("cells/sweep.json");
        for (String part : List.of("submitted", WHOLE, "part-1")) {
            try (CellDirectory first =
                    CellDirectory.open(directory, mine, List.of(), false, part)) {
                String text = Files.readString(file);
                for (String another : List.of("submitted2", WHOLE + "2", "part-2")) {
                    assertThatThrownBy(() ->
                                    CellDirectory.open(directory, other, List.of(), false, another))
                            .hasMessageStartingWith(
                                    "another process is running another sweep into " + directory);
                    // One of the same sweep does not take away what the first one has.
                    CellDirectory.open(directory, mine, List.of(), false, another).close();
                }
                assertThat(file).hasContent(text);
                assertThatThrownBy(() -> CellDirectory.open(directory, mine, List.of(), true, part))
                        .hasMessageContaining("another process is running this part of the sweep");
                assertThat(first.done()).isEqualTo(new BitSet());
            }
        }
        CellDirectory.open(directory, other, List.of(), false, WHOLE).close();
        assertThat(directory.resolve("cells")).doesNotExist();
    }

    @Test
    void whatStayedOfCellsWhoseProcessWasKilledWhileItTidiedIsNobodysWork() throws Exception {
        Sweep sweep = sweep("1..4");
        Path path = run(sweep, ALL, 1, "tidied");
        Files.delete(path.resolve("cells/sweep.json"));
        try (CellDirectory cells =
                CellDirectory.open(path, describe(sweep), sweep.cells(), false, WHOLE)) {
            assertThat(cells.done()).isEqualTo(new BitSet());
        }
    }

    @Test
    void aRunThatFailsIsNamedWithTheCommandThatRepeatsIt() throws Exception {
        Result result = run(sweep("7", "coin=fair,broken"), 2);
        assertThat(result.verdict()).isEqualTo(Result.Verdict.FAIL);
        assertThat(result.failures())
                .containsExactly(
                        "run 1 failed: the coin is broken (again: headgate reproduce flip --seed 7"
                                + " --bed virtual --set heads=0.5 --set throws=10k --set"
                                + " coin=broken)");
        ResultFiles.write(result, directory, Column.FITTING, List.of());
        assertThat(Files.readString(directory.resolve("runs.csv")))
                .startsWith("run,heads,throws,coin,seed,bed,scale,wall time (s),share of heads,")
                .contains("the coin is broken");
    }

    @Test
    void theReportIsOnePageThatLoadsNothing() throws Exception {
        ResultFiles.write(run(sweep("1"), 1), directory, Column.FITTING, List.of());
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
        assertThatThrownBy(() -> Shard.parse("3/2", Map.of()))
                .hasMessageContaining("i/n with i from 1 to n");
        assertThatThrownBy(() ->
                        Sweep.of(new FlipScenario(), List.of(), "1", Set.of(BedKind.NETNS), 0))
                .hasMessage("flip does not run on the netns bed: allowed is --bed virtual");
    }

    @Test
    void progressEstimatesWhatIsLeft() {
        assertThat(ProgressLine.describe("flip", 1, 4, 0.25, 10))
                .isEqualTo("flip: 1 of 4 runs, 25 %, about 30 s left");
        assertThat(ProgressLine.describe("flip", 0, 4, 0, 10)).isEqualTo("flip: 0 of 4 runs, 0 %");
        assertThat(ProgressLine.memory(1_200_000_000L, 3_400_000_000L, 6_000_000_000L))
                .isEqualTo("memory 1.2 of 6.0 GB, at most 3.4");
        assertThat(ProgressLine.duration(600)).isEqualTo("10 min");
        assertThat(ProgressLine.duration(9000)).isEqualTo("2.5 h");
    }
}
