package io.headgate.dataplane.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FlowHashTest {
    private static final long SEED = 0x0DDB_A11L;

    @Test
    void everyBitOfTheFiveTupleReachesEveryBitOfTheHash() {
        everyBitReaches("ipv4-udp-18", 26, 38);
        everyBitReaches("ipv4-tcp-18", 26, 38);
        everyBitReaches("ipv6-udp-18", 22, 58);
        everyBitReaches("ipv6-hop-by-hop", 22, 54);
        everyBitReaches("ipv6-hop-by-hop", 62, 66);
        everyBitReaches("arp-reply", 0, 12);
    }

    @Test
    void otherFieldsDoNotMatter() {
        FrameRegion region = region("ipv4-udp-18");
        int before = hash(region, SEED);
        Frame frame = region.frame(0);
        for (int offset : new int[] {0, 6, 15, 18, 22, 25, 40, 42, 50}) {
            long at = frame.dataOffset + offset;
            Wire.put8(region.segment(), at, Wire.u8(region.segment(), at) ^ 0x10);
        }
        assertThat(hash(region, SEED)).isEqualTo(before);
        assertThat(hash(region, SEED + 1)).isNotEqualTo(before);
    }

    @Test
    void allFragmentsOfADatagramHashAlike() {
        FrameRegion region = region("ipv4-first-fragment");
        Frame frame = region.frame(0);
        int first = hash(region, SEED);
        long ip = frame.dataOffset + 14;
        Wire.put16(region.segment(), ip + Ipv4.FLAGS_OFFSET, 0x2004);
        Wire.put32(region.segment(), ip + 20, 0x1234_5678);
        assertThat(hash(region, SEED)).isEqualTo(first);
        assertThat(frame.transportOffset).isEqualTo(Frame.ABSENT);

        FrameRegion six = region("ipv6-later-fragment");
        int later = hash(six, SEED);
        Wire.put16(six.segment(), six.frame(0).dataOffset + 14 + 40 + 2, 1);
        assertThat(hash(six, SEED)).isEqualTo(later);
        assertThat(six.frame(0).transportOffset).isNotEqualTo(Frame.ABSENT);
    }

    @Test
    void spreadsConsecutivePortsEvenlyAndDifferentlyForEachSeed() {
        FrameRegion region = region("ipv4-udp-18");
        long port = region.frame(0).dataOffset + 34;
        for (int paths : List.of(2, 3, 4, 16, 64)) {
            int[][] together = new int[paths][paths];
            int flows = 1000 * paths * paths;
            flows = Math.min(flows, 65536);
            for (int flow = 0; flow < flows; flow++) {
                Wire.put16(region.segment(), port, flow);
                int one = Integer.remainderUnsigned(hash(region, SEED), paths);
                int other = Integer.remainderUnsigned(hash(region, SEED + 1), paths);
                together[one][other]++;
            }
            double expected = (double) flows / (paths * paths);
            double chiSquare = 0;
            for (int[] row : together) {
                for (int cell : row) {
                    chiSquare += (cell - expected) * (cell - expected) / expected;
                }
            }
            double freedom = paths * paths - 1.0;
            assertThat(chiSquare)
                    .as("%d paths, each with %d flows for either seed", paths, flows)
                    .isLessThan(freedom + 5 * Math.sqrt(2 * freedom));
        }
    }

    /**
     * Flips each bit of a range under many seeds, and counts how often each bit of the hash flips.
     */
    private static void everyBitReaches(String name, int from, int to) {
        FrameRegion region = region(name);
        MemorySegment segment = region.segment();
        long start = region.frame(0).dataOffset;
        int trials = 400;
        for (int bit = 0; bit < 8 * (to - from); bit++) {
            int[] flips = new int[32];
            for (int trial = 0; trial < trials; trial++) {
                int before = hash(region, SEED + trial);
                long at = start + from + (bit >>> 3);
                Wire.put8(segment, at, Wire.u8(segment, at) ^ (1 << (bit & 7)));
                int changed = before ^ hash(region, SEED + trial);
                for (int out = 0; out < 32; out++) {
                    flips[out] += (changed >>> out) & 1;
                }
            }
            for (int out = 0; out < 32; out++) {
                assertThat(flips[out])
                        .as("%s: input bit %d, output bit %d", name, bit, out)
                        .isBetween(trials / 2 - 60, trials / 2 + 60);
            }
        }
    }

    private static FrameRegion region(String name) {
        return Frames.regionWith(
                Corpus.read().stream()
                        .filter(entry -> entry.name().equals(name))
                        .findAny()
                        .orElseThrow()
                        .bytes());
    }

    private static int hash(FrameRegion region, long seed) {
        Frame frame = region.frame(0);
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        return FlowHash.of(region.segment(), frame, seed);
    }
}
