package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Configurations from elsewhere, from the command line. */
final class ConfigCommandTest {
    private static final String CELLS = "src/test/resources/io/headgate/control/sonic/cells.json";

    @TempDir private Path directory;

    private String out = "";
    private String err = "";

    private int run(String... words) {
        CommandLine command = Headgate.commandLine(new ConfigCommand());
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        command.setOut(new PrintWriter(outText)).setErr(new PrintWriter(errText));
        int code = command.execute(words);
        out = outText.toString();
        err = errText.toString();
        return code;
    }

    @Test
    void itIsPrintedWithWhatIsLeftOutAsAComment() {
        assertThat(run("config", "import", CELLS)).isZero();
        assertThat(out)
                .startsWith("# From cells.json of a SONiC switch.\n# Left out")
                .contains("# - not looked at: BGP_NEIGHBOR");
        assertThat(SwitchConfigReader.read(out, "printed").ports()).hasSize(4);
        assertThat(err).isEmpty();
    }

    @Test
    void itIsWrittenAndSaysWhatIsLeftOut() throws Exception {
        Path file = directory.resolve("made.yaml");
        assertThat(run("config", "import", CELLS, "--ports", "Ethernet4", "-o", file.toString()))
                .isZero();
        assertThat(SwitchConfigReader.read(file).ports()).hasSize(1);
        assertThat(err).contains("# - not looked at: BGP_NEIGHBOR");
        assertThat(out).isEmpty();
    }

    @Test
    void forProgramsItIsALineOfJson() {
        assertThat(run("config", "import", CELLS, "--json")).isZero();
        assertThat(out.lines()).hasSize(1);
        assertThat(Json.COMPACT.readTree(out).path("leftOut").size()).isGreaterThan(3);
    }

    @Test
    void whatCannotBeIsOneSentence() {
        assertThat(run("config", "import", "none.json")).isEqualTo(2);
        assertThat(err).contains("cannot read none.json: there is no none.json").hasLineCount(1);
        assertThat(run("config", "import", CELLS, "--device", "vxlan")).isEqualTo(2);
        assertThat(err)
                .contains("--device 'vxlan' is not known; allowed: afpacket, afxdp, tap or pcap");
        assertThat(run("config", "import", CELLS, "--rate", "fast")).isEqualTo(2);
        assertThat(err).contains("rate: found \"fast\"; allowed: a rate such as 10Gbps");
    }
}
