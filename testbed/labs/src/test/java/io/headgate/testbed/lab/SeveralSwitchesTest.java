package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.RunReport;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.outage.Pings;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.scenario.trace.TraceEventForm;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import io.headgate.testbed.topology.Topology;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/**
 * A lab of three switches in a ring with a host each, put up once: all hosts ping all, then two of
 * them send more to the third than its link carries, and the switches pause each other.
 */
@Tag("netns")
class SeveralSwitchesTest {
    private static final String PFC =
            "{classify: {trust: dscp}, flow-control: pfc, lossless: [3], buffers: {xoff: 20kB}}";
    private static final long TIMEOUT_MS = 60_000;
    private static final long CLOCKS_APART_NS = 20_000;

    /** Frames for h2 that appear on the link from s1 to s2, and that s1 has not sent. */
    private static final int STRAY_FRAMES = 7;

    private static final String STRAY =
            """
            import socket
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            s.bind(("p2", 0))
            for i in range(%d):
                s.send(bytes.fromhex("026867000002" "0268670000ff" "88b6") + bytes(60))
            """
                    .formatted(STRAY_FRAMES);

    @TempDir private static Path directory;

    private static final String PREFIX = "hgr" + ProcessHandle.current().pid() + "-";
    private static final ByteArrayOutputStream SAID = new ByteArrayOutputStream();
    private static final RunReport REPORT = new RunReport("test");

    private static TraceEventsOption traces;
    private static String traced;
    private static LabNetwork lab;
    private static NetnsNetwork network;
    private static LabSwitches switches;
    private static LabCapture capture;
    private static HostCounters hosts;
    private static LabCounters counters;
    private static Balance balance;
    private static List<Iperf3.Outcome> outcomes;
    private static List<Drop> drops;

    private static LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    private static Path events() {
        return directory.resolve("events.json");
    }

    @BeforeAll
    static void runsARing() throws Exception {
        Path report = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "single",
                        "backoff",
                        "50Mbps",
                        1,
                        1500,
                        false,
                        false,
                        report,
                        report,
                        PREFIX,
                        7,
                        false);
        LinkSpec link = LinkSpec.of(50_000_000, 0);
        Topology ring =
                Topologies.ring(3, 1, Turn.SHORTEST, link, link)
                        .withMode(Mode.BRIDGE)
                        .withPorts(PortTrafficReader.read(PFC));
        NetnsNetwork.Options how =
                NetnsNetwork.Options.of(PREFIX, 7)
                        .withAdjust(plan ->
                                plan.withAddresses(LabPlan.ADDRESSES).withSwitchPrefix(PREFIX));
        Progress progress = new Progress(new PrintStream(SAID, true, StandardCharsets.UTF_8));
        MetricsOption metrics = CommandLine.populateCommand(new MetricsOption(), "--metrics", "0");
        traces =
                CommandLine.populateCommand(
                        new TraceEventsOption(), "--trace-events", events().toString());
        lab = new LabNetwork(options, records(), progress, metrics, traces, new LabChanges(0));
        var privilege =
                lab.prepare(EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV, Tool.IPERF3, Tool.TSHARK));
        network = lab.build(ring, how, privilege);
        switches = lab.startSwitches(network);
        lab.awaitLinks(switches);
        capture = lab.capture(switches, report.resolve("capture.pcapng"));
        hosts = new HostCounters(network);
        HostCounters.Baseline baseline = hosts.baseline(switches);
        capture.open();
        new Pings(network, REPORT, progress::say).all();
        capture.shut();
        List<Flow> flows =
                List.of(
                        ReadyLabs.lossless(1, 3, link.rateBps()),
                        ReadyLabs.lossless(2, 3, link.rateBps()));
        LabCounters before = LabCounters.of(switches);
        long halfNs = TimeUnit.SECONDS.toNanos(options.seconds()) / 2;
        capture.openAfter(halfNs, switches, true);
        outcomes = Iperf3.run(network, Protocol.UDP, flows, options.seconds());
        capture.awaitMoment();
        LockSupport.parkNanos(RealTimeEngine.KERNEL_DROPS_KNOWN_NS);
        drops = LabCounters.of(switches).since(before).drops();
        balance = hosts.settle(switches, baseline);
        counters = LabCounters.of(switches).since(baseline.counters());
        capture.close();
        traced = traces.end();
    }

    @AfterAll
    static void nothingIsLeft() throws Exception {
        // As a signal does, while the lab's thread may ask what was counted.
        lab.end();
        assertThat(LabCounters.of(switches).since(counters).bySwitch()).hasSize(3);
        lab.close();
        assertThat(switches.all()).isEmpty();
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(PREFIX));
        assertThat(records().all()).isEmpty();
        assertThat(SwitchClient.running(List.of(RunDirectory.base())))
                .noneMatch(one -> one.name().startsWith(PREFIX));
    }

    private static long value(Scope scope, String port, CounterId id) {
        return switches.ports().stream()
                .filter(one -> one.name().equals(port))
                .mapToLong(one -> counters.value(scope, one, id))
                .sum();
    }

    @Test
    void everyHostReachesEveryOtherThoughNothingIsFlooded() {
        assertThat(REPORT.problems()).as(REPORT.toText()).isEmpty();
        assertThat(REPORT.toText()).contains("6 of 6 pairs reachable");
        assertThat(counters.total(Scope.INGRESS, IngressCounter.FRAMES_COPIED)).isZero();
    }

    @Test
    void everyFrameIsAccountedForAlsoBetweenSwitches() {
        assertThat(balance.problems()).as(balance.toString()).isEmpty();
        assertThat(balance.ports())
                .extracting(Balance.PortBalance::port)
                .containsExactly(
                        "s1/p1", "s1/p2", "s1/p3", "s2/p1", "s2/p2", "s2/p3", "s3/p1", "s3/p2",
                        "s3/p3");
        assertThat(balance.ports()).allMatch(port -> port.hostSent() > 0);
    }

    @Test
    void allSwitchesAreServedToPrometheus() throws Exception {
        Matcher url =
                Pattern.compile("metrics at (http://\\S+)")
                        .matcher(SAID.toString(StandardCharsets.UTF_8));
        assertThat(url.find()).isTrue();
        try (HttpClient client = HttpClient.newHttpClient()) {
            String body =
                    client.send(
                                    HttpRequest.newBuilder(URI.create(url.group(1))).build(),
                                    BodyHandlers.ofString())
                            .body();
            for (RunningSwitch one : switches.all()) {
                assertThat(body).contains("switch=\"" + one.config().name() + "\"");
            }
        }
    }

    /** A process for each. */
    @Test
    void whatTheWorkersOfAllSwitchesDidIsInOneFile() throws Exception {
        assertThat(traced)
                .matches(
                        "trace events: \\Q"
                                + events()
                                + "\\E: [0-9]{3,} intervals of [1-9][0-9.]* s.*; ui\\.perfetto\\.dev"
                                + " opens it");
        Map<String, Integer> processes = new HashMap<>();
        Map<Integer, Set<String>> did = new HashMap<>();
        for (JsonNode event : TraceEventForm.check(events())) {
            if (event.get("name").asString().equals("process_name")) {
                processes.put(event.get("args").get("name").asString(), event.get("pid").asInt());
            } else {
                did.computeIfAbsent(event.get("pid").asInt(), _ -> new HashSet<>())
                        .add(event.get("name").asString());
            }
        }
        assertThat(processes)
                .containsOnlyKeys(switches.all().stream().map(one -> one.config().name()).toList());
        assertThat(did).hasSize(3);
        assertThat(did.values())
                .allSatisfy(
                        names -> assertThat(names).contains("p1.ingress", "p3.egress", "flush"));
    }

    /** What a switch counts is its own, and the far end of a link counts the same. */
    @Test
    void switchesCountForThemselvesAndAgreeOnTheirLinks() {
        long sent = value(Scope.EGRESS, "s1/p3", EgressCounter.FRAMES_TRANSMITTED);
        long control = value(Scope.EGRESS, "s1/p3", EgressCounter.LINK_CONTROL_TRANSMITTED);
        assertThat(sent).isPositive();
        assertThat(value(Scope.INGRESS, "s3/p3", IngressCounter.FRAMES_RECEIVED))
                .isEqualTo(sent + control);
        assertThat(value(Scope.INGRESS, "s2/p3", IngressCounter.FRAMES_RECEIVED))
                .isNotEqualTo(sent);
    }

    @Test
    void aSwitchThatIsCongestedPausesBothOthers() {
        assertThat(outcomes).allMatch(flow -> flow.problem() == null);
        Map<String, String> links = Map.of("s1/p3", "s3/p3", "s2/p3", "s3/p2");
        links.forEach((near, far) -> {
            long received = value(Scope.INGRESS, near, IngressCounter.LINK_CONTROL_RECEIVED);
            assertThat(received)
                    .as(near)
                    .isEqualTo(value(Scope.EGRESS, far, EgressCounter.LINK_CONTROL_TRANSMITTED));
            // Hosts do not obey, so what they are asked not to send is lost where they send it:
            // unless the machine let them send one after the other.
            String host = near.replace("p3", "p1");
            if (drops.stream().anyMatch(drop -> drop.port().equals(host))) {
                assertThat(received).as(near).isPositive();
            }
        });
    }

    @Test
    void framesThatNoSwitchSentAreNoticedAtTheLinkWhereTheyAppear() throws Exception {
        HostCounters.Baseline before = hosts.baseline(switches);
        Programs.Result sent =
                network.programs()
                        .run(
                                network.switchNetns(0),
                                TIMEOUT_MS,
                                List.of("/usr/bin/python3", "-c", STRAY));
        assertThat(sent.ok()).as(sent.output()).isTrue();
        List<String> expected =
                List.of(
                        "port s2/p2: of 0 frames sent to it, -"
                                + STRAY_FRAMES
                                + " are not accounted for");
        LabNetwork.await(() -> problems(before).equals(expected));
        assertThat(problems(before)).isEqualTo(expected);
    }

    private static List<String> problems(HostCounters.Baseline before) {
        try {
            return hosts.balance(switches, before).problems();
        } catch (BedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everySwitchHasACaptureOfItsOwnInWhichAFrameCanBeFollowed() throws Exception {
        List<Path> files = capture.parts().stream().map(LabCapture.Part::file).toList();
        assertThat(files)
                .extracting(file -> String.valueOf(file.getFileName()))
                .containsExactly("capture-s1.pcapng", "capture-s2.pcapng", "capture-s3.pcapng");
        assertThat(echoRequests(files.get(0), "p1")).isEqualTo(3);
        assertThat(echoRequests(files.get(0), "p2")).isEqualTo(3);
        assertThat(echoRequests(files.get(1), "p2")).isEqualTo(3);
        assertThat(echoRequests(files.get(1), "p1")).isEqualTo(3);
        assertThat(echoRequests(files.get(2), "p1")).isZero();
    }

    /** Engines count from when they began, to whole milliseconds of the clock on the wall. */
    @Test
    void capturesOfAllSwitchesGoByOneClock() {
        for (int node = 1; node < 3; node++) {
            long before = timeNs(0);
            long between = timeNs(node);
            long after = timeNs(0);
            assertThat(between).isBetween(before - CLOCKS_APART_NS, after + CLOCKS_APART_NS);
        }
    }

    /** What a switch's capture would say of a frame now, in ns since 1970. */
    private static long timeNs(int node) {
        return capture.parts().get(node).epochNs() + switches.all().get(node).realTime().nowNs();
    }

    /** How many requests from h1 to h2 were seen at a port. */
    private static long echoRequests(Path file, String port) throws Exception {
        String filter =
                "icmp.type == 8 && ip.dst == 10.99.0.2 && ip.src == 10.99.0.1"
                        + " && frame.interface_name == \""
                        + port
                        + "\"";
        List<String> command =
                List.of(
                        "tshark",
                        "-n",
                        "-r",
                        file.toString(),
                        "-Y",
                        filter,
                        "-T",
                        "fields",
                        "-e",
                        "frame.number");
        String said = network.programs().run(null, TIMEOUT_MS, command).output();
        return said.lines().filter(line -> line.matches("[0-9]+")).count();
    }
}
