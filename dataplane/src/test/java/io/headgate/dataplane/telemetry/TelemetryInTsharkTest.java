package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tshark reads of telemetry: INT-MD by the dissector that we ship, IOAM by itself. */
class TelemetryInTsharkTest {
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

    private List<String> tshark(List<byte[]> frames, String... fields) throws Exception {
        return Dissected.fields(directory, frames, fields);
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
