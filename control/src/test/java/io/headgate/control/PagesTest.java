package io.headgate.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private static String read(String page) throws IOException {
        return Files.readString(Path.of("..").resolve(page));
    }
}
