package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.MechanismRegistry;
import io.headgate.control.report.Prose;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

final class HeadgateTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void versionNamesVersionAndCommitOfTheBuild() {
        assertThat(run(Headgate.commandLine(), "--version")).isZero();

        assertThat(out.toString())
                .containsPattern("headgate \\d+\\.\\d+\\.\\d+")
                .containsPattern("commit ([0-9a-f]{40}|unknown)")
                .doesNotContain("${");
    }

    @Test
    void aContributedCommandIsListedAndItsExitCodeIsOurs() {
        assertThat(run(Headgate.commandLine(Seven::new), "--help")).isZero();
        assertThat(out.toString()).contains("seven", "Answers seven.");

        assertThat(run(Headgate.commandLine(Seven::new), "seven")).isEqualTo(7);
    }

    @Test
    void aCommandMayStandBelowOneOfAnotherModule() {
        assertThat(run(Headgate.commandLine(new Eight(), Ten::new), "ten", "eight")).isEqualTo(8);
        assertThat(run(Headgate.commandLine(new Eight()), "eight"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void onlyTheCommandThatTheFirstWordNamesIsMadeUnlessItDescribesTheOthers() {
        List<CommandProvider> all = new ArrayList<>();
        ServiceLoader.load(CommandProvider.class).forEach(all::add);
        CommandProvider below = new Below("show");
        all.add(below);
        assertThat(Headgate.asked(all, "show", "ports", "completion"))
                .hasSize(2)
                .contains(below)
                .hasAtLeastOneElementOfType(ShowCommand.class);
        for (String first : List.of("", "--help", "shwo", "completion", "help", "man")) {
            assertThat(Headgate.asked(all, first)).as(first).isEqualTo(all);
        }
        assertThat(Headgate.asked(all)).isEqualTo(all);
        assertThat(Headgate.asked(all, "--version")).isEmpty();
        assertThat(Headgate.asked(all, "--version", "show")).isEqualTo(all);
    }

    @Test
    void withoutACommandItSaysSoAndShowsUsage() {
        assertThat(run(Headgate.commandLine())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("headgate needs a command.", "Usage: headgate");
    }

    @Test
    void aWrongOptionIsToldInTwoLines() {
        assertThat(run(Headgate.commandLine(Seven::new), "seven", "--bogus"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        """
                        headgate: there is no option '--bogus'
                        'headgate seven --help' shows what is allowed.
                        """);
    }

    /** At most a third of its letters are others; "aimd" is no "lipd". */
    @ParameterizedTest
    @CsvSource({
        "sevne, seven",
        "sevn, seven",
        "fourteen, ",
        "xeven, seven",
        "eval, ",
        "--hlep, --help",
        "--hep=x, --help",
        "--kelp7, ",
    })
    void onlyWhatIsNearIsAskedFor(String words, @Nullable String near) {
        run(Headgate.commandLine(Seven::new), words.split(" "));
        if (near == null) {
            assertThat(err.toString()).doesNotContain("Did you mean");
        } else {
            assertThat(err.toString()).endsWith("Did you mean " + near + "?\n");
        }
    }

    @Test
    void aCommandThatCanDoWithoutAnotherWordDoesNotShowItsPage() {
        CommandLine ten = Headgate.commandLine(Ten::new);
        assertThat(run(ten, "ten", "--bogus")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).endsWith("'headgate ten --help' shows what is allowed.\n");
    }

    @Test
    void whatCanBeShownIsToldAsItIsWritten() {
        assertThat(run(Headgate.commandLine(new ShowCommand()), "show", "nothing"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString().replace("\n  ", " "))
                .isEqualTo(
                        "headgate: 'nothing' cannot be shown; allowed: ports, config, flow-control,"
                                + " pfc, pfc-priority, queue, queue-counters, priority-group, watermark, congestion, link-control, escape, lldp, links,"
                                + " rates, telemetry, fdb, routes, neighbours, counters, drops, workers, errors, version\n"
                                + "'headgate show --help' shows what is allowed.\n");
        assertThat(err.toString().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Prose.COLUMNS));
    }

    @Test
    void aValueThatIsNotAllowedIsToldInWords() {
        CommandLine capture = Headgate.commandLine(new CaptureCommand());
        assertThat(run(capture, "capture", "--count", "few")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).startsWith("headgate: --count 'few' is not a whole number\n");
        assertThat(run(capture, "capture", "--direction", "up"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString())
                .contains("headgate: --direction 'up' is not one of: IN, OUT, DROPS\n");
    }

    /** A method's error comes to us as an exception, which must not hide it. */
    @Test
    void aWrongDeclarationThatAMethodNeedsIsToldInASentence() {
        assertThat(run(Headgate.commandLine(Nine::new), "nine", "read"))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err).hasToString("headgate: a mechanism in a jar cannot be used: no such\n");
    }

    private int run(CommandLine commandLine, String... args) {
        return commandLine
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Command(name = "ten", subcommands = Seven.class)
    static final class Ten implements Runnable {
        @Parameters(arity = "0..1")
        private String word = "";

        @Override
        public void run() {
            assertThat(word).isEmpty();
        }
    }

    @Command(name = "seven", description = "Answers seven.")
    static final class Seven implements Callable<Integer> {
        @Override
        public Integer call() {
            return 7;
        }
    }

    @Command(name = "nine")
    static final class Nine {
        @Command(name = "read")
        void read() {
            ServiceConfigurationError wrong = new ServiceConfigurationError("no such");
            String registry = MechanismRegistry.class.getName();
            wrong.setStackTrace(
                    new StackTraceElement[] {
                        new StackTraceElement(registry, "<clinit>", null, -1)
                    });
            throw wrong;
        }
    }

    private record Below(String below) implements CommandProvider {
        @Override
        public Object command() {
            return new Seven();
        }
    }

    @Command(name = "eight")
    static final class Eight implements CommandProvider, Callable<Integer> {
        @Override
        public Object command() {
            return this;
        }

        @Override
        public String below() {
            return "ten";
        }

        @Override
        public Integer call() {
            return 8;
        }
    }
}
