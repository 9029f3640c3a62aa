package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.IcrcOracle;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What switches and hosts write about congestion, read by tshark field by field, in runs in virtual
 * time: QCN's messages, and InfiniBand's FECN and BECN.
 */
class CongestionOnTheWireTest {
    private static final int FRAME_BYTES = 1_082;
    private static final String RELIABLE = "transport: rocev2, verb: write, payload: stored";

    @TempDir private Path directory;

    /** Runs three senders to one receiver; the capture of a link comes back. */
    private Path run(String link, String ports, String ecn, String control) throws Exception {
        Path file = directory.resolve("wire.pcapng");
        String text =
                """
                name: wire
                duration: 2ms
                topology:
                  name: star
                  builder: {single-switch: {hosts: 4}}
                  link: {rate: 10Gbps, delay: 1us}
                  ports: {classify: {trust: dscp}, lossless: [3], %s}
                traffic:
                  - {name: f, from: [h1, h2, h3], to: h4, %s, dscp: 26, frame: %dB, ecn: %s,
                     control: {%s}}
                """
                        .formatted(ports, RELIABLE, FRAME_BYTES, ecn, control);
        VirtualBed.run(
                ScenarioReader.define(text, "wire.yaml").experiment(), 1, new QuietRun(link, file));
        return file;
    }

    /** Fields of each frame in a capture, by their names. */
    private static List<Map<String, String>> tshark(Path file, String... names) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of("-X", "lua_script:../config/wireshark/headgate.lua"));
        command.addAll(
                List.of("-o", "ip.check_checksum:TRUE", "-T", "fields", "-E", "separator=|"));
        for (String name : names) {
            command.addAll(List.of("-e", name));
        }
        Process tshark =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader reader = tshark.inputReader()) {
            return reader.lines()
                    .map(line -> line.split("[|]", -1))
                    .map(cells -> {
                        Map<String, String> fields = new TreeMap<>();
                        IntStream.range(0, names.length)
                                .forEach(i -> fields.put(names[i], cells[i]));
                        return fields;
                    })
                    .toList();
        }
    }

    private static void has(Map<String, String> frame, String... namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            assertThat(text(frame, namesAndValues[i]))
                    .as("%s of %s", namesAndValues[i], frame)
                    .isEqualTo(namesAndValues[i + 1]);
        }
    }

    private static String text(Map<String, String> of, String name) {
        return Objects.requireNonNull(of.get(name), name);
    }

    private static long number(Map<String, String> frame, String name) {
        return Long.decode(text(frame, name));
    }

    /** Each quotes a frame that the host has sent, and its feedback is that of its two lengths. */
    @Test
    void aCongestionNotificationMessageOfQcnIsRightInEveryField() throws Exception {
        Path capture =
                run(
                        "h1-s1",
                        "flow-control: pfc, buffers: {xoff: 300kB},"
                                + " congestion: {qcn: {priorities: [3], set-point: 33kB, w: 2}}",
                        "none",
                        "qcn: {}");
        List<byte[]> sent = IcrcOracle.frames(capture).stream().filter(IcrcOracle::isRoce).toList();
        String host = HexFormat.ofDelimiter(":").formatHex(sent.getFirst(), 6, 12);
        String receiver = HexFormat.ofDelimiter(":").formatHex(sent.getFirst(), 0, 6);
        List<Map<String, String>> messages =
                tshark(
                                capture,
                                "eth.type",
                                "eth.dst",
                                "eth.src",
                                "frame.len",
                                "headgate.cnm.version",
                                "headgate.cnm.feedback",
                                "headgate.cnm.cpid",
                                "headgate.cnm.qoffset",
                                "headgate.cnm.qdelta",
                                "headgate.cnm.priority",
                                "headgate.cnm.destination",
                                "headgate.cnm.length",
                                "headgate.cnm.msdu",
                                "_ws.malformed")
                        .stream()
                        .filter(frame -> !text(frame, "headgate.cnm.version").isEmpty())
                        .toList();
        assertThat(messages).hasSizeGreaterThan(3);
        for (Map<String, String> message : messages) {
            has(message, "eth.type", "0x22e7", "eth.dst", host, "frame.len", "102");
            has(message, "headgate.cnm.version", "0", "headgate.cnm.priority", "3");
            has(message, "headgate.cnm.destination", receiver, "headgate.cnm.length", "64");
            has(message, "headgate.cnm.cpid", text(messages.getFirst(), "headgate.cnm.cpid"));
            has(message, "eth.src", text(messages.getFirst(), "eth.src"), "_ws.malformed", "");
            assertThat(text(message, "eth.src")).isNotIn(host, receiver);
            String quoted = text(message, "headgate.cnm.msdu");
            assertThat(sent)
                    .anyMatch(frame ->
                            HexFormat.of()
                                    .formatHex(Arrays.copyOfRange(frame, 12, 76))
                                    .equals(quoted));
            // Fb = offset - w delta in 63 steps of (1 + 2 w) set points; offset and delta are cut
            // to 64 octets here.
            double excess =
                    64.0
                            * (2 * number(message, "headgate.cnm.qdelta")
                                    - number(message, "headgate.cnm.qoffset"));
            double most = 33_000 * (1 + 2 * 2);
            assertThat((double) number(message, "headgate.cnm.feedback"))
                    .isBetween(
                            Math.clamp(63 * (excess - 192) / most - 1, 0, 63),
                            Math.clamp(63 * (excess + 192) / most, 1, 63));
        }
    }

    private static final String[] ROCE = {
        "eth.src",
        "eth.dst",
        "frame.len",
        "ip.src",
        "ip.dst",
        "ip.dsfield.dscp",
        "ip.dsfield.ecn",
        "ip.len",
        "ip.ttl",
        "ip.checksum.status",
        "udp.srcport",
        "udp.dstport",
        "udp.length",
        "infiniband.bth.opcode",
        "infiniband.bth.se",
        "infiniband.bth.m",
        "infiniband.bth.padcnt",
        "infiniband.bth.tver",
        "infiniband.bth.p_key",
        "infiniband.bth.destqp",
        "infiniband.bth.a",
        "infiniband.bth.reserved7",
        "infiniband.bth.psn",
        "infiniband.aeth.syndrome",
        "infiniband.aeth.msn",
        "headgate.mark.ce",
        "headgate.mark.bth",
        "_ws.malformed"
    };

    private List<Map<String, String>> infiniBand(String becn) throws Exception {
        Path capture =
                run(
                        "s1-h4",
                        "flow-control: credits, congestion: {fecn: {priorities: [3], mark: bth,"
                                + " threshold: 20kB}}",
                        "ect1",
                        "ib-cc: {" + becn + "}");
        List<byte[]> frames = IcrcOracle.frames(capture);
        List<Map<String, String>> read = tshark(capture, ROCE);
        assertThat(read).hasSameSizeAs(frames);
        List<Map<String, String>> roce = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = frames.get(i);
            if (!IcrcOracle.isRoce(frame)) {
                continue;
            }
            assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
            Map<String, String> fields = read.get(i);
            // FECN and BECN, which this tshark does not name.
            fields.put("fecn", frame[46] < 0 ? "1" : "0");
            fields.put("becn", (frame[46] & 0x40) == 0 ? "0" : "1");
            assertThat(frame[46] & 0x3F).as("reserved bits").isZero();
            has(fields, "ip.ttl", "64", "ip.checksum.status", "1", "udp.dstport", "4791");
            has(fields, "ip.len", Long.toString(number(fields, "udp.length") + 20));
            has(fields, "infiniband.bth.tver", "0", "infiniband.bth.p_key", "65535");
            has(fields, "infiniband.bth.reserved7", "0", "_ws.malformed", "");
            has(fields, "infiniband.bth.se", "0", "infiniband.bth.m", "0");
            roce.add(fields);
        }
        return roce;
    }

    private static boolean isData(Map<String, String> frame) {
        return number(frame, "infiniband.bth.opcode") <= 10;
    }

    private static boolean isAcknowledgement(Map<String, String> frame) {
        return number(frame, "infiniband.bth.opcode") == 17;
    }

    /** Whose data, which packet. */
    private static String packet(String host, Map<String, String> frame) {
        return text(frame, host) + " " + text(frame, "infiniband.bth.psn");
    }

    private static void isSoundData(Map<String, String> frame) {
        has(frame, "ip.dsfield.dscp", "26", "ip.dsfield.ecn", "1", "becn", "0");
        has(frame, "ip.dst", "10.0.0.4", "infiniband.aeth.syndrome", "");
        boolean isMarked = text(frame, "fecn").equals("1");
        has(frame, "headgate.mark.ce", isMarked ? "1" : "");
        has(frame, "headgate.mark.bth", isMarked ? "CE, congestion experienced" : "");
    }

    @Test
    void anAcknowledgementHasBecnWhereItsPacketCameWithFecn() throws Exception {
        List<Map<String, String>> frames = infiniBand("becn: acknowledgement");
        Map<String, String> fecn = new TreeMap<>();
        int[] becn = new int[2];
        for (Map<String, String> frame : frames) {
            if (isData(frame)) {
                isSoundData(frame);
                fecn.put(packet("ip.src", frame), text(frame, "fecn"));
                continue;
            }
            assertThat(isAcknowledgement(frame)).as("%s", frame).isTrue();
            has(frame, "ip.dsfield.dscp", "26", "ip.dsfield.ecn", "0", "fecn", "0");
            has(frame, "ip.src", "10.0.0.4", "udp.length", "28", "infiniband.bth.padcnt", "0");
            has(frame, "infiniband.bth.a", "0", "headgate.mark.ce", "", "headgate.mark.bth", "");
            assertThat(number(frame, "infiniband.aeth.syndrome") >>> 5).isZero();
            has(frame, "becn", text(fecn, packet("ip.dst", frame)));
            becn[Integer.parseInt(text(frame, "becn"))]++;
        }
        assertThat(becn[0]).isGreaterThan(20);
        assertThat(becn[1]).isGreaterThan(20);
    }

    @Test
    void aNotificationPacketHasBecnAndTheSendersQueuePair() throws Exception {
        List<Map<String, String>> frames = infiniBand("becn: packet");
        Map<String, String> queuePairs = new TreeMap<>();
        Map<String, Integer> marked = new TreeMap<>();
        int notified = 0;
        for (Map<String, String> frame : frames) {
            if (isData(frame)) {
                isSoundData(frame);
                marked.merge(text(frame, "ip.src"), (int) number(frame, "fecn"), Integer::sum);
            } else if (isAcknowledgement(frame)) {
                has(frame, "fecn", "0", "becn", "0");
                queuePairs.put(text(frame, "ip.dst"), text(frame, "infiniband.bth.destqp"));
            } else {
                has(frame, "infiniband.bth.opcode", "129", "fecn", "0", "becn", "1");
                has(frame, "ip.src", "10.0.0.4", "ip.dsfield.dscp", "48", "ip.dsfield.ecn", "0");
                has(frame, "udp.length", "40", "infiniband.bth.padcnt", "0");
                has(frame, "infiniband.bth.a", "0", "infiniband.bth.psn", "0");
                has(frame, "headgate.mark.ce", "", "headgate.mark.bth", "");
                marked.merge(text(frame, "ip.dst"), -1, Integer::sum);
                notified++;
            }
        }
        for (Map<String, String> frame : frames) {
            if (text(frame, "becn").equals("1")) {
                has(frame, "infiniband.bth.destqp", text(queuePairs, text(frame, "ip.dst")));
            }
        }
        assertThat(queuePairs).hasSize(3);
        assertThat(notified).isGreaterThan(20);
        assertThat(marked.values()).allMatch(left -> left >= 0 && left <= 2);
    }
}
