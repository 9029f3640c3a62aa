package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TopologyCommandTest {
    private static final String READY =
            "labs/src/main/resources/io/headgate/testbed/lab/cli/ready/";

    @TempDir private Path directory;

    @Test
    void aPictureIsWrittenBesideTheText() throws Exception {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new TopologyCommand());
        command.setOut(new PrintWriter(out, true));
        Path svg = directory.resolve("incast.svg");
        assertThat(command.execute("examples/topologies/incast.yaml", "--svg", svg.toString()))
                .isZero();
        assertThat(out.toString()).contains("incast:", "10.0.0.1").contains("Drawn in " + svg);
        assertThat(Files.readString(svg)).startsWith("<svg ");
    }

    @ParameterizedTest
    @CsvSource({
        "examples/topologies/incast.yaml, incast:",
        "examples/scenarios/ring.yaml, 3 switches",
        "examples/labs/two-switches.yaml, two-switches: 4 hosts",
        READY + "hol.yaml, hol: 4 hosts",
        READY + "hol-marks.yaml, hol: 4 hosts"
    })
    void showsTheNetworkOfATopologyAScenarioAndALab(String file, String expected) {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new TopologyCommand());
        command.setOut(new PrintWriter(out, true));
        assertThat(command.execute(file)).isZero();
        assertThat(out.toString()).contains(expected);
        assertThat(command.execute(file, "--svg", "-")).isZero();
        assertThat(out.toString()).contains("<svg ").endsWith("</svg>\n");
    }

    @Test
    void aFileOfAnotherKindIsNamedWithTheCommandThatTakesIt() throws Exception {
        Path file = directory.resolve("s1.yaml");
        Files.writeString(file, "{name: s1, ports: [{name: p1, device: {afpacket: v1}}]}");
        String[] told = {""};
        new CommandLine(new TopologyCommand())
                .setExecutionExceptionHandler((failure, _, _) -> {
                    told[0] = String.valueOf(failure.getMessage());
                    return 2;
                })
                .execute(file.toString());
        assertThat(told[0])
                .isEqualTo(file + " is a switch; 'headgate switch run -c " + file + "' runs it");
    }
}
