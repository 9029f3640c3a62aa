package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults together with the kind of a device. */
class DeviceFaultsTest {
    private static final String FAULTS =
            "{loss: 0.0001, corruption: 0.2, delay: 5ms, jitter: 1ms, reordering: 0.01,"
                    + " reordering-delay: 2ms, repetition: 0.001, up: 10s, down: 100ms, limit: 500,"
                    + " seed: 7, transmit: {corruption: 0.5, delay: 1ms}}";

    private static SwitchConfig read(String device) {
        return read(device, "");
    }

    private static SwitchConfig read(String device, String more) {
        return SwitchConfigReader.read(
                "name: s1\n" + more + "ports: [{name: p1, device: {" + device + "}}]\n", "s.yaml");
    }

    @Test
    void areReadAndWrittenWithTheirDevice() {
        SwitchConfig config = read("afpacket: {interface: v1, netns: n}, faults: " + FAULTS);
        DeviceConfig device = config.ports().getFirst().device();
        assertThat(device)
                .isEqualTo(
                        new DeviceConfig.Faulty(
                                new DeviceConfig.AfPacket("v1", "n", 2048),
                                new DeviceConfig.Faults(
                                        new DeviceConfig.OneWay(
                                                1e-4, 0.2, 5_000_000, 1_000_000, 0.01, 2_000_000,
                                                0.001),
                                        10_000_000_000L,
                                        100_000_000,
                                        500,
                                        7,
                                        new DeviceConfig.OneWay(0, 0.5, 1_000_000, 0, 0, 0, 0))));
        assertThat(device.netns()).isEqualTo("n");
        assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), "again"))
                .isEqualTo(config);
        assertThat(read("faults: {loss: 1}, tap: t1").ports().getFirst().device().kind())
                .isEqualTo(new DeviceConfig.Tap("t1", null, true));
    }

    @Test
    void framesUnderWayNeedSlotsBesideTheAccounts() {
        PortConfig plain = read("tap: t1").ports().getFirst();
        PortConfig lossy = read("tap: t1, faults: {loss: 0.5}").ports().getFirst();
        PortConfig late = read("tap: t1, faults: {delay: 5ms}").ports().getFirst();
        assertThat(lossy.accountCapSlots()).isEqualTo(plain.accountCapSlots());
        assertThat(late.device().receiveSlots()).isEqualTo(plain.device().receiveSlots() + 1000);
        assertThat(8 * (plain.accountCapSlots() - late.accountCapSlots())).isEqualTo(1000);
        assertThatThrownBy(() ->
                        read(
                                "tap: t1, faults: {delay: 5ms, limit: 4000}",
                                "memory: {slots-per-port: 4096}\ndefaults: {account-cap-slots: 504}\n"))
                .hasMessageContaining("and a ring of 4064, which is 8096, with 4096 slots")
                .hasMessageContaining("memory: {slots-per-port: 8096}");
    }

    @Test
    void changeWhileTheSwitchRunsAsFarAsTheirFramesHaveRoom() {
        SwitchConfig lossy = read("tap: t1, faults: {loss: 0.5}");
        assertThat(set(lossy, "p1.device.faults.loss=0.25").ports().getFirst().device())
                .isEqualTo(read("tap: t1, faults: {loss: 0.25}").ports().getFirst().device());
        assertThatThrownBy(() -> set(lossy, "p1.device.faults.delay=5ms"))
                .hasMessageContaining("and a ring of 1064, which is 5096, with 4096 slots");
        SwitchConfig late = read("tap: t1, faults: {delay: 5ms}");
        assertThat(set(late, "p1.device.faults.delay=9ms")).isNotEqualTo(late);
        assertThatThrownBy(() -> set(late, "p1.device.faults.limit=100"))
                .hasMessageContaining("their memory is reserved when the device is opened");
        assertThatThrownBy(() -> set(late, "p1.device.tap.interface=t2"))
                .hasMessageContaining("devices are opened at the start");
        SwitchConfig sent = read("tap: t1, faults: {transmit: {}}");
        assertThat(set(sent, "p1.device.faults.transmit.delay=9ms"))
                .as("no slot of the port's")
                .isEqualTo(read("tap: t1, faults: {transmit: {delay: 9ms}}"));
        assertThatThrownBy(() -> set(lossy, "p1.device.faults.transmit={loss: 0.1}"))
                .hasMessageContaining(
                        "memory for such frames is reserved when the device is opened");
        assertThatThrownBy(() -> set(read("tap: t1"), "p1.device.faults={loss: 0.1}"))
                .hasMessageContaining("a device is opened either with faults or without");
    }

    private static SwitchConfig set(SwitchConfig now, String assignment) {
        return SwitchPatch.apply(now, List.of(assignment)).config();
    }

    @Test
    void mistakesAreToldWithWhatIsAllowed() {
        refused(
                "faults: {loss: 0.1}",
                "ports[0].device: found faults of no device; allowed: one of afpacket");
        refused(
                "tap: t1, afpacket: v1",
                "ports[0].device: found \"tap and afpacket\"; allowed: one of afpacket");
        refused("tap: t1, faults: {loss: 2}", "ports[0].device.faults.loss: found 2");
        refused("tap: t1, faults: {los: 1}", "los");
        refused("tap: t1, faults: {reordering: 0.1}", "reordering without reordering-delay");
        refused(
                "tap: t1, faults: {transmit: {reordering: 0.1}}",
                "ports[0].device.faults.transmit.reordering: found reordering without");
        refused(
                "tap: t1, faults: {transmit: {corruption: 2}}",
                "faults.transmit.corruption: found");
        refused("tap: t1, faults: {transmit: {up: 1s, down: 1s}}", "up");
        refused(
                "afxdp: v1, faults: {transmit: {loss: 0.1}}",
                "ports[0].device.faults.transmit: found transmit faults at a device that transmits"
                        + " from the switch's own slots");
        refused("tap: t1, faults: {up: 1s}", "up without down");
        refused("tap: t1, faults: {down: 1s}", "down without up");
        refused("tap: t1, faults: {limit: 0}", "ports[0].device.faults.limit: found 0");
        refused("virtual: a, faults: {loss: 0.1}", "faults at a link of the virtual test bed");
        refused("memory: m, faults: {loss: 0.1}", "pair \"m\" with 1 end");
        assertThatThrownBy(() ->
                        HostConfigReader.read(
                                "hosts: [{name: h1, tap: t1, device: {afpacket: v, faults: {loss:"
                                        + " 0.1}}}]",
                                "h.yaml"))
                .hasMessageContaining("unknown kind of device \"faults\"");
    }

    private static void refused(String device, String why) {
        assertThatThrownBy(() -> read(device)).hasMessageContaining(why);
    }
}
