package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.daemon.RunDirectory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code headgate rdma} says of input that cannot be. */
final class RdmaCommandTest {
    @TempDir private Path directory;
    private Path file = Path.of("");
    private String err = "";

    @BeforeEach
    void writeHosts() throws Exception {
        System.setProperty(RunDirectory.PROPERTY, directory.toString());
        file = directory.resolve("hosts.yaml");
        Files.writeString(
                file,
                """
                name: hosts
                hosts:
                  - {name: h1, tap: {interface: t1}, device: {afpacket: hgnone1}}
                  - {name: h2, tap: {interface: t2}, device: {afpacket: hgnone2}, mtu: 1000}
                """);
    }

    @AfterEach
    void forget() {
        System.clearProperty(RunDirectory.PROPERTY);
    }

    private int run(String... arguments) {
        CommandLine commandLine = Headgate.commandLine(new RdmaCommand());
        StringWriter errors = new StringWriter();
        commandLine.setOut(new PrintWriter(new StringWriter()));
        commandLine.setErr(new PrintWriter(errors));
        List<String> all = new ArrayList<>(List.of("rdma"));
        all.addAll(List.of(arguments));
        int code = commandLine.execute(all.toArray(String[]::new));
        err = errors.toString();
        return code;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--host h3 10.0.0.2|no host is named h3 in ",
                "10.0.0.2|has 2 hosts; choose one with --host: h1, h2",
                "--host h2 10.0.0.2|--mtu 1024 makes IP packets of up to 1084 bytes, but host h2"
                        + " has mtu: 1000",
                "--host h1 --mtu 1500 10.0.0.2|--mtu 1500 is not one of 256, 512, 1024, 2048 and 4096",
                "--host h1 --dscp 64 10.0.0.2|--dscp 64 is not within 0 to 63",
                "--host h1 --qps 65 10.0.0.2|--qps 65 is not within 1 to 64",
                "--host h1 --size 67108865 10.0.0.2|--size 67108865 is not within 1 to 67108864",
                "--host h1 -s 0 10.0.0.2|--size 0 is not within 1 to 67108864",
                "--host h1 -n -1 10.0.0.2|--iters -1 is not within 1 to 1000000000",
                "--host h1 -n 0 10.0.0.2|--iters 0 is not within 1 to 1000000000",
                "--host h1 -n 0 -D 1s 10.0.0.2|--iters 0 is not within 1 to 1000000000",
                "--host h1 --tx-depth 0 10.0.0.2|--tx-depth 0 is not within 1 to 4096",
                "--host h1 --service 0 10.0.0.2|--service 0 is not within 1 to 65535",
                "--host h1 10.0.0|the server's address '10.0.0' is not an IPv4 address of a host",
                "--host h1 224.0.0.1|the server's address '224.0.0.1' is not an IPv4 address of a"
                        + " host",
                "--host h1 10.0.0.1|the server's address is this host's own: 10.0.0.1",
                "--host h1 10.0.1.2|10.0.1.2 is not on this host's network 10.0.0.1/24; give the"
                        + " router's address with --gateway",
                "--host h1 --gateway x 10.0.1.2|--gateway 'x' is not an IPv4 address of a host",
                "--host h1 --peer-mac ff:ff:ff:ff:ff:ff 10.0.0.2|is not a MAC address of a host",
                "--host h1 --clients 0|--clients 0 is not within 1 to 256",
            })
    void badInputGetsOneSentenceAndCodeTwo(String arguments, String sentence) {
        List<String> all = new ArrayList<>(List.of("write-bw", "-c", file.toString()));
        all.addAll(List.of("--address", "10.0.0.1"));
        all.addAll(List.of(arguments.split(" ")));
        assertThat(run(all.toArray(String[]::new))).as(err).isEqualTo(2);
        assertThat(err).startsWith("headgate: ").contains(sentence).hasLineCount(1);
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(run()).isEqualTo(2);
        assertThat(err).contains("headgate rdma needs a test: send-bw, write-bw or lat.");
        assertThat(run("lat")).isEqualTo(2);
        assertThat(err).contains("--config FILE is missing");
    }

    @Test
    void aDeviceThatIsNotThereIsNamedAndNothingIsLeftBehind() {
        assertThat(
                        run(
                                "lat",
                                "-c",
                                file.toString(),
                                "--host",
                                "h1",
                                "--address",
                                "10.0.0.1",
                                "10.0.0.2"))
                .isEqualTo(1);
        assertThat(err)
                .startsWith("headgate: host h1: there is no interface 'hgnone1'")
                .hasLineCount(1);
        assertThat(RunDirectory.names(directory.resolveSibling("hosts"))).isEmpty();
    }
}
