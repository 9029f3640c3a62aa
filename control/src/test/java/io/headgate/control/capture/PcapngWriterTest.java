package io.headgate.control.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.control.capture.PcapngWriter.Direction;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngWriterTest {
    /** 2026-01-01T00:00:00.123456789Z. */
    static final long TIME_NS = 1_767_225_600_123_456_789L;

    @TempDir Path directory;

    private final byte[] pfc = HexFormat.of().parseHex(CaptureFilterTest.PFC);
    private final byte[] udp = HexFormat.of().parseHex(CaptureFilterTest.UDP4);

    @Test
    void tsharkReadsInterfacesDirectionPacketIdsAndComments() throws Exception {
        assumeTrue(has("tshark"), "tshark is not installed");
        Path file = directory.resolve("capture.pcapng");
        try (PcapngWriter writer = PcapngWriter.open(file, "headgate test", "a run")) {
            int p1 = writer.addInterface("p1", "port 1", 0x02_00_00_00_00_01L, 10_000_000_000L, 0);
            int p2 = writer.addInterface("p2", null, 0, 0, 0);
            int drops = writer.addInterface("drops", null, 0, 0, 0);
            writer.frame(p1, TIME_NS, udp, 47, 47, Direction.IN, 5, -1, 0, null);
            writer.frame(p2, TIME_NS + 1, udp, 47, 47, Direction.OUT, 5, 3, 2, null);
            writer.frame(
                    drops,
                    TIME_NS + 2,
                    pfc,
                    60,
                    60,
                    Direction.UNKNOWN,
                    6,
                    -1,
                    0,
                    "drop reason=QUEUE_FULL port=p1 prio=3");
            writer.frame(p1, TIME_NS + 3, udp, 42, 47, Direction.IN, 7, -1, 0, "größer");
            writer.statistics(p1, TIME_NS, TIME_NS + 4, 2, 0);
            writer.statistics(p2, TIME_NS, TIME_NS + 4, 3, 2);
        }
        assertThat(
                        fields(
                                file,
                                "frame.interface_name",
                                "frame.packet_flags_direction",
                                "frame.packet_id",
                                "frame.time_epoch",
                                "frame.comment",
                                "frame.drop_count",
                                "frame.len",
                                "frame.cap_len",
                                "macc.cbfc.pause_time.c3"))
                .containsExactly(
                        "p1|0x00000001|5|1767225600.123456789|||47|47|",
                        "p2|0x00000002|5|1767225600.123456790||2|47|47|",
                        "drops||6|1767225600.123456791|drop reason=QUEUE_FULL port=p1 prio=3||60|60|9",
                        "p1|0x00000001|7|1767225600.123456792|größer||47|42|");
        assertThat(fields(file, "_ws.malformed")).allMatch(String::isEmpty);
        String about = run("capinfos", file.toString());
        assertThat(about)
                .contains("Strict time order:   True")
                .contains("Number of interfaces in file: 3")
                .contains("Name = p1")
                .contains("Description = port 1")
                .contains("Speed = 10000000000")
                .contains("Number of stat entries = 1")
                .contains("headgate test")
                .contains("a run");
    }

    @Test
    void aFullDeviceEndsTheCaptureWithOneSentence() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is no /dev/full");
        PcapngWriter writer =
                PcapngWriter.on(
                        FileChannel.open(full, StandardOpenOption.WRITE), "/dev/full", "t", null);
        writer.addInterface("p1", null, 0, 0, 0);
        assertThat(writer.flush()).isFalse();
        assertThat(writer.problem())
                .isEqualTo("capture to /dev/full stopped after 0 bytes: No space left on device");
        assertThat(writer.frame(0, TIME_NS, udp, 47, 47, Direction.IN, 1, -1, 0, null)).isFalse();
        writer.close();
        writer.close();
    }

    @Test
    void aClosedPipeEndsTheCaptureWithOneSentence() throws IOException {
        Pipe pipe = Pipe.open();
        PcapngWriter writer = PcapngWriter.on(pipe.sink(), "a pipe", "test", null);
        writer.addInterface("p1", null, 0, 0, 0);
        assertThat(writer.flush()).isTrue();
        pipe.source().close();
        writer.frame(0, TIME_NS, udp, 47, 47, Direction.IN, 1, -1, 0, null);
        assertThat(writer.flush()).isFalse();
        assertThat(writer.problem()).contains("a pipe").contains("Broken pipe");
        writer.close();
    }

    @Test
    @Tag("netns")
    void aFullDiskLeavesAFileThatEndsWithAWholeFrame() throws Exception {
        assumeTrue(has("capinfos"), "capinfos is not installed");
        Path small = Files.createDirectory(directory.resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=64k", "headgate-test", small.toString());
        try {
            Path file = small.resolve("capture.pcapng");
            PcapngWriter writer = PcapngWriter.open(file, "test", null);
            writer.addInterface("p1", null, 0, 0, 0);
            byte[] frame = new byte[1499];
            int i = 0;
            while (writer.frame(0, TIME_NS + i, frame, 1499, 1499, Direction.IN, 0, -1, 0, null)
                    && writer.flush()) {
                i++;
            }
            writer.close();
            assertThat(writer.problem()).contains("No space left on device");
            assertThat(i).isBetween(30, 45);
            assertThat(run("capinfos", "-c", file.toString())).contains(" " + i);
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void aFileThatCannotBeMadeIsRefusedWithOneSentence() {
        Path missing = directory.resolve("none").resolve("x.pcapng");
        assertThatThrownBy(() -> PcapngWriter.open(missing, "test", null))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("there is no directory " + missing.getParent());
        assertThatThrownBy(() -> PcapngWriter.open(directory, "test", null))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("capture file " + directory);
    }

    @Test
    void aLongCommentIsCutBetweenTwoCharacters() throws Exception {
        assumeTrue(has("tshark"), "tshark is not installed");
        Path file = directory.resolve("long.pcapng");
        try (PcapngWriter writer = PcapngWriter.open(file, "test", null)) {
            writer.addInterface("p1", null, 0, 0, 0);
            String comment = "x" + String.join("", Collections.nCopies(2000, "ü"));
            writer.frame(0, TIME_NS, udp, 47, 47, Direction.IN, 1, -1, 0, comment);
        }
        assertThat(fields(file, "frame.comment").getFirst()).matches("xü{511}");
    }

    static boolean has(String tool) {
        return Files.isExecutable(Path.of("/usr/bin", tool));
    }

    /** One line per frame, the fields' values with bars between. */
    static List<String> fields(Path file, String... fields) throws Exception {
        List<String> command = new ArrayList<>();
        Collections.addAll(command, "tshark", "-n", "-r", file.toString(), "-T", "fields");
        Collections.addAll(command, "-E", "separator=|");
        for (String field : fields) {
            Collections.addAll(command, "-e", field);
        }
        return run(command.toArray(String[]::new)).lines().toList();
    }

    static String run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
        return output;
    }
}
