package io.headgate.testbed.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Controls by their names, with what is published for 40 Gb/s slowed down to 100 Mb/s. */
class ControlsByNameTest {
    private static final long RATE_BPS = 100_000_000;

    private static final Path FILE =
            Path.of("labs/src/main/resources/io/headgate/testbed/lab/cli/ready/control.yaml");

    private static LabControl published(String name, Map<String, Object> keys) throws Exception {
        return LabControl.of(name, keys, true, RATE_BPS);
    }

    private static OwnLabSpec lab(String with, String keys, String ports) throws Exception {
        Map<String, String> settings =
                Map.of(
                        "with",
                        with,
                        "keys",
                        keys,
                        "ports",
                        ports,
                        "flow-control",
                        with.equals("ib-cc") ? "credits" : "pfc");
        List<OwnLabSpec> runs = OwnLabReader.read(Files.readString(FILE), "c.yaml", settings);
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    private static String control(OwnLabSpec lab) {
        String twin = lab.twin();
        return twin.substring(twin.lastIndexOf("control: "));
    }

    private static Map<?, ?> congestion(OwnLabSpec lab) {
        return (Map<?, ?>) lab.topology().ports().said().getOrDefault("congestion", Map.of());
    }

    static List<String> names() {
        Stream<String> registered =
                MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream().map(Mechanism::name);
        return Stream.concat(registered, Stream.of("dcqcn-pi", "timely-patched", "none")).toList();
    }

    /** One that is registered needs no edit of the lab: its twin is read, with all its keys. */
    @ParameterizedTest
    @MethodSource("names")
    void everyRegisteredControlHasATwin(String name) throws Exception {
        OwnLabSpec lab = lab(name, name.equals("fixed") ? "{rate: 10Gbps}" : "", "");
        if (name.equals("none")) {
            assertThat(lab.twin()).doesNotContain("control: ");
            assertThat(congestion(lab)).isEmpty();
        } else {
            assertThat(control(lab)).contains(name.replaceAll("-(pi|patched)$", ""));
            assertThat(lab.rdma()).allMatch(flow -> flow.control() != null);
        }
        assertThat(ScenarioReader.read(lab.twin(), "twin.yaml").about().name()).isEqualTo("twin");
    }

    @Test
    void timesAreLongerAndRatesLowerByTheSame() throws Exception {
        assertThat(published("hpcc", Map.of()).atHosts())
                .contains("\"dissertation\"", "\"base-rtt\":\"5200us\"");
        assertThat(published("hpcc", Map.of("parameters", "published")).atHosts())
                .contains(
                        "\"base-rtt\":\"5200us\"",
                        "\"additive\":\"80B\"",
                        "\"least-rate\":\"250kbps\"");
        assertThat(LabControl.of("hpcc", Map.of("base-rtt", "10us"), false, RATE_BPS).atHosts())
                .as("keys as they stand")
                .contains("\"base-rtt\":\"10us\"", "\"least-rate\":\"250kbps\"");
        assertThat(lab("hpcc", "{parameters: published}", "").twin())
                .contains("\"base-rtt\":\"5200us\"", "\"least-rate\":\"250kbps\"");
        OwnLabSpec dcqcn = lab("dcqcn", "", "{red: {kmin: 7kB, kmax: 90kB}}");
        assertThat(dcqcn.twin()).contains("ecn: ect1", "\"kmin\":\"7kB\"");
        assertThat(congestion(dcqcn).get("red")).asString().contains("kmin=7kB");
        // 100 us of 40 Gb/s.
        assertThat(congestion(lab("dcqcn", "", "{tcd: {kmin: 7kB, reaction: 100us}}")).get("tcd"))
                .asString()
                .contains("reaction=40ms");
    }

    @Test
    void timelysStepIsAShareOfTheLinesRate() throws Exception {
        // A thousandth of the line's rate, as published for 10 Gb/s.
        assertThat(published("timely", Map.of()).atHosts())
                .contains("\"delta\":\"" + RATE_BPS / 1_000_000 + "kbps\"");
    }

    @Test
    void variantsAreControlsWithKeysAndPortsOfTheirOwn() throws Exception {
        OwnLabSpec pi = lab("dcqcn-pi", "", "");
        assertThat(control(pi)).startsWith("control: {\"dcqcn\":");
        assertThat(congestion(pi).keySet()).isEqualTo(Set.of("pi"));
        assertThat(congestion(pi).get("pi")).asString().contains("most=0.1");
        assertThat(control(lab("timely-patched", "", ""))).contains("\"patched\"");
        assertThat(control(lab("ib-cc", "", ""))).contains("\"psm\"");
        assertThat(congestion(lab("dcqcn-pi", "", "{red: {}}")).keySet()).isEqualTo(Set.of("red"));
        assertThat(congestion(lab("hpcc", "", "")).keySet()).isEqualTo(Set.of("telemetry"));
    }

    @Test
    void wrongOptionsAreASentence() {
        assertThatThrownBy(() -> lab("hpc", "", ""))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("cannot be 'hpc': allowed is ");
        assertThatThrownBy(() -> lab("hpcc", "{etta: 1}", ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("etta");
        assertThatThrownBy(() -> lab("hpcc", "", "{read: {}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("read");
        assertThatThrownBy(() -> lab("hpcc", "{eta: '1'}", ""))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining("parameter keys cannot be");
    }
}
