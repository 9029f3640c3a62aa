package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.TestConfigs;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.policy.FabricConfig;
import io.headgate.control.policy.FabricMechanism;
import io.headgate.control.policy.PacketConfig;
import io.headgate.control.policy.PolicyFile;
import io.headgate.control.report.Json;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.MemoryWire;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands as a person meets them: output, exit code, and one sentence for what is wrong. */
@Timeout(60)
final class CommandsTest {
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final long HOST = 0x0200_0000_0001L;

    @TempDir private Path directory;

    private String out = "";
    private String err = "";

    @BeforeEach
    void useADirectoryOfOurOwn() {
        System.setProperty(RunDirectory.PROPERTY, directory.toString());
    }

    @AfterEach
    void forgetIt() {
        System.clearProperty(RunDirectory.PROPERTY);
    }

    @Test
    void aBadFileGetsItsLineAndCodeTwo() throws Exception {
        Path file = directory.resolve("bad.yaml");
        Files.writeString(
                file, "name: s1\nports:\n  - {name: p1, device: {afpacket: v1}, rat: 1}\n");
        assertThat(run("switch", "run", "-c", file.toString())).isEqualTo(2);
        assertThat(err).startsWith(file + ":3:").contains("rat").doesNotContain("\tat ");
        assertThat(run("switch", "run", "-c", directory.resolve("none").toString())).isEqualTo(2);
        assertThat(err).contains("no such file");
        assertThat(run("switch", "run")).isEqualTo(2);
        assertThat(err).contains("--config FILE is missing");
    }

    @Test
    void aFileOfAnotherKindIsNamedWithTheCommandThatTakesIt() throws Exception {
        Path file = directory.resolve("other.yaml");
        Files.writeString(file, "name: x\ntitle: an incast\ntopology: {switches: [s1]}\n");
        assertThat(run("switch", "run", "-c", file.toString())).isEqualTo(2);
        assertThat(err)
                .isEqualTo(
                        "headgate: %s is a scenario; 'headgate reproduce %s' runs it\n"
                                .formatted(file, file));
        Files.writeString(
                file, "name: a\nhosts: [{name: h1, tap: {interface: t}, device: {afpacket: x}}]\n");
        assertThat(run("switch", "run", "-c", file.toString())).isEqualTo(2);
        assertThat(err).contains("is of hosts; 'headgate host run -c ");
        Files.writeString(file, "{name: t, builder: {single-switch: {hosts: 2}}}");
        for (String command : new String[] {"switch", "host"}) {
            assertThat(run(command, "run", "-c", file.toString())).isEqualTo(2);
            assertThat(err)
                    .isEqualTo(
                            "headgate: %s is a topology; 'headgate topology %s' shows it\n"
                                    .formatted(file, file));
        }
        Files.writeString(file, "{name: s1, ports: [{name: p1, device: {afpacket: v1}}]}");
        assertThat(run("host", "run", "-c", file.toString())).isEqualTo(2);
        assertThat(err).contains("is a switch; 'headgate switch run -c ");
        // What is of the right kind keeps its own mistakes.
        Files.writeString(file, "{name: s1, hosts: [], ports: [{name: p1, device: {tap: 1}}]}");
        assertThat(run("switch", "run", "-c", file.toString())).isEqualTo(2);
        assertThat(err).startsWith(file + ":1:");
    }

    @Test
    void aDeviceThatIsNotThereGetsASentenceAndLeavesNothing() throws Exception {
        Path file = directory.resolve("s.yaml");
        Files.writeString(file, "{name: s1, ports: [{name: p1, device: {afpacket: hgnone0}}]}");
        assertThat(run("switch", "run", "--no-warm-up", "-c", file.toString())).isEqualTo(1);
        assertThat(err)
                .startsWith("headgate: port p1: there is no interface 'hgnone0'")
                .hasLineCount(1);
        assertThat(RunDirectory.names(RunDirectory.base())).isEmpty();
    }

    @Test
    void withoutASwitchCommandsSayHowToStartOne() {
        for (String[] command :
                new String[][] {
                    {"show", "ports"},
                    {"show", "fdb"},
                    {"top"},
                    {"capture", "all", "-w", "x.pcapng"},
                    {"switch", "stop"}
                }) {
            assertThat(run(command)).isEqualTo(1);
            assertThat(err)
                    .isEqualTo(
                            "headgate: no switch runs; start one with 'headgate switch run -c"
                                    + " FILE'\n");
        }
        assertThat(run("show", "ports", "--switch", "x")).isEqualTo(1);
        assertThat(err).isEqualTo("headgate: no switch named x runs\n");
        assertThat(run("show", "ports", "--watch", "soon")).isEqualTo(2);
        assertThat(err)
                .contains("'soon' is not a duration from 1ms to 24h, such as 500ms, 1s or 2m");
        assertThat(run("capture", "all", "-w", "x.pcapng", "-c", "0")).isEqualTo(2);
        assertThat(err).contains("--count 0 is not a number of frames; 1 or more");
        assertThat(run("show", "everything")).isEqualTo(2);
        assertThat(err).contains("allowed: ports, config, flow-control, pfc, pfc-priority, queue,");
    }

    @Test
    void aSwitchIsStoppedByItsNameAsAnywhereElse() throws Exception {
        try (SwitchDaemon s1 = start("s1");
                SwitchDaemon s2 = start("s2")) {
            assertThat(run("switch", "stop")).isEqualTo(1);
            assertThat(err)
                    .contains("several switches run (s1, s2); choose one with --switch NAME");
            assertThat(run("switch", "stop", "s1", "--switch", "s2")).isEqualTo(2);
            assertThat(err).contains("--switch s2 and s1 are two switches; name one");
            Thread stopped = closedWhenAsked(s2);
            assertThat(run("switch", "stop", "--switch", "s2")).isZero();
            stopped.join();
            stopped = closedWhenAsked(s1);
            assertThat(run("switch", "stop", "s1")).isZero();
            stopped.join();
        }
    }

    private static Thread closedWhenAsked(SwitchDaemon daemon) {
        return Thread.startVirtualThread(() -> {
            try {
                daemon.awaitStop();
                daemon.close();
            } catch (InterruptedException | DaemonException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void setChangesWhatIsInForceAndRefusesWhatCannotBe(@TempDir Path files) throws Exception {
        String yaml =
                "{name: s1, ports: [{name: p1, device: {memory: m}}, {name: p2, device: {memory:"
                        + " m}}]}";
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run("set", "s1", "p1.rate=2Gbps", "bridge.ageing=10s")).isZero();
            assertThat(out).isEqualTo("p1.rate: 1Gbps -> 2Gbps\nbridge.ageing: 300s -> 10s\n");
            assertThat(run("set", "p1.rate=2Gbps")).isZero();
            assertThat(out).isEqualTo("nothing to change: the values are already set\n");
            Path patch = files.resolve("patch.yaml");
            Files.writeString(patch, "p2:\n  rate: 3Gbps\n");
            assertThat(run("set", "s1", "-f", patch.toString(), "--json")).isZero();
            assertThat(out)
                    .contains("\"key\":\"p2.rate\",\"before\":\"1Gbps\",\"after\":\"3Gbps\"");
            assertThat(run("show", "config", "--switch", "s1")).isZero();
            assertThat(SwitchConfigReader.read(out, "shown").ports())
                    .extracting(PortConfig::rateBps)
                    .containsExactly(2_000_000_000L, 3_000_000_000L);
            assertThat(run("set", "s1", "p1.rate=5Gbps", "p1.lossless=[3]")).isEqualTo(2);
            assertThat(err).startsWith("set: p1.lossless: found [3]; allowed: ");
            Files.writeString(patch, "p2:\n  rate: fast\n");
            assertThat(run("set", "s1", "-f", patch.toString())).isEqualTo(2);
            assertThat(err).startsWith(patch + ":2:9: p2.rate: found \"fast\"; allowed: a rate");
            Files.write(patch, new byte[] {'p', (byte) 0xC3, '('});
            assertThat(run("set", "s1", "-f", patch.toString())).isEqualTo(2);
            assertThat(err).contains("this is not text in UTF-8");
            Files.writeString(patch, "#".repeat(60_001));
            assertThat(run("set", "s1", "-f", patch.toString())).isEqualTo(2);
            assertThat(err).contains("60001 bytes; allowed: 1 to 60000");
            assertThat(run("set", "s1")).isEqualTo(2);
            assertThat(run("set", "s2", "p1.rate=1Gbps")).isEqualTo(1);
            assertThat(run("show", "config", "--json")).isZero();
            assertThat(out).contains("\"rate\":\"2Gbps\"").contains("\"rate\":\"3Gbps\"");
        }
    }

    /**
     * What a newcomer copies from the help works at a switch whose configuration has only ports.
     */
    @Test
    void theExampleOfSetWorksAtThePlainestSwitch() throws Exception {
        assertThat(run("set", "--help")).isZero();
        String example =
                out.lines()
                        .filter(line -> line.startsWith("Example: headgate "))
                        .findFirst()
                        .orElseThrow();
        String[] words = example.substring("Example: headgate ".length()).split(" ");
        String yaml =
                "{name: s1, ports: [{name: p1, device: {memory: m}}, {name: p2, device: {memory: m}},"
                        + " {name: p3, device: {memory: n}}, {name: p4, device: {memory: n}}]}";
        SwitchConfig plain = SwitchConfigReader.read(yaml, "t");
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        plain,
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run(words)).as(err).isZero();
            assertThat(out).hasLineCount(words.length - 2).contains("p4.rate: 1Gbps -> 2Gbps");
        }
    }

    @Test
    void whatMayNotBeAtTheStartMayNotBeSetEither() throws Exception {
        String yaml =
                "{name: s1, address: 10.0.0.254/24, ports: [{name: p1, device: {memory: m},"
                        + " congestion: {rocc: {}}}, {name: p2, device: {memory: m}}]}";
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run("set", "s1", "p1.congestion.rocc.priorities=[6]")).isEqualTo(1);
            assertThat(err).contains("rocc sends notifications with priority").hasLineCount(1);
            assertThat(run("set", "s1", "p1.congestion.rocc.fmin=100Gbps")).isEqualTo(2);
            assertThat(err).contains("at most the port's rate, which is 1Gbps");
            assertThat(run("set", "s1", "p1.congestion.rocc.qref=60kB")).isZero();
        }
    }

    @Test
    void showsWhetherLosslessIsGuaranteedAndWhy() throws Exception {
        String yaml =
                "{name: s1, defaults: {flow-control: pfc}, ports: [{name: p1, device: {memory: m}},"
                        + " {name: p2, device: {memory: m}}]}";
        try (SwitchDaemon daemon =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, line -> {}))) {
            assertThat(daemon.running().ports()).hasSize(2);
            assertThat(run("show", "flow")).isZero();
            assertThat(out)
                    .startsWith("switch s1\nno flow control has been active yet\n")
                    // Together where one worker runs both.
                    .containsPattern("(ports p1, p2|port p1): lossless ")
                    .contains("guaranteed", "; margin ", "own reaction: ");
            assertThat(run("show", "flow-control", "--json")).isZero();
            JsonNode margins = JsonMapper.shared().readTree(out).get("margins");
            assertThat(margins.size()).isEqualTo(2);
            assertThat(margins.get(0).get("bytes").isIntegralNumber()).isTrue();
            // The port's peer sends no slower for it. What its workers took can only have grown.
            assertThat(run("set", "s1", "p1.rate=1Mbps")).isZero();
            assertThat(run("show", "flow-control", "--json")).isZero();
            assertThat(JsonMapper.shared().readTree(out).at("/margins/0/bytes").asLong())
                    .isLessThanOrEqualTo(margins.get(0).get("bytes").asLong());
        }
        assertThat(run("show", "flow", "--host", "h9")).isEqualTo(1);
        assertThat(err).isEqualTo("headgate: no host named h9 runs here\n");
        assertThat(run("host", "stats", "h9")).isEqualTo(1);
        assertThat(err).isEqualTo("headgate: no host named h9 runs here\n");
    }

    @Test
    void queuesOfAPolicyThatLaysOutASwitchAreShownPortByPort() throws Exception {
        Path file = directory.resolve("two.oq");
        Files.writeString(
                file,
                """
                import "standard.oq"
                qa = Queue(9000);
                qb = Queue(70);
                qa.procPrio = fifo;
                qb.procPrio = fifo;
                qb.congestion = tailDrop;
                oa = Port(qa);
                ob = Port(qb);
                """);
        SwitchConfig config = TestConfigs.memory("s1", "a", "b");
        Mechanisms.Use use =
                new FabricMechanism()
                        .use(
                                new FabricConfig(
                                        PolicyFile.read(file),
                                        PacketConfig.standard(PacketConfig.SizeUnit.BYTES),
                                        1));
        try (SwitchDaemon daemon =
                SwitchDaemon.start(
                        config.withMechanisms(config.mechanisms().with(use)),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, line -> {}))) {
            daemon.running().devices().wire("a").farEnd(1).inject(frame());
            while (json("policy", "stats", "--json").get(1).get("counts").get("total").asInt()
                    == 0) {
                Thread.sleep(1);
            }
            assertThat(run("policy", "stats", "--port", "b")).isZero();
            assertThat(out).containsPattern("(?m)^b +\\S+two.oq +qb +");
            assertThat(run("policy", "show", "--port", "b")).isZero();
            assertThat(out).contains("the switch's queues that lead to this port: qb\n");
        }
    }

    @Test
    void showsWhatARunningSwitchCountsAndKnows() throws Exception {
        try (SwitchDaemon daemon = start()) {
            assertThat(run("show", "drops")).isZero();
            assertThat(out).isEqualTo("switch s1\nno drops\n");
            assertThat(run("show", "drops", "--since", "10ms", "--switch", "s1")).isZero();
            assertThat(out).startsWith("no drops in 0.");
            assertThat(run("show", "fdb")).isZero();
            assertThat(out).isEqualTo("switch s1\nno addresses known\n");
            assertThat(run("show", "config")).isZero();
            assertThat(out).startsWith("name: s1\n");

            MemoryWire.FarEnd a = daemon.running().devices().wire("a").farEnd(1);
            a.inject(frame());
            a.inject(new byte[5]);
            while (daemon.running().fdb().isEmpty()
                    || daemon.running().counters().dropsAt("a") == 0) {
                Thread.sleep(1);
            }
            assertThat(run("show", "ports")).isZero();
            assertThat(out)
                    .startsWith(
                            "switch s1\nport   link  in (frames)  in (bytes)  out (frames)  out (bytes)  drops"
                                    + "  queue (bytes)  peak (bytes)\n");
            assertThat(out).containsPattern("(?m)^a +up +2 +65 +0 +0 +1 +0 +0$");
            assertThat(run("show", "fdb")).isZero();
            assertThat(out).containsPattern("1  02:00:00:00:00:01  a     learned");
            assertThat(run("show", "mac")).isZero();
            assertThat(out).containsPattern("1  02:00:00:00:00:01  a     learned");
            assertThat(run("show", "drops")).isZero();
            assertThat(out)
                    .isEqualTo(
                            """
                            switch s1
                            port  side  reason  frames  meaning
                            a     in    RUNT         1  shorter than an Ethernet header (14 bytes)
                            """);
            assertThat(run("show", "counters")).isZero();
            assertThat(out).contains("a in", "frames.received", "frames taken from the device");
            assertThat(run("show", "workers")).isZero();
            assertThat(out)
                    .contains("busy", "frame", "wake-up")
                    .containsPattern("(?m)^worker +\\(%\\) +\\(ns\\) +polls .*\\(µs\\)$");
            JsonNode json = json("show", "ports", "--json", "--since", "10ms");
            assertThat(json.at("/ports/0/port").asString()).isEqualTo("a");
            assertThat(json.get("seconds").asDouble()).isPositive();
            assertThat(json("show", "drops", "--json").at("/drops/0/reason").asString())
                    .isEqualTo("RUNT");
            assertThat(json("show", "fdb", "--json").at("/0/port").asString()).isEqualTo("a");
            assertThat(json("show", "workers", "--json").at("/workers/0/name").asString())
                    .isEqualTo("worker 0");
            assertThat(json("show", "counters", "--json").at("/counters/0/unit").asString())
                    .isNotEmpty();
        }
    }

    @Test
    void showsPausesQueuesAndWatermarksOfAllPortsOrOfSome() throws Exception {
        String yaml =
                "{name: s1, ports: [{name: p1, device: {memory: m}, flow-control: pfc},"
                        + " {name: p2, device: {memory: m}}]}";
        try (SwitchDaemon _ =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run("show", "pfc")).isZero();
            assertThat(out)
                    .startsWith(
                            "switch s1\nport   frames    PFC0  PFC1  PFC2  PFC3  PFC4  PFC5  PFC6  PFC7\n")
                    .containsPattern("(?m)^p1 +received( +0){8}$")
                    .containsPattern("(?m)^p2 +sent( +-){8}$");
            assertThat(run("show", "pfc", "p1")).isZero();
            assertThat(out).hasLineCount(4);
            assertThat(json("show", "pfc", "p1", "--json").at("/pfc/0/sent/7").asInt(-1)).isZero();
            assertThat(run("show", "queue", "p2")).isZero();
            assertThat(out).containsPattern("(?m)^p2( +0){6} +none$");
            assertThat(run("show", "queue", "counters", "p1")).isZero();
            assertThat(out)
                    .containsPattern("(?m)^p1 +UC0 +0 +0 +0.000 +0.000$")
                    .containsPattern("(?m)^p1 +UC7 ")
                    .doesNotContain("p2");
            assertThat(run("show", "queue-counters", "p2")).isZero();
            assertThat(out).containsPattern("(?m)^p2 +all +0 ");
            assertThat(json("show", "queue", "counters", "--json").at("/queues/7/queue").asString())
                    .isEqualTo("UC7");
            assertThat(run("show", "priority-group", "watermark")).isZero();
            assertThat(out)
                    .contains("port   PG0  PG1  PG2")
                    .containsPattern("(?m)^p1 ( +0){8}$")
                    .containsPattern("(?m)^p2 ( +-){8}$");
            assertThat(run("show", "pfc", "priority")).isZero();
            assertThat(out)
                    .containsPattern("(?m)^p1 +pfc +3 +off$")
                    .containsPattern("(?m)^p2 +none +none +off$");
            assertThat(run("show", "pfc", "asymmetric")).isZero();
            assertThat(run("show", "watermark", "--as", "sonic")).isZero();
            assertThat(out).contains("  SONiC").contains("cycle.longest");
            assertThat(run("show", "queue", "--as", "sonic")).isEqualTo(2);
            assertThat(err).contains("allowed is '--as sonic', with counters and watermark");
            assertThat(run("show", "counters", "--as", "eos")).isEqualTo(2);
            assertThat(out).isEmpty();
            assertThat(run("show", "queue", "p9", "--json")).isEqualTo(2);
            assertThat(Json.COMPACT.readTree(out).path("error").asString())
                    .isEqualTo("the switch has no port 'p9'; its ports are p1, p2, local");
            assertThat(run("show", "nothing", "--json")).isEqualTo(2);
            assertThat(Json.COMPACT.readTree(out).path("error").asString())
                    .startsWith("'nothing' cannot be shown; allowed: ports, ");
            assertThat(run("show", "ports", "p2")).isZero();
            assertThat(out).contains("p2").doesNotContainPattern("(?m)^p1");
            assertThat(run("show", "watermark")).isZero();
            assertThat(out).contains("cycle.longest");
            assertThat(run("clear")).isZero();
            assertThat(out).startsWith("watermarks are reset");
            assertThat(run("show", "queue", "p9")).isEqualTo(2);
            assertThat(err)
                    .isEqualTo(
                            "headgate: the switch has no port 'p9'; its ports are p1, p2, local\n");
            assertThat(run("show", "workers", "p1")).isEqualTo(2);
            assertThat(err)
                    .isEqualTo("headgate: 'workers' cannot be shown per port; leave 'p1' out\n");
            assertThat(run("show", "routes")).isEqualTo(1);
            assertThat(err)
                    .contains("switch s1 is a bridge and has no routes; 'headgate show fdb'");
            assertThat(run("show", "version")).isZero();
            assertThat(out).startsWith("switch s1\nheadgate ").contains("\nJVM 25");
        }
    }

    @Test
    void showsTheRoutesAndNeighboursOfARouter() throws Exception {
        String yaml =
                """
                name: r1
                mode: routed
                ports:
                  - {name: p1, device: {memory: m}, addresses: [10.0.1.1/24, "2001:db8:1::1/64"]}
                  - {name: p2, device: {memory: m}, addresses: 10.0.2.1/24}
                routed:
                  routes: [{prefix: 0.0.0.0/0, via: [10.0.1.2, 10.0.2.2]}]
                  neighbours: [{address: 10.0.2.2, mac: "02:00:00:00:00:07"}]
                """;
        try (SwitchDaemon r1 =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            while (!r1.running().areLinksUp()) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(run("show", "routes")).isZero();
            assertThat(out)
                    .isEqualTo(
                            """
                            switch r1
                            network          via                 port    state
                            10.0.1.0/24      directly            p1      up
                            2001:db8:1::/64  directly            p1      up
                            10.0.2.0/24      directly            p2      up
                            0.0.0.0/0        10.0.1.2, 10.0.2.2  p1, p2  up
                            """);
            assertThat(run("show", "neighbours")).isZero();
            assertThat(out).contains("10.0.2.2  02:00:00:00:00:07  p2");
            assertThat(run("show", "mac")).isEqualTo(1);
            assertThat(err)
                    .contains("switch r1 is a router and learns no MAC addresses")
                    .hasLineCount(1);
        }
    }

    @Test
    void capturesThroughTheSwitchAndRefusesWithASentence() throws Exception {
        try (SwitchDaemon _ = start()) {
            String file = directory.resolve("x.pcapng").toString();
            assertThat(run("capture", "c", "-w", file)).isEqualTo(1);
            assertThat(err)
                    .isEqualTo("headgate: switch s1 has no port 'c'; its ports are a, b, local\n");
            assertThat(run("capture", "all", "-w", file, "--filter", "prot udp")).isEqualTo(1);
            assertThat(err)
                    .startsWith("headgate: capture filter 'prot udp': 'prot' is not a known");
            assertThat(run("capture", "all", "-w", "/nowhere/x")).isEqualTo(1);
            assertThat(err).contains("there is no directory /nowhere");
            assertThat(run("capture", "all", "-w", file, "--duration", "20ms")).isZero();
            assertThat(err).isEqualTo("0 frames captured\n");
            assertThat(Files.size(Path.of(file))).isPositive();
        }
    }

    @Test
    void showsFramesInLinesAsTheyPassAndFiltersThemByTcpdumpsWords() throws Exception {
        try (SwitchDaemon daemon = start()) {
            MemoryWire.FarEnd a = daemon.running().devices().wire("a").farEnd(1);
            Thread frames =
                    Thread.startVirtualThread(() -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            a.inject(frame());
                            LockSupport.parkNanos(5_000_000);
                        }
                    });
            assertThat(run("capture", "a", "--direction", "in", "-c", "2")).isZero();
            assertThat(out)
                    .containsPattern(
                            "^[0-9:]{8}[.][0-9]{9} a in  02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff, "
                                    + ".*, 60 bytes\n")
                    .hasLineCount(2);
            assertThat(err).startsWith("2 frames captured");
            assertThat(run("capture", "a", "not", "ether", "src", "02:00:00:00:00:01"))
                    .isEqualTo(1);
            assertThat(err).contains("'ether' must be followed by 'host MAC'");
            String[] words = {"capture", "pfc", "or", "arp", "--duration", "50ms"};
            assertThat(run(words)).isZero();
            assertThat(out).isEmpty();
            assertThat(err).contains("0 frames captured", "kept out by the filter");
            frames.interrupt();
            frames.join();
        }
    }

    @Test
    void reloadTakesWhatDiffersInTheFileAllOfItOrNothing(@TempDir Path files) throws Exception {
        Path file = files.resolve("s1.yaml");
        String yaml =
                """
                name: s1
                ports: [{name: p1, device: {memory: m}}, {name: p2, device: {memory: m}}]
                """;
        Files.writeString(file, yaml);
        try (SwitchDaemon daemon =
                SwitchDaemon.start(
                        SwitchConfigReader.read(file),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}))) {
            assertThat(run("reload")).isEqualTo(1);
            assertThat(err).contains("switch s1 was not started from a file");
            daemon.source(file);
            assertThat(run("reload", "s1")).isZero();
            assertThat(out).isEqualTo("nothing to change: the values are already set\n");
            Files.writeString(file, yaml.replace("m}}]", "m}, rate: 2Gbps}]"));
            assertThat(run("reload")).isZero();
            assertThat(out).isEqualTo("p2.rate: 1Gbps -> 2Gbps\n");
            Files.writeString(file, yaml.replace("m}}]", "m}, rate: 3Gbps, mtu: 1400}]"));
            assertThat(run("reload")).isEqualTo(2);
            assertThat(err)
                    .contains("p2.mtu: found 1400; allowed: 1500, until the switch restarts");
            Files.writeString(file, yaml.replace("}}]", "}, rate: fast}]"));
            assertThat(run("reload")).isEqualTo(2);
            assertThat(err).contains("s1.yaml:2:", "ports[1].rate: found \"fast\"");
            assertThat(run("show", "config", "--json")).isZero();
            assertThat(out).contains("\"rate\":\"2Gbps\"").doesNotContain("1400");
        }
    }

    @Test
    void devicesAndDoctorAnswerOnAnyMachine() throws Exception {
        assertThat(run("devices")).isZero();
        assertThat(out).contains("afpacket", "afxdp", "vxlan", "usable here", "lo");
        assertThat(json("devices", "--json").at("/kinds/0/kind").asString()).isEqualTo("afpacket");
        assertThat(run("doctor", "--netns", "hgnone")).isEqualTo(1);
        assertThat(err).contains("there is no network namespace 'hgnone'").hasLineCount(1);
    }

    @Test
    void doctorLooksAtTheInterfacesOfHostsToo() throws Exception {
        Path hosts = directory.resolve("hosts.yaml");
        Files.writeString(
                hosts,
                """
                name: a
                hosts: [{name: h1, tap: {interface: t1}, device: {afpacket: hgnone0}}]
                """);
        assertThat(run("doctor", "-c", hosts.toString())).isEqualTo(1);
        assertThat(out).contains("hgnone0");
        String text = out;
        assertThat(run("doctor", "-c", hosts.toString(), "--json")).isEqualTo(1);
        JsonNode problems = JsonMapper.shared().readTree(out).get("problems");
        assertThat(problems).anyMatch(one -> one.get("where").asString().contains("hgnone0"));
        // What else is found depends on the machine.
        boolean isMendable = false;
        for (JsonNode problem : problems) {
            isMendable |= !problem.get("command").isEmpty();
        }
        assertThat(text.contains("--fix")).isEqualTo(isMendable);
        assertThat(text.contains("none of them can be fixed by a command")).isEqualTo(!isMendable);
        Files.writeString(hosts, "name: a\nhosts: [{name: h1, device: {afpacket: x}}]\n");
        assertThat(run("doctor", "-c", hosts.toString())).isEqualTo(2);
        assertThat(err).contains("hosts[0].tap").doesNotContain("ports");
    }

    private SwitchDaemon start() throws Exception {
        return start("s1");
    }

    private SwitchDaemon start(String name) throws Exception {
        return SwitchDaemon.start(
                TestConfigs.memory(name, "a", "b"),
                RunDirectory.base(),
                new SwitchOptions(false, true, null, line -> {}));
    }

    @Test
    void helpNamesNoClassOfOurs() {
        List<String> descriptions =
                descriptions(Headgate.commandLine(ServiceLoader.load(CommandProvider.class)))
                        .toList();
        assertThat(descriptions).contains("Prints one line of JSON, for programs.");
        assertThat(descriptions).noneMatch(text -> text.contains("Json."));
    }

    /** Descriptions of options and positional parameters, also of all commands below this one. */
    private static Stream<String> descriptions(CommandLine command) {
        return Stream.concat(
                command.getCommandSpec().args().stream()
                        .flatMap(arg -> Stream.of(arg.description())),
                command.getSubcommands().values().stream().flatMap(CommandsTest::descriptions));
    }

    private JsonNode json(String... args) {
        assertThat(run(args)).isZero();
        return JsonMapper.shared().readTree(out);
    }

    private int run(String... args) {
        HeadgateForTests.Ran ran = HeadgateForTests.run(args);
        out = ran.out();
        err = ran.err();
        return ran.code();
    }

    private static byte[] frame() {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) (BROADCAST >>> 32)).putInt((int) BROADCAST);
        frame.putShort((short) (HOST >>> 32)).putInt((int) HOST);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
