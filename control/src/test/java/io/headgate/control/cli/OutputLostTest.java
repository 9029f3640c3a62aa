package io.headgate.control.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.TestConfigs;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.run.SwitchOptions;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as processes of their own whose standard output cannot be written. */
@Timeout(60)
class OutputLostTest {
    private static final int ON_SIGPIPE = 141;

    @TempDir private Path directory;

    private record Ended(int code, String said) {}

    /**
     * Runs a command to its end.
     *
     * @param where its standard output goes, in the shell's words; 3 is a pipe without a reader
     */
    private Ended run(String command, String where) throws IOException, InterruptedException {
        Path said = directory.resolve("said");
        String script =
                "set -o pipefail; exec 3> >(exec true); wait $!; \"$@\" %s".formatted(where);
        List<String> words = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        words.addAll(OwnProgram.command(command.split(" ")));
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(said.toFile());
        builder.environment().put("HEADGATE_RUN_DIR", directory.toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Ended(process.exitValue(), Files.readString(said, UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices --json", "help show", "--version"})
    void whatCannotBeWrittenIsSaidAndNoSuccess(String command) throws Exception {
        assertThat(run(command, ">/dev/full"))
                .isEqualTo(
                        new Ended(
                                1,
                                "headgate: standard output could not be written: No space left on"
                                        + " device\n"));
    }

    @Test
    void soIsOutputThatNothingReads() throws Exception {
        assertThat(run("completion", ">&3"))
                .isEqualTo(
                        new Ended(
                                1,
                                "headgate: standard output could not be written: Broken pipe\n"));
    }

    @Test
    void aFailureKeepsItsCode() throws Exception {
        assertThat(run("policy check nothing.oq", ">/dev/full").code()).isNotIn(0, 141);
    }

    @Test
    void watchingEndsWhenItsReaderHasGone() throws Exception {
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        TestConfigs.memory("s1", "a", "b"),
                        directory.resolve("switches"),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run("show ports --watch 100ms", "| head -n 1"))
                    .isEqualTo(new Ended(ON_SIGPIPE, ""));
            assertThat(run("show counters --json --watch 100ms", ">/dev/full"))
                    .isEqualTo(
                            new Ended(
                                    1,
                                    "headgate: standard output could not be written: No space left"
                                            + " on device\n"));
        }
    }
}
