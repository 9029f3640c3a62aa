package io.headgate.testbed.scenario.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultDirectoryTest {
    @TempDir private Path temporary;

    private Path out = Path.of("");

    @BeforeEach
    void name() {
        out = temporary.resolve("out");
    }

    private static void write(Path directory, String content) throws Exception {
        Files.createDirectories(directory.resolve("figures"));
        Files.createDirectories(directory.resolve("trace"));
        Files.writeString(directory.resolve("figures/" + content + ".svg"), content);
        Files.writeString(directory.resolve("trace/run-0000-" + content + ".hgtrace"), content);
        Files.writeString(directory.resolve("runs.csv"), content);
        Files.writeString(
                directory.resolve("result.json"),
                "{\"format\": \"headgate-result\", \"version\": 1, \"figures\": [{\"name\": \""
                        + content
                        + "\"}]}");
    }

    private static List<String> files(Path directory) throws Exception {
        try (Stream<Path> found = Files.walk(directory)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> filesOf(String content) {
        return List.of(
                "figures/" + content + ".svg",
                "result.json",
                "runs.csv",
                "trace/run-0000-" + content + ".hgtrace");
    }

    @Test
    void whatIsMadeIsNotTheResultUntilItIsPublished() throws Exception {
        write(Files.createDirectory(out), "old");
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            assertThat(directory.replaces()).isTrue();
            write(directory.making(), "new");
            assertThat(files(out)).containsAll(filesOf("old"));
            assertThat(out.resolve("runs.csv")).hasContent("old");
            directory.publish();
        }
        assertThat(files(out)).isEqualTo(filesOf("new"));
        assertThat(out.resolve("runs.csv")).hasContent("new");
    }

    @Test
    void whatIsNotPublishedLeavesTheEarlierResultAndNothingElse() throws Exception {
        write(Files.createDirectory(out), "old");
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            Files.writeString(directory.making().resolve("runs.csv"), "new");
        }
        assertThat(files(out)).isEqualTo(filesOf("old"));
        Path fresh = temporary.resolve("a/b");
        try (ResultDirectory directory = ResultDirectory.open(fresh)) {
            assertThat(directory.replaces()).isFalse();
            Files.writeString(directory.making().resolve("runs.csv"), "new");
        }
        assertThat(fresh).doesNotExist();
    }

    @Test
    void aSecondRunIsRefusedUntilTheFirstHasEnded() throws Exception {
        try (ResultDirectory first = ResultDirectory.open(out)) {
            for (Path same : List.of(out, temporary.resolve("./out/../out"))) {
                assertThatThrownBy(() -> ResultDirectory.open(same))
                        .isInstanceOf(ScenarioException.class)
                        .hasMessage(
                                "another run is writing its result into "
                                        + same
                                        + " (this process), and one of the two would be lost; wait"
                                        + " until it has ended, or choose another directory with"
                                        + " --out DIR");
            }
            write(first.making(), "new");
            first.publish();
        }
        ResultDirectory.open(out).close();
        assertThat(files(out)).isEqualTo(filesOf("new"));
    }

    /** At each point of its way into its place a kill may come; the next run finishes it. */
    @Test
    void aResultWhoseRunWasKilledOnItsWayIsPutInItsPlaceByTheNextRun() throws Exception {
        for (boolean earlierIsThere : new boolean[] {true, false}) {
            out = temporary.resolve("earlier-" + earlierIsThere);
            Path making = out.resolve(ResultDirectory.MAKING);
            Files.createDirectories(making);
            write(out, "old");
            write(making, "new");
            if (!earlierIsThere) {
                for (String old : filesOf("old")) {
                    Files.delete(out.resolve(old));
                }
                String moved = "trace/run-0000-new.hgtrace";
                Files.move(making.resolve(moved), out.resolve(moved));
            }
            try (ResultDirectory directory = ResultDirectory.open(out)) {
                assertThat(directory.replaces()).isTrue();
            }
            assertThat(files(out)).isEqualTo(filesOf("new"));
        }
    }

    @Test
    void whatAKilledRunLeftUnfinishedIsNotTakenForAnything() throws Exception {
        Path making = out.resolve(ResultDirectory.MAKING);
        Files.createDirectories(making.resolve("trace"));
        Files.writeString(making.resolve("trace/run-0000-virtual.hgtrace"), "");
        Files.writeString(making.resolve("result.json.part"), "{");
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            write(directory.making(), "new");
            directory.publish();
        }
        assertThat(files(out)).isEqualTo(filesOf("new"));
    }

    @Test
    void filesOfOthersStay() throws Exception {
        write(Files.createDirectory(out), "old");
        Files.writeString(out.resolve("figures/mine.svg"), "");
        Files.writeString(out.resolve("notes.txt"), "");
        try (ResultDirectory directory = ResultDirectory.open(out)) {
            write(directory.making(), "new");
            directory.publish();
        }
        assertThat(files(out))
                .containsAll(filesOf("new"))
                .contains("figures/mine.svg", "notes.txt");
        assertThat(files(out)).hasSize(6);
    }
}
