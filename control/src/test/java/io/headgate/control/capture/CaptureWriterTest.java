package io.headgate.control.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.dataplane.capture.CaptureRing;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureWriterTest {
    @TempDir Path directory;

    private final FrameRegion region = new FrameRegion(1, 2048);
    private final Frame frame = region.frame(0);
    private final CaptureRing ingress = new CaptureRing(Arena.ofAuto(), region, 1 << 16, 1518);
    private final CaptureRing egress = new CaptureRing(Arena.ofAuto(), region, 1 << 12, 1518);
    private final AtomicLong clock = new AtomicLong();
    private final List<CaptureWriter.Port> ports =
            List.of(
                    new CaptureWriter.Port("p1", null, 0, 1_000_000_000),
                    new CaptureWriter.Port("p2", null, 0, 1_000_000_000));

    @Test
    void mergesTheHalvesInTheOrderOfTimeWithDropsOnTheirOwnInterface() throws Exception {
        assumeTrue(PcapngWriterTest.has("tshark"), "tshark is not installed");
        Path file = directory.resolve("merged.pcapng");
        fill(CaptureFilterTest.UDP4);
        CaptureWriter writer = writer(PcapngWriter.open(file, "test", null), "");
        for (int i = 1; i <= 3; i++) {
            frame.packetId = i;
            frame.priority = i;
            ingress.received(0, frame, i * 100L);
        }
        frame.packetId = 1;
        egress.transmitted(1, 4, frame, 150);
        frame.packetId = 2;
        egress.dropped(1, DropReason.QUEUE_FULL, frame, 250);
        clock.set(1_000);
        writer.close();

        assertThat(writer.problem()).isNull();
        assertThat(writer.summary()).isEqualTo(new CaptureWriter.Summary(5, 5, 0, 0, 0));
        assertThat(
                        PcapngWriterTest.fields(
                                file,
                                "frame.interface_name",
                                "frame.packet_id",
                                "frame.packet_flags_direction",
                                "frame.comment",
                                "frame.time_epoch"))
                .containsExactly(
                        "p1|1|0x00000001||1767225600.123456889",
                        "p2|1|0x00000002||1767225600.123456939",
                        "p1|2|0x00000001||1767225600.123456989",
                        "drops|2||drop reason=QUEUE_FULL port=p2 prio=3|1767225600.123457039",
                        "p1|3|0x00000001||1767225600.123457089");
        assertThat(PcapngWriterTest.run("capinfos", file.toString()))
                .contains("Strict time order:   True");
    }

    @Test
    void aRecordWaitsForAnEarlierOneUntilTheLookbackHasPassed() throws Exception {
        Path file = directory.resolve("wait.pcapng");
        CaptureWriter writer = writer(PcapngWriter.open(file, "test", null), "");
        fill(CaptureFilterTest.UDP4);
        ingress.received(0, frame, 1_000);
        assertThat(writer.pass(999, Long.MAX_VALUE, 10)).isZero();
        egress.transmitted(1, 0, frame, 900);
        assertThat(writer.pass(999, Long.MAX_VALUE, 10)).isEqualTo(1);
        assertThat(writer.pass(1_000, Long.MAX_VALUE, 10)).isEqualTo(1);
        egress.transmitted(1, 0, frame, 950);
        assertThat(writer.pass(1_000, Long.MAX_VALUE, 10)).isEqualTo(1);
        writer.close();
        assertThat(writer.summary().late()).isEqualTo(1);
        if (PcapngWriterTest.has("tshark")) {
            assertThat(PcapngWriterTest.fields(file, "frame.comment"))
                    .containsExactly(
                            "",
                            "",
                            "captured 50 ns earlier: shown with the time of the previous frame,"
                                    + " because times in a file must not decrease");
        }
    }

    @Test
    void whatTheRingsHadNoRoomForIsCountedInTheFile() throws Exception {
        Path file = directory.resolve("leftout.pcapng");
        CaptureWriter writer = writer(PcapngWriter.open(file, "test", null), "");
        fill(CaptureFilterTest.UDP4);
        for (int i = 0; i < 100; i++) {
            egress.transmitted(1, 0, frame, i);
        }
        writer.pass(1_000, Long.MAX_VALUE, 1_000);
        egress.transmitted(1, 0, frame, 200);
        clock.set(1_000);
        writer.close();
        CaptureWriter.Summary summary = writer.summary();
        assertThat(summary.leftOut()).isPositive();
        assertThat(summary.written() + summary.leftOut()).isEqualTo(101);
        if (PcapngWriterTest.has("tshark")) {
            assertThat(PcapngWriterTest.fields(file, "frame.drop_count").getLast())
                    .isEqualTo(Long.toString(summary.leftOut()));
        }
    }

    @Test
    void theFilterKeepsOutWhatItDoesNotAsk() throws Exception {
        Path file = directory.resolve("filtered.pcapng");
        CaptureWriter writer = writer(PcapngWriter.open(file, "test", null), "proto pfc");
        fill(CaptureFilterTest.UDP4);
        ingress.received(0, frame, 1);
        fill(CaptureFilterTest.PFC);
        ingress.received(0, frame, 2);
        clock.set(1_000);
        writer.close();
        assertThat(writer.summary()).isEqualTo(new CaptureWriter.Summary(2, 1, 1, 0, 0));
    }

    @Test
    void aFullDiskEndsTheCaptureAndTheRingsAreEmptiedOn() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is no /dev/full");
        CaptureWriter writer =
                writer(
                        PcapngWriter.on(
                                FileChannel.open(full, StandardOpenOption.WRITE),
                                "/dev/full",
                                "test",
                                null),
                        "");
        assertThat(writer.problem()).contains("No space left on device");
        writer.start();
        fill(CaptureFilterTest.UDP4);
        for (int i = 0; i < 20_000; i++) {
            clock.set(i);
            ingress.received(0, frame, i);
        }
        writer.close();
        CaptureWriter.Summary summary = writer.summary();
        assertThat(summary.seen() + summary.leftOut()).isEqualTo(20_000);
        assertThat(summary.written()).isZero();
        assertThat(ingress.next()).isFalse();
    }

    @Test
    @Tag("netns")
    void theCountOfACaptureToAFullDiskIsWhatTheFileHas() throws Exception {
        assumeTrue(PcapngWriterTest.has("capinfos"), "capinfos is not installed");
        Path small = Files.createDirectory(directory.resolve("small"));
        PcapngWriterTest.run(
                "mount", "-t", "tmpfs", "-o", "size=64k", "headgate-test", small.toString());
        try {
            Path file = small.resolve("capture.pcapng");
            CaptureWriter writer = writer(PcapngWriter.open(file, "test", null), "");
            fill(CaptureFilterTest.UDP4);
            // As many as fit the buffer but not the disk, then on until the next is written out.
            for (int i = 1; writer.problem() == null && i < 10_000; i++) {
                clock.set(i);
                ingress.received(0, frame, i);
                writer.pass(i, i, 1);
            }
            writer.close();
            assertThat(writer.problem()).contains("No space left on device");
            long written = writer.summary().written();
            assertThat(written).isBetween(300L, 1000L);
            assertThat(PcapngWriterTest.run("capinfos", "-M", "-c", file.toString()))
                    .contains(" " + written);
        } finally {
            PcapngWriterTest.run("umount", small.toString());
        }
    }

    private CaptureWriter writer(PcapngWriter file, String filter) throws CaptureException {
        return new CaptureWriter(
                file,
                ports,
                List.of(ingress, egress),
                CaptureFilter.parse(filter, SlotMemory.RESIDENT),
                clock::get,
                PcapngWriterTest.TIME_NS,
                1518,
                0);
    }

    private void fill(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        MemorySegment.copy(
                bytes, 0, region.segment(), ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
    }
}
