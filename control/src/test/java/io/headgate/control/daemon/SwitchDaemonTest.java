package io.headgate.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.TestConfigs;
import io.headgate.control.report.Json;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.MemoryWire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

final class SwitchDaemonTest {
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    @TempDir private Path base;

    private final List<String> log = new CopyOnWriteArrayList<>();

    private SwitchDaemon start(String name) throws Exception {
        return SwitchDaemon.start(
                TestConfigs.memory(name, "a", "b"),
                base,
                new SwitchOptions(false, true, null, log::add));
    }

    @Test
    void answersRequestsAndLeavesNothingBehind() throws Exception {
        try (SwitchDaemon daemon = start("s1");
                SwitchClient client = SwitchClient.connect(base, "s1")) {
            Path socket = RunDirectory.socket(base, "s1");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            MemoryWire.FarEnd a = daemon.running().devices().wire("a").farEnd(1);
            a.inject(frame(BROADCAST, 0x0200_0000_0001L));
            JsonNode fdb = client.ask("fdb", Map.of());
            while (fdb.isEmpty()) {
                Thread.sleep(1);
                fdb = client.ask("fdb", Map.of());
            }
            assertThat(fdb.get(0).get("mac").asString()).isEqualTo("02:00:00:00:00:01");
            assertThat(fdb.get(0).get("port").asString()).isEqualTo("a");
            assertThat(client.ask("config", Map.of()).get("seed").asInt()).isEqualTo(7);
            assertThat(client.ask("ports", Map.of()).get(1).get("name").asString()).isEqualTo("b");
            assertThat(client.ask("workers", Map.of()).asString()).contains("worker");
            assertThat(client.ask("errors", Map.of()).isEmpty()).isTrue();
            assertThat(client.ask("clear", Map.of()).asString()).isEqualTo("cleared");
            assertThat(client.ask("stop", Map.of()).asString()).isEqualTo("stopping");
            daemon.awaitStop();
        }
        assertThat(RunDirectory.names(base)).isEmpty();
        assertThat(log).last().isEqualTo("s1: stopped, nothing left behind");
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("headgate-"));
    }

    @Test
    void whateverAClientSendsIsAnsweredWithASentence() throws Exception {
        try (SwitchDaemon _ = start("s1")) {
            String allowed = "; allowed are ports, policies, set, reload, workers, ";
            assertThat(exchange("fdb", "[]", "{\"id\": 3, \"do\": 4}", "{\"do\": \"format\"}"))
                    .satisfiesExactly(
                            first ->
                                    assertThat(first)
                                            .isEqualTo(
                                                    "{\"error\":\"a request is one line of JSON, such as"
                                                            + " {\\\"do\\\": \\\"fdb\\\"}\"}"),
                            second ->
                                    assertThat(second)
                                            .startsWith(
                                                    "{\"error\":\"there is no request ''" + allowed)
                                            .contains(", fdb,"),
                            third ->
                                    assertThat(third)
                                            .isEqualTo(
                                                    "{\"id\":3,\"error\":\"'do' must be a text\"}"),
                            fourth ->
                                    assertThat(fourth)
                                            .startsWith(
                                                    "{\"error\":\"there is no request 'format'"
                                                            + allowed));
            assertThat(exchange("{\"do\": \"" + "x".repeat(70_000) + "\"}"))
                    .containsExactly("{\"error\":\"a request has at most 65536 bytes\"}");
            assertThat(exchange("{\"do\": \"capture.start\", \"file\": \"here\"}").getFirst())
                    .contains("'file' must be an absolute path, and is 'here'");
            assertThat(
                            exchange(
                                            "{\"do\": \"capture.start\", \"file\": \"/x\","
                                                    + " \"directions\": [\"up\"]}")
                                    .getFirst())
                    .contains("direction 'up' is not in, out or drops");
            assertThat(
                            exchange(
                                            "{\"do\": \"capture.start\", \"file\": \"/x\","
                                                    + " \"filter\": \"host\"}")
                                    .getFirst())
                    .contains("capture filter 'host'");
        }
    }

    @Test
    void aPatchIsTakenWholeAndShownAsInForce() throws Exception {
        try (SwitchDaemon _ = startPair();
                SwitchClient client = SwitchClient.connect(base, "s1")) {
            JsonNode changes =
                    client.ask(
                            "set",
                            Map.of("assignments", List.of("a.rate=20Mbps", "bridge.ageing=10s")));
            assertThat(changes.size()).isEqualTo(2);
            assertThat(changes.get(0).get("key").asString()).isEqualTo("a.rate");
            assertThat(changes.get(0).get("after").asString()).isEqualTo("20Mbps");
            assertThat(changes.get(1).get("text").asString())
                    .isEqualTo("bridge.ageing: 300s -> 10s");
            String numbers = "a: {account-cap-slots: 500, scheduler: [1, 1, 1, 4, 1, 1, 1, 1]}";
            changes = client.ask("set", Map.of("yaml", numbers, "name", "p.yaml"));
            assertThat(changes.get(0).get("after")).isEqualTo(StringNode.valueOf("500"));
            assertThat(changes.get(0).get("before").isString()).isTrue();
            assertThat(changes.get(1).get("after"))
                    .isEqualTo(StringNode.valueOf("[1, 1, 1, 4, 1, 1, 1, 1]"));
            changes = client.ask("set", Map.of("yaml", "b: {queue-limit: 70kB}", "name", "p.yaml"));
            assertThat(changes.get(0).get("text").asString()).endsWith("-> 70kB");
            JsonNode config = client.ask("config", Map.of());
            assertThat(config.get("ports").get(0).get("rate").asString()).isEqualTo("20Mbps");
            assertThat(config.get("ports").get(1).get("queue-limit").asString()).isEqualTo("70kB");
            assertThat(client.ask("ports", Map.of()).get(0).get("rateBps").asLong())
                    .isEqualTo(20_000_000);
        }
    }

    @Test
    void aPatchThatIsWrongIsRefusedWholeWithASentence() throws Exception {
        try (SwitchDaemon daemon = startPair()) {
            SwitchConfig before = daemon.running().config();
            assertThat(refusal("a.rate=1Gbps", "a.rat=2Gbps"))
                    .contains("a.rat: found the unknown key \\\"rat\\\"; allowed: rate?");
            assertThat(refusal("c.rate=1Gbps")).contains("no port and no key");
            assertThat(refusal("a.rate=10ms")).contains("allowed: a rate such as");
            assertThat(refusal("a.rate=900Gbps")).contains("from 1Mbps to 400Gbps");
            assertThat(refusal("a.rate=1Gbps", "a.mtu=9000"))
                    .contains("a.mtu: found 9000; allowed: 1500, until the switch restarts:");
            assertThat(refusal("memory.slots-per-port=128")).contains("until the switch restarts");
            assertThat(refusal("a.flow-control=pfc")).contains("until the switch restarts");
            assertThat(refusal("rate")).contains("KEY=VALUE");
            assertThat(refusal("a.rate=" + "[".repeat(5_000)))
                    .contains("a.rate: found a value nested in 32");
            assertThat(exchange("{\"do\": \"set\"}").getFirst()).contains("either 'assignments'");
            assertThat(exchange("{\"do\": \"set\", \"assignments\": [3]}").getFirst())
                    .contains("'assignments' must be a list of texts");
            assertThat(exchange("{\"do\": \"set\", \"yaml\": \"" + "x".repeat(70_000) + "\"}"))
                    .containsExactly("{\"error\":\"a request has at most 65536 bytes\"}");
            assertThat(exchangeBytes(new byte[] {'{', (byte) 0xC3, (byte) 0x28, '}', '\n'}))
                    .containsExactly("{\"error\":\"a request must be text in UTF-8\"}");
            assertThat(daemon.running().config()).isSameAs(before);
        }
    }

    private SwitchDaemon startPair() throws Exception {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        bridge: {flood-limit: 0/s}
                        ports:
                          - {name: a, device: {memory: w}}
                          - {name: b, device: {memory: w}}
                        """,
                        "s1.yaml");
        return SwitchDaemon.start(config, base, new SwitchOptions(false, true, null, log::add));
    }

    private String refusal(String... assignments) throws IOException {
        StringBuilder list = new StringBuilder();
        for (String one : assignments) {
            list.append(list.isEmpty() ? "" : ", ").append('"').append(one).append('"');
        }
        return exchange("{\"do\": \"set\", \"assignments\": [" + list + "]}").getFirst();
    }

    @Test
    void aCaptureEndsWithTheConnectionThatStartedIt() throws Exception {
        try (SwitchDaemon _ = start("s1")) {
            Map<String, Object> all = Map.of("file", base.resolve("x.pcapng").toString());
            try (SwitchClient client = SwitchClient.connect(base, "s1")) {
                client.ask("capture.start", all);
                assertThatThrownBy(() -> client.ask("capture.start", all))
                        .hasMessageContaining("is being captured already");
            }
            try (SwitchClient client = SwitchClient.connect(base, "s1")) {
                startWhenItCan(client, "capture.start", all);
            }
        }
    }

    @Test
    void aTraceHasWhatTheWorkersDidInTheTimeAndEndsWithItsConnection() throws Exception {
        Path file = base.resolve("s1.json");
        Map<String, Object> there = Map.of("file", file.toString());
        SwitchConfig config = TestConfigs.withWorkers(TestConfigs.memory("s1", "a", "b"), 2);
        try (SwitchDaemon daemon =
                        SwitchDaemon.start(
                                config, base, new SwitchOptions(false, true, null, log::add));
                SwitchClient client = SwitchClient.connect(base, "s1")) {
            Files.writeString(file, "my thesis");
            assertThatThrownBy(() -> client.ask("trace.start", there))
                    .hasMessageContaining("s1.json: the existing file is not a trace file");
            Files.delete(file);
            assertThatThrownBy(() -> client.ask("trace.stop", Map.of()))
                    .hasMessage("no trace is running on this connection");
            try (SwitchClient first = SwitchClient.connect(base, "s1")) {
                first.ask("trace.start", there);
                assertThatThrownBy(() -> client.ask("trace.start", there))
                        .hasMessageContaining("its workers are being traced already");
            }
            startWhenItCan(client, "trace.start", there);
            MemoryWire.FarEnd a = daemon.running().devices().wire("a").farEnd(1);
            int frames = 200;
            for (int i = 0; i < frames; i++) {
                a.inject(frame(BROADCAST, 0x0200_0000_0001L));
                Thread.sleep(1);
            }
            checkTrace(file, client.ask("trace.stop", Map.of()));
            assertThat(Files.readString(file)).contains("\"a.ingress\"", "\"b.egress\"");
        }
    }

    /** Times of a trace's events are in microseconds, and each worker does one thing at a time. */
    private static void checkTrace(Path file, JsonNode summary) throws IOException {
        Map<Integer, Double> endUs = new HashMap<>();
        Map<Integer, Double> sumUs = new HashMap<>();
        int intervals = 0;
        for (JsonNode event : Json.COMPACT.readTree(Files.readString(file)).get("traceEvents")) {
            if (event.get("ph").asString().equals("M")) {
                continue;
            }
            assertThat(event.get("ph").asString()).isEqualTo("X");
            int worker = event.get("tid").asInt();
            double startUs = event.get("ts").asDouble();
            double durationUs = event.get("dur").asDouble();
            // A thousandth of a nanosecond is the double's.
            assertThat(startUs).isGreaterThanOrEqualTo(endUs.getOrDefault(worker, 0.0) - 1e-6);
            endUs.put(worker, startUs + durationUs);
            sumUs.merge(worker, durationUs, Double::sum);
            intervals++;
        }
        assertThat(summary.get("intervals").asInt()).isEqualTo(intervals).isGreaterThan(100);
        assertThat(summary.get("leftOutIntervals").asInt()).isZero();
        double tracedUs = summary.get("durationNs").asLong() / 1e3;
        assertThat(tracedUs).isGreaterThan(200_000);
        assertThat(sumUs).hasSize(2);
        assertThat(sumUs.values())
                .allSatisfy(sum -> assertThat(sum).isBetween(1.0, tracedUs + 1e-3));
    }

    /** Asks until what an earlier connection had under way has ended with it. */
    private static void startWhenItCan(SwitchClient client, String what, Map<String, ?> arguments)
            throws Exception {
        long deadlineNs = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try {
                client.ask(what, arguments);
                return;
            } catch (DaemonException notYet) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw notYet;
                }
                Thread.sleep(1);
            }
        }
    }

    @Test
    void connectionsThatAreOnlyHeldOpenKeepNobodyOut() throws Exception {
        List<SocketChannel> held = new ArrayList<>();
        try (SwitchDaemon _ = start("s1");
                SwitchClient capturing = SwitchClient.connect(base, "s1")) {
            Map<String, Object> all = Map.of("file", base.resolve("x.pcapng").toString());
            Map<String, Object> which =
                    Map.of("capture", capturing.ask("capture.start", all).get("capture").asInt());
            for (int i = 0; i < 3 * ControlApi.MAX_CLIENTS; i++) {
                held.add(
                        SocketChannel.open(
                                UnixDomainSocketAddress.of(RunDirectory.socket(base, "s1"))));
            }
            try (SwitchClient client = SwitchClient.connect(base, "s1")) {
                assertThat(client.ask("ports", Map.of())).hasSize(2);
            }
            // A capture is work: its connection stays, however long it asks for nothing.
            assertThat(capturing.ask("capture.status", which).get("over").asBoolean()).isFalse();
        } finally {
            for (SocketChannel channel : held) {
                channel.close();
            }
        }
    }

    @Test
    void aSecondSwitchOfTheSameNameIsRefusedAndTheFirstGoesOn() throws Exception {
        try (SwitchDaemon _ = start("s1")) {
            assertThatThrownBy(() -> start("s1"))
                    .isInstanceOf(DaemonException.class)
                    .hasMessage(
                            "a switch named s1 already runs (process "
                                    + ProcessHandle.current().pid()
                                    + "); stop it with 'headgate switch stop --switch s1', or give"
                                    + " this switch another name");
            try (SwitchDaemon _ = start("s2")) {
                assertThatThrownBy(() -> SwitchClient.choose(List.of(base), null))
                        .hasMessage("several switches run (s1, s2); choose one with --switch NAME");
            }
            assertThat(SwitchClient.choose(List.of(base), null).name()).isEqualTo("s1");
        }
        assertThatThrownBy(() -> SwitchClient.choose(List.of(base), null))
                .hasMessage("no switch runs; start one with 'headgate switch run -c FILE'");
    }

    @Test
    void whatAKilledSwitchLeftIsSweptAtTheNextStart() throws Exception {
        Path dead = base.resolve("dead");
        Files.createDirectories(dead);
        for (String file : List.of("lock", "pid", "counters", "control")) {
            Files.writeString(dead.resolve(file), "1");
        }
        assertThat(RunDirectory.leftOvers(base, false)).containsExactly("dead");
        try (SwitchDaemon _ = start("s1")) {
            assertThat(dead).doesNotExist();
            assertThat(log).contains("removed what killed switches left: dead");
            assertThat(RunDirectory.leftOvers(base, true)).isEmpty();
        }
    }

    /** Sends lines on a connection of their own; answers what came back, without the greeting. */
    private List<String> exchange(String... requests) throws IOException {
        return exchangeBytes(
                Arrays.stream(requests)
                        .map(request -> (request + "\n").getBytes(StandardCharsets.UTF_8))
                        .toArray(byte[][]::new));
    }

    private List<String> exchangeBytes(byte[]... requests) throws IOException {
        try (SocketChannel channel =
                        SocketChannel.open(
                                UnixDomainSocketAddress.of(RunDirectory.socket(base, "s1")));
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        Channels.newInputStream(channel),
                                        StandardCharsets.UTF_8))) {
            assertThat(lines.readLine())
                    .startsWith("{\"headgate\":")
                    .contains("\"pid\":" + ProcessHandle.current().pid())
                    .contains("\"maxRequestBytes\":65536");
            List<String> answers = new ArrayList<>();
            for (byte[] request : requests) {
                ByteBuffer bytes = ByteBuffer.wrap(request);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                answers.add(String.valueOf(lines.readLine()));
            }
            return answers;
        }
    }

    private static byte[] frame(long destination, long source) {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
