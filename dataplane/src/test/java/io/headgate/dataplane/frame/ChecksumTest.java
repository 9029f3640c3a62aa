package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ChecksumTest {
    private static final long SEED = 1071;

    @Test
    void sumsTheExampleOfRfc1071() {
        MemorySegment segment = Frames.segment("0001 f203 f4f5 f6f7");
        assertThat(Checksum.finish(Checksum.sum(segment, 0, 8))).isEqualTo(~0xDDF2 & 0xFFFF);
    }

    @Test
    void updatesTheExampleOfRfc1624() {
        // Section 4: the equation of RFC 1141 answers 0xFFFF here, which is wrong.
        assertThat(Checksum.update(0xDD2F, 0x5555, 0x3285)).isZero();
    }

    @Test
    void sumsEveryLengthAtEveryAlignment() {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] bytes = new byte[96];
        random.nextBytes(bytes);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (int offset = 0; offset < 16; offset++) {
            for (int length = 0; length <= 80; length++) {
                int computed = Checksum.finish(Checksum.sum(segment, offset, length));
                assertThat(computed).isEqualTo(wordByWord(bytes, offset, length));
            }
        }
    }

    @Test
    void sumsTheLongestPacketWithoutOverflow() {
        byte[] bytes = new byte[65535];
        Arrays.fill(bytes, (byte) 0xFF);
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int computed = Checksum.finish(Checksum.sum(segment, 0, bytes.length));
        assertThat(computed).isEqualTo(wordByWord(bytes, 0, bytes.length));
    }

    @Test
    void incrementalUpdateEqualsComputingAnew() {
        SplittableRandom random = new SplittableRandom(SEED);
        MemorySegment segment = MemorySegment.ofArray(new byte[20]);
        for (int number = 0; number < 100_000; number++) {
            Ipv4.write(
                    segment,
                    0,
                    random.nextInt(256),
                    random.nextInt(20, 65536),
                    random.nextInt(256),
                    random.nextInt(256),
                    random.nextInt(),
                    random.nextInt());
            Ipv4.writeChecksum(segment, 0);
            Ipv4.ttl(segment, 0, random.nextInt(256));
            Ipv4.trafficClass(segment, 0, random.nextInt(256));
            int updated = Ipv4.checksum(segment, 0);
            Ipv4.writeChecksum(segment, 0);
            assertThat(updated).as("seed %d", SEED).isEqualTo(Ipv4.checksum(segment, 0));
        }
    }

    @Test
    void udpChecksumOfZeroStaysNoneAndComputedZeroBecomesOnes() {
        MemorySegment segment = Frames.segment("c000 12b7 000a 0000 0000");
        Udp.updateChecksum(segment, 0, 1, 2);
        assertThat(Udp.checksum(segment, 0)).isZero();
        Wire.put16(segment, Udp.CHECKSUM_OFFSET, 0xDD2F);
        Udp.updateChecksum(segment, 0, 0x5555, 0x3285);
        assertThat(Udp.checksum(segment, 0)).isEqualTo(0xFFFF);
    }

    /** RFC 1071 in its own words: 16-bit words, end-around carry. */
    private static int wordByWord(byte[] bytes, int offset, int length) {
        int sum = 0;
        for (int index = 0; index < length; index += 2) {
            int high = bytes[offset + index] & 0xFF;
            int low = index + 1 < length ? bytes[offset + index + 1] & 0xFF : 0;
            sum += (high << 8) | low;
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return ~sum & 0xFFFF;
    }
}
