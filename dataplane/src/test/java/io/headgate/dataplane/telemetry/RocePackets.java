package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Packets of RoCEv2 in slots, as hosts send them. */
final class RocePackets {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long HIGH = 0xFD00_0000_0000_0000L;

    private RocePackets() {}

    /** Writes a frame with {@code payloadBytes} bytes of IP payload and a valid ICRC. */
    static Frame write(Frame frame, boolean isIpv6, int opcode, int payloadBytes) {
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        long data = frame.dataOffset;
        MEMORY.asSlice(data, Ethernet.HEADER_BYTES + 40L + payloadBytes).fill((byte) 0x5A);
        Ethernet.etherType(MEMORY, data, isIpv6 ? EtherType.IPV6 : EtherType.IPV4);
        long ip = data + Ethernet.HEADER_BYTES;
        int ipBytes = isIpv6 ? Ipv6.HEADER_BYTES : Ipv4.MIN_HEADER_BYTES;
        if (isIpv6) {
            Ipv6.write(MEMORY, ip, 0x21, payloadBytes, IpProtocol.UDP, 64);
            Ipv6.source(MEMORY, ip, HIGH, 1);
            Ipv6.destination(MEMORY, ip, HIGH, 2);
        } else {
            int total = ipBytes + payloadBytes;
            Ipv4.write(MEMORY, ip, 0x21, total, 64, IpProtocol.UDP, 0x0A00_0001, 0x0A00_0002);
            Ipv4.writeChecksum(MEMORY, ip);
        }
        long udp = ip + ipBytes;
        Udp.write(MEMORY, udp, 0xC123, Bth.UDP_PORT, payloadBytes);
        Bth.write(MEMORY, udp + Udp.HEADER_BYTES, opcode, 0, 0xFFFF, 0x1234, true, 77);
        frame.lengthBytes = Ethernet.HEADER_BYTES + ipBytes + payloadBytes;
        frame.storedBytes = frame.lengthBytes;
        parse(frame);
        Icrc.write(MEMORY, ip, frame.storedBytes - frame.ipOffset - Icrc.BYTES);
        return frame;
    }

    static Frame data(Frame frame, boolean isIpv6, int payloadBytes) {
        return write(frame, isIpv6, RcOpcode.SEND_ONLY, payloadBytes);
    }

    static void parse(Frame frame) {
        assertThat(HeaderParser.parse(MEMORY, frame)).isNull();
    }

    static byte[] bytes(Frame frame) {
        return MEMORY.asSlice(frame.dataOffset, frame.lengthBytes).toArray(ValueLayout.JAVA_BYTE);
    }

    static void flip(Frame frame, int at, int bits) {
        long address = frame.dataOffset + at;
        Wire.put8(MEMORY, address, Wire.u8(MEMORY, address) ^ bits);
    }

    /** Whether the frame's lengths and checksums are right. */
    static boolean isWhole(Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        boolean isIpv6 = frame.etherType == EtherType.IPV6;
        int total =
                isIpv6
                        ? Ipv6.HEADER_BYTES + Ipv6.payloadBytes(MEMORY, ip)
                        : Ipv4.totalBytes(MEMORY, ip);
        return total == frame.lengthBytes - frame.ipOffset
                && Udp.lengthBytes(MEMORY, udp) == frame.lengthBytes - frame.transportOffset
                && (isIpv6 || Ipv4.isChecksumRight(MEMORY, ip));
    }
}
