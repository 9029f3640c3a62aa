package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.dataplane.deadlock.LoopMessage;
import io.headgate.dataplane.deadlock.LoopToken;
import io.headgate.dataplane.deadlockbreaker.SlotReport;
import io.headgate.dataplane.gfc.GfcFrame;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tshark says of credit frames and of notices with the dissector that we ship, and of pauses
 * without it.
 */
final class DissectorTest {
    private static final Path TSHARK = Path.of("/usr/bin/tshark");
    private static final Path DISSECTOR = Path.of("../config/wireshark/headgate.lua");
    private static final long SOURCE = 0x0200_0000_0001L;

    @TempDir Path directory;

    /** A capture in the form of 1998: a header of 24 bytes, then 16 bytes and the frame, each. */
    private Path capture(List<byte[]> frames) throws IOException {
        ByteBuffer pcap = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        pcap.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        pcap.putInt(65_535).putInt(1);
        for (byte[] frame : frames) {
            pcap.putInt(0).putInt(0).putInt(frame.length).putInt(frame.length).put(frame);
        }
        Path file = directory.resolve("frames.pcap");
        Files.write(file, Arrays.copyOf(pcap.array(), pcap.position()));
        return file;
    }

    private List<String> tshark(List<byte[]> frames, String... more)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TSHARK), "needs tshark");
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n"));
        command.addAll(List.of("-r", capture(frames).toString()));
        command.addAll(List.of("-X", "lua_script:" + DISSECTOR));
        command.addAll(List.of(more));
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(errors)).doesNotContainIgnoringCase("lua:");
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
        return output.lines().toList();
    }

    /**
     * Frames, and what of them is shown.
     *
     * @param lines for each frame its fields, with semicolons between them
     */
    private record Shown(
            String what, List<byte[]> frames, List<String> fields, List<String> lines) {}

    private static Shown shown(
            String what, List<byte[]> frames, List<String> fields, String... lines) {
        return new Shown(what, frames, fields, List.of(lines));
    }

    /** One run of tshark shows all of them: each takes most of a second to start. */
    @TestFactory
    Stream<DynamicTest> whatIsShownOfFrames() throws Exception {
        List<Shown> all =
                List.of(
                        // First, since what a sender has declared is remembered.
                        marksOfCongestionHaveTheirNames(),
                        everyFieldOfACreditFrameHasItsNameAndValue(),
                        initialisingFrameShowsItsDigestAndSaysSo(),
                        everyFieldOfACongestionNotificationMessageHasItsNameAndValue(),
                        aFairRateIsShownWithWhomItIsFor(),
                        tokensOfEscapeAreShownAndPausesAreAsTheyWere(),
                        whatGentleFlowControlTellsIsShown(),
                        tokensRoundDeadlocksAndSlotsAreShown(),
                        whatEscapesIsShownBehindItsHeader(),
                        whatAHostComputesItsRateFromIsShown(),
                        pausesShowInTheStockDissectorUnderItsOwnName());
        List<String> fields = all.stream().flatMap(one -> one.fields.stream()).distinct().toList();
        List<String> options = new ArrayList<>(List.of("-T", "fields"));
        fields.forEach(field -> options.addAll(List.of("-e", field)));
        List<byte[]> frames = all.stream().flatMap(one -> one.frames.stream()).toList();
        List<String> lines = tshark(frames, options.toArray(String[]::new));
        assertThat(lines).hasSameSizeAs(frames);
        List<DynamicTest> tests = new ArrayList<>();
        int from = 0;
        for (Shown one : all) {
            List<String> its =
                    lines.subList(from, from + one.frames.size()).stream()
                            .map(line -> its(one, fields, line))
                            .toList();
            from += one.frames.size();
            tests.add(
                    DynamicTest.dynamicTest(
                            one.what, () -> assertThat(its).containsExactlyElementsOf(one.lines)));
        }
        return tests.stream();
    }

    private static String its(Shown shown, List<String> fields, String line) {
        String[] values = line.split("\t", -1);
        return shown.fields.stream()
                .map(field -> values[fields.indexOf(field)])
                .collect(Collectors.joining(";"));
    }

    private static Shown everyFieldOfACreditFrameHasItsNameAndValue() {
        CreditFrame frame =
                new CreditFrame(
                        SOURCE,
                        2,
                        true,
                        77,
                        null,
                        List.of(
                                new CreditFrame.Fcp(3, 0x123, 0x456),
                                new CreditFrame.Fcp(4, 4095, 0)));
        return shown(
                "every field of a credit frame has its name and value",
                List.of(frame.encode()),
                List.of(
                        "_ws.col.Protocol",
                        "headgate.credits.version",
                        "headgate.credits.type",
                        "headgate.credits.count",
                        "headgate.credits.scale",
                        "headgate.credits.block",
                        "headgate.credits.sequence",
                        "headgate.credits.op",
                        "headgate.credits.lane",
                        "headgate.credits.fctbs",
                        "headgate.credits.fccl"),
                "Headgate credits;1;1;2;2;256;77;0,0;3,4;291,4095;1110,0");
    }

    private static Shown initialisingFrameShowsItsDigestAndSaysSo() {
        CreditFrame frame =
                new CreditFrame(
                        SOURCE,
                        0,
                        false,
                        0,
                        0x1122334455667788L,
                        List.of(new CreditFrame.Fcp(3, 0, 128)));
        return shown(
                "initialising frame shows its digest and says so",
                List.of(frame.encode()),
                List.of("headgate.credits.digest", "headgate.credits.op", "_ws.col.Info"),
                "0x1122334455667788;1;Credits, initialising, blocks of 64 bytes;"
                        + " lane 3: FCTBS 0 FCCL 128");
    }

    private static Shown everyFieldOfACongestionNotificationMessageHasItsNameAndValue() {
        FrameRegion region = new FrameRegion(1, 2048);
        Frame about = region.frame(0);
        long at = about.dataOffset;
        byte[] sent =
                HexFormat.of().parseHex("020000000002" + "020000000001" + "0800" + "45".repeat(30));
        MemorySegment.copy(sent, 0, FrameRegion.MEMORY, ValueLayout.JAVA_BYTE, at, sent.length);
        about.lengthBytes = sent.length;
        about.storedBytes = sent.length;
        about.priority = 3;
        long[] words = new long[Cnm.WORDS];
        Cnm.write(FrameRegion.MEMORY, about, 42, 0x1122334455667788L, -6_400, 1_280, words);
        ByteBuffer frame = ByteBuffer.allocate(14 + 8 * Cnm.WORDS);
        frame.put(sent, 6, 6).put(sent, 0, 6).putShort((short) Cnm.ETHER_TYPE);
        for (long word : words) {
            frame.putLong(word);
        }
        MemorySegment message = Arena.ofAuto().allocate(frame.capacity());
        MemorySegment.copy(frame.array(), 14, message, ValueLayout.JAVA_BYTE, 0, 8 * Cnm.WORDS);
        assertThat(Cnm.feedback(message, 0)).isEqualTo(42);
        assertThat(Cnm.point(message, 0)).isEqualTo(0x1122334455667788L);
        assertThat(Cnm.quotedBytes(message, 0, 8 * Cnm.WORDS)).isEqualTo(30);
        assertThat(Cnm.quotedType(message, 0)).isEqualTo(0x0800);
        assertThat(Cnm.quotedBytes(message, 0, 55)).as("shorter than it says").isEqualTo(-1);
        return shown(
                "every field of a congestion notification message has its name and value",
                List.of(frame.array()),
                List.of(
                        "_ws.col.Protocol",
                        "headgate.cnm.version",
                        "headgate.cnm.feedback",
                        "headgate.cnm.cpid",
                        "headgate.cnm.qoffset",
                        "headgate.cnm.qdelta",
                        "headgate.cnm.priority",
                        "headgate.cnm.destination",
                        "headgate.cnm.length",
                        "headgate.cnm.msdu"),
                "CNM;0;42;0x1122334455667788;-100;20;3;02:00:00:00:00:02;32;0800"
                        + "45".repeat(30));
    }

    /** The notice of a fair rate, about a datagram from 10.0.0.1:1000 to 10.0.0.2:7. */
    private static byte[] notice() {
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 20 + 64);
        frame.putShort((short) 0x0200).putInt(1).putShort((short) 0x0200).putInt(2);
        frame.putShort((short) 0x0800);
        frame.putShort((short) (0x4500 | 48 << 2)).putShort((short) 104).putInt(0);
        frame.putShort((short) (64 << 8 | 1)).putShort((short) 0).putInt(0x0A0000FE);
        frame.putInt(0x0A000001);
        frame.putInt(253 << 24);
        frame.put((byte) 0x10).put((byte) 3).putShort((short) 10_000).putInt(333);
        frame.putInt(0x0203).putInt(77);
        frame.putInt(0x45000400).putInt(0).putShort((short) (64 << 8 | 17)).putShort((short) 0);
        frame.putInt(0x0A000001).putInt(0x0A000002).putShort((short) 1000).putShort((short) 7);
        checksum(frame, 14, 20, 24);
        checksum(frame, 34, 84, 36);
        return frame.array();
    }

    private static void checksum(ByteBuffer frame, int from, int bytes, int to) {
        int sum = 0;
        for (int at = from; at < from + bytes; at += 2) {
            sum += frame.getShort(at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        frame.putShort(to, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
    }

    private static Shown aFairRateIsShownWithWhomItIsFor() {
        byte[] unknown = notice();
        unknown[14 + 20 + 4] = 0x20; // another version
        return shown(
                "a fair rate is shown with whom it is for",
                List.of(notice(), unknown),
                List.of(
                        "_ws.col.Protocol",
                        "icmp.checksum.status",
                        "headgate.rocc.version",
                        "headgate.rocc.priority",
                        "headgate.rocc.unit",
                        "headgate.rocc.steps",
                        "headgate.rocc.rate",
                        "headgate.rocc.port",
                        "headgate.rocc.queue",
                        "headgate.rocc.sequence",
                        "headgate.rocc.flow"),
                "RoCC;1;1;3;10000;333;3330000;2;3;77;"
                        + "10.0.0.1 to 10.0.0.2, protocol 17, ports 1000 to 7",
                "ICMP;0;;;;;;;;;");
    }

    /** RoCEv2 from 10.0.0.1: UDP to port 4791, and a base transport header. */
    private static byte[] roce(int ecn, int congestion) {
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 8 + 12 + 4);
        frame.putShort((short) 0x0200).putInt(1).putShort((short) 0x0200).putInt(2);
        frame.putShort((short) 0x0800);
        frame.putShort((short) (0x4500 | ecn)).putShort((short) 44).putInt(0);
        frame.putShort((short) (64 << 8 | 17)).putShort((short) 0);
        frame.putInt(0x0A000001).putInt(0x0A000002);
        frame.putShort((short) 0xC000)
                .putShort((short) 4791)
                .putShort((short) 24)
                .putShort((short) 0);
        frame.putInt(0x0A40FFFF).putInt(congestion << 24 | 5).putInt(7);
        checksum(frame, 14, 20, 24);
        return frame.array();
    }

    private static Shown marksOfCongestionHaveTheirNames() {
        return shown(
                "marks of congestion have their names",
                List.of(
                        roce(2, 0), // before any declaration
                        roce(1, 0),
                        roce(2, 0),
                        roce(3, 0),
                        roce(1, 0x20),
                        roce(1, 0x80),
                        roce(1, 0x40)),
                List.of(
                        "headgate.mark.ce",
                        "headgate.mark.ue",
                        "headgate.mark.ip",
                        "headgate.mark.bth"),
                ";;UE, undetermined, if its sender declares ECT(1); else ECT(0), no mark;",
                ";;;",
                ";1;UE, undetermined;",
                "1;;CE, congestion experienced;",
                ";1;;UE, undetermined",
                "1;;;CE, congestion experienced",
                ";;;");
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static Shown tokensOfEscapeAreShownAndPausesAreAsTheyWere() {
        String control = "0180c2000001 020000000001 8808";
        String behind = "c000 12b7 11 0203 05";
        byte[] v4 = hex(control + "0102 0a000001 0a000002" + behind + "00".repeat(28));
        byte[] v6 =
                hex(
                        control
                                + "0112 20010db8000000000000000000000001"
                                + "20010db8000000000000000000000002"
                                + behind
                                + "00000000");
        byte[] pause = new PfcFrame(SOURCE, 8, List.of(0, 0, 0, 9, 0, 0, 0, 0)).encode();
        return shown(
                "tokens of escape are shown and pauses are as they were",
                List.of(v4, v6, pause),
                List.of(
                        "_ws.col.Protocol",
                        "headgate.token.source",
                        "headgate.token.destination6",
                        "headgate.token.source_port",
                        "headgate.token.destination_port",
                        "headgate.token.protocol",
                        "headgate.token.hops",
                        "headgate.token.priority",
                        "macc.cbfc.pause_time.c3"),
                "Escape;10.0.0.1;;49152;4791;17;515;5;",
                "Escape;;2001:db8::2;49152;4791;17;515;5;",
                "MAC CTRL;;;;;;;;9");
    }

    private static byte[] gentle(int form, long third, long fifth, int bytes) {
        MemorySegment frame = Arena.ofAuto().allocate(MacControl.FRAME_BYTES);
        GfcFrame.write(frame, 0, SOURCE, form);
        GfcFrame.value(frame, 0, 3, third);
        GfcFrame.value(frame, 0, 5, fifth);
        return frame.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
    }

    private static Shown whatGentleFlowControlTellsIsShown() {
        List<byte[]> frames =
                List.of(
                        gentle(GfcFrame.STAGES, 4, 1, 60),
                        gentle(GfcFrame.STAGES, 0, 0, 60),
                        gentle(GfcFrame.HELD, 292_000, 0, 60),
                        gentle(GfcFrame.STAGES, 4, 1, 49),
                        gentle(2, 4, 1, 60));
        return shown(
                "what gentle flow control tells is shown",
                frames,
                List.of(
                        "headgate.gfc.version",
                        "headgate.gfc.form",
                        "headgate.gfc.priority",
                        "headgate.gfc.stage",
                        "headgate.gfc.held",
                        "_ws.col.Info"),
                "1;0;3,5;4,1;;Gentle flow control, priority 3: stage 4, 5: stage 1",
                "1;0;;;;Gentle flow control, all priorities at the line's rate",
                "1;1;3;;292000;Gentle flow control, priority 3: 292000 bytes held",
                ";;;;;Unknown",
                ";;;;;Unknown");
    }

    private static Shown tokensRoundDeadlocksAndSlotsAreShown() {
        LoopMessage message = new LoopMessage();
        message.kind = LoopToken.MOVE;
        message.priority = 3;
        message.originPriority = 5;
        message.hops = 17;
        message.origin = 0xFE00_0000_0001L;
        message.sequence = 0x8000_0001;
        byte[] token = new byte[LoopToken.FRAME_BYTES];
        LoopToken.write(MemorySegment.ofArray(token), 0, SOURCE, message);
        byte[] report = new byte[SlotReport.FRAME_BYTES];
        SlotReport.write(MemorySegment.ofArray(report), 0, SOURCE, 65_535, 64);
        return shown(
                "tokens round deadlocks and slots are shown",
                List.of(token, report),
                List.of(
                        "_ws.col.Protocol",
                        "headgate.loop.kind",
                        "headgate.loop.priority",
                        "headgate.loop.origin_priority",
                        "headgate.loop.hops",
                        "headgate.loop.origin",
                        "headgate.loop.sequence",
                        "headgate.slots.last",
                        "headgate.slots.free"),
                "Deadlock;2;3;5;17;fe:00:00:00:00:01;2147483649;;",
                "Deadlock;;;;;;;65535;64");
    }

    private static Shown whatEscapesIsShownBehindItsHeader() {
        byte[] plain = roce(1, 0);
        byte[] tagged = new byte[plain.length + 4];
        System.arraycopy(plain, 0, tagged, 0, 12);
        System.arraycopy(hex("88b60002"), 0, tagged, 12, 4);
        System.arraycopy(plain, 12, tagged, 16, plain.length - 12);
        byte[] behindUdp = new byte[plain.length + 4];
        System.arraycopy(plain, 0, behindUdp, 0, 42);
        System.arraycopy(hex("00030000"), 0, behindUdp, 42, 4);
        System.arraycopy(plain, 42, behindUdp, 46, plain.length - 42);
        ByteBuffer.wrap(behindUdp).putShort(16, (short) 48).putShort(36, (short) 4793);
        ByteBuffer.wrap(behindUdp).putShort(38, (short) 28).putShort(24, (short) 0);
        checksum(ByteBuffer.wrap(behindUdp), 14, 20, 24);
        return shown(
                "what escapes is shown behind its header",
                List.of(plain, tagged, behindUdp),
                List.of("headgate.escape.hops", "ip.src", "udp.dstport", "infiniband.bth.psn"),
                ";10.0.0.1;4791;7",
                "2;10.0.0.1;4791;7",
                "3;10.0.0.1;4793;7");
    }

    private static Shown whatAHostComputesItsRateFromIsShown() {
        ByteBuffer frame = ByteBuffer.wrap(Arrays.copyOf(notice(), 14 + 20 + 20 + 64 + 48));
        frame.putShort(16, (short) 152);
        frame.put(14 + 20 + 4, (byte) 0x11);
        frame.putInt(14 + 20 + 8, 0);
        frame.position(14 + 20 + 84);
        frame.putLong(4000L << 16);
        for (int i = 1; i <= 9; i++) {
            frame.putInt(i);
        }
        frame.putInt(600);
        frame.putShort(24, (short) 0).putShort(36, (short) 0);
        checksum(frame, 14, 20, 24);
        checksum(frame, 34, 132, 36);
        return shown(
                "what a host computes its rate from is shown",
                List.of(frame.array()),
                List.of(
                        "icmp.checksum.status",
                        "headgate.rocc.flags",
                        "headgate.rocc.before",
                        "headgate.rocc.qcur",
                        "headgate.rocc.beta",
                        "headgate.rocc.queue_step",
                        "_ws.col.Info"),
                "1;0x01;262144000;1;9;600;Fair rate for the host to work out, priority 3;"
                        + " flow 10.0.0.1 to 10.0.0.2, protocol 17, ports 1000 to 7");
    }

    @Test
    void wrongCrcIsMarkedAndARightOneIsNot() throws Exception {
        byte[] good =
                new CreditFrame(SOURCE, 0, true, 0, null, List.of(new CreditFrame.Fcp(3, 9, 100)))
                        .encode();
        byte[] bad = good.clone();
        bad[23] ^= 1;
        assertThat(
                        tshark(
                                List.of(good, bad),
                                "-Y",
                                "headgate.credits.lpcrc.bad",
                                "-T",
                                "fields",
                                "-e",
                                "frame.number"))
                .containsExactly("2");
    }

    @Test
    void frameCutShortIsMarkedAndNeverAnError() throws Exception {
        byte[] whole =
                new CreditFrame(SOURCE, 0, true, 0, null, List.of(new CreditFrame.Fcp(3, 9, 100)))
                        .encode();
        whole[15] = 9; // more flow control packets than there is room for
        List<byte[]> frames = new ArrayList<>();
        for (int length = 14; length <= 60; length++) {
            frames.add(Arrays.copyOf(whole, length));
        }
        List<String> lines = tshark(frames, "-V");
        assertThat(String.join("\n", lines))
                .doesNotContain("Lua Error")
                .contains("Frame is cut short");
    }

    private static Shown pausesShowInTheStockDissectorUnderItsOwnName() {
        byte[] pfc = new PfcFrame(SOURCE, 1 << 3, List.of(0, 0, 0, 999, 0, 0, 0, 0)).encode();
        byte[] pause = new PauseFrame(SOURCE, 777).encode();
        return shown(
                "pauses show in the stock dissector under its own name",
                List.of(pfc, pause),
                List.of(
                        "frame.len",
                        "eth.src",
                        "eth.dst",
                        "macc.opcode",
                        "macc.cbfc.enbv",
                        "macc.cbfc.pause_time.c3",
                        "macc.pause_time",
                        "_ws.expert.message"),
                "60;02:00:00:00:00:01;01:80:c2:00:00:01;0x0101;0x0008;999;;",
                "60;02:00:00:00:00:01;01:80:c2:00:00:01;0x0001;;;777;");
    }
}
