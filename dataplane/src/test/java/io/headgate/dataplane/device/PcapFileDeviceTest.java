package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceConfig.PcapFile.Timing;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PcapFileDeviceTest {
    private static final long RECORDED_NS = 1_700_000_000_000_000_001L;

    @TempDir Path directory;

    private final FrameRegion region = new FrameRegion(32, 2048);
    private final FreeList free = new FreeList(32, false);
    private final Frame[] batch = new Frame[32];

    PcapFileDeviceTest() {
        for (int slot = 0; slot < region.slots(); slot++) {
            free.put(region.frame(slot));
        }
    }

    @Test
    void framesAreDueAsFarApartAsTheyWereRecorded() throws Exception {
        Path file = recorded(new long[] {0, 1, 1_000_000_000, 500, 2_000_000_000}, 60);
        try (PcapFileDevice device = open(file, null, Timing.RECORDED)) {
            assertThat(device.receive(1_000, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(1_001);
            assertThat(device.receive(1_000, free, batch, 32)).isZero();
            assertThat(device.receive(1_001, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(1_000_001_000);
            assertThat(device.armReceive()).isFalse();
            assertThat(device.receive(1_000_000_999, free, batch, 32)).isZero();
            // The fourth was recorded before the third: due with it.
            assertThat(device.receive(1_000_001_000, free, batch, 32)).isEqualTo(2);
            assertThat(device.receive(5_000_000_000L, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(Long.MAX_VALUE);
            assertThat(device.isExhausted()).isTrue();
            assertThat(device.trouble()).isEmpty();
            assertThat(device.info().oneWorker()).isTrue();
        }
    }

    @Test
    void asFastAsPossibleTheFreeSlotsAndTheBatchAreTheOnlyBounds() throws Exception {
        long[] times = new long[50];
        for (int i = 0; i < times.length; i++) {
            times[i] = i * 1_000_000_000L;
        }
        Path file = recorded(times, 60);
        try (PcapFileDevice device = open(file, null, Timing.FAST)) {
            assertThat(device.deadlineNs()).isNegative();
            assertThat(device.receive(0, free, batch, 30)).isEqualTo(30);
            assertThat(device.receive(0, free, batch, 30)).isEqualTo(2);
            assertThat(device.armReceive()).isTrue();
            for (int slot = 0; slot < region.slots(); slot++) {
                free.put(region.frame(slot));
            }
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(18);
            assertThat(bytes(batch[17])).isEqualTo(content(49, 60));
        }
    }

    @Test
    void framesThatDoNotFitASlotOrWereCutWhenRecordedAreCounted() throws Exception {
        Path file = directory.resolve("mixed.pcap");
        ByteBuffer pcap = header();
        record(pcap, 0, content(0, 3000), 3000);
        record(pcap, 1, content(1, 96), 1500);
        record(pcap, 2, content(2, 7), 7);
        Files.write(file, written(pcap));
        try (PcapFileDevice device = open(file, null, Timing.FAST)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(1);
            assertThat(bytes(batch[0])).isEqualTo(content(2, 7));
            DropTotals totals = new DropTotals();
            device.readReceiveDrops(totals);
            assertThat(totals.get(DropReason.OVERSIZE)).isEqualTo(1);
            assertThat(totals.get(DropReason.TRUNCATED)).isEqualTo(1);
        }
    }

    @Test
    void refusedFramesCountAgainstTheBurst() throws Exception {
        Path file = directory.resolve("refused.pcap");
        ByteBuffer pcap = header();
        record(pcap, 0, content(0, 7), 7);
        for (int i = 1; i < 40; i++) {
            record(pcap, i, content(i, 96), 1500);
        }
        record(pcap, 1_000_000_000, content(40, 7), 7);
        Files.write(file, written(pcap));
        DropTotals totals = new DropTotals();
        try (PcapFileDevice device = open(file, null, Timing.RECORDED)) {
            assertThat(device.receive(0, free, batch, 8)).isEqualTo(1);
            device.readReceiveDrops(totals);
            assertThat(totals.get(DropReason.TRUNCATED)).isEqualTo(8);
            for (int call = 0; call < 4; call++) {
                assertThat(device.deadlineNs()).isNegative();
                assertThat(device.isExhausted()).isFalse();
                assertThat(device.receive(1, free, batch, 8)).isZero();
            }
            totals.clear();
            device.readReceiveDrops(totals);
            assertThat(totals.get(DropReason.TRUNCATED)).isEqualTo(39);
            assertThat(device.deadlineNs()).isEqualTo(1_000_000_000);
            assertThat(device.receive(1_000_000_000, free, batch, 8)).isEqualTo(1);
            assertThat(device.isExhausted()).isTrue();
        }
    }

    @Test
    void aFileThatEndsWithinAFrameEndsTheReplayWithOneSentence() throws Exception {
        Path file = recorded(new long[] {0, 1, 2}, 60);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 10));
        try (PcapFileDevice device = open(file, null, Timing.FAST)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(2);
            assertThat(device.trouble())
                    .startsWith("replay of " + file + " ended after 2 frames: ")
                    .contains("the file ends within the next frame or block; it is truncated");
            DropTotals totals = new DropTotals();
            device.readReceiveDrops(totals);
            assertThat(totals.get(DropReason.TRUNCATED)).isZero();
        }
    }

    @Test
    void aFileThatIsNoCaptureIsRefusedWithOneSentence() throws Exception {
        Path garbage =
                Files.writeString(directory.resolve("notes.txt"), "this is not a capture file");
        assertThatThrownBy(() -> open(garbage, null, Timing.FAST))
                .isInstanceOf(DeviceException.class)
                .hasMessageStartingWith("capture file " + garbage + " is neither pcap nor pcapng");
        assertThatThrownBy(() -> open(directory.resolve("none"), null, Timing.FAST))
                .isInstanceOf(DeviceException.class)
                .hasMessageEndingWith("does not exist");
        ByteBuffer wifi = header();
        wifi.putInt(20, 105);
        Path file = Files.write(directory.resolve("wifi"), written(wifi));
        assertThatThrownBy(() -> open(file, null, Timing.FAST))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("only Ethernet");
        Path nowhere = directory.resolve("no").resolve("out.pcap");
        assertThatThrownBy(() -> open(null, nowhere, Timing.FAST))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("there is no directory");
    }

    @Test
    void whatIsTransmittedIsReadBackWithTimesInNanoseconds() throws Exception {
        Path in = recorded(new long[] {0, 7}, 60);
        Path out = directory.resolve("out.pcap");
        try (PcapFileDevice device = open(in, out, Timing.RECORDED)) {
            assertThat(device.receive(100, free, batch, 32)).isEqualTo(1);
            assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
            assertThat(device.receive(107, free, batch, 32)).isEqualTo(1);
            assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
        }
        assertThat(Files.readAllBytes(out)).isEqualTo(Files.readAllBytes(in));
    }

    @Test
    void pcapngIsReplayedToo() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/editcap")), "editcap is not installed");
        Path pcap = recorded(new long[] {0, 5}, 60);
        Path pcapng = directory.resolve("in.pcapng");
        Process editcap =
                new ProcessBuilder("editcap", "-F", "pcapng", pcap.toString(), pcapng.toString())
                        .inheritIO()
                        .start();
        assertThat(editcap.waitFor()).isZero();
        try (PcapFileDevice device = open(pcapng, null, Timing.RECORDED)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(5);
        }
    }

    @Test
    void aFullDiskIsCountedAndToldInOneSentence() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is no /dev/full");
        Path in = recorded(new long[] {0}, 60);
        try (PcapFileDevice device = open(in, full, Timing.FAST)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(1);
            assertThat(device.transmit(batch, 0, 1)).isEqualTo(1);
            device.receive(1_000_000_000, free, batch, 32);
            assertThat(device.trouble())
                    .isEqualTo("output to /dev/full stopped: No space left on device");
            Frame[] again = {region.frame(0)};
            assertThat(device.transmit(again, 0, 1)).isEqualTo(1);
            assertThat(device.transmitStatus().refusedFrames()).isEqualTo(1);
        }
    }

    @Test
    void garbageFilesEndInASentenceNeverInAnException() throws Exception {
        long seed = 99;
        SplittableRandom random = new SplittableRandom(seed);
        long[] times = new long[200];
        for (int i = 0; i < times.length; i++) {
            times[i] = i;
        }
        byte[] good = Files.readAllBytes(recorded(times, 40));
        Path file = directory.resolve("fuzz.pcap");
        long received = 0;
        for (int round = 0; round < 600; round++) {
            byte[] bad = good.clone();
            for (int flips = 1 + random.nextInt(8); flips > 0; flips--) {
                bad[24 + random.nextInt(bad.length - 24)] = (byte) random.nextInt();
            }
            Files.write(file, Arrays.copyOf(bad, random.nextInt(24, bad.length + 1)));
            try (PcapFileDevice device = open(file, null, Timing.FAST)) {
                while (true) {
                    int count = device.receive(0, free, batch, 32);
                    received += count;
                    for (int i = 0; i < count; i++) {
                        assertThat(batch[i].lengthBytes).isBetween(0, region.maxFrameBytes());
                        free.put(batch[i]);
                    }
                    if (count == 0) {
                        break;
                    }
                }
                assertThat(device.isExhausted()).as("seed %d", seed).isTrue();
            }
        }
        assertThat(received).isGreaterThan(10_000);
    }

    @Test
    void aFractionBeyondItsSecondIsCarriedOver() throws Exception {
        ByteBuffer pcap = header();
        pcap.putInt(0, 0xA1B2C3D4);
        for (int microseconds : new int[] {0, 1_500_000, 2_000_000}) {
            pcap.putInt(1_700_000_000).putInt(microseconds).putInt(60).putInt(60);
            pcap.put(content(0, 60));
        }
        Path file = Files.write(directory.resolve("beyond.pcap"), written(pcap));
        try (PcapFileDevice device = open(file, null, Timing.RECORDED)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(1_500_000_000);
            assertThat(device.receive(2_000_000_000, free, batch, 32)).isEqualTo(2);
            assertThat(device.trouble()).isEmpty();
        }
    }

    /**
     * The FCS's length is in half-words, of some writers in bytes; in pcapng in bits, or in bytes.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void anFcsThatTheFileDeclaresIsTakenOff(int declared) throws Exception {
        ByteBuffer pcap = header();
        pcap.putInt(20, (declared << 28) | (1 << 26) | 1);
        record(pcap, 0, content(0, 64), 64);
        record(pcap, 1, content(1, 1518), 1518);
        record(pcap, 2, content(2, 96), 1518);
        // All but the FCS was captured.
        record(pcap, 3, content(3, 60), 64);
        Path classic = Files.write(directory.resolve("fcs.pcap"), written(pcap));
        ByteBuffer pcapng = ByteBuffer.allocate(1 << 16).order(ByteOrder.BIG_ENDIAN);
        section(pcapng);
        face(pcapng, 1, 13, declared == 4 ? 4 : 32);
        packet(pcapng, 0, 0, content(0, 64), 64, 0);
        packet(pcapng, 0, 1, content(1, 1518), 1518, 0);
        packet(pcapng, 0, 2, content(2, 96), 1518, 0);
        packet(pcapng, 0, 3, content(3, 60), 64, 0);
        Path newer = Files.write(directory.resolve("fcs.pcapng"), written(pcapng));
        for (Path file : List.of(classic, newer)) {
            try (PcapFileDevice device = open(file, null, Timing.FAST)) {
                assertThat(device.receive(0, free, batch, 32)).as("%s", file).isEqualTo(3);
                assertThat(bytes(batch[0])).isEqualTo(content(0, 60));
                assertThat(bytes(batch[1])).isEqualTo(content(1, 1514));
                assertThat(bytes(batch[2])).isEqualTo(content(3, 60));
                assertThat(device.trouble()).isEmpty();
                for (int i = 0; i < 3; i++) {
                    free.put(batch[i]);
                }
            }
        }
    }

    @Test
    void sectionsOfEitherByteOrderAndInterfacesOfTheirOwnAreRead() throws Exception {
        ByteBuffer pcapng = ByteBuffer.allocate(1 << 16).order(ByteOrder.BIG_ENDIAN);
        section(pcapng);
        face(pcapng, 1, 9, 9);
        face(pcapng, 1, 9, 0x80 | 10);
        packet(pcapng, 0, 5_000_000_000L, content(1, 60), 60, 0);
        packet(pcapng, 1, (6 << 10) | 512, content(2, 60), 60, 0);
        // Flags: this packet has an FCS, though its interface declares none.
        packet(pcapng, 0, 7_000_000_000L, content(3, 60), 60, 4 << 5);
        pcapng.order(ByteOrder.LITTLE_ENDIAN);
        section(pcapng);
        face(pcapng, 1, 14, 8);
        packet(pcapng, 0, 2_000_000, content(4, 60), 60, 0);
        // A simple packet has no time.
        pcapng.putInt(3).putInt(16 + 60).putInt(60).put(content(5, 60)).putInt(16 + 60);
        Path file = Files.write(directory.resolve("sections.pcapng"), written(pcapng));
        try (PcapFileDevice device = open(file, null, Timing.RECORDED)) {
            assertThat(device.receive(0, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(1_500_000_000);
            assertThat(device.receive(1_500_000_000, free, batch, 32)).isEqualTo(1);
            assertThat(device.deadlineNs()).isEqualTo(2_000_000_000);
            assertThat(device.receive(2_000_000_000, free, batch, 32)).isEqualTo(1);
            assertThat(bytes(batch[0])).isEqualTo(content(3, 56));
            assertThat(device.deadlineNs()).isEqualTo(5_000_000_000L);
            assertThat(device.receive(5_000_000_000L, free, batch, 32)).isEqualTo(2);
            assertThat(bytes(batch[1])).isEqualTo(content(5, 60));
            assertThat(device.trouble()).isEmpty();
        }
    }

    @Test
    void whatEndsAReplayEarlyIsToldInOneSentence() throws Exception {
        ByteBuffer pcapng = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        section(pcapng);
        face(pcapng, 1, 9, 9);
        packet(pcapng, 0, 0, content(0, 60), 60, 0);
        byte[] good = written(pcapng);
        packet(pcapng, 7, 1, content(0, 60), 60, 0);
        assertThat(troubleOf(written(pcapng)))
                .endsWith(
                        "after 1 frames: a packet of interface 7, but the file has declared only 1;"
                                + " it is damaged there");
        assertThat(troubleOf(Arrays.copyOf(good, good.length + 20)))
                .endsWith("after 1 frames: a block of 0 bytes; the file is damaged there");
        assertThat(troubleOf(Arrays.copyOf(good, good.length - 1)))
                .endsWith(
                        "after 0 frames: the file ends within the next frame or block; it is truncated");
        pcapng.clear();
        pcapng.put(good).putInt(0x0A0D0D0A).putInt(28).putInt(77).putLong(1).putLong(1);
        assertThat(troubleOf(written(pcapng)))
                .endsWith(
                        "after 1 frames: a section without a byte order; the file is damaged"
                                + " there");
        pcapng.clear();
        pcapng.put(good);
        face(pcapng, 113, 9, 9);
        packet(pcapng, 1, 2, content(0, 60), 60, 0);
        packet(pcapng, 0, 3, content(0, 60), 60, 0);
        assertThat(troubleOf(written(pcapng)))
                .contains("also has frames of link type 113, which are skipped");
        ByteBuffer pcap = header();
        record(pcap, 0, content(0, 60), 60);
        pcap.putLong(0).putInt(1 << 20).putInt(1 << 20);
        assertThat(troubleOf(written(pcap)))
                .endsWith(
                        "after 1 frames: the next frame has 1048576 bytes, but the maximum is"
                                + " 262144; the file is damaged there");
    }

    @Test
    void framesWhoseChecksumWasLeftToHardwareAreTold() throws Exception {
        byte[] frame = new byte[60];
        ByteBuffer packet = ByteBuffer.wrap(frame);
        packet.putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) 40);
        packet.put(22, (byte) 64).put(23, (byte) 6).putInt(26, 0x0A000001).putInt(30, 0x0A000002);
        // The sum of the pseudo header: addresses, protocol 6 and 20 bytes of TCP.
        packet.put(46, (byte) 0x50).putShort(50, (short) (0x1400 + 3 + 6 + 20));
        ByteBuffer pcap = header();
        record(pcap, 0, frame, 60);
        assertThat(troubleOf(written(pcap)))
                .contains(
                        "trouble.pcap has frames without correct checksums (captured at a sender"
                                + " that leaves checksums to hardware)");
        ByteBuffer right = header();
        packet.putShort(50, (short) ~(0x1400 + 3 + 6 + 20 + 0x5000));
        record(right, 0, frame, 60);
        assertThat(troubleOf(written(right))).isEmpty();
    }

    /** What a device says of a file once all of it was read. */
    private String troubleOf(byte[] content) throws Exception {
        Path file = Files.write(directory.resolve("trouble.pcap"), content);
        try (PcapFileDevice device = open(file, null, Timing.FAST)) {
            while (!device.isExhausted()) {
                int count = device.receive(0, free, batch, 32);
                for (int i = 0; i < count; i++) {
                    free.put(batch[i]);
                }
            }
            return device.trouble();
        }
    }

    private static void section(ByteBuffer pcapng) {
        pcapng.putInt(0x0A0D0D0A).putInt(28).putInt(0x1A2B3C4D).putInt(bothHalves(pcapng, 1, 0));
        pcapng.putLong(-1).putInt(28);
    }

    /** An interface with one option, whose value is that many bytes long, or a byte. */
    private static void face(ByteBuffer pcapng, int linkType, int option, int value) {
        int valueBytes = option == 14 ? 8 : 1;
        int length = 20 + 4 + (valueBytes + 3) / 4 * 4 + 4;
        pcapng.putInt(1).putInt(length).putInt(bothHalves(pcapng, linkType, 0)).putInt(0);
        pcapng.putInt(bothHalves(pcapng, option, valueBytes));
        if (option == 14) {
            pcapng.putLong(value);
        } else {
            pcapng.put((byte) value).put(new byte[3]);
        }
        pcapng.putInt(0).putInt(length);
    }

    private static void packet(
            ByteBuffer pcapng, int from, long time, byte[] content, int lengthBytes, int flags) {
        int padded = (content.length + 3) / 4 * 4;
        int length = 32 + padded + 12;
        pcapng.putInt(6).putInt(length).putInt(from).putInt((int) (time >>> 32)).putInt((int) time);
        pcapng.putInt(content.length).putInt(lengthBytes).put(content);
        pcapng.put(new byte[padded - content.length]);
        pcapng.putInt(bothHalves(pcapng, 2, 4)).putInt(flags).putInt(0).putInt(length);
    }

    /** Two half-words as one word of the buffer's byte order. */
    private static int bothHalves(ByteBuffer pcapng, int first, int second) {
        return pcapng.order() == ByteOrder.BIG_ENDIAN
                ? (first << 16) | second
                : (second << 16) | first;
    }

    private PcapFileDevice open(@Nullable Path in, @Nullable Path out, Timing timing)
            throws DeviceException {
        return PcapFileDevice.open(new DeviceConfig.PcapFile(in, out, timing), region, 0);
    }

    private Path recorded(long[] timesNs, int lengthBytes) throws IOException {
        ByteBuffer pcap = header();
        for (int i = 0; i < timesNs.length; i++) {
            record(pcap, timesNs[i], content(i, lengthBytes), lengthBytes);
        }
        Path file = directory.resolve("recorded.pcap");
        Files.write(file, written(pcap));
        return file;
    }

    private static ByteBuffer header() {
        ByteBuffer pcap = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        pcap.putInt(0xA1B23C4D).putShort((short) 2).putShort((short) 4).putLong(0);
        return pcap.putInt(1 << 18).putInt(1);
    }

    private static byte[] written(ByteBuffer pcap) {
        byte[] bytes = new byte[pcap.position()];
        pcap.get(0, bytes);
        return bytes;
    }

    private static void record(ByteBuffer pcap, long afterNs, byte[] content, int lengthBytes) {
        long timeNs = RECORDED_NS + afterNs;
        pcap.putInt((int) (timeNs / 1_000_000_000)).putInt((int) (timeNs % 1_000_000_000));
        pcap.putInt(content.length).putInt(lengthBytes).put(content);
    }

    private static byte[] content(int number, int lengthBytes) {
        byte[] content = new byte[lengthBytes];
        Arrays.fill(content, (byte) (number + 1));
        return content;
    }

    private byte[] bytes(Frame frame) {
        MemorySegment slice = region.segment().asSlice(frame.dataOffset, frame.storedBytes);
        return slice.toArray(ValueLayout.JAVA_BYTE);
    }
}
