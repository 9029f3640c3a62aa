package io.headgate.dataplane.device;

import static io.headgate.dataplane.memory.FrameRegion.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.device.linux.TestPort;
import io.headgate.dataplane.forwarding.TagEditor;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Tcp;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is made of what the kernel says before a frame, whatever it says. */
class VirtioHeaderTest {
    private final Frame frame = WholeFrame.region(1).frame(0);

    @Test
    void wholeFrameCountsAsItsSegmentsOnTheWire() {
        WholeFrame.ipv4(64_000, 1_448).withOptions(12).into(frame);
        List<byte[]> segments = WholeFrame.segments(frame);
        long wire = segments.stream().mapToLong(one -> one.length + 24).sum();
        assertThat(segments).hasSize(45);
        assertThat(frame.lengthBytes + 24).isEqualTo(wire);
        assertThat(frame.storedBytes).isEqualTo(14 + 20 + 32 + 64_000);
        assertThat(TcpSegments.longestBytes(frame)).isEqualTo(1_514);
        assertThat(HeaderParser.isWithin(1_500, frame)).isTrue();
        assertThat(HeaderParser.isWithin(1_499, frame)).isFalse();
    }

    @Test
    void tagCountsForEachSegment() {
        WholeFrame.ipv4(10_000, 1_000).into(frame);
        int before = frame.lengthBytes;
        frame.vlan = 7;
        TagEditor.adapt(MEMORY, frame, true);
        assertThat(frame.lengthBytes).isEqualTo(before + 4 * 10);
        assertThat(WholeFrame.segments(frame))
                .hasSize(10)
                .allSatisfy(one -> assertThat(one).hasSize(14 + 4 + 40 + 1_000));
        TagEditor.adapt(MEMORY, frame, false);
        assertThat(frame.lengthBytes).isEqualTo(before);
    }

    @Test
    void frameThatIsOneSegmentIsOneOfTheWire() {
        WholeFrame.ipv4(1_000, 1_000).write(frame);
        assertThat(WholeFrame.take(frame)).isNull();
        assertThat(frame.segmentBytes).isZero();
        assertThat(frame.lengthBytes).isEqualTo(frame.storedBytes);
        assertThat(TestPort.transportChecksum(WholeFrame.bytes(frame))).isZero();
    }

    @Test
    void checksumThatTheSenderLeftIsCompleted() {
        WholeFrame.ipv4(1_000, 1_000).write(frame);
        HeaderParser.parse(MEMORY, frame);
        TcpSegments.beginChecksum(frame);
        WholeFrame.header(frame, 1, 0, 0, 34, Tcp.CHECKSUM_OFFSET);
        assertThat(WholeFrame.take(frame)).isNull();
        assertThat(TestPort.transportChecksum(WholeFrame.bytes(frame))).isZero();
    }

    @Test
    void whatTheKernelVerifiedNeedsNoChecksumOfIts() {
        WholeFrame.ipv6(5_000, 1_000).write(frame);
        List<byte[]> expected;
        WholeFrame.ipv6(5_000, 1_000).into(frame);
        expected = WholeFrame.segments(frame);
        WholeFrame.ipv6(5_000, 1_000).write(frame);
        WholeFrame.header(frame, 2, 4, 1_000, 0, 0);
        assertThat(WholeFrame.take(frame)).isNull();
        assertThat(WholeFrame.segments(frame)).containsExactlyElementsOf(expected);
    }

    private void refuses(int flags, int type, int size, int start, int place) {
        WholeFrame.header(frame, flags, type, size, start, place);
        assertThat(WholeFrame.take(frame))
                .as("%d %d %d %d %d", flags, type, size, start, place)
                .isEqualTo(DropReason.KERNEL_RX_INVALID);
        assertThat(frame.segmentBytes).isZero();
    }

    @Test
    void headersThatLieAreRefused() {
        WholeFrame.ipv4(5_000, 1_000).write(frame);
        refuses(1, 1, 0, 34, 16);
        // UDP, a kind that is not known, and TCP over the other IP.
        refuses(1, 5, 1_000, 34, 16);
        refuses(1, 3, 1_000, 34, 16);
        refuses(1, 4, 1_000, 34, 16);
        refuses(1, 0x7f, 1_000, 34, 16);
        // The checksum outside of the frame, in its headers, and in another place of TCP's.
        refuses(1, 1, 1_000, 0xffff, 16);
        refuses(1, 1, 1_000, 14, 16);
        refuses(1, 1, 1_000, 34, 6);
        refuses(1, 1, 1_000, 34, 0xffff);
        WholeFrame.ipv4(1_000, 1_000).write(frame);
        refuses(1, 0, 0, 0xffff, 16);
        refuses(1, 0, 0, 34, 0xffff);
        refuses(1, 0, 0, 0, 16);
    }

    @Test
    void packetsThatDoNotHoldTogetherAreRefused() {
        WholeFrame sound = WholeFrame.ipv4(5_000, 1_000);
        long[][] wrong = {
            // An IP header without end, another protocol, a fragment, a wrong length.
            {14, 0x4f},
            {23, 17},
            {20, 0x20},
            {16, 0x10},
            // A TCP header that is too short, and one to the end of the options and beyond.
            {46, 0x40},
            {12, 0x86}
        };
        for (long[] one : wrong) {
            sound.write(frame);
            Wire.put8(MEMORY, frame.dataOffset + one[0], (int) one[1]);
            assertThat(WholeFrame.take(frame))
                    .as("byte %d", one[0])
                    .isEqualTo(DropReason.KERNEL_RX_INVALID);
        }
        // No payload at all.
        sound.write(frame);
        frame.storedBytes = 54;
        frame.lengthBytes = 54;
        Ipv4.totalBytes(MEMORY, frame.dataOffset + 14, 40);
        assertThat(WholeFrame.take(frame)).isEqualTo(DropReason.KERNEL_RX_INVALID);
    }

    @Test
    void whatWouldOccupyTheWireForTooLongIsRefused() {
        WholeFrame.ipv4(64_000, 1).write(frame);
        assertThat(WholeFrame.take(frame)).isEqualTo(DropReason.OVERSIZE);
        WholeFrame.ipv4(5_000, 1_500).write(frame);
        assertThat(WholeFrame.take(frame)).isEqualTo(DropReason.OVERSIZE);
        WholeFrame.ipv4(1_500, 1_500).write(frame);
        assertThat(WholeFrame.take(frame)).isEqualTo(DropReason.OVERSIZE);
        // With a tag for each of its segments, as a port may give it, it would be too long.
        WholeFrame.ipv4(64_000, 75).write(frame);
        assertThat(WholeFrame.take(frame)).isEqualTo(DropReason.OVERSIZE);
        // TCP's least segments pass, of a frame of 64 KB.
        WholeFrame.ipv4(65_000, 94).into(frame);
    }

    @Test
    void anyHeaderBeforeAnyFrameEnds() {
        Random random = new Random(1);
        int taken = 0;
        for (int round = 0; round < 20_000; round++) {
            WholeFrame.ipv4(3_000, 1_000).write(frame);
            long from = WholeFrame.header(frame);
            int bytes = random.nextInt(4);
            for (int i = 0; i < bytes; i++) {
                Wire.put8(MEMORY, from + random.nextInt(64), random.nextInt(256));
            }
            frame.storedBytes = random.nextBoolean() ? frame.storedBytes : random.nextInt(3_054);
            frame.lengthBytes = frame.storedBytes;
            if (WholeFrame.take(frame) == null) {
                taken++;
                assertThat(frame.region.holds(frame)).isTrue();
                assertThat(frame.segmentBytes == 0 || frame.etherType != EtherType.ARP).isTrue();
                WholeFrame.segments(frame);
            }
        }
        assertThat(taken).isBetween(1_000, 19_000);
    }
}
