package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.headgate.control.cli.CommandProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Every command of the scripts for a first hour is one of this build, with its options, and names
 * files that exist. What they run is run by tests of its own.
 */
class TrialsTest {
    /** Notes what it is called with; a jar is there afterwards if one was asked for. */
    private static final String NOTES =
            """
            #!/bin/bash
            (IFS=$'\\t'; echo "$*" >> "$CALLS")
            [[ "$1 $2" != "plugin build" ]] || { mkdir -p "$3/target/plugins"; touch "$3/target/plugins/a.jar"; }
            """;

    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({"student, 6", "simulator, 4", "engineer, 7", "teacher, 2"})
    void commandsAreThoseOfThisBuildAndTheirFilesExist(String trial, int commands)
            throws Exception {
        Path launcher = Files.writeString(directory.resolve("headgate"), NOTES);
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Path calls = directory.resolve("calls");
        Path script = Path.of("examples/trials", trial).toAbsolutePath();
        Shell.Ended ended =
                Shell.bash(
                        directory,
                        "export CALLS=$1 HEADGATE=$2; $3 out",
                        calls.toString(),
                        launcher.toString(),
                        script.toString());
        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said()).contains("Look at\n  out/");
        List<String> lines = Files.readAllLines(calls);
        assertThat(lines).hasSize(commands);
        for (String line : lines) {
            List<String> words =
                    Arrays.asList(line.replaceFirst("\t--plugins\t[^\t]+", "").split("\t"));
            if (words.getFirst().equals("plugin")) {
                continue; // the launcher's own, as --plugins is
            }
            CommandLine command = command(words.getFirst());
            assertThatCode(() ->
                            command.parseArgs(
                                    words.subList(1, words.size()).toArray(String[]::new)))
                    .as(line)
                    .doesNotThrowAnyException();
            assertThat(words)
                    .filteredOn(word -> word.contains("/../"))
                    .allSatisfy(word -> assertThat(Path.of(word)).exists());
        }
    }

    /** Looked at for two minutes at most: it would wait for a link that never comes. */
    @Test
    void aLabThatCannotRunEndsTheEngineersHour() throws Exception {
        Path launcher =
                Files.writeString(
                        directory.resolve("headgate"),
                        """
                        #!/bin/bash
                        [[ $1 != lab ]] || echo "no room for a lab"
                        exit 4
                        """);
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Shell.Ended ended =
                Shell.bash(
                        directory,
                        "export HEADGATE=$1; timeout 120 $2 out",
                        launcher.toString(),
                        Path.of("examples/trials/engineer").toAbsolutePath().toString());
        assertThat(ended.said()).isEqualTo("no room for a lab\n");
        assertThat(ended.code()).isEqualTo(4);
    }

    @Test
    void aCommandThatFailsWhileTheLabRunsEndsTheEngineersHour() throws Exception {
        Shell.Ended runs = withoutDelays("");
        assertThat(runs.code()).as(runs.said()).isEqualTo(1);
        Shell.Ended over = withoutDelays("touch over;");
        assertThat(over.code()).as(over.said()).isZero();
        assertThat(over.said()).contains("the lab was over before");
    }

    /**
     * Runs it with a launcher whose links take no delay.
     *
     * @param first what is done when one is given; the lab runs until there is a file over
     */
    private Shell.Ended withoutDelays(String first) throws Exception {
        Path launcher =
                Files.writeString(
                        directory.resolve("headgate"),
                        """
                        #!/bin/bash
                        case "$*" in
                            "lab "*two-switches.yaml*) until [[ -e over ]]; do sleep 0.1; done ;;
                            "link two-switches s1-s2") [[ ! -e over ]] ;;
                            *delay=5ms*) %s exit 1 ;;
                        esac
                        """
                                .formatted(first));
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        return Shell.bash(
                directory,
                "export HEADGATE=$1; timeout 120 $2 out",
                launcher.toString(),
                Path.of("examples/trials/engineer").toAbsolutePath().toString());
    }

    private static CommandLine command(String name) {
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            Object command = provider.command();
            Command is = command.getClass().getAnnotation(Command.class);
            if (is != null && is.name().equals(name)) {
                return new CommandLine(command);
            }
        }
        throw new AssertionError("there is no command " + name);
    }
}
