package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tshark says of credit frames with the dissector that we ship, and of pauses without it. */
final class CreditDissectorTest {
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

    private static String[] fields(String... names) {
        List<String> options = new ArrayList<>(List.of("-T", "fields", "-E", "separator=;"));
        for (String name : names) {
            options.addAll(List.of("-e", name));
        }
        return options.toArray(String[]::new);
    }

    @Test
    void everyFieldOfACreditFrameHasItsNameAndValue() throws Exception {
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
        assertThat(
                        tshark(
                                List.of(frame.encode()),
                                fields(
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
                                        "headgate.credits.fccl")))
                .containsExactly("Headgate credits;1;1;2;2;256;77;0,0;3,4;291,4095;1110,0");
    }

    @Test
    void initialisingFrameShowsItsDigestAndSaysSo() throws Exception {
        CreditFrame frame =
                new CreditFrame(
                        SOURCE,
                        0,
                        false,
                        0,
                        0x1122334455667788L,
                        List.of(new CreditFrame.Fcp(3, 0, 128)));
        List<String> lines =
                tshark(
                        List.of(frame.encode()),
                        fields("headgate.credits.digest", "headgate.credits.op", "_ws.col.Info"));
        assertThat(lines)
                .containsExactly(
                        "0x1122334455667788;1;Credits, initialising, blocks of 64 bytes;"
                                + " lane 3: FCTBS 0 FCCL 128");
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

    @Test
    void pausesShowInTheStockDissectorUnderItsOwnName() throws Exception {
        byte[] pfc = new PfcFrame(SOURCE, 1 << 3, List.of(0, 0, 0, 999, 0, 0, 0, 0)).encode();
        byte[] pause = new PauseFrame(SOURCE, 777).encode();
        assertThat(
                        tshark(
                                List.of(pfc, pause),
                                fields(
                                        "frame.len",
                                        "eth.src",
                                        "eth.dst",
                                        "macc.opcode",
                                        "macc.cbfc.enbv",
                                        "macc.cbfc.pause_time.c3",
                                        "macc.pause_time",
                                        "_ws.expert.message")))
                .containsExactly(
                        "60;02:00:00:00:00:01;01:80:c2:00:00:01;0x0101;0x0008;999;;",
                        "60;02:00:00:00:00:01;01:80:c2:00:00:01;0x0001;;;777;");
    }
}
