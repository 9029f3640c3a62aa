package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import io.headgate.config.read.TestMechanisms.Rate;
import io.headgate.config.read.TestMechanisms.Red;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Mechanisms from outside: a name, a record, and one line that registers them. */
final class MechanismsTest {
    private static final Mechanism<Red> RED = new TestMechanisms.RedMechanism();

    private static SwitchConfig read(String portKeys) {
        return SwitchConfigReader.read(
                "name: s1\nports:\n  - {name: p1, device: {tap: t1}" + portKeys + "}\n", "f.yaml");
    }

    private static Mechanisms at(String portKeys) {
        return read(portKeys).ports().getFirst().mechanisms();
    }

    private static String refusal(String portKeys) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(portKeys));
        return Objects.requireNonNull(e, "nothing refused").getMessage();
    }

    private static Red red(Mechanisms mechanisms) {
        return Objects.requireNonNull(mechanisms.get(Red.class));
    }

    @Test
    void aPortHasTheRecordsOfTheMechanismsThatItsFileNames() {
        Mechanisms mechanisms =
                at(", rate: 10Gbps, congestion: {red: {kmin: 50kB, pmax: 0.5}, meter: {}}");
        assertThat(red(mechanisms)).isEqualTo(new Red(50_000, 200_000, 0.5, 40_000, 8));
        assertThat(mechanisms.get(Rate.class)).isEqualTo(new Rate(1_000_000_000));
        assertThat(mechanisms.of(Mechanism.Kind.CONGESTION_POINT))
                .extracting(Mechanisms.Use::name)
                .containsExactly("red", "meter");
        assertThat(at("")).isEqualTo(Mechanisms.NONE);
        assertThat(at("").get(Red.class)).isNull();
    }

    @Test
    void aMechanismThatIsNotEnabledStandsInTheConfigurationAndIsOff() {
        Mechanisms mechanisms = at(", congestion: {red: {enabled: false}, meter: {enabled: true}}");
        assertThat(red(mechanisms).kminBytes()).isEqualTo(100_000);
        assertThat(mechanisms.uses())
                .extracting(Mechanisms.Use::isEnabled)
                .containsExactly(false, true);
    }

    @Test
    void everyKindHasItsPlace() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        domain: {crossbar: {rate: 2Gbps}}
                        defaults: {link-control: {token: {}}}
                        ports:
                          - name: p1
                            device: {afpacket: v1}
                            flow-control: pfc
                            buffers: {alpha: 1}
                            threshold: {fair: {}}
                        """,
                        "f.yaml");
        assertThat(config.ports().getFirst().mechanisms().uses())
                .extracting(Mechanisms.Use::name)
                .containsExactly("token", "fair");
        assertThat(at(", queues: {lottery: {}}").uses())
                .extracting(Mechanisms.Use::name)
                .containsExactly("lottery");
        assertThat(config.mechanisms().get(Rate.class)).isEqualTo(new Rate(2_000_000_000));
        assertThat(
                        HostConfigReader.read(
                                        "name: h\nhosts: [{name: h1, tap: t, device: {afpacket: e},"
                                                + " rate-control: {fixed-rate: {rate: 3Gbps}}}]",
                                        "t")
                                .nics()
                                .getFirst()
                                .rateControl()
                                .get(Rate.class))
                .isEqualTo(new Rate(3_000_000_000L));
    }

    @Test
    void aThresholdNeedsAPoolThatIsShared() {
        assertThat(refusal("", "", ", threshold: {fair: {}}"))
                .contains(
                        "ports[0].threshold: found fair; allowed: none, because buffers without"
                                + " alpha have no shared pool");
    }

    @Test
    void aDomainGoesWithOneWorkerAndWithoutQueuesOfPorts() {
        assertThat(refusal("domain: {crossbar: {}}", "workers: {layout: per-half}", ""))
                .contains(
                        "workers.layout: found per-half; allowed: auto or single, because domain:"
                                + " {crossbar: …} owns the egress of all ports and runs on one"
                                + " worker");
        assertThat(refusal("domain: {crossbar: {}}", "workers: {layout: 3}", ""))
                .contains("workers.layout: found 3; allowed: auto or single, because");
        assertThat(refusal("domain: {crossbar: {}}", "", ", queues: {lottery: {}}"))
                .contains(
                        "ports[0].queues: found lottery; allowed: none, because domain: {crossbar:"
                                + " …} queues the frames of all ports");
        String off =
                """
                name: s1
                domain: {crossbar: {enabled: false}}
                workers: {layout: per-half}
                ports: [{name: p1, device: {tap: t1}, queues: {lottery: {}}}]
                """;
        assertThat(SwitchConfigReader.read(off, "f.yaml").mechanisms().uses())
                .extracting(Mechanisms.Use::isEnabled)
                .containsExactly(false);
        String one =
                """
                name: s1
                domain: {crossbar: {}}
                workers: {layout: 1}
                ports: [{name: p1, device: {tap: t1}}]
                """;
        assertThat(SwitchConfigReader.read(one, "f.yaml").mechanisms().uses()).hasSize(1);
    }

    private static String refusal(String domain, String workers, String portKeys) {
        String text =
                "name: s1\n%s\n%s\nports: [{name: p1, device: {tap: t1}%s}]\n"
                        .formatted(domain, workers, portKeys);
        ConfigException e =
                catchThrowableOfType(
                        ConfigException.class, () -> SwitchConfigReader.read(text, "f.yaml"));
        return Objects.requireNonNull(e, "nothing refused").getMessage();
    }

    @Test
    void aPortsOwnMechanismsGoBeforeTheCommonOnesWhole() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {congestion: {red: {kmin: 50kB}}}
                        ports:
                          - {name: p1, device: {tap: t1}}
                          - {name: p2, device: {tap: t2}, congestion: {meter: {}}}
                        """,
                        "f.yaml");
        assertThat(red(config.ports().get(0).mechanisms()).kminBytes()).isEqualTo(50_000);
        assertThat(config.ports().get(1).mechanisms().get(Red.class)).isNull();
    }

    @Test
    void whatIsWrittenIsReadBackToAnEqualValue() {
        SwitchConfig config =
                read(", congestion: {meter: {rate: 5Gbps}, red: {enabled: false, pmax: 1}}");
        assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), "y")).isEqualTo(config);
        assertThat(
                        SwitchConfigReader.read(
                                JsonMapper.shared().writeValueAsString(SwitchConfigs.toMap(config)),
                                "j"))
                .isEqualTo(config);
    }

    @Test
    void codeBuildsWhatAFileWouldSay() {
        PortConfig port = ConfigDefaults.port("p1", new DeviceConfig.Tap("t1", null, true));
        Red other = new Red(1_000, 2_000, 1, 5_000, 1);
        Mechanisms both =
                port.mechanisms().with(RED.use(other)).with(RED.use(other).enabled(false));
        assertThat(both.uses()).containsExactly(RED.use(other).enabled(false));
        SwitchConfig config = ConfigDefaults.bridge("s1", List.of(port.withMechanisms(both)));
        assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), "y")).isEqualTo(config);
        assertThat(RED.of(both.uses().getFirst())).isEqualTo(other);
    }

    @Test
    void anUnknownMechanismIsToldWithThoseThatAreKnown() {
        assertThat(refusal(", congestion: {rde: {}}"))
                .isEqualTo(
                        "f.yaml:3:48: ports[0].congestion.rde: found the unknown mechanism \"rde\";"
                                + " allowed: red? (one of grower, meter, red; those of a jar"
                                + " need --plugins DIR)");
        assertThat(refusal(", queues: {lottery: {}, calendar: {}}"))
                .contains(
                        "ports[0].queues: found \"lottery and calendar\"; allowed: a mapping with")
                .contains("one of calendar, lottery");
        assertThat(refusal(", congestion: [red]"))
                .contains(
                        "found a list of 1; allowed: a mapping with any of grower, meter, red, such as");
    }

    @Test
    void aMechanismsOwnKeysAreCheckedLikeAllOthers() {
        assertThat(refusal(", congestion: {red: {kmn: 5kB}}"))
                .contains("f.yaml:3:54: ports[0].congestion.red.kmn")
                .contains("found the unknown key \"kmn\"; allowed: kmin? (one of enabled, kmin,");
        assertThat(refusal(", congestion: {red: {kmin: 5}}"))
                .contains("kmin: found 5 without a unit; allowed: a size such as")
                .contains("from 1kB to 1GB");
        assertThat(refusal(", congestion: {red: {pmax: 2}}"))
                .contains("pmax: found 2; allowed: a number from 0 to 1, such as 0.2");
        assertThat(refusal(", congestion: {red: {kmin: 50kB, kmax: 5kB}}"))
                .isEqualTo(
                        "f.yaml:3:72: ports[0].congestion.red.kmax: found 5kB; allowed: at least"
                                + " kmin, which is 50kB");
        assertThat(refusal(", congestion: {red: {enabled: maybe}}"))
                .contains("enabled: found \"maybe\"; allowed: true or false");
    }

    @Test
    void aSlowerRunHasSlowerMechanismsWithTheSameBytes() {
        PortTraffic ports =
                PortTrafficReader.read(
                        "{congestion: {red: {kmin: 50kB, average: 20us}, meter: {}},"
                                + " priority-rates: [{priority: 3, rate: 1Gbps}]}");
        PortTraffic.End end = Section.slower(ports.at(10_000_000_000L, 1500, 1_000, 0), 10);
        assertThat(red(end.mechanisms())).isEqualTo(new Red(50_000, 200_000, 0.1, 200_000, 8));
        assertThat(end.mechanisms().get(Rate.class)).isEqualTo(new Rate(100_000_000));
        assertThat(end.traffic().rateLimitsBps().get(3)).isEqualTo(100_000_000);
    }

    @Test
    void aModuleFindsTheMechanismsThatItCanRun() {
        assertThat(MechanismRegistry.all(TestMechanisms.RateMechanism.class)).hasSize(7);
        assertThat(MechanismRegistry.find(Mechanism.Kind.QUEUES, "red")).isNull();
        assertThat(MechanismRegistry.find(Mechanism.Kind.CONGESTION_POINT, "red"))
                .isInstanceOf(TestMechanisms.RedMechanism.class);
    }

    @Test
    void aMechanismIsCalledAsItsRecordSaysWhichItsTypeNames() {
        TestMechanisms.Marker marker = new TestMechanisms.Marker();
        assertThat(marker.configuration()).isEqualTo(TestMechanisms.Mark.class);
        assertThat(marker.name()).isEqualTo("marker");
        assertThat(marker.says()).isEqualTo("Marks all.");
        assertThatThrownBy(() -> new TestMechanisms.OfNoRecord<Rate>().name())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("OfNoRecord: its type names no record for Mechanism");
        assertThatThrownBy(() -> new TestMechanisms.OfNoName().name())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Rate is not @Named");
    }
}
