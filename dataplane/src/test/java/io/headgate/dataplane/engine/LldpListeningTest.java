package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.lldp.Lldp;
import io.headgate.dataplane.lldp.LldpAgent;
import io.headgate.dataplane.lldp.LldpConfig;
import io.headgate.dataplane.lldp.LldpUnit;
import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What a switch takes of LLDP that comes to it, and what it says when its configuration changes.
 */
class LldpListeningTest {
    private static final long HOST = 0x0200_0000_0001L;
    private static final long NEAREST_BRIDGE = 0x0180_C200_000EL;
    private static final int LLDP = 0x88CC;

    private static final String CHASSIS = "0207" + "04" + "020000000051";
    private static final String PORT = "0405" + "05" + "65746837";
    private static final String LIVE = "0602" + "0078";
    private static final String GOOD = CHASSIS + PORT + LIVE + "0a06" + "6c6561662d37" + "0000";

    private final TestSwitch s =
            new TestSwitch(
                    TestSwitch.bridge(3)
                            .withMechanisms(
                                    Mechanisms.NONE.with(
                                            new Lldp().use(new LldpConfig(1_000_000_000L, 4)))));

    private void send(long group, String unit) {
        byte[] frame = Packets.ethernet(group, HOST, LLDP, HexFormat.of().parseHex(unit));
        assertThat(s.hosts.get(0).inject(frame)).isTrue();
        s.run(20_000);
    }

    private String known() {
        LldpAgent.Heard heard = Objects.requireNonNull(s.engine.service(LldpAgent.class)).heard(0);
        LldpUnit unit = heard == null ? null : LldpUnit.parse(heard.unit());
        return unit == null ? "" : unit.systemName();
    }

    private long counted(String label) {
        return s.engine.counters().entries().stream()
                .filter(entry -> entry.label().equals(label))
                .mapToLong(s.engine.counters()::value)
                .sum();
    }

    @Test
    void whatDoesNotHoldTogetherIsCountedAndTakesNothingAway() {
        send(NEAREST_BRIDGE, GOOD);
        assertThat(known()).isEqualTo("leaf-7");
        send(NEAREST_BRIDGE, PORT + CHASSIS + LIVE + "0000");
        send(NEAREST_BRIDGE, CHASSIS + PORT + LIVE + "cafe".repeat(30));
        assertThat(known()).isEqualTo("leaf-7");
        assertThat(counted("lldp.received")).isEqualTo(1);
        assertThat(counted("lldp.discarded")).isEqualTo(2);
    }

    @Test
    void taggedOnesAndThoseToOtherGroupsAreToldApart() {
        byte[] tagged =
                Packets.ethernet(
                        NEAREST_BRIDGE,
                        HOST,
                        0x8100,
                        HexFormat.of().parseHex("0005" + "88cc" + GOOD));
        assertThat(s.hosts.get(0).inject(tagged)).isTrue();
        send(0x0180_C200_0000L, GOOD);
        send(0x0180_C200_0003L, GOOD);
        // Not one of LLDP's groups.
        send(0x0180_C200_000DL, GOOD);
        assertThat(known()).isEmpty();
        assertThat(s.drops("p0", DropReason.SERVICE_TAGGED)).isEqualTo(1);
        assertThat(s.drops("p0", DropReason.SERVICE_OTHER_GROUP)).isEqualTo(2);
        assertThat(s.drops("p0", DropReason.LINK_LOCAL)).isEqualTo(1);
    }

    @Test
    void newWeightsAreSaidFromThenOn() {
        s.run(1_000_000);
        assertThat(HexFormat.of().formatHex(s.collect(1)))
                .as("its first, of strict priorities")
                .contains("0080c20b")
                .doesNotContain("0080c209");
        SwitchConfig config = s.engine.config();
        List<PortConfig> ports = new ArrayList<>(config.ports());
        ports.set(
                1,
                ports.get(1)
                        .withTraffic(
                                ports.get(1)
                                        .traffic()
                                        .withWeights(List.of(1, 1, 1, 1, 1, 1, 1, 1))));
        SwitchConfig next = config.withPorts(ports);
        SwitchEngine.Change change = s.engine.prepare(config, next);
        int local = s.engine.localPort();
        assertThat(change.ports()).containsExactly(1, local);
        change.ingress(local).accept(s.engine.ingress(local));
        s.run(1_100_000_000);
        assertThat(HexFormat.of().formatHex(s.collect(1)))
                .contains("0080c209" + "00" + "01234567" + "0d0d0d0d0c0c0c0c");
    }
}
