package io.headgate.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A feature has a page, which a reader of README.md finds, and which has all the parts of one. */
class PagesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dataplane/flow-control.md",
                "dataplane/credits.md",
                "dataplane/marking.md",
                "dataplane/rocc.md",
                "dataplane/icc.md",
                "dataplane/escape.md",
                "control/capture.md"
            })
    void saysStatusLimitsKeysCountersAndAnExample(String page) throws IOException {
        assertThat(read("README.md")).contains("](" + page + ")");
        assertThat(read(page).lines().skip(2).findFirst())
                .hasValueSatisfying(line -> assertThat(line).startsWith("**Status.**"));
        assertThat(read(page))
                .contains("**Known limits.**")
                .containsIgnoringCase("keys")
                .containsIgnoringCase("count")
                .containsPattern("(?m)^    \\./headgate ");
    }

    /** What the page adds and takes away is found where it says, so a reader can follow it. */
    @Test
    void theFirstChangeFitsTheSources() throws IOException {
        String diff = read("dataplane/first-change.md").split("```diff\n")[1].split("```")[0];
        int hunks = 0;
        for (String file : diff.split("(?m)^diff --git .*\n")) {
            if (file.isEmpty()) {
                continue;
            }
            String[] parts = file.split("(?m)^@@ .*\n");
            String path = parts[0].lines().findFirst().orElseThrow().substring("--- a/".length());
            for (String hunk : List.of(parts).subList(1, parts.length)) {
                hunks++;
                assertThat(read(path))
                        .as(path)
                        .contains(
                                hunk.lines()
                                        .filter(line -> !line.startsWith("+"))
                                        .map(line -> line.substring(1) + "\n")
                                        .collect(joining()));
            }
        }
        assertThat(hunks).isEqualTo(4);
    }

    @Test
    void thePicturesOfTheHouseAreOfTheseSources(@TempDir Path drawn) throws Exception {
        Path pictures = Path.of("..", "testbed", "pictures");
        Process house =
                new ProcessBuilder(pictures.resolve("house").toString(), drawn.toString())
                        .redirectErrorStream(true)
                        .start();
        assertThat(new String(house.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(house.waitFor()).isZero();
        for (String picture : List.of("rooms.svg", "frame.svg")) {
            assertThat(Files.readString(drawn.resolve(picture)))
                    .as("testbed/pictures/house draws %s again", picture)
                    .isEqualTo(Files.readString(pictures.resolve(picture)));
        }
    }

    private static String read(String page) throws IOException {
        return Files.readString(Path.of("..").resolve(page));
    }
}
