package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.frame.Frames;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.UdpChecksums;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens of Escape byte by byte, and the header of escaping frames in both of its places. */
final class EscapeFramesTest {
    private static final String MACS = "0200000000aa 0200000000bb";
    private static final String BTH = "0a40ffff00000005 00000007 11223344 deadbeef";

    // UDP checksum ffff stands for a place to be filled.
    private static final String ROCE =
            "0800 4500003000000000 40110000 0a000001 0a000002 c00012b7 001c0000" + BTH;
    private static final String ROCE_V6 =
            "86dd 60000000 001c 11 40 20010db8000000000000000000000001"
                    + "20010db8000000000000000000000002 c00012b7 001c0000"
                    + BTH;

    private final FrameRegion region = new FrameRegion(1, 2048);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private Frame parsed(byte[] bytes) {
        Frame frame = Frames.fill(region, bytes);
        assertThat(HeaderParser.parse(region.segment(), frame)).isNull();
        return frame;
    }

    private byte[] content(Frame frame) {
        byte[] content = new byte[frame.lengthBytes];
        MemorySegment.copy(
                region.segment(),
                java.lang.foreign.ValueLayout.JAVA_BYTE,
                frame.dataOffset,
                content,
                0,
                content.length);
        return content;
    }

    private String token(String ip, int hops, int priority) {
        FiveTuple flow = new FiveTuple();
        assertThat(flow.read(region.segment(), parsed(bytes(MACS + ip)))).isTrue();
        byte[] frame = new byte[EscapeToken.FRAME_BYTES];
        MemorySegment segment = MemorySegment.ofArray(frame);
        EscapeToken.write(segment, 0, 0x0200_0000_0001L, flow, hops, priority);
        assertThat(EscapeToken.isValid(segment, 0, frame.length)).isTrue();
        FiveTuple read = new FiveTuple();
        EscapeToken.flow(segment, 0, read);
        assertThat(read.isOf(region.segment(), region.frame(0))).isTrue();
        assertThat(EscapeToken.hops(segment, 0)).isEqualTo(hops);
        assertThat(EscapeToken.priority(segment, 0)).isEqualTo(priority);
        return hex(frame);
    }

    @Test
    void aTokenHasTheDissertationsFifteenBytesAndAPriority() {
        assertThat(token(ROCE, 0x0203, 5))
                .isEqualTo(
                        "0180c2000001"
                                + "020000000001"
                                + "8808"
                                + "0102"
                                + "0a000001"
                                + "0a000002"
                                + "c000"
                                + "12b7"
                                + "11"
                                + "0203"
                                + "05"
                                + "00".repeat(28));
        assertThat(token(ROCE_V6, 1, 3))
                .isEqualTo(
                        "0180c2000001"
                                + "020000000001"
                                + "8808"
                                + "0112"
                                + "20010db8000000000000000000000001"
                                + "20010db8000000000000000000000002"
                                + "c000"
                                + "12b7"
                                + "11"
                                + "0001"
                                + "03"
                                + "00".repeat(4));
    }

    @Test
    void aTokenThatSaysWhatCannotBeIsNone() {
        byte[] good = bytes(token(ROCE, 1, 3));
        assertThat(EscapeToken.isValid(MemorySegment.ofArray(good), 0, 32)).isTrue();
        assertThat(EscapeToken.isValid(MemorySegment.ofArray(good), 0, 31)).isFalse();
        for (int[] change : new int[][] {{28, 1}, {30, 0}, {31, 8}, {15, 3}, {13, 9}}) {
            byte[] bad = good.clone();
            bad[change[0]] = (byte) change[1];
            assertThat(EscapeToken.isValid(MemorySegment.ofArray(bad), 0, 60)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"0800,1", "8100a064 0800,1", "8100a064 81006007 0800,2"})
    void theTagStandsBehindVlanTagsAndComesOffWithoutATrace(String types, int hops) {
        byte[] plain = bytes(MACS + types + ROCE.substring(4));
        int at = 12 + (types.length() - types.replace(" ", "").length()) * 4;
        Frame frame = parsed(plain);
        EscapeHeader.insert(region.segment(), frame, hops, false);
        String tagged = hex(content(frame));
        assertThat(tagged.substring(2 * at, 2 * at + 8)).isEqualTo("88b6000" + hops);
        assertThat(tagged.substring(0, 2 * at) + tagged.substring(2 * at + 8))
                .isEqualTo(hex(plain));
        Frame came = parsed(bytes(tagged));
        assertThat(EscapeHeader.isPresent(region.segment(), came, true)).isTrue();
        assertThat(EscapeHeader.remove(region.segment(), came)).isEqualTo(hops);
        assertThat(content(came)).isEqualTo(plain);
        assertThat(came.transportOffset).isEqualTo(at + 2 + 20);
        assertThat(EscapeHeader.isPresent(region.segment(), came, true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void behindUdpLengthsPortAndChecksumsFollowAndTheIcrcIsRightAfterwards(
            boolean ipv6, boolean checksum) {
        Frame frame = parsed(bytes(MACS + (ipv6 ? ROCE_V6 : ROCE)));
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        if (!ipv6) {
            Ipv4.writeChecksum(region.segment(), ip);
        }
        if (checksum) {
            writeUdpChecksum(ipv6, ip, udp);
        }
        byte[] plain = content(frame);
        EscapeHeader.insert(region.segment(), frame, 2, true);
        byte[] escaping = content(frame);
        Frame came = parsed(escaping);
        ip = came.dataOffset + came.ipOffset;
        udp = came.dataOffset + came.transportOffset;
        assertThat(Udp.destinationPort(region.segment(), udp)).isEqualTo(4793);
        assertThat(Udp.lengthBytes(region.segment(), udp)).isEqualTo(32);
        assertThat(Wire.u32(region.segment(), udp + 8)).isEqualTo(0x0002_0000);
        assertThat(came.lengthBytes).isEqualTo(plain.length + 4);
        if (ipv6) {
            assertThat(Ipv6.payloadBytes(region.segment(), ip)).isEqualTo(32);
            assertThat(UdpChecksums.isChecksumRightIpv6(region.segment(), ip, udp)).isTrue();
        } else {
            assertThat(Ipv4.totalBytes(region.segment(), ip)).isEqualTo(52);
            assertThat(Ipv4.isChecksumRight(region.segment(), ip)).isTrue();
            assertThat(UdpChecksums.isChecksumRightIpv4(region.segment(), ip, udp)).isTrue();
        }
        assertThat(Udp.checksum(region.segment(), udp) != 0).isEqualTo(checksum);
        assertThat(EscapeHeader.isPresent(region.segment(), came, true)).isTrue();
        assertThat(EscapeHeader.remove(region.segment(), came)).isEqualTo(2);
        assertThat(content(came)).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({"false,0001", "true,0001", "false,8000", "true,beef"})
    void aHeaderBehindUdpWhoseSecondWordIsNotZeroLeavesARightChecksum(boolean ipv6, String word) {
        Frame frame = parsed(bytes(MACS + (ipv6 ? ROCE_V6 : ROCE)));
        EscapeHeader.insert(region.segment(), frame, 2, true);
        long udp = frame.dataOffset + frame.transportOffset;
        Wire.put16(region.segment(), udp + 10, Integer.parseInt(word, 16));
        writeUdpChecksum(ipv6, frame.dataOffset + frame.ipOffset, udp);
        Frame came = parsed(content(frame));
        assertThat(EscapeHeader.remove(region.segment(), came)).isEqualTo(2);
        long ip = came.dataOffset + came.ipOffset;
        udp = came.dataOffset + came.transportOffset;
        assertThat(
                        ipv6
                                ? UdpChecksums.isChecksumRightIpv6(region.segment(), ip, udp)
                                : UdpChecksums.isChecksumRightIpv4(region.segment(), ip, udp))
                .isTrue();
    }

    private void writeUdpChecksum(boolean ipv6, long ip, long udp) {
        if (ipv6) {
            UdpChecksums.writeChecksumIpv6(region.segment(), ip, udp);
        } else {
            UdpChecksums.writeChecksumIpv4(region.segment(), ip, udp);
        }
    }

    @Test
    void framesThatAreNotRoceHaveTheTagAndOthersAreNotTakenForEscaping() {
        byte[] other = bytes(MACS + ROCE.replace("12b7", "12b5"));
        Frame frame = parsed(other);
        EscapeHeader.insert(region.segment(), frame, 1, true);
        assertThat(hex(content(frame)).substring(24, 32)).isEqualTo("88b60001");
        assertThat(
                        EscapeHeader.isPresent(
                                region.segment(), parsed(bytes(MACS + "88b60001 08")), true))
                .isFalse();
        // Port 4793, but TCP.
        byte[] tcp = bytes(MACS + ROCE.replace("40110000", "40060000").replace("12b7", "12b9"));
        assertThat(EscapeHeader.isPresent(region.segment(), parsed(tcp), true)).isFalse();
    }

    @Test
    void aFlowIsFiveValuesAndNothingElse() {
        FiveTuple flow = new FiveTuple();
        assertThat(flow.read(region.segment(), parsed(bytes(MACS + ROCE)))).isTrue();
        for (String change :
                new String[] {
                    "0a000001=0a000003",
                    "0a000002=0a000003",
                    "c000=c001",
                    "12b7=12b8",
                    "40110000=40060000"
                }) {
            String[] both = change.split("=", 2);
            Frame other = parsed(bytes(MACS + ROCE.replace(both[0], both[1])));
            assertThat(flow.isOf(region.segment(), other)).as(change).isFalse();
        }
        Frame sameFlow = parsed(bytes(MACS + ROCE.replace("4500", "4568").replace("0007", "0008")));
        assertThat(flow.isOf(region.segment(), sameFlow)).isTrue();
        Frame fragment = parsed(bytes(MACS + ROCE.replace("00000000 4011", "00002000 4011")));
        assertThat(flow.read(region.segment(), fragment)).isFalse();
        Frame icmp = parsed(bytes(MACS + ROCE.replace("40110000", "40010000")));
        assertThat(flow.read(region.segment(), icmp)).isFalse();
    }
}
