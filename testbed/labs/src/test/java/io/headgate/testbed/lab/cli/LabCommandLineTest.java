package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LabCommandLineTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return new CommandLine(new LabCommand()).setErr(new PrintWriter(err, true)).execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--rate    | 10       | --rate: found \"10\"; allowed: a rate such as 10Gbps",
                "--rate    | 1kbps    | --rate: found",
                "--workers | many     | --workers: found \"many\"; allowed: auto, single, per-half",
                "--idle    | sleeping | --idle: found \"sleeping\"; allowed: backoff or busy-spin",
                "--mtu     | 20       | --mtu 20 is out of range: 576 to 9000 bytes are allowed",
                "--prefix  | a/b      | --prefix 'a/b' cannot begin a namespace's name",
                "--duration| 0s       | --duration '0s' cannot be: 1s to 3600s are allowed",
            })
    void aWrongOptionIsToldInOneSentenceThatNamesIt(String option, String value, String told) {
        for (String lab : new String[] {"four-port", "incast", "hol"}) {
            err.getBuffer().setLength(0);
            assertThat(run(lab, option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
            assertThat(err.toString().lines().findFirst()).get().asString().startsWith(told);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "four-port --device wifi       | --device 'wifi' is not known: afpacket, afxdp or tap",
                "four-port --device afxdp --gso| --gso does not work with --device afxdp, which"
                        + " has",
                "four-port --udp-rate fast     | --udp-rate cannot be 'fast': allowed is",
                "four-port --udp-rate 1kbps    | --udp-rate cannot be '1kbps': allowed is",
                "four-port --udp-rate 1Mbps,2Mbps | --udp-rate '1Mbps,2Mbps' cannot be: one value",
                "four-port --udp-rate 1Mbps..2Mbps:1Mbps | --udp-rate '1Mbps..2Mbps:1Mbps' cannot",
                "incast --flow-control pfc,credits | --flow-control 'pfc,credits' cannot be: one",
                "incast --flow-control foo     | --flow-control cannot be 'foo': allowed is pfc, cr",
                "hol --flow-control pfc,foo    | --flow-control 'foo' is not known: allowed are",
                "hol --flow-control foo --detect tcd | --flow-control 'foo' is not known: allowed are",
                "hol --detect pfc-tcd          | --detect 'pfc-tcd' is not known: allowed are tcd,",
                "hol --flow-control pfc --detect fecn | --detect fecn has no effect with",
                "control --with rocc --demand uniform,mixed | --demand 'uniform,mixed' cannot be",
                "hol --rate 2Mbps              | --rate cannot be '2Mbps': allowed is 2.5Mbps to",
                "labs/src/main/resources/io/headgate/testbed/lab/cli/ready/hol.yaml --shell"
                        + "| --shell is for one network, and this is 3 runs: give one value of",
                "examples/labs/two-switches.yaml --device wifi | --device 'wifi' is not known",
            })
    void hostsThatCannotBeAreToldBeforeAnythingIsMade(String line, String told) {
        assertThat(run(line.split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).startsWith(told);
    }

    @Test
    void whatIsNoRecordingIsNotReplacedByOne(@TempDir Path directory) throws Exception {
        Path keep = Files.writeString(directory.resolve("keep.md"), "mine");
        assertThat(run("four-port", "--record", keep.toString()))
                .isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("keep.md: the existing file is not a recording");
        assertThat(keep).hasContent("mine");
    }

    @Test
    void aFileOfAnotherKindIsNamedWithTheCommandThatTakesIt(@TempDir Path directory)
            throws Exception {
        assertThat(refusal("examples/scenarios/ring.yaml"))
                .isEqualTo(
                        "headgate: examples/scenarios/ring.yaml is a scenario; 'headgate reproduce"
                                + " examples/scenarios/ring.yaml' runs it\n");
        // A lab without commands may have only what a scenario may have, too.
        String lab =
                """
                topology: {name: t, builder: {single-switch: {hosts: 2}}}
                traffic: [{from: h1, to: h9}]
                orders: [{at: 1s, down: h1-s1}]
                """;
        Path own = Files.writeString(directory.resolve("own.yaml"), lab);
        assertThat(refusal(own.toString())).contains("own.yaml:2", "no host \"h9\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "single-switch | flow-control: pfc     | wireshark captures/capture.pcapng -Y 'macc",
                "leaf-spine    | flow-control: pfc     | wireshark captures/capture-e1.pcapng -Y",
                "single-switch | flow-control: credits | captures/capture.pcapng -Y headgate_credits",
                "single-switch | flow-control: none    | tshark -r captures/capture.pcapng -Y 'frame",
                "leaf-spine    |                       | tshark -r captures/capture-e1.pcapng -Y",
            })
    void aLabEndsWithACommandThatShowsOneCapture(String builder, String mode, String shown) {
        String ports = mode == null ? "" : mode + (mode.endsWith("none") ? "" : ", lossless: [3]");
        OwnLabSpec lab =
                OwnLabReader.read(
                        "topology: {name: t, builder: {%s: {}}, ports: {classify: {trust: dscp}, %s}}"
                                .formatted(builder, ports),
                        "lab.yaml");
        assertThat(LabArguments.look(lab, Path.of("captures")))
                .last()
                .asString()
                .contains(shown)
                .doesNotContain("*");
    }

    @Test
    void tokensAreSeenInTheCaptureOfTheOnlyRun() throws Exception {
        String ready = "labs/src/main/resources/io/headgate/testbed/lab/cli/ready/deadlock.yaml";
        String text = Files.readString(Path.of(ready));
        OwnLabSpec one = runs(text, Map.of("with", "escape")).getFirst();
        assertThat(LabArguments.isOnly(one, 1)).isTrue();
        assertThat(LabArguments.tokens(one, Path.of("captures")))
                .last()
                .asString()
                .contains(" -r captures/capture-s1.pcapng -Y");
        assertThat(LabArguments.tokens(runs(text, Map.of("with", "none")).getFirst(), Path.of("")))
                .hasSize(2);
        // Of several runs each capture has the run's name, whichever way there are several.
        assertThat(LabArguments.isOnly(one, 2)).isFalse();
        assertThat(runs(text, Map.of("with", "escape", "run", "1..2")))
                .hasSize(2)
                .noneMatch(run -> LabArguments.isOnly(run, 1));
        OwnLabSpec plain =
                OwnLabReader.read("topology: {name: t, builder: {single-switch: {}}}", "lab.yaml");
        assertThat(LabArguments.tokens(plain, Path.of("captures"))).isEmpty();
    }

    /** In the file's words, and none of what the chosen remedy does not promise. */
    @Test
    void passSaysWhatItMeans() throws Exception {
        String ready = "labs/src/main/resources/io/headgate/testbed/lab/cli/ready/deadlock.yaml";
        String text = Files.readString(Path.of(ready));
        String start =
                "all hosts reach each other, all flows ran, and all expectations of the file hold";
        assertThat(LabArguments.pass(runs(text, Map.of("with", "escape", "run", "1..2")), false))
                .isEqualTo(
                        start
                                + ": the ring stood still until the remedy, nothing came out"
                                + " of order, nothing was lost, every flow got something in every"
                                + " second, each buffer fell to xon again and again");
        assertThat(LabArguments.pass(runs(text, Map.of("with", "watchdog")), false))
                .isEqualTo(
                        start
                                + ": the ring stood still until the remedy, nothing came out"
                                + " of order, every flow got something, and what was dropped for it"
                                + " is counted");
        String silent = text.replaceAll("(?m)(, says: [^}]*|^ *says: .*)", "");
        assertThat(LabArguments.pass(runs(silent, Map.of("with", "escape")), false))
                .isEqualTo(start);
    }

    private static List<OwnLabSpec> runs(String text, Map<String, String> settings)
            throws Exception {
        return OwnLabReader.read(text, "deadlock.yaml", settings);
    }

    private String refusal(String file) {
        PrintStream real = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            assertThat(run(file)).isEqualTo(2);
        } finally {
            System.setErr(real);
        }
        return told.toString(StandardCharsets.UTF_8);
    }
}
