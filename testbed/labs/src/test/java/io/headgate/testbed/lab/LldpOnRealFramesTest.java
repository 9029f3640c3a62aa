package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.control.lldp.LldpNeighbour;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.lldp.Lldp;
import io.headgate.dataplane.lldp.LldpConfig;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a switch says of itself, as Debian's lldpd and tshark read it, and what it reads of lldpd,
 * which has a namespace and a socket of its own.
 */
@Tag("netns")
class LldpOnRealFramesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long PATIENCE_NS = 60_000_000_000L;

    @TempDir private Path directory;
    private final String prefix =
            "hgl" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();

    private static boolean await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(200_000_000);
        }
        return condition.getAsBoolean();
    }

    @Test
    void lldpdAndTsharkReadTheSwitchAndItReadsLldpd() throws Exception {
        try (NetnsNetwork network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(2, LinkSpec.DEFAULT)
                                .withPorts(
                                        PortTraffic.NONE
                                                .with("flow-control", FlowControlConfig.Mode.PFC)
                                                .with("lossless", List.of(3, 4))),
                        NetnsNetwork.Options.of(prefix, 1),
                        new LabRecords(directory.resolve("labs")),
                        line -> {})) {
            network.build();
            SwitchConfig config =
                    network.plan()
                            .switches()
                            .getFirst()
                            .withMechanisms(
                                    Mechanisms.NONE.with(
                                            new Lldp().use(new LldpConfig(500_000_000L, 4))));
            Programs.Running tshark =
                    network.programs()
                            .start(
                                    network.hostNetns(1),
                                    List.of(
                                            "tshark",
                                            "-n",
                                            "-l",
                                            "-i",
                                            "eth0",
                                            "-f",
                                            "ether proto 0x88cc",
                                            "-a",
                                            "duration:100",
                                            "-c",
                                            "3",
                                            "-V"));
            // lldpd and its client give their rights up.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path socket = directory.resolve("lldpd.socket");
            network.programs()
                    .start(
                            network.hostNetns(0),
                            List.of("lldpd", "-d", "-u", socket.toString(), "-I", "eth0"));
            try (RunningSwitch running =
                    RunningSwitch.start(config, SwitchOptions.DEFAULT.cold())) {
                // Kept: three seconds later a busy machine may have let it age out.
                AtomicReference<String> said = new AtomicReference<>("");
                assertThat(
                                await(() -> {
                                    said.set(lldpd(network, socket));
                                    return said.get().contains("\"" + config.name());
                                }))
                        .as(said.get())
                        .isTrue();
                readsUs(config, said.get());
                // Its usual 30 s are long for a test.
                lldpd(network, socket, "configure", "lldp", "tx-interval", "1");
                assertThat(await(() -> !neighbours(running).isEmpty()))
                        .as("lldpd speaks, and the switch hears it")
                        .isTrue();
                LldpNeighbour far = neighbours(running).getFirst();
                assertThat(far.port()).isEqualTo("p1");
                assertThat(far.farPort()).isNotEmpty();
                assertThat(far.system()).isNotEmpty();
                assertThat(far.secondsLeft()).isBetween(1L, 120L);
                assertThat(far.pfc()).as("lldpd says nothing of it").isNegative();
                assertThat(far.problem()).isEmpty();
                assertThat(running.peers()).containsKey("p1");
                isReadByTshark(tshark.await(120_000).output());
            }
        }
    }

    private static List<LldpNeighbour> neighbours(RunningSwitch running) {
        return LldpNeighbour.of(running.realTime().engine(), running.realTime().nowNs());
    }

    private static String lldpd(NetnsNetwork network, Path socket) {
        return lldpd(network, socket, "-f", "json0", "show", "neighbors", "details");
    }

    private static String lldpd(NetnsNetwork network, Path socket, String... words) {
        List<String> command = new ArrayList<>(List.of("lldpcli", "-u", socket.toString()));
        command.addAll(List.of(words));
        try {
            return network.programs().run(network.hostNetns(0), 60_000, command).output();
        } catch (BedException e) {
            return String.valueOf(e);
        }
    }

    private static void readsUs(SwitchConfig config, String said) {
        JsonNode neighbour =
                JSON.readTree(said.substring(said.indexOf('{'))).at("/lldp/0/interface/0");
        assertThat(neighbour.at("/name").asString()).isEqualTo("eth0");
        assertThat(neighbour.at("/chassis/0/name/0/value").asString()).isEqualTo(config.name());
        assertThat(neighbour.at("/chassis/0/id/0/type").asString()).isEqualTo("mac");
        assertThat(neighbour.at("/port/0/id/0/type").asString()).isEqualTo("ifname");
        assertThat(neighbour.at("/port/0/id/0/value").asString())
                .isEqualTo(config.ports().getFirst().name());
        assertThat(neighbour.at("/port/0/ttl/0/value").asString()).isEqualTo("3");
    }

    private static void isReadByTshark(String said) {
        assertThat(said)
                .contains("Chassis Subtype = MAC address")
                .contains("Port Subtype = Interface name, Id: p2")
                .contains("Time To Live = 3 sec")
                .contains("Priority Flow Control Configuration")
                .doesNotContain("Malformed");
        assertThat(said.lines().map(String::strip).filter(line -> line.contains("Priority 3")))
                .anyMatch(line -> line.contains("Enabled") || line.contains("Yes"));
    }
}
