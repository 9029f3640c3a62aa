package io.headgate.testbed.lab.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.testbed.netns.Iperf3.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OwnLabReaderTest {
    private static final String STAR =
            "topology: {name: t, builder: {single-switch: {hosts: 3}}}\n";

    private static OwnLabSpec read(String rest) {
        return OwnLabReader.read(STAR + rest, "lab.yaml");
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples/labs"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsALab(Path file) {
        OwnLabSpec lab = OwnLabReader.read(file);
        assertThat(lab.flows().size() + lab.commands().size()).isPositive();
    }

    @Test
    void sendersAndReceiversOfAListEachHaveAFlow() {
        OwnLabSpec lab =
                read(
                        "duration: 10s\ntraffic: [{from: [h1, h2], to: [h2, h3], protocol: udp,"
                                + " rate: 5Mbps, start: 1500ms, dscp: 26, socket: 1MB}]\n");
        assertThat(lab.seconds()).isEqualTo(10);
        assertThat(lab.flows())
                .containsExactly(
                        new OwnLabSpec.Flow(
                                0, 1, Protocol.UDP, 5_000_000, 1500, 8, 26, 1_000_000, ""),
                        new OwnLabSpec.Flow(
                                0, 2, Protocol.UDP, 5_000_000, 1500, 8, 26, 1_000_000, ""),
                        new OwnLabSpec.Flow(
                                1, 2, Protocol.UDP, 5_000_000, 1500, 8, 26, 1_000_000, ""));
    }

    @Test
    void aCommandRunsAtEachOfItsHosts() {
        OwnLabSpec lab =
                read(
                        "commands: [{at: [h1, h3], run: ping -c 1 h2, start: 1s}, {at: h2, run:"
                                + " nc -l 80, until: end}]\n");
        assertThat(lab.commands())
                .containsExactly(
                        new OwnLabSpec.Command(0, "ping -c 1 h2", 1000, false),
                        new OwnLabSpec.Command(2, "ping -c 1 h2", 1000, false),
                        new OwnLabSpec.Command(1, "nc -l 80", 0, true));
        assertThat(lab.name()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "traffic: [{from: h9, to: h1}] | no host \"h9\"",
                "traffic: [{from: h1, to: h2, rate: 5Mbps}] | rate with TCP",
                "traffic: [{from: h1, to: h2, protocol: udp}] | protocol: udp without rate",
                "traffic: [{from: h1, to: h2, start: 4s, duration: 2s}] | ends behind the lab's 5 s",
                "commands: [{at: h1, run: true, start: 5s}] | run",
                "commands: [{at: h1, run: 'true', start: 5s}] | a start behind the lab's 5 s",
                "commands: [{at: h1, run: 'true', start: 1s, until: end}] | a start with until: end",
                "duration: 1500ms | 1500ms",
                "trafic: [] | trafic",
            })
    void whatIsWrongIsToldWithItsLine(String rest, String found) {
        assertThatThrownBy(() -> read(rest + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("lab.yaml:2")
                .hasMessageContaining(found);
    }
}
