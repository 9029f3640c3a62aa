package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tshark reads of telemetry: INT-MD by the dissector that we ship, IOAM by itself. */
class TelemetryInTsharkTest {
    private static final Path TSHARK = Path.of("/usr/bin/tshark");
    private static final int PAYLOAD = 256;
    private static final int ANY_LENGTH = 9000;
    private static final long LEFT_NS = 7_000_000_123L;

    @TempDir private Path directory;

    private final Frame frame = new FrameRegion(1, 4096).frame(0);

    private byte[] grown(HopEncoding form, boolean isIpv6, int hops) {
        RocePackets.data(frame, isIpv6, PAYLOAD);
        form.begin(frame, 3, ANY_LENGTH);
        HopRecord hop = new HopRecord();
        for (int number = 1; number <= hops; number++) {
            hop.node = 100 + number;
            hop.ingressPort = number;
            hop.egressPort = number + 1;
            hop.queue = 3;
            hop.queueBytes = number * 1000L;
            hop.timeNs = LEFT_NS - 250;
            hop.sentBytes = number * 1280L;
            hop.rateBps = 25_000_000_000L;
            form.add(frame, hop, ANY_LENGTH);
            hop.timeNs = LEFT_NS;
            form.write(frame, hop);
        }
        return RocePackets.bytes(frame);
    }

    private List<String> tshark(List<byte[]> frames, String... fields)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TSHARK), "needs tshark");
        ByteBuffer pcap = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN);
        pcap.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        pcap.putInt(65_535).putInt(1);
        for (byte[] one : frames) {
            pcap.putInt(0).putInt(0).putInt(one.length).putInt(one.length).put(one);
        }
        Path file = directory.resolve("frames.pcap");
        Files.write(file, Arrays.copyOf(pcap.array(), pcap.position()));
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n", "-r"));
        command.addAll(List.of(file.toString(), "-o", "ip.check_checksum:TRUE"));
        command.addAll(List.of("-X", "lua_script:../config/wireshark/headgate.lua"));
        command.addAll(List.of("-T", "fields", "-E", "separator=;"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        assertThat(Files.readString(errors)).doesNotContainIgnoringCase("lua:");
        return output.lines().toList();
    }

    @Test
    void everyFieldOfIntMdIsReadAndRoceBehindIt() throws Exception {
        IntMd form = new IntMd();
        int at = 14 + 20 + 8;
        byte[] damaged = grown(form, false, 1);
        damaged[at + 1] = (byte) 12; // its length in words
        byte[] older = grown(form, false, 1);
        older[at + 4] = 0x10; // its version
        byte[] narrow = grown(form, false, 1);
        narrow[at + 6] = 7; // words of a record
        assertThat(
                        tshark(
                                List.of(
                                        grown(form, false, 2),
                                        grown(form, true, 2),
                                        grown(form, false, 0),
                                        damaged,
                                        older,
                                        narrow),
                                "headgate.int.version",
                                "headgate.int.port",
                                "headgate.int.remaining",
                                "headgate.int.records",
                                "headgate.int.node",
                                "headgate.int.ingress",
                                "headgate.int.egress",
                                "headgate.int.latency",
                                "headgate.int.queue",
                                "headgate.int.queue_bytes",
                                "headgate.int.time",
                                "headgate.int.sent",
                                "headgate.int.rate",
                                "ip.checksum.status",
                                "infiniband.bth.destqp",
                                "headgate.int.malformed",
                                "_ws.malformed"))
                .containsExactly(
                        "2;4791;1;2;102,101;2,1;3,2;250,250;3,3;2000,1000;7000000123,7000000123;"
                                + "2560,1280;25000000000,25000000000;1;0x001234;;",
                        "2;4791;1;2;102,101;2,1;3,2;250,250;3,3;2000,1000;7000000123,7000000123;"
                                + "2560,1280;25000000000,25000000000;;0x001234;;",
                        "2;4791;3;0;;;;;;;;;;1;0x001234;;",
                        ";;;;;;;;;;;;;1;;1;_ws.malformed",
                        ";;;;;;;;;;;;;1;;1;_ws.malformed",
                        ";;;;;;;;;;;;;1;;1;_ws.malformed");
    }

    @Test
    void ioamIsReadByTsharkItselfAndRoceBehindIt() throws Exception {
        assertThat(
                        tshark(
                                List.of(grown(new Ioam(), true, 2)),
                                "ipv6.opt.ioam.trace.ns",
                                "ipv6.opt.ioam.trace.nodelen",
                                "ipv6.opt.ioam.trace.remlen",
                                "ipv6.opt.ioam.trace.node.id",
                                "ipv6.opt.ioam.trace.node.iif",
                                "ipv6.opt.ioam.trace.node.eif",
                                "ipv6.opt.ioam.trace.node.tss",
                                "ipv6.opt.ioam.trace.node.tsf",
                                "ipv6.opt.ioam.trace.node.trdelay",
                                "ipv6.opt.ioam.trace.node.qdepth",
                                "infiniband.bth.destqp",
                                "_ws.malformed"))
                .containsExactly(
                        "18503;8;8;0x000066,0x000065;0x0002,0x0001;0x0003,0x0002;"
                                + "0x00000007,0x00000007;0x0000007b,0x0000007b;"
                                + "0x000000fa,0x000000fa;0x000007d0,0x000003e8;0x001234;");
    }
}
