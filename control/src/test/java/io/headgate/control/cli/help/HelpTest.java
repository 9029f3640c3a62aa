package io.headgate.control.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.HeadgateForTests;
import io.headgate.control.cli.HelpForTests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelpTest {
    @Test
    void helpShowsWhatACommandsOwnHelpShows() {
        var asked = HeadgateForTests.run("help", "switch", "run");
        assertThat(asked.code()).isZero();
        assertThat(asked.out())
                .startsWith("Usage: headgate switch run")
                .isEqualTo(HeadgateForTests.run("switch", "run", "--help").out());
        assertThat(HeadgateForTests.run("help").out()).startsWith("Usage: headgate ");
        var wrong = HeadgateForTests.run("help", "switch", "start");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("'headgate switch' has no command 'start'; it has run, stop");
    }

    @Test
    void everyLineOfHelpCanBeFormattedAndFitsTheTerminal() {
        assertThat(HelpForTests.check()).hasSizeGreaterThan(30);
        assertThat(HeadgateForTests.run("link", "--help").out()).contains("loss=1%\n");
    }

    /** As bash does it: the script is sourced, and its function asked. */
    @Test
    void bashCompletesCommandsByTheScript(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path script = directory.resolve("completion.sh");
        Files.writeString(script, HeadgateForTests.run("completion").out());
        Process bash =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "shopt -s expand_aliases; . \"$1\"; COMP_WORDS=(headgate sw);"
                                        + " COMP_CWORD=1; _complete_headgate; echo \"${COMPREPLY[@]}\"",
                                "bash",
                                script.toString())
                        .redirectErrorStream(true)
                        .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("switch");
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void everyCommandHasAManualPage(@TempDir Path directory) throws IOException {
        Path pages = directory.resolve("man1");
        assertThat(HeadgateForTests.run("man", pages.toString()).code()).isZero();
        assertThat(pages.resolve("headgate-switch-run.1"))
                .content()
                .startsWith(".TH HEADGATE\\-SWITCH\\-RUN 1\n.SH NAME\nheadgate\\-switch\\-run \\- ")
                .contains(".SH SYNOPSIS\nheadgate switch run", "\\-\\-no\\-warm\\-up");
        try (Stream<Path> all = Files.list(pages)) {
            assertThat(all.count()).isGreaterThan(15);
        }
    }

    @Test
    void aManualPageHasOptionsInTheOrderOfHelp(@TempDir Path directory) throws IOException {
        String[] order = {
            "-c, --config", "--fix", "-h, --help", "--json", "--netns", "-V, --version"
        };
        assertThat(HeadgateForTests.run("doctor", "--help").out()).containsSubsequence(order);
        assertThat(HeadgateForTests.run("man", directory.toString()).code()).isZero();
        String page = Files.readString(directory.resolve("headgate-doctor.1")).replace("\\-", "-");
        assertThat(page.substring(page.indexOf(".SH OPTIONS"))).containsSubsequence(order);
    }
}
