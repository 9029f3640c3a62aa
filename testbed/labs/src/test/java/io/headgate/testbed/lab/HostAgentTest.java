package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.read.HostConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.hostagent.NicStatistics;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two hosts with agents, wire to wire, without a switch between them. */
@Tag("netns")
class HostAgentTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int SECONDS = 3;
    private static final long PROGRAM_MS = 60_000;
    private static final List<String> TC_SHOW = List.of("tc", "qdisc", "show", "dev", "eth0");
    private static final long SLOW_BPS = 20_000_000;

    /** More than the receiver takes, however seldom the sender has a core. */
    private static final long OFFERED_BPS = 400_000_000;

    /** For how long a worker may be held without a loss: the reactions in the configurations. */
    private static final long HELD_NS = 100_000_000;

    @TempDir private Path directory;
    private final String prefix =
            "hga" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private NetnsNetwork network;

    @BeforeEach
    void makeHosts() throws Exception {
        network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(2, LinkSpec.DEFAULT),
                        NetnsNetwork.Options.of(prefix, 1).withHosts(NetnsNetwork.Hosts.AGENT),
                        new LabRecords(directory.resolve("labs")),
                        line -> {});
        network.build();
    }

    @AfterEach
    void removeHosts() {
        network.close();
    }

    /** The first wire's two ends, one for each host. */
    private String config(String common, String ofSecond) {
        String netns = network.switchNetns(0);
        return "name: hosts\ndefaults: {rate: 100Mbps, classify: {trust: dscp}"
                + common
                + "}\nhosts:\n"
                + host(1, "{interface: w1, netns: " + netns + "}", "")
                + host(2, "{interface: p1, netns: " + netns + "}", ofSecond);
    }

    private String host(int number, String device, String more) {
        return "  - {name: "
                + network.hostNetns(number - 1)
                + ", tap: {interface: eth0, netns: "
                + network.hostNetns(number - 1)
                + "}, device: {afpacket: "
                + device
                + "}"
                + more
                + "}\n";
    }

    private HostDaemon start(String common, String ofSecond) throws Exception {
        HostDaemon daemon =
                HostDaemon.start(
                        HostConfigReader.read(config(common, ofSecond), "test"),
                        directory.resolve("switches"),
                        line -> {});
        configureHosts(daemon);
        return daemon;
    }

    private void configureHosts(HostDaemon daemon) throws BedException {
        network.configureHosts();
        awaitLinks(daemon);
    }

    /** Until both cards have a link at the wire and at their TAP. */
    private static void awaitLinks(HostDaemon daemon) {
        for (int nic = 0; nic < 2; nic++) {
            int card = nic;
            assertThat(LabNetwork.await(() -> linksUp(daemon, card) == 2)).isTrue();
        }
        // An egress half looks at its link at the same interval as its port's ingress half.
        LockSupport.parkNanos(5 * RealTimeEngine.HOUSEKEEPING_INTERVAL_NS);
    }

    private static long linksUp(HostDaemon daemon, int nic) {
        return daemon.counters(nic).total(Scope.INGRESS, IngressCounter.DEVICE_UP);
    }

    /** ECN and what tshark makes of the checksum, of pings as their receiver has them. */
    private List<String> pingsAt(int to) throws Exception {
        List<String> tshark =
                List.of(
                        "tshark",
                        "-n",
                        "-i",
                        "eth0",
                        "-c",
                        "3",
                        "-f",
                        "icmp[0] == 8",
                        "-o",
                        "ip.check_checksum:TRUE",
                        "-T",
                        "fields",
                        "-e",
                        "ip.dsfield.ecn",
                        "-e",
                        "ip.checksum.status");
        Programs programs = network.programs();
        Programs.Running running = programs.start(network.hostNetns(to), tshark);
        while (running.isAlive()) {
            programs.run(
                    network.hostNetns(1 - to), PROGRAM_MS, Ping.command(network.address(to), 2));
        }
        return running.await(PROGRAM_MS)
                .output()
                .lines()
                .filter(line -> line.contains("\t"))
                .toList();
    }

    @Test
    void whatUnmodifiedApplicationsSendIsDeclaredAtTheCard() throws Exception {
        try (HostDaemon daemon = start("", ", ecn: ect1")) {
            assertThat(daemon.config().nics()).hasSize(2);
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
            assertThat(pingsAt(0)).containsExactly("1\t1", "1\t1", "1\t1");
            assertThat(pingsAt(1)).containsExactly("0\t1", "0\t1", "0\t1");
        }
    }

    private static Map<String, Long> statistics(HostDaemon daemon, int nic) {
        CounterSnapshot counters = daemon.counters(nic);
        Map<Entry, Long> values = new HashMap<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            values.put(counters.entries().get(i), counters.value(i));
        }
        ToLongFunction<Entry> value = values::get;
        return NicStatistics.of(daemon.config().nics().get(nic).name(), counters.entries(), value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ", flow-control: pfc, link: {own-reaction: 100ms, peer-reaction: 100ms}",
                ", flow-control: credits",
                ", flow-control: pause, link: {own-reaction: 100ms, peer-reaction: 100ms}"
            })
    void aSlowReceiverHoldsTheSocketOfItsSenderAndNothingIsLost(String flowControl)
            throws Exception {
        try (HostDaemon daemon = start(flowControl, ", receive-rate: 20Mbps")) {
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
            // Frames that a far end sends before a device is open have no receiver; the kernel
            // counts them.
            List<CounterSnapshot> before = List.of(daemon.counters(0), daemon.counters(1));
            daemon.agent().cards().clearWatermarks();
            Iperf3.Flow flow = ReadyLabs.lossless(1, 2, OFFERED_BPS);
            long beginNs = System.nanoTime();
            Iperf3.Outcome outcome =
                    Iperf3.run(network, Iperf3.Protocol.UDP, List.of(flow), SECONDS).getFirst();
            double seconds = (System.nanoTime() - beginNs) / 1e9;
            assertThat(outcome.problem()).isNull();
            boolean isLossless = flowControl.contains("credits") || !isHeld(daemon);
            if (isLossless) {
                assertThat(outcome.lostDatagrams()).isZero();
            }
            assertThat(outcome.reorderedDatagrams()).isZero();
            assertThat(outcome.datagrams()).isPositive();
            Map<String, Long> sender = statistics(daemon, 0);
            Map<String, Long> receiver = statistics(daemon, 1);
            // What the card and the socket hold comes on top of what the receiver has taken.
            long heldBytes = 4_500_000;
            assertThat(sender.get("tx_bytes"))
                    .isBetween(
                            outcome.receivedDatagrams(),
                            (long) (SLOW_BPS / 8 * seconds) + heldBytes);
            assertThat(sender.get("tx_senders_throttled")).isPositive();
            assertThat(sender.get("rx_prio3_pause_transition")).isPositive();
            if (!flowControl.contains("credits")) {
                assertThat(sender.get("rx_pause_ctrl_phy")).isPositive();
                assertThat(receiver.get("tx_pause_ctrl_phy")).isPositive();
            }
            for (int nic = 0; nic < 2; nic++) {
                if (isLossless) {
                    assertThat(daemon.counters(nic).since(before.get(nic)).drops()).isEmpty();
                }
                assertThat(statistics(daemon, nic).get("tx_backlog_dropped")).isZero();
            }
            assertThat(network.hostInterface(0).statistics().transmitDropped()).isZero();
        }
    }

    /** Whether the machine held a worker for longer than the buffers allow for. */
    private static boolean isHeld(HostDaemon daemon) {
        return Holds.of(List.of(daemon.counters(0), daemon.counters(1))).exceed(HELD_NS);
    }

    private void atFirst(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of("ip", "netns", "exec", network.hostNetns(0)));
        words.addAll(List.of(command));
        assertThat(network.programs().run(null, PROGRAM_MS, words).exitCode()).isZero();
    }

    /** And what is sent from then on is held as before: what the receiver leaves is not lost. */
    @Test
    void whatOthersChangeAtATapIsToldAndPutBack() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        String pfc = ", flow-control: pfc, link: {own-reaction: 100ms, peer-reaction: 100ms}";
        try (HostDaemon daemon =
                HostDaemon.start(
                        HostConfigReader.read(config(pfc, ", receive-rate: 20Mbps"), "test"),
                        directory.resolve("switches"),
                        log::add)) {
            configureHosts(daemon);
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
            atFirst("tc", "qdisc", "del", "dev", "eth0", "root");
            assertThat(
                            LabNetwork.await(() ->
                                    log.stream()
                                            .anyMatch(line ->
                                                    line.contains(
                                                            "1 of 1 token buckets in front of 'eth0'"))))
                    .isTrue();
            atFirst("ip", "link", "set", "eth0", "mtu", "1400", "txqueuelen", "10");
            atFirst("ethtool", "-K", "eth0", "gso", "on");
            assertThat(
                            LabNetwork.await(() ->
                                    log.stream()
                                            .anyMatch(line ->
                                                    line.contains("gso is off again (was on)"))))
                    .isTrue();
            assertThat(log)
                    .anyMatch(line -> line.contains("its MTU is 1500 again (was 1400)"))
                    .anyMatch(line -> line.contains("its queue has 8192 frames again (had 10)"));
            assertThat(daemon.agent().errors())
                    .anyMatch(one -> one.kind() == ErrorRecord.Kind.DEVICE_UNFIT);
            daemon.agent().cards().clearWatermarks();
            Iperf3.Flow flow = ReadyLabs.lossless(1, 2, OFFERED_BPS);
            Iperf3.Outcome outcome =
                    Iperf3.run(network, Iperf3.Protocol.UDP, List.of(flow), SECONDS).getFirst();
            assertThat(outcome.problem()).isNull();
            assertThat(isHeld(daemon) ? 0 : outcome.lostDatagrams()).isZero();
            assertThat(statistics(daemon, 0).get("tx_senders_throttled")).isPositive();
        }
    }

    @Test
    void aTapThatIsDeletedIsMadeAgain() throws Exception {
        try (HostDaemon daemon = start("", "")) {
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
            int before = network.hostInterface(0).index();
            network.programs()
                    .run(
                            null,
                            PROGRAM_MS,
                            List.of("ip", "-n", network.hostNetns(0), "link", "del", "eth0"));
            assertThat(LabNetwork.await(() -> index() > before)).isTrue();
            assertThat(LabNetwork.await(() -> daemon.agent().cards().device(0) != null)).isTrue();
            network.configureHost(0);
            awaitLinks(daemon);
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
        }
    }

    /** Neither the agent's sockets nor its bucket may hold the old one. */
    @Test
    void aTapWhoseNamespaceIsMadeAnewIsMadeInTheNewOneAndNothingLeaks() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        String host = network.hostNetns(0);
        try (HostDaemon daemon =
                HostDaemon.start(
                        HostConfigReader.read(config("", ""), "test"),
                        directory.resolve("switches"),
                        log::add)) {
            configureHosts(daemon);
            assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
            int descriptors = 0;
            for (int round = 0; round < 3; round++) {
                log.clear();
                ip("netns", "del", host);
                assertThat(LabNetwork.await(() -> daemon.agent().cards().device(0) == null))
                        .as("given up: %s", log)
                        .isTrue();
                assertThat(LabNetwork.await(() -> up(daemon) == 0)).isTrue();
                ip("netns", "add", host);
                assertThat(LabNetwork.await(() -> daemon.agent().cards().device(0) != null))
                        .as("made again: %s", log)
                        .isTrue();
                network.configureHost(0);
                awaitLinks(daemon);
                assertThat(FirstPing.isAnswered(network, 0, 1)).isTrue();
                assertThat(log)
                        .contains(
                                "port "
                                        + host
                                        + ".app: gone, with network namespace '"
                                        + host
                                        + "'; it is opened again when that is back")
                        .anyMatch(line -> line.startsWith("port " + host + ".app: opened again"));
                assertThat(network.programs().run(host, PROGRAM_MS, TC_SHOW).output())
                        .contains("qdisc tbf");
                int most = round == 0 ? Integer.MAX_VALUE : descriptors;
                // Those of programs that have just ended are closed a little later.
                assertThat(LabNetwork.await(() -> descriptors() <= most))
                        .as("%d descriptors, %d before", descriptors(), most)
                        .isTrue();
                descriptors = descriptors();
            }
        } finally {
            // The one that was made here; the network removes those that it made.
            ip("netns", "del", host);
        }
    }

    private static int descriptors() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }

    private void ip(String... arguments) throws BedException {
        List<String> words = new ArrayList<>(List.of("ip"));
        words.addAll(List.of(arguments));
        network.programs().run(null, PROGRAM_MS, words);
    }

    private long up(HostDaemon daemon) {
        return daemon.counters(0)
                .value(Scope.INGRESS, network.hostNetns(0) + ".app", IngressCounter.DEVICE_UP);
    }

    private int index() {
        try {
            return LinuxInterface.read(network.hostNetns(0), "eth0").index();
        } catch (DeviceException notYet) {
            return -1;
        }
    }

    @Test
    void aHostWhoseDeviceIsMissingIsNamedAndNothingIsLeft() throws Exception {
        String broken = config("", "").replace("interface: w1", "interface: nowhere");
        assertThatThrownBy(() ->
                        HostDaemon.start(
                                HostConfigReader.read(broken, "test"),
                                directory.resolve("switches"),
                                line -> {}))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("host " + network.hostNetns(0))
                .hasMessageContaining("nowhere");
        assertThat(LinuxInterface.all(network.hostNetns(0)).stream().map(LinuxInterface::name))
                .doesNotContain("eth0");
        assertThat(directory.resolve("hosts").resolve(network.hostNetns(0))).doesNotExist();
    }
}
