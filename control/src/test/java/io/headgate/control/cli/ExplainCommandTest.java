package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ExplainCommandTest {
    @Test
    void aPathFromAHostToItselfIsRefused() {
        CommandLine command = Headgate.commandLine(new ExplainCommand());
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
        assertThat(command.execute("explain", "path", "h1", "h1")).isEqualTo(2);
        assertThat(err)
                .hasToString("headgate: 'h1' is both ends of the path; allowed are two hosts\n");
    }
}
