package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.UdpChecksums;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Marks on the wire: raised and never lowered, and checksums that stay right. */
class MarkTest {
    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int UDP = IP + Ipv4.MIN_HEADER_BYTES;
    private static final int BTH = UDP + Udp.HEADER_BYTES;
    private static final int PAYLOAD = 32;
    private static final int BYTES = BTH + Bth.HEADER_BYTES + PAYLOAD;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final FrameRegion region = new FrameRegion(1, 2048);

    private Frame frame(int ecn, int port) {
        Frame frame = region.frame(0);
        long at = frame.dataOffset;
        frame.lengthBytes = BYTES;
        frame.storedBytes = BYTES;
        Ethernet.destination(MEMORY, at, 0x020000000001L);
        Ethernet.source(MEMORY, at, 0x020000000002L);
        Ethernet.etherType(MEMORY, at, EtherType.IPV4);
        Ipv4.write(
                MEMORY,
                at + IP,
                26 << 2 | ecn,
                BYTES - IP,
                64,
                IpProtocol.UDP,
                0x0A000001,
                0x0A000002);
        Ipv4.writeChecksum(MEMORY, at + IP);
        Udp.write(MEMORY, at + UDP, 50_000, port, BYTES - UDP);
        Bth.write(MEMORY, at + BTH, 0x04, 0, 0xFFFF, 0x118, false, 7);
        UdpChecksums.writeChecksumIpv4(MEMORY, at + IP, at + UDP);
        assertThat(HeaderParser.parse(MEMORY, frame)).isNull();
        return frame;
    }

    private static void checksumsAreRight(Frame frame) {
        long ip = frame.dataOffset + IP;
        assertThat(Ipv4.isChecksumRight(MEMORY, ip)).isTrue();
        assertThat(UdpChecksums.isChecksumRightIpv4(MEMORY, ip, frame.dataOffset + UDP)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, 0, 0",
        "0, 3, 0, 0",
        "1, 2, 2, 2",
        "1, 3, 3, 2",
        "2, 2, 2, 1",
        "2, 3, 3, 2",
        "3, 2, 3, 1",
        "3, 3, 3, 1"
    })
    void theIpHeaderHasTheWorseOfTwoMarks(int sent, int mark, int expected, int outcome) {
        Frame frame = frame(sent, 9);
        assertThat(Mark.write(frame, mark, Mark.Field.ECN)).isEqualTo(outcome);
        assertThat(Ipv4.ecn(MEMORY, frame.dataOffset + IP)).isEqualTo(expected);
        checksumsAreRight(frame);
    }

    @Test
    void theBaseTransportHeaderHasBothBitsAndItsDatagramARightChecksum() {
        Frame frame = frame(1, Bth.UDP_PORT);
        long bth = frame.dataOffset + BTH;
        assertThat(Mark.write(frame, Mark.UNDETERMINED, Mark.Field.BTH)).isEqualTo(Mark.WRITTEN);
        assertThat(Mark.write(frame, Mark.UNDETERMINED, Mark.Field.BTH))
                .isEqualTo(Mark.CAME_MARKED);
        assertThat(Bth.congestion(MEMORY, bth)).isEqualTo(Mark.BTH_UNDETERMINED);
        checksumsAreRight(frame);
        assertThat(Mark.write(frame, Mark.CONGESTION, Mark.Field.BOTH)).isEqualTo(Mark.WRITTEN);
        assertThat(Bth.congestion(MEMORY, bth)).isEqualTo(Bth.FECN | Mark.BTH_UNDETERMINED);
        assertThat(Ipv4.ecn(MEMORY, frame.dataOffset + IP)).isEqualTo(Mark.CONGESTION);
        assertThat(Bth.destinationQp(MEMORY, bth)).isEqualTo(0x118);
        checksumsAreRight(frame);
    }

    @Test
    void whatIsNotRoceHasNoSuchHeader() {
        Frame other = frame(1, 4790);
        byte[] before = bytes(other);
        assertThat(Mark.write(other, Mark.CONGESTION, Mark.Field.BTH)).isEqualTo(Mark.INCAPABLE);
        assertThat(bytes(other)).isEqualTo(before);
        Frame cut = frame(1, Bth.UDP_PORT);
        cut.storedBytes = BTH + Bth.HEADER_BYTES - 1;
        assertThat(Mark.write(cut, Mark.CONGESTION, Mark.Field.BTH)).isEqualTo(Mark.INCAPABLE);
        assertThat(bytes(cut)).isEqualTo(bytes(frame(1, Bth.UDP_PORT)));
    }

    private static byte[] bytes(Frame frame) {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = MEMORY.get(ValueLayout.JAVA_BYTE, frame.dataOffset + i);
        }
        return bytes;
    }
}
