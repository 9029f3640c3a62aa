package io.headgate.testbed.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.RedConfig;
import io.headgate.dataplane.telemetry.Telemetry;
import io.headgate.dataplane.telemetry.TelemetryConfig;
import io.headgate.testbed.IcrcOracle;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.SwitchProcesses;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two hosts that speak RoCEv2, each a process, through a switch, once a third process; tshark reads
 * what is between them.
 */
@Tag("netns")
class RdmaThroughASwitchTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** The build that these tests are part of has made what it runs. */
    private static final Path LAUNCHER = Path.of("../headgate").toAbsolutePath().normalize();

    private static final long PROGRAM_MS = 180_000;

    /** Small enough that frames with telemetry still pass links of 1,500 bytes. */
    private static final int MTU = 1_300;

    private static final int BTH = 42;
    private static final int BTH_BYTES = 12;
    private static final int CONGESTION = 4;
    private static final int BECN = 0x40;
    private static final int CNP = 0x81;
    private static final int ACKNOWLEDGE = 0x11;
    private static final int DATA_FRAMES = 400;
    private static final int ANSWER_FRAMES = 20;
    private static final List<String> FIELDS =
            List.of(
                    "infiniband.bth.opcode",
                    "infiniband.bth.psn",
                    "infiniband.aeth.syndrome",
                    "infiniband.invariant.crc",
                    "infiniband.bth.p_key",
                    "_ws.malformed",
                    "headgate.int.records");
    private static final Path DISSECTOR =
            Path.of("../config/wireshark/headgate.lua").toAbsolutePath().normalize();

    @TempDir private Path directory;
    private final String prefix =
            "hgr" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private NetnsNetwork network;
    private AutoCloseable switches = () -> {};
    private Path config;

    @BeforeEach
    void makeHosts() throws Exception {
        network =
                NetnsNetwork.of(
                        Topologies.singleSwitch(2, LinkSpec.of(1_000_000_000L, 1000)),
                        SwitchProcesses.planned(
                                NetnsNetwork.Options.of(prefix, 1)
                                        .withHosts(NetnsNetwork.Hosts.CARD)
                                        .withScale(10)),
                        new LabRecords(directory.resolve("labs")),
                        line -> {});
        network.build();
        config = directory.resolve("hosts.yaml");
    }

    /** Starts the switch, in this process. */
    private void start(UnaryOperator<SwitchConfig> adjust, String ofFirstHost) throws Exception {
        start(adjust, ofFirstHost, "");
    }

    private void start(UnaryOperator<SwitchConfig> adjust, String ofFirstHost, String ofSecondHost)
            throws Exception {
        switches = SwitchProcesses.startHere(network, directory, adjust);
        describeHosts(ofFirstHost, ofSecondHost);
    }

    private void describeHosts(String ofFirstHost, String ofSecondHost) throws IOException {
        Files.writeString(
                config,
                "name: hosts\ndefaults: {rate: 100Mbps, mtu: "
                        + MTU
                        + "}\nhosts:\n"
                        + host(0, ofFirstHost)
                        + host(1, ofSecondHost));
    }

    @AfterEach
    void removeHosts() throws Exception {
        try (var _ = network;
                var _ = switches) {
            // Closed in this order: switches, and the network even if that fails.
        }
    }

    private String host(int number, String more) {
        return "  - {name: h%d, tap: {interface: unused%d}, device: {afpacket: {interface: eth0, netns: %s}}%s}\n"
                .formatted(number + 1, number + 1, network.hostNetns(number), more);
    }

    private Programs.Running rdma(String... arguments) throws BedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "HEADGATE_NO_BUILD=1",
                                "HEADGATE_RUN_DIR=" + directory.resolve("run"),
                                LAUNCHER.toString(),
                                "rdma"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-c", config.toString(), "--json", "--dscp", "26"));
        return network.programs().start(null, command);
    }

    private String address(int host) {
        return network.address(host);
    }

    /** Starts both ends of a test; answers what they printed, the client's first. */
    private List<JsonNode> measure(String test, String... more) throws BedException {
        return measure(List.of(), test, more);
    }

    private List<JsonNode> measure(List<String> ofBoth, String test, String... more)
            throws BedException {
        List<String> serving = new ArrayList<>(List.of(test, "--host", "h2", "--address"));
        serving.add(address(1));
        serving.addAll(ofBoth);
        Programs.Running server = rdma(serving.toArray(String[]::new));
        List<String> arguments = new ArrayList<>(ofBoth);
        arguments.addAll(0, List.of(test, "--host", "h1", "--address"));
        arguments.add(4, address(0));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--wait", "120s", address(1)));
        Programs.Running client = rdma(arguments.toArray(String[]::new));
        List<JsonNode> results = new ArrayList<>();
        for (Programs.Running one : List.of(client, server)) {
            Programs.Result result = one.await(PROGRAM_MS);
            assertThat(result.exitCode()).as(result.output()).isZero();
            results.add(
                    JsonMapper.builder()
                            .build()
                            .readTree(
                                    result.output()
                                            .lines()
                                            .filter(line -> line.startsWith("{"))
                                            .findFirst()
                                            .orElseThrow()));
        }
        return results;
    }

    private Programs.Running capture(String netns, String from, int frames, Path into)
            throws BedException {
        long before = sockets(netns);
        Programs.Running tshark =
                network.programs()
                        .start(
                                netns,
                                List.of(
                                        "tshark",
                                        "-n",
                                        "-q",
                                        "-i",
                                        from,
                                        "-f",
                                        "udp",
                                        "-a",
                                        "duration:150",
                                        "-c",
                                        Integer.toString(frames),
                                        "-w",
                                        into.toString()));
        long endNs = System.nanoTime() + PROGRAM_MS * 1_000_000;
        while (sockets(netns) == before || !Files.exists(into)) {
            assertThat(System.nanoTime()).as("tshark listens").isLessThan(endNs);
            LockSupport.parkNanos(20_000_000);
        }
        return tshark;
    }

    /** Packet sockets in a namespace: what is sent once a capture has its own is in it. */
    private long sockets(String netns) throws BedException {
        List<String> command = List.of("cat", "/proc/net/packet");
        return network.programs().run(netns, PROGRAM_MS, command).output().lines().count();
    }

    @Test
    void writesGoThroughAndEveryFrameIsSound() throws Exception {
        SwitchProcesses.start(network, directory);
        describeHosts("", "");
        Path data = directory.resolve("data.pcapng");
        Path answers = directory.resolve("answers.pcapng");
        Programs.Running first = capture(network.switchNetns(0), "p1", DATA_FRAMES, data);
        Programs.Running second = capture(network.hostNetns(0), "eth0", ANSWER_FRAMES, answers);
        List<JsonNode> results = measure("write-bw", "-s", "20000", "-n", "100", "-q", "2");
        JsonNode client = results.getFirst();
        assertThat(client.get("messages").asLong()).isEqualTo(200);
        assertThat(client.get("bytes").asLong()).isEqualTo(4_000_000);
        assertThat(results.getLast().get("bytes").asLong()).isEqualTo(4_000_000);
        assertThat(client.get("goodputGbps").asDouble()).isPositive();
        assertThat(results.getLast().get("counters").get("rdma.icrc.wrong").asLong()).isZero();
        assertThat(client.get("connections").get(0).get("messageTimeUs").get("p99").asDouble())
                .isPositive();
        first.await(PROGRAM_MS);
        second.await(PROGRAM_MS);
        List<String[]> packets = dissected(data, UnaryOperator.identity());
        assertThat(packets).hasSize(DATA_FRAMES);
        assertThat(opcodes(packets)).contains(0x64, 0x06, 0x07, 0x08);
        List<String[]> replies = dissected(answers, UnaryOperator.identity());
        assertThat(replies).hasSize(ANSWER_FRAMES);
        assertThat(opcodes(replies)).contains(0x64, 0x11);
        for (String[] reply : replies) {
            if (Integer.decode(reply[0]) == 0x11) {
                assertThat(Integer.decode(reply[2]) & 0x60).as("no packet is missing").isZero();
            }
        }
    }

    private static List<Integer> opcodes(List<String[]> packets) {
        return packets.stream().map(fields -> Integer.decode(fields[0])).distinct().toList();
    }

    /** What tshark finds in a file's frames, each with the ICRC that it should have as sent. */
    private List<String[]> dissected(Path file, UnaryOperator<byte[]> asSent) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of("-X", "lua_script:" + DISSECTOR, "-T", "fields", "-E"));
        command.add("separator=;");
        for (String field : FIELDS) {
            command.addAll(List.of("-e", field));
        }
        Programs.Result result = network.programs().run(null, PROGRAM_MS, command);
        List<String[]> lines =
                result.output()
                        .lines()
                        .filter(line -> line.contains(";"))
                        .map(line -> line.split(";", -1))
                        .toList();
        List<byte[]> frames = IcrcOracle.frames(file);
        assertThat(lines).as(result.output()).hasSameSizeAs(frames);
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = asSent.apply(frames.get(i));
            String[] fields = lines.get(i);
            assertThat(IcrcOracle.isRoce(frame)).isTrue();
            assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
            assertThat(Integer.parseUnsignedInt(fields[3].substring(2), 16))
                    .isEqualTo(IcrcOracle.carried(frame));
            assertThat(fields[5]).as("malformed").isEmpty();
            assertThat(Integer.decode(fields[4]) & 0xFFFF).isEqualTo(0xFFFF);
        }
        return lines;
    }

    private static PortConfig telemetry(PortConfig port, boolean isLast) {
        TelemetryConfig how =
                new TelemetryConfig(
                        TelemetryConfig.Encoding.INT_MD,
                        5,
                        TelemetryConfig.Source.SWITCH,
                        TelemetryConfig.Packets.ALL,
                        0,
                        isLast,
                        false);
        return port.withMtuBytes(MTU)
                .withMechanisms(port.mechanisms().with(new Telemetry().use(how)));
    }

    /** More than a few frames that wait are marked. */
    private static PortConfig marking(PortConfig port) {
        RedConfig red = new RedConfig(3_000, 3_000, 1, 1, List.of(0, 1, 2, 3, 4, 5));
        return port.withMechanisms(port.mechanisms().with(new Red().use(red)));
    }

    /** What a marked packet becomes on the way back, of a sender that is faster than the switch. */
    @ParameterizedTest
    @ValueSource(strings = {"ib-cc: {}", "pcn: {period: 2ms}"})
    @Tag("long")
    void marksComeBackAsBecnOfAcknowledgementsOrInPacketsWithTheRateOfArrival(String control)
            throws Exception {
        String rates = ", rate-control: {" + control + "}";
        start(
                config ->
                        config.withPorts(
                                List.of(config.ports().get(0), marking(config.ports().get(1)))),
                ", rate: 400Mbps" + rates,
                rates);
        Path answers = directory.resolve("answers.pcapng");
        Programs.Running tshark = capture(network.hostNetns(0), "eth0", ANSWER_FRAMES, answers);
        List<JsonNode> results = measure("write-bw", "-s", "20000", "-n", "30");
        assertThat(results.getFirst().get("messages").asLong()).isEqualTo(30);
        assertThat(results.getLast().get("bytes").asLong()).isEqualTo(600_000);
        tshark.await(PROGRAM_MS);
        boolean isPacket = control.startsWith("pcn");
        List<byte[]> telling =
                IcrcOracle.frames(answers).stream()
                        .filter(frame -> frame[BTH] == (byte) (isPacket ? CNP : ACKNOWLEDGE))
                        .filter(frame -> (frame[BTH + CONGESTION] & BECN) != 0)
                        .toList();
        assertThat(telling).isNotEmpty();
        for (byte[] frame : telling) {
            assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
            if (isPacket) {
                long bps = ByteBuffer.wrap(frame).getLong(BTH + BTH_BYTES);
                assertThat(bps).isBetween(1L, 400_000_000L);
            }
        }
    }

    /**
     * The first host's card begins the telemetry of what it sends, and takes off what its port at
     * the switch has written; towards the second, which has no sink, its port takes it off.
     */
    @Test
    void onLinksThatLosePacketsOnlyLostOnesAreSentAgain() throws Exception {
        DeviceConfig.OneWay way = new DeviceConfig.OneWay(0.01, 0, 0, 0, 0.02, 1_000_000, 0);
        DeviceConfig.Faults faults = new DeviceConfig.Faults(way, 0, 0, 100, 1, null);
        start(
                config ->
                        config.withPorts(
                                        config.ports().stream()
                                                .map(port ->
                                                        port.withDevice(
                                                                new DeviceConfig.Faulty(
                                                                        port.device(), faults)))
                                                .toList())
                                .withMemory(
                                        config.memory()
                                                .withSlotsPerPort(
                                                        config.memory().slotsPerPort() + 100)),
                "");
        List<JsonNode> results =
                measure(
                        List.of("--transport", "selective", "--reordering", "8"),
                        "write-bw",
                        "-s",
                        "20000",
                        "-n",
                        "100",
                        "-u",
                        "50ms");
        JsonNode client = results.getFirst();
        JsonNode server = results.getLast();
        assertThat(client.get("bytes").asLong()).isEqualTo(2_000_000);
        assertThat(server.get("bytes").asLong()).isEqualTo(2_000_000);
        assertThat(client.get("counters").get("rdma.packets.repeated").asLong()).isPositive();
        assertThat(server.get("counters").get("rdma.packets.kept").asLong()).isPositive();
        for (String none : List.of("rdma.icrc.wrong", "rdma.packets.early", "rdma.malformed")) {
            assertThat(server.get("counters").get(none).asLong()).as(none).isZero();
        }
    }

    @Test
    void latencyIsMeasuredThereAndBackAndFramesAreSoundBehindTheTelemetryThatPortsAdd()
            throws Exception {
        start(
                config ->
                        config.withPorts(
                                List.of(
                                        telemetry(config.ports().get(0), false),
                                        telemetry(config.ports().get(1), true))),
                ", congestion: {telemetry: {packets: all}}");
        Path grown = directory.resolve("grown.pcapng");
        Path sunk = directory.resolve("sunk.pcapng");
        Programs.Running first = capture(network.hostNetns(0), "eth0", ANSWER_FRAMES, grown);
        Programs.Running second = capture(network.hostNetns(1), "eth0", ANSWER_FRAMES, sunk);
        List<JsonNode> results = measure("lat", "-n", "200", "-s", "1000");
        JsonNode times = results.getFirst().get("connections").get(0).get("latencyUs");
        assertThat(results.getFirst().get("messages").asLong()).isEqualTo(200);
        assertThat(times.get("min").asDouble()).isPositive();
        assertThat(times.get("median").asDouble())
                .isBetween(times.get("min").asDouble(), times.get("max").asDouble());
        for (JsonNode end : results) {
            for (String none : List.of("rdma.icrc.wrong", "rdma.malformed", "rdma.foreign")) {
                assertThat(end.get("counters").get(none).asLong()).as(none).isZero();
            }
        }
        first.await(PROGRAM_MS);
        second.await(PROGRAM_MS);
        assertThat(dissected(grown, frame -> IcrcOracle.withoutTelemetry(frame, 0)))
                .hasSize(ANSWER_FRAMES)
                .allSatisfy(fields -> assertThat(fields[6]).isEqualTo("1"));
        assertThat(dissected(sunk, UnaryOperator.identity()))
                .hasSize(ANSWER_FRAMES)
                .allSatisfy(fields -> assertThat(fields[6]).isEmpty());
        assertThat(IcrcOracle.frames(grown))
                .allSatisfy(frame -> {
                    byte[] rest = IcrcOracle.withoutTelemetry(frame, Integer.BYTES);
                    assertThat(IcrcOracle.carried(rest))
                            .as("where a sink leaves something")
                            .isNotEqualTo(IcrcOracle.expected(rest));
                });
    }
}
