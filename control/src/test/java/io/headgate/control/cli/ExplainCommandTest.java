package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ExplainCommandTest {
    private static String refused(String... words) {
        CommandLine command = Headgate.commandLine(new ExplainCommand());
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
        assertThat(command.execute(words)).isEqualTo(2);
        return err.toString();
    }

    @Test
    void aPathFromAHostToItselfIsRefused() {
        assertThat(refused("explain", "path", "h1", "h1"))
                .isEqualTo("headgate: 'h1' is both ends of the path; allowed are two hosts\n");
    }

    @Test
    void aPortMayBeWrittenAsScenariosDo() {
        assertThat(refused("explain", "pause", "s1/p2", "9"))
                .isEqualTo("headgate: priority 9 is not allowed; allowed are 0 to 7\n");
        assertThat(refused("explain", "pause", "p2", "3"))
                .startsWith("headgate: 'p2' is not a queue; allowed is SWITCH:PORT, such as s1:p2");
    }
}
