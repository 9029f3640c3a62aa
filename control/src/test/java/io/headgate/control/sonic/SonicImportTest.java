package io.headgate.control.sonic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of the three shapes in which switches have their buffers, after the public schema. */
class SonicImportTest {
    private static final SonicImport.Wanted ALL =
            new SonicImport.Wanted(List.of(), List.of(), "afpacket", "");

    private static String file(String name) throws Exception {
        try (InputStream in = SonicImportTest.class.getResourceAsStream(name + ".json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SonicImport.Made make(String name, SonicImport.Wanted wanted) throws Exception {
        return SonicImport.make(file(name), name + ".json", wanted);
    }

    private static SwitchConfig read(SonicImport.Made made) {
        return SwitchConfigReader.read(made.yaml(), "made");
    }

    private static FlowControlConfig.Buffers buffers(PortConfig port) {
        return Objects.requireNonNull(port.flowControl().buffers());
    }

    @Test
    void headroomBesideTheSizeAndEntriesForSeveralPorts() throws Exception {
        SonicImport.Made made = make("cells", ALL);
        SwitchConfig config = read(made);
        assertThat(config.name()).isEqualTo("tor-1");
        assertThat(config.ports())
                .extracting(PortConfig::name)
                .containsExactly("Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12");
        assertThat(config.memory().sharedBytes()).isEqualTo(10_875_072);
        PortConfig port = config.ports().getLast();
        assertThat(port.rateBps()).isEqualTo(40_000_000_000L);
        // 300 m at 5 ns each.
        assertThat(port.flowControl().link().delayNs()).isEqualTo(1500);
        assertThat(buffers(port).headroomBytes()).isEqualTo(103_168);
        assertThat(buffers(port).xonBytes()).isEqualTo(2288);
        assertThat(buffers(config.ports().getFirst()).headroomBytes()).isEqualTo(66_560);
        assertThat(made.yaml())
                .contains(
                        "lossless: [3, 4]",
                        "scheduler: [14, 14, 14, 15, 15, 14, 14, 1]",
                        "alpha: 1/8, reserved: 1248B",
                        "watchdog: {action: drop, detection: 400ms, restoration: 400ms, poll: 200ms}",
                        "kmin: 250000B",
                        "kmax: 2097152B",
                        "pmax: 0.05",
                        "values: [0-2, 5-7, 9-45, 47, 49-63]\n      priority: 1",
                        "vlan: 1000");
        assertThat(made.leftOut())
                .contains(
                        "Ethernet0, Ethernet4 and 2 more: mtu 9100: the largest MTU of such devices"
                                + " here is 9000",
                        "not looked at: BGP_NEIGHBOR, BUFFER_QUEUE, NTP_SERVER")
                .anyMatch(
                        line -> line.contains("profile ingress_lossy_profile of lossy priorities"));
    }

    @Test
    void headroomWithinTheSizeAndQueuesOfOtherNumbers() throws Exception {
        SonicImport.Made made = make("inside", ALL);
        SwitchConfig config = read(made);
        // A host's name that no switch here can have.
        assertThat(config.name()).isEqualTo("sonic");
        // 69,632 with the headroom of 50,176 in it.
        assertThat(made.yaml())
                .contains(
                        "buffers: {alpha: 1, reserved: 19456B, headroom: 50176B}",
                        "scheduler: [10, 10, 5, 40, 1, 1, strict, strict]",
                        "{priority: 2, rate: 1000Mbps}",
                        "action: forward, detection: 200ms, restoration: 300ms");
        assertThat(config.ports().getFirst().flowControl().watchdog()).isNotNull();
        assertThat(config.ports().getLast().flowControl().watchdog()).isNull();
        assertThat(made.leftOut())
                .anyMatch(line -> line.contains("traffic class 7 goes to queue 6"))
                .anyMatch(line -> line.contains("WRED profile DROPS drops early"))
                .contains(
                        "Ethernet0: pfcwd_sw_enable 3,4: here the watchdog watches all lossless"
                                + " priorities");
    }

    @Test
    void buffersThatTheSwitchComputesAndStaticThresholds() throws Exception {
        SonicImport.Made made = make("computed", ALL);
        List<PortConfig> ports = read(made).ports();
        assertThat(made.yaml()).contains("buffers: {alpha: 1/2}", "trunk: [10, 20]");
        assertThat(ports.get(1).rateBps()).isEqualTo(400_000_000_000L);
        // What is promised to it, and what it may take of the pool.
        assertThat(buffers(ports.get(1)).xoffBytes()).isEqualTo(209_000);
        assertThat(buffers(ports.get(1)).xonBytes()).isEqualTo(189_000);
        assertThat(ports.get(2).flowControl().mode()).isEqualTo(FlowControlConfig.Mode.NONE);
        assertThat(made.leftOut())
                .contains(
                        "Ethernet0: dot1p_to_tc_map and dscp_to_tc_map: the DSCP is used",
                        "Ethernet8: speed 800000: the maximum here is 400 Gb/s",
                        "Ethernet16: no map to traffic classes: all frames have priority 0",
                        "Ethernet16: admin_status down: here every configured port comes up",
                        "Ethernet16: a scheduler's pir below 1 Mb/s: the minimum limit here is 1"
                                + " Mb/s");
    }

    @Test
    void somePortsOnOtherInterfacesAtAnotherRate() throws Exception {
        SonicImport.Made made =
                make(
                        "cells",
                        new SonicImport.Wanted(
                                List.of("Ethernet8", "Ethernet0"),
                                List.of("veth1", "veth2"),
                                "afxdp",
                                "100Mbps"));
        SwitchConfig config = read(made);
        assertThat(config.ports())
                .extracting(PortConfig::name)
                .containsExactly("Ethernet8", "Ethernet0");
        assertThat(config.ports().getFirst().rateBps()).isEqualTo(100_000_000);
        assertThat(made.yaml()).contains("{afxdp: veth1}", "{afxdp: veth2}", "mtu: 3754");
        assertThat(made.leftOut()).anyMatch(line -> line.contains("headroom of 66560 B is for"));
    }

    /** Each in place of something in a file that is right. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "\"speed\": \"40000\" ~ \"speed\": \"fast\" ~ cells.json: PORT|Ethernet0|speed: found \"fast\"; allowed: a whole number from 1 to 10000000",
                "\"pfc_enable\": \"3,4\" ~ \"pfc_enable\": \"3-9\" ~ cells.json: PORT_QOS_MAP|Ethernet0|pfc_enable: found \"3-9\"; allowed: numbers from 0 to 7, such as 3,4 or 0-2",
                "\"pfc_enable\": \"3,4\" ~ \"pfc_enable\": \"99999999999\" ~ found \"99999999999\"; allowed: numbers from 0 to 7",
                "[DSCP_TO_TC_MAP|AZURE] ~ [DSCP_TO_TC_MAP|OTHER] ~ PORT_QOS_MAP|Ethernet0|dscp_to_tc_map: found \"[DSCP_TO_TC_MAP|OTHER]\"; allowed: an entry of DSCP_TO_TC_MAP",
                "\"xoff\": \"66560\" ~ \"xoff\": \"99999999999999999999\" ~ BUFFER_PROFILE|pg_lossless_40000_5m_profile|xoff: found \"99999999999999999999\"; allowed: a whole number from 0",
                "\"PORT\": ~ \"PORTS\": ~ cells.json: PORT: is missing or empty; allowed: tables of a SONiC switch",
                "\"detection_time\": \"400\" ~ \"detection_time\": \"-1\" ~ PFC_WD|Ethernet0|detection_time: found \"-1\"; allowed: a whole number from 1 to 60000",
                "\"action\": \"drop\" ~ \"action\": \"explode\" ~ action",
                "{ ~ [{ ~ cells.json: is not JSON",
            })
    void aMistakeIsOneSentence(String right, String wrong, String sentence) throws Exception {
        String text = file("cells");
        assertThat(text).contains(right);
        String broken = text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        assertThatThrownBy(() -> SonicImport.make(broken, "cells.json", ALL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(sentence);
    }

    /** Its comment is a part of the file that is written. */
    @Test
    void namesInTheFileAddNoLinesToWhatIsWritten() throws Exception {
        String text = file("cells").replaceFirst("\\{", "{\"X\\\\nworkers: {}\\\\u001b[31m\": {},");
        SonicImport.Made made = SonicImport.make(text, "cells.json", ALL);
        assertThat(made.leftOut())
                .contains(
                        "not looked at: BGP_NEIGHBOR, BUFFER_QUEUE, NTP_SERVER, X?workers: {}?[31m");
        assertThat(made.comment("cells.json").lines()).allMatch(line -> line.startsWith("# "));
    }

    @Test
    void withoutPortsThereIsNothingToMake() {
        assertThatThrownBy(() -> SonicImport.make("{\"PORT\": {}}", "empty.json", ALL))
                .hasMessageStartingWith("empty.json: PORT: is missing or empty; allowed: tables");
    }

    @Test
    void portsThatAreNotThereAndInterfacesTooFew() throws Exception {
        String text = file("cells");
        assertThatThrownBy(() ->
                        SonicImport.make(
                                text,
                                "cells.json",
                                new SonicImport.Wanted(List.of("Ethernet1"), List.of(), "tap", "")))
                .hasMessage(
                        "cells.json: PORT: no Ethernet1; allowed: Ethernet0, Ethernet4, Ethernet8,"
                                + " Ethernet12");
        assertThatThrownBy(() ->
                        SonicImport.make(
                                text,
                                "cells.json",
                                new SonicImport.Wanted(List.of(), List.of("veth1"), "tap", "")))
                .hasMessage(
                        "cells.json: PORT: 4 ports and 1 interfaces; allowed: an interface for each"
                                + " port");
    }
}
