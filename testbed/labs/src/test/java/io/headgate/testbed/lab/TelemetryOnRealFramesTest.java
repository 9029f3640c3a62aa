package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.ExplainCommand;
import io.headgate.control.cli.ShowCommand;
import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.LabRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The shipped lab of in-band telemetry, and what its captures on both sides of each port say of the
 * records that the port wrote.
 */
@Tag("netns")
class TelemetryOnRealFramesTest {
    private static final Path LAB = Path.of("examples/labs/telemetry.yaml");
    private static final int MTU = 1500;
    private static final int ETHERNET_BYTES = 14;

    private final String prefix = "hgt" + ProcessHandle.current().pid() + "-";

    @TempDir private Path directory;
    private long longestQueueBytes;

    @AfterEach
    void nothingIsLeft() {
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
    }

    /** Runs it; what each command printed comes back, or what the lab found wrong. */
    private List<String> run(String lab) throws Exception {
        String text =
                lab.replace("testbed/examples", "examples")
                        .replace("reaction: 50ms", "reaction: 100ms")
                        .replace("./headgate", "HEADGATE_NO_BUILD=1 ../headgate")
                        .replace("--host h3", "--host " + prefix + "h3")
                        .replace("path h1 h3", "path " + prefix + "h1 " + prefix + "h3")
                        .replace("--switch s", "--switch " + prefix + "s")
                        .replace("headgate set s", "headgate set " + prefix + "s");
        OwnLabSpec spec = OwnLabReader.read(text, "telemetry.yaml");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "single",
                        "backoff",
                        "1Gbps",
                        spec.seconds(),
                        MTU,
                        false,
                        false,
                        directory,
                        directory,
                        prefix,
                        7,
                        false);
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (OwnLab own =
                new OwnLab(List.of(spec), 1, options, records, "headgate lab test", nowhere)) {
            own.endEarly();
            RunReport report = own.run();
            assertThat(report.problems()).as(report.toText()).isEmpty();
        }
        List<String> said = new ArrayList<>();
        for (Path file : files("command-")) {
            said.add(Files.readString(file));
        }
        return said;
    }

    private List<Path> files(String start) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            Objects.toString(file.getFileName()).startsWith(start)
                                    && !Files.isDirectory(file))
                    .sorted()
                    .toList();
        }
    }

    /** A frame with telemetry at a port, as tshark reads it. */
    private record Seen(
            String port,
            boolean isLeaving,
            long atNs,
            int bytes,
            int ipBytes,
            int udpBytes,
            boolean foundTooLong,
            List<Hop> hops) {}

    /** A hop's record. The newest record of a frame comes first. */
    private record Hop(long node, long leftNs, long latencyNs, long queueBytes) {
        long cameNs() {
            return leftNs - latencyNs;
        }
    }

    private static final List<String> FIELDS =
            List.of(
                    "frame.interface_name",
                    "frame.packet_flags",
                    "frame.time_epoch",
                    "frame.len",
                    "ip.len",
                    "ipv6.plen",
                    "udp.length",
                    "headgate.int.mtu",
                    "headgate.int.node",
                    "headgate.int.time",
                    "headgate.int.latency",
                    "headgate.int.queue_bytes",
                    "ipv6.opt.ioam.trace.node.id",
                    "ipv6.opt.ioam.trace.node.tss",
                    "ipv6.opt.ioam.trace.node.tsf",
                    "ipv6.opt.ioam.trace.node.trdelay",
                    "ipv6.opt.ioam.trace.node.qdepth",
                    "ip.checksum.status",
                    "_ws.malformed");

    /** All frames with telemetry of a switch's capture, in order. */
    private List<Seen> seen(Path capture, String filter) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
        command.addAll(List.of("-X", "lua_script:../config/wireshark/headgate.lua"));
        command.addAll(List.of("-o", "ip.check_checksum:TRUE", "-T", "fields"));
        command.addAll(List.of("-Y", filter));
        FIELDS.forEach(field -> command.addAll(List.of("-e", field)));
        Path errors = directory.resolve("tshark.txt");
        Process tshark = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(tshark.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tshark.waitFor()).as(Files.readString(errors)).isZero();
        return output.lines().map(line -> seen(line.split("\t", -1))).toList();
    }

    private static Seen seen(String[] cells) {
        assertThat(cells[18]).as("malformed: %s", (Object) cells).isEmpty();
        assertThat(cells[17]).as("checksum: %s", (Object) cells).isIn("", "1");
        boolean isIpv6 = cells[4].isEmpty();
        String[] time = cells[2].split("\\.");
        List<Hop> hops = new ArrayList<>();
        long[][] ofInt = {all(cells[8]), all(cells[9]), all(cells[10]), all(cells[11])};
        long[] ioamNodes = all(cells[12]);
        for (int i = 0; i < ofInt[0].length; i++) {
            hops.add(new Hop(ofInt[0][i], ofInt[1][i], ofInt[2][i], ofInt[3][i]));
        }
        for (int i = 0; i < ioamNodes.length; i++) {
            long leftNs = all(cells[13])[i] * 1_000_000_000 + all(cells[14])[i];
            hops.add(new Hop(ioamNodes[i], leftNs, all(cells[15])[i], all(cells[16])[i]));
        }
        return new Seen(
                cells[0],
                cells[1].endsWith("2"),
                Long.parseLong(time[0]) * 1_000_000_000 + Long.parseLong(time[1]),
                Integer.parseInt(cells[3]),
                isIpv6 ? 40 + Integer.parseInt(cells[5]) : Integer.parseInt(cells[4]),
                Integer.parseInt(cells[6]),
                cells[7].equals("1") || cells[7].equals("True"),
                hops);
    }

    private static long[] all(String values) {
        return values.isEmpty()
                ? new long[0]
                : Arrays.stream(values.split(",")).mapToLong(Long::decode).toArray();
    }

    /**
     * What each port wrote, against who came and left: the queue behind each frame is what left
     * after it and had come before, to the byte. A capture's times are of the machine's clock as a
     * frame is captured, and a record's those of the cycle before, so of times only the order is
     * compared.
     *
     * @return how many frames with a record of the port left by each
     */
    private Map<String, Integer> checked(Path capture, int mostBytes) throws Exception {
        Map<String, List<Seen>> left = new TreeMap<>();
        for (Seen frame : seen(capture, "headgate_int or ipv6.opt.ioam.trace.ns")) {
            assertThat(frame.bytes).isEqualTo(ETHERNET_BYTES + frame.ipBytes);
            assertThat(frame.bytes).isLessThanOrEqualTo(ETHERNET_BYTES + mostBytes);
            assertThat(frame.udpBytes).isLessThanOrEqualTo(frame.ipBytes - 20);
            if (frame.isLeaving && !frame.hops.isEmpty()) {
                left.computeIfAbsent(frame.port, _ -> new ArrayList<>()).add(frame);
            }
        }
        Map<String, Integer> counted = new TreeMap<>();
        left.forEach((port, frames) -> {
            long node = frames.getFirst().hops.getFirst().node;
            List<Seen> own =
                    frames.stream().filter(one -> one.hops.getFirst().node == node).toList();
            for (int i = 0; i < own.size(); i++) {
                Hop hop = own.get(i).hops.getFirst();
                long behind = 0;
                for (int j = i + 1; j < own.size(); j++) {
                    Hop later = own.get(j).hops.getFirst();
                    if (j == i + 1) {
                        assertThat(later.leftNs).isGreaterThanOrEqualTo(hop.leftNs);
                    }
                    if (later.cameNs() > hop.leftNs) {
                        break;
                    }
                    behind += own.get(j).bytes;
                }
                longestQueueBytes = Math.max(longestQueueBytes, behind);
                assertThat(hop.queueBytes)
                        .as(
                                "frame %s of %s, before %s",
                                i, port, own.subList(i, Math.min(i + 4, own.size())))
                        .isEqualTo(behind);
            }
            counted.put(port, own.size());
        });
        return counted;
    }

    private static String lab(int seconds, int packetsEach) throws IOException {
        return Files.readString(LAB)
                .replaceAll("duration: 7s", "duration: " + seconds + "s")
                .replaceAll("take 2000", "take " + 2 * packetsEach)
                .replaceAll("send h3 1000", "send h3 " + packetsEach);
    }

    /**
     * The same, each command as soon as that before it is so far, not at a time: packets are sent
     * once there is a socket to take them, and {@link #known} asks once they have come.
     */
    private String inOrder(String lab) {
        String take = "python3 testbed/examples/labs/roce.py take [0-9]+";
        String send = "python3 testbed/examples/labs/roce.py send h3 [0-9]+";
        String listens = "until grep -q ' 0003 ' /proc/net/packet; do sleep 0.05; done";
        return lab.replace("start: 1s, ", "")
                .replaceAll(
                        "run: (" + take + ")",
                        "run: \"(%s; touch %s) & $1 | tee %s\""
                                .formatted(
                                        listens,
                                        directory.resolve("listens"),
                                        directory.resolve("took")))
                .replaceAll("run: (" + send + ")", "run: \"" + after("listens") + "$1\"")
                .replaceAll(
                        "start: 3s, run: .*}",
                        "run: \"%scat %s\"}".formatted(after("known"), directory.resolve("known")));
    }

    private String after(String file) {
        return "until test -e %s; do sleep 0.05; done; ".formatted(directory.resolve(file));
    }

    /** What the example's last command says, without a Java machine to start for it. */
    private void known() {
        Path took = directory.resolve("took");
        LabNetwork.await(() -> took.toFile().length() > 0);
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        new CommandLine(new ShowCommand())
                .setOut(out)
                .setErr(out)
                .execute("telemetry", "--host", prefix + "h3");
        new CommandLine(new ExplainCommand())
                .setOut(out)
                .setErr(out)
                .execute("path", prefix + "h1", prefix + "h3");
        try {
            Path whole = Files.writeString(directory.resolve("knowing"), said.toString());
            Files.move(whole, directory.resolve("known"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The shipped lab, shorter: all of its packets are of the MTU or shorter, and grow on. */
    @Test
    void packetsComeAsTheyWereSentAndTheirHostKnowsTheirWays() throws Exception {
        Thread asking = Thread.ofPlatform().daemon().start(this::known);
        List<String> said = run(inOrder(lab(20, 400)));
        asking.join();
        assertThat(said.getFirst())
                .isEqualTo("400 packets over IPv4, 400 over IPv6; wrong: none\n");
        assertThat(said.getLast())
                .contains("UDP 10.99.0.1:50000 to 10.99.0.3:4791: 200 frames")
                .contains("UDP [fd00:0:0:0:0:0:0:2]:50001 to [fd00:0:0:0:0:0:0:3]:4791: 200 frames")
                .containsPattern(
                        "h1 to \\S+h3: UDP (?s).* and 1 other flow.*s1: p1 to p2, .*s2: p2 to")
                .containsPattern("s3: p2 to p1, [0-9.,]+ us in the switch, [0-9,]+ bytes waited");
        int most = MTU + 16 + 5 * 32;
        List<Path> captures = files("capture-");
        assertThat(captures).hasSize(3);
        assertThat(checked(captures.get(0), most)).isEqualTo(Map.of("p2", 400));
        assertThat(checked(captures.get(1), most)).isEqualTo(Map.of("p3", 800));
        assertThat(checked(captures.get(2), most)).isEqualTo(Map.of("p1", 800));
    }

    /** IOAM is in packets of IPv6 alone. */
    @ParameterizedTest
    @ValueSource(strings = {"int-md", "ioam"})
    @Tag("long")
    void queuesOfTenThousandFramesAreThoseOfTheCaptures(String encoding) throws Exception {
        List<String> said = run(lab(15, 5_000).replace("int-md", encoding));
        assertThat(said.getFirst())
                .isEqualTo("5000 packets over IPv4, 5000 over IPv6; wrong: none\n");
        int written = encoding.equals("ioam") ? 2_500 : 5_000;
        int most = MTU + 16 + 5 * 32;
        List<Path> captures = files("capture-");
        if (encoding.equals("int-md")) {
            assertThat(checked(captures.get(0), most)).isEqualTo(Map.of("p2", written));
            assertThat(checked(captures.get(1), most)).isEqualTo(Map.of("p3", 2 * written));
            assertThat(checked(captures.get(2), most)).isEqualTo(Map.of("p1", 2 * written));
            assertThat(longestQueueBytes).isGreaterThan(10 * MTU);
            return;
        }
        for (int at = 0; at < captures.size(); at++) {
            List<Seen> seen = seen(captures.get(at), "ipv6.opt.ioam.trace.ns");
            List<Seen> left = seen.stream().filter(Seen::isLeaving).toList();
            assertThat(left).hasSize(at == 0 ? written : 2 * written);
            assertThat(left)
                    .allMatch(one -> !one.hops.isEmpty() && one.hops.getFirst().latencyNs >= 0)
                    .allMatch(one -> one.bytes == ETHERNET_BYTES + one.ipBytes);
        }
    }

    /**
     * Nothing is longer than the MTU, which packets say that had no room (M); a switch without
     * telemetry on the way; and telemetry of seven kinds that does not hold together.
     */
    @Test
    @Tag("long")
    void whatHasNoRoomWhatIsSilentAndWhatIsForgedIsNamed() throws Exception {
        String text = Files.readString(LAB).replace("int-md", "int-md, within-mtu: true");
        List<String> said =
                run(
                        text.substring(0, text.indexOf("commands:"))
                                        .replace("duration: 7s", "duration: 20s")
                                + """
                                commands:
                                  - {at: h2, run: ./headgate set s2 p3.congestion.telemetry.enabled=false}
                                  - {at: h3, run: python3 testbed/examples/labs/roce.py take 999}
                                  - {at: h1, start: 5s, run: python3 testbed/examples/labs/roce.py send h3 999}
                                  - {at: h3, start: 8s, run: ./headgate explain path h1 h3}
                                  - {at: h1, start: 12s, run: python3 testbed/examples/labs/roce.py forge h3 700}
                                  - at: h3
                                    start: 14s
                                    run: |
                                      ./headgate show drops --host h3
                                      ./headgate show congestion --switch s1
                                      ./headgate show congestion --switch s3
                                """);
        assertThat(said.get(1)).isEqualTo("500 packets over IPv4, 499 over IPv6; wrong: none\n");
        assertThat(said.get(3))
                .containsSubsequence("s1: p1 to p2", "s2: wrote nothing", "s3: p2 to p1");
        assertThat(said.get(5))
                .containsPattern("h3.wire +in +MALFORMED_TELEMETRY +700 ")
                .containsPattern("p2 +3 +0 +333 +0 +333 +700 +0 +[0-9]+")
                .containsPattern("p1 +3 +0 +333 +0 +333 +700 +0 +[0-9]+");
        int tooLong = 0;
        for (Path capture : files("capture-")) {
            for (Seen frame : seen(capture, "headgate_int and not _ws.malformed")) {
                assertThat(frame.ipBytes).isLessThanOrEqualTo(MTU);
                tooLong += frame.foundTooLong ? 1 : 0;
            }
        }
        // As they leave s1, come to and leave s2 and s3.
        assertThat(tooLong).isEqualTo(5 * 333);
    }
}
