package io.headgate.testbed.lab.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.netns.Tools.Tool;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureCheckTest {
    /** A datagram from 10.0.0.1 to 10.0.0.2, its checksums right. */
    private static final byte[] GOOD =
            HexFormat.of()
                    .parseHex(
                            "020000000002020000000001080045000020000100004011"
                                    + "66ca0a0000010a00000203e807d0000c1b5561626364"
                                    + "0000000000000000000000000000");

    /** A segment whose checksum comes to 0x0000 and is sent as 0xffff, which adds up the same. */
    private static final byte[] OTHER_ZERO =
            HexFormat.of()
                    .parseHex(
                            "02fc0000000502fc00000001080045000028000100004006"
                                    + "66cd0a0000010a00000203e807d00000701a00000000"
                                    + "50102000ffff0000");

    @Test
    void aFrameIsNamedWithWhatIsWrongAndWhatTsharkSaidOfIt() {
        CaptureCheck check =
                CaptureCheck.of(
                        Tshark.parse(
                                """
                                Running as user "root" and group "root". This could be dangerous.
                                1\teth:ethertype:ip:udp:data\t\t\t1\t\t1\t\t\t\t
                                2\teth:ethertype:ip:udp:data\tBad checksum [should be 0x1]\t\t1\t\t0\t\t\t\t
                                3\teth:ethertype:ip:icmp:ip:tcp\t\tMalformed\t1,0\t2\t\t1\t\t0x1234\t
                                """,
                                CaptureCheck.FIELDS.size()));
        assertThat(check.frames()).isEqualTo(3);
        assertThat(check.bad().stream().map(CaptureCheck.BadFrame::describe))
                .containsExactly(
                        "frame 2 (eth:ethertype:ip:udp:data): udp.checksum.status is bad,"
                                + " \"Bad checksum [should be 0x1]\"",
                        "frame 3 (eth:ethertype:ip:icmp:ip:tcp): malformed, ip.checksum.status is"
                                + " bad");
    }

    @Test
    @Tag("netns") // for the tools that such tests have installed
    void tsharkFindsTheOneBadFrame(@TempDir Path directory) throws Exception {
        assumeTrue(Tools.provide(EnumSet.of(Tool.TSHARK), line -> {}).isEmpty(), "no tshark");
        byte[] bad = GOOD.clone();
        bad[42] ^= 1;
        Path file = directory.resolve("one-bad.pcap");
        Files.write(file, pcap(GOOD, bad, GOOD));
        try (Programs programs = new Programs(directory)) {
            CaptureCheck check = check(programs, file);
            assertThat(check.frames()).isEqualTo(3);
            assertThat(check.bad()).hasSize(1);
            assertThat(check.bad().getFirst().describe())
                    .startsWith("frame 2 (eth:ethertype:ip:udp:data): udp.checksum.status is bad")
                    .contains("hecksum");
        }
    }

    @Test
    @Tag("netns") // for the tools that such tests have installed
    void bothFormsOfAChecksumOfZeroAreRight(@TempDir Path directory) throws Exception {
        assumeTrue(Tools.provide(EnumSet.of(Tool.TSHARK), line -> {}).isEmpty(), "no tshark");
        byte[] bad = OTHER_ZERO.clone();
        bad[41] ^= 1; // the sequence number
        Path file = directory.resolve("zero.pcap");
        Files.write(file, pcap(OTHER_ZERO, bad));
        try (Programs programs = new Programs(directory)) {
            CaptureCheck check = check(programs, file);
            assertThat(check.frames()).isEqualTo(2);
            assertThat(check.bad()).extracting(CaptureCheck.BadFrame::number).containsExactly("2");
        }
    }

    @Test
    @Tag("netns") // for the tools that such tests have installed
    void aCaptureThatIsCutShortIsReadUpToThereOnlyWhereThatWillDo(@TempDir Path directory)
            throws Exception {
        assumeTrue(Tools.provide(EnumSet.of(Tool.TSHARK), line -> {}).isEmpty(), "no tshark");
        Path file = directory.resolve("cut.pcap");
        byte[] whole = pcap(GOOD, GOOD, GOOD);
        Files.write(file, Arrays.copyOf(whole, whole.length - 20));
        List<String> fields = List.of("frame.number", "frame.len");
        try (Programs programs = new Programs(directory)) {
            List<String> cut = new ArrayList<>();
            assertThat(Tshark.readPart(programs, file, List.of(), fields, cut::add))
                    .extracting(frame -> frame[0])
                    .containsExactly("1", "2");
            assertThat(cut).hasSize(1).allMatch(said -> said.contains("cut short"));
            assertThatThrownBy(() -> Tshark.read(programs, file, List.of(), fields))
                    .isInstanceOf(BedException.class)
                    .hasMessageContaining("cut short");
            Files.write(file, new byte[100]);
            assertThatThrownBy(() -> Tshark.readPart(programs, file, List.of(), fields, cut::add))
                    .isInstanceOf(BedException.class);
        }
    }

    private static CaptureCheck check(Programs programs, Path file) throws Exception {
        List<String> cut = new ArrayList<>();
        CaptureCheck check =
                CaptureCheck.of(CaptureCheck.read(programs, file, List.of(), cut::add));
        assertThat(cut).isEmpty();
        return check;
    }

    private static byte[] pcap(byte[]... frames) {
        ByteBuffer file = ByteBuffer.allocate(4096);
        file.putInt(0xA1B2_C3D4).putShort((short) 2).putShort((short) 4);
        file.putLong(0).putInt(65_535).putInt(1);
        for (byte[] frame : frames) {
            file.putLong(0).putInt(frame.length).putInt(frame.length).put(frame);
        }
        byte[] bytes = new byte[file.position()];
        file.get(0, bytes);
        return bytes;
    }
}
