package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.testbed.topology.HostPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The same topologies as in virtual time, between network namespaces. */
@Tag("netns")
class NetnsNetworkTest {
    private static final AtomicInteger BEDS = new AtomicInteger();
    private static final LinkSpec LINK = LinkSpec.of(40_000_000_000L, 1000);
    private static final int SCALE = 400;
    private static final Pattern RECEIVED =
            Pattern.compile("\"sum_received\":\\s*\\{[^}]*\"bytes\":\\s*([0-9.e+]+)");

    @TempDir private Path directory;

    private NetnsNetwork network(Topology topology, boolean ipv6) throws BedException {
        String prefix = "hgt" + ProcessHandle.current().pid() + "n" + BEDS.incrementAndGet() + "-";
        return NetnsNetwork.of(
                topology,
                SwitchProcesses.planned(
                        NetnsNetwork.Options.of(prefix, 1)
                                .withScale(SCALE)
                                .withIpv6(ipv6)
                                .withHosts(NetnsNetwork.Hosts.PACED)),
                new LabRecords(directory.resolve("labs")),
                line -> {});
    }

    private static void pingAll(NetnsNetwork network, boolean ipv6) throws BedException {
        record Under(String what, Programs.Running ping) {}
        List<Under> under = new ArrayList<>();
        for (HostPlan from : network.plan().hosts()) {
            for (HostPlan to : network.plan().hosts()) {
                if (from.number() != to.number()) {
                    String address = (ipv6 ? to.address6() : to.address()).getHostAddress();
                    under.add(
                            new Under(
                                    from.name() + " to " + to.name(),
                                    network.programs()
                                            .start(
                                                    network.hostNetns(from.number()),
                                                    Ping.command(address, 3))));
                }
            }
        }
        for (Under one : under) {
            String output = one.ping.await(60_000).output();
            assertThat(Ping.parse(1, 2, 3, output).received()).as(one.what + output).isPositive();
        }
    }

    @Test
    void singleSwitchRunsOnTheRealBed() throws Exception {
        NetnsNetwork network = network(Topologies.singleSwitch(3, LINK), true);
        try (network) {
            network.build();
            assertThat(numbers(network)).doesNotHaveDuplicates().hasSize(6);
            Path switches = SwitchProcesses.start(network, directory);
            pingAll(network, false);
            pingAll(network, true);
            try (SwitchClient client =
                    SwitchClient.connect(switches, network.plan().switches().getFirst().name())) {
                JsonNode config = client.ask("config", java.util.Map.of());
                assertThat(config.get("ports").get(0).get("rate").asString()).isEqualTo("100Mbps");
            }
        }
        assertThat(LabRecords.inodeOf(network.switchNetns(0))).isEmpty();
        assertThat(LabRecords.inodeOf(network.hostNetns(2))).isEmpty();
        assertThat(new LabRecords(directory.resolve("labs")).all()).isEmpty();
    }

    /**
     * The kernel's numbers of both ends of all links: were two the same, it would be slow to tell
     * of them.
     */
    private static List<Integer> numbers(NetnsNetwork network) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        for (int host = 0; host < network.plan().hosts().size(); host++) {
            numbers.add(network.hostInterface(host).index());
            String port = "p" + (host + 1);
            numbers.add(LinuxInterface.read(network.switchNetns(0), port).index());
        }
        return numbers;
    }

    /** In both modes, and no faster than the scaled trunk allows. */
    @Test
    void dumbbellRunsOnTheRealBedAtItsScaledRate() throws Exception {
        Topology topology = Topologies.dumbbell(2, 1, LINK, LINK.withRateBps(8_000_000_000L));
        try (NetnsNetwork network = network(topology, false)) {
            network.build();
            int from = network.plan().host("l1").number();
            int to = network.plan().host("r1").number();
            double receivedBytes;
            double seconds;
            try (AutoCloseable _ = startHere(network)) {
                pingAll(network, false);
                long beginNs = System.nanoTime();
                receivedBytes = iperf3(network, from, to);
                seconds = (System.nanoTime() - beginNs) / 1e9;
            }
            // The trunk has 20 Mb/s, of which TCP gets 1448 of 1538 bytes at most; how much of it
            // depends on who else wants the machine.
            assertThat(receivedBytes).isBetween(1.0, seconds * 20e6 / 8 * 1448 / 1538);
        }
    }

    @Test
    void routersReachEachOtherWithoutAskingForAddresses() throws Exception {
        Topology topology =
                Topologies.ring(3, 1, Topologies.Turn.CLOCKWISE, LINK, LINK).withMode(Mode.ROUTED);
        try (NetnsNetwork network = network(topology, true)) {
            network.build();
            try (AutoCloseable _ = startHere(network)) {
                pingAll(network, false);
                pingAll(network, true);
            }
        }
    }

    private AutoCloseable startHere(NetnsNetwork network) throws Exception {
        return SwitchProcesses.startHere(network, directory, UnaryOperator.identity());
    }

    @Test
    void hostsThatWereIntroducedKnowEachOtherForGood() throws Exception {
        Topology topology = Topologies.singleSwitch(3, LINK);
        NetnsNetwork.Options options =
                NetnsNetwork.Options.of(
                                "hgt"
                                        + ProcessHandle.current().pid()
                                        + "n"
                                        + BEDS.incrementAndGet()
                                        + "-",
                                1)
                        .withScale(SCALE);
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (NetnsNetwork network = NetnsNetwork.of(topology, options, records, line -> {})) {
            network.build();
            assertThat(neighbours(network)).isEmpty();
            network.introduceHosts();
            assertThat(neighbours(network))
                    .contains(network.address(1), network.address(2))
                    .containsPattern("PERMANENT\\s[^P]+PERMANENT");
        }
    }

    private static String neighbours(NetnsNetwork network) throws BedException {
        return network.programs()
                .run(
                        network.hostNetns(0),
                        60_000,
                        List.of("ip", "-4", "neigh", "show", "nud", "permanent"))
                .output()
                .strip();
    }

    @Test
    void whatNoMachineCanHoldIsRefusedInASentence() {
        assertThatThrownBy(() -> network(Topologies.fatTree(8, LINK), false))
                .isInstanceOf(BedException.class)
                .hasMessageContaining("208 hosts and switches; the real bed takes 128");
        assertThatThrownBy(() ->
                        network(Topologies.singleSwitch(2, LINK.withRateBps(100_000_000)), false))
                .isInstanceOf(BedException.class)
                .hasMessageContaining("a scale of at most 100");
    }

    /** Payload bytes that a flow brings in three seconds. */
    private static double iperf3(NetnsNetwork network, int from, int to) throws BedException {
        String address = network.address(to);
        Programs.Running server =
                network.programs()
                        .start(network.hostNetns(to), List.of("iperf3", "-s", "-1", "-B", address));
        String output = "";
        for (int attempt = 0; attempt < 300; attempt++) {
            Programs.Result result =
                    network.programs()
                            .run(
                                    network.hostNetns(from),
                                    60_000,
                                    List.of("iperf3", "-J", "-c", address, "-t", "2"));
            output = result.output();
            Matcher matcher = RECEIVED.matcher(output);
            if (result.ok() && matcher.find()) {
                server.await(60_000);
                return Double.parseDouble(matcher.group(1));
            }
            // It does not listen yet.
            LockSupport.parkNanos(200_000_000);
        }
        throw new AssertionError("iperf3: " + output);
    }
}
