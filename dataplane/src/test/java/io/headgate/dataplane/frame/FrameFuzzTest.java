package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes. The frame lies at the end of a segment, so that a read past its end throws; the
 * slot's own room would hide it.
 */
final class FrameFuzzTest {
    private static final int FRAMES = 1_000_000;
    private static final int MAX_BYTES = 160;
    private static final long SEED = 0x5EED_F4A3;

    /** Keeps the reads from being thought useless. */
    private long sink;

    private final List<byte[]> corpus = Corpus.read().stream().map(Corpus.Entry::bytes).toList();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Frame frame = new FrameRegion(1, 512).frame(0);

    @Test
    void noBytesMakeAnyReaderThrowOrReadPastTheFrame() {
        int[] outcomes = new int[DropReason.COUNT + 1];
        int[] found = new int[8];
        for (int number = 0; number < FRAMES; number++) {
            byte[] bytes = hostileFrame(number);
            try {
                readAll(bytes, outcomes, found);
            } catch (RuntimeException | AssertionError e) {
                String hex = HexFormat.of().formatHex(bytes);
                throw new AssertionError("seed " + SEED + ", frame " + number + ": " + hex, e);
            }
        }
        assertThat(outcomes[DropReason.COUNT]).as("accepted").isGreaterThan(FRAMES / 2);
        assertThat(outcomes[DropReason.RUNT.ordinal()]).as("runts").isPositive();
        assertThat(outcomes[DropReason.MALFORMED_TAG.ordinal()]).as("bad tags").isPositive();
        assertThat(found).as("frames behind each isValid").doesNotContain(0);
        assertThat(sink).isNotZero();
    }

    private byte[] hostileFrame(int number) {
        if (number % 4 == 0) {
            byte[] bytes = new byte[random.nextInt(MAX_BYTES)];
            random.nextBytes(bytes);
            if (bytes.length > 14 && number % 8 == 0) {
                short[] types = {0x0800, (short) 0x86DD, (short) 0x8100, 0x0806, (short) 0x8808};
                Wire.put16(MemorySegment.ofArray(bytes), 12, types[random.nextInt(types.length)]);
            }
            return bytes;
        }
        byte[] original = corpus.get(random.nextInt(corpus.size()));
        boolean cut = random.nextInt(4) == 0;
        int length = cut ? random.nextInt(original.length + 1) : original.length;
        byte[] bytes = new byte[Math.min(length, MAX_BYTES)];
        System.arraycopy(original, 0, bytes, 0, bytes.length);
        int mutations = bytes.length == 0 ? 0 : random.nextInt(4);
        for (int mutation = 0; mutation < mutations; mutation++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private void readAll(byte[] bytes, int[] outcomes, int[] found) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        frame.dataOffset = 0;
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        if (random.nextInt(8) == 0) {
            // Elided payload: the frame claims bytes that are not there.
            frame.lengthBytes += random.nextInt(9000);
        }
        DropReason reason = HeaderParser.parse(segment, frame);
        outcomes[reason == null ? DropReason.COUNT : reason.ordinal()]++;
        // Every other view is tried at a place its header may be, accepted or not.
        readElsewhere(segment, bytes.length, random.nextInt(bytes.length + 1), found);
        if (reason != null) {
            return;
        }
        sink += FlowHash.of(segment, frame, SEED);
        boolean whole = frame.storedBytes == frame.lengthBytes;
        if (whole && random.nextInt(16) == 0) {
            sink += TsharkFields.of(segment, frame).size();
        }
        if (whole && frame.ipOffset != Frame.ABSENT) {
            found[0]++;
            int available = bytes.length - frame.ipOffset;
            sink += Icrc.verify(segment, frame.ipOffset, available) ? 1 : 0;
        }
        if (frame.transportOffset != Frame.ABSENT) {
            found[1]++;
            sink += Wire.i64(segment, frame.transportOffset);
        }
    }

    private void readElsewhere(MemorySegment segment, int length, int at, int[] found) {
        int available = length - at;
        if (Arp.isValid(segment, at, available)) {
            sink += Arp.targetMac(segment, at) + Arp.targetIp(segment, at);
        }
        if (Tcp.isValid(segment, at, available)) {
            found[2]++;
            sink += Wire.u8(segment, at + Tcp.headerBytes(segment, at) - 1L);
            sink += Tcp.checksum(segment, at);
        }
        if (Udp.isValid(segment, at, available)) {
            found[3]++;
            sink += Checksum.sum(segment, at, Udp.lengthBytes(segment, at));
        }
        if (NeighborDiscovery.isValid(segment, at, available)) {
            found[4]++;
            sink += NeighborDiscovery.linkLayerAddress(segment, at, available, 1);
            sink += NeighborDiscovery.linkLayerAddress(segment, at, available, 2);
        }
        if (MacControl.isPfc(segment, 0, length)) {
            found[5]++;
            sink += MacControl.quanta(segment, 0, 7) + MacControl.enabled(segment, 0);
        }
        if (MacControl.isPause(segment, 0, length)) {
            sink += MacControl.pauseQuanta(segment, 0);
        }
        if (Bth.isValid(segment, at, available)) {
            found[6]++;
            sink += Bth.sequence(segment, at) + Bth.congestion(segment, at);
        }
        if (Vlan.isValid(segment, at, available)) {
            found[7]++;
            sink += Vlan.etherType(segment, at);
        }
        sink += Icrc.verify(segment, at, available) ? 1 : 0;
    }
}
