package io.headgate.dataplane.device;

import static io.headgate.dataplane.memory.FrameRegion.MEMORY;

import io.headgate.config.MemoryConfig;
import io.headgate.dataplane.device.linux.VirtioHeader;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Tcp;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For tests: a frame of several TCP segments as a host leaves it to hardware. */
public final class WholeFrame {
    /** Most that a frame of the link has, with room for a tag. */
    public static final int MAX_FRAME_BYTES = 1518;

    private static final int ETHERNET_BYTES = 14;

    private final boolean isIpv6;
    private final int payloadBytes;
    private final int segmentBytes;
    private final int optionBytes;
    private final int flags;

    private WholeFrame(
            boolean isIpv6, int payloadBytes, int segmentBytes, int optionBytes, int flags) {
        this.isIpv6 = isIpv6;
        this.payloadBytes = payloadBytes;
        this.segmentBytes = segmentBytes;
        this.optionBytes = optionBytes;
        this.flags = flags;
    }

    /** Over IPv4, with an acknowledgement and nothing else said. */
    public static WholeFrame ipv4(int payloadBytes, int segmentBytes) {
        return new WholeFrame(false, payloadBytes, segmentBytes, 0, Tcp.ACK);
    }

    /** Over IPv6. */
    public static WholeFrame ipv6(int payloadBytes, int segmentBytes) {
        return new WholeFrame(true, payloadBytes, segmentBytes, 0, Tcp.ACK);
    }

    public WholeFrame withOptions(int bytes) {
        return new WholeFrame(isIpv6, payloadBytes, segmentBytes, bytes, flags);
    }

    public WholeFrame withFlags(int more) {
        return new WholeFrame(isIpv6, payloadBytes, segmentBytes, optionBytes, flags | more);
    }

    /** Slots for such frames. */
    public static FrameRegion region(int slots) {
        return new FrameRegion(
                slots,
                MemoryConfig.WHOLE_SLOT_BYTES,
                false,
                bytes -> Arena.ofAuto().allocate(bytes, 4096));
    }

    /** Bytes before the TCP header. */
    public int transportOffset() {
        return ETHERNET_BYTES + (isIpv6 ? Ipv6.HEADER_BYTES : Ipv4.MIN_HEADER_BYTES);
    }

    /**
     * Writes it into a slot, its checksum not yet begun, and a header of the kernel's before it.
     */
    public void write(Frame frame) {
        long data = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        int tcpBytes = Tcp.MIN_HEADER_BYTES + optionBytes + payloadBytes;
        frame.dataOffset = data;
        frame.lengthBytes = transportOffset() + tcpBytes;
        frame.storedBytes = frame.lengthBytes;
        Wire.put48(MEMORY, data, 0x0200_0000_0002L);
        Wire.put48(MEMORY, data + 6, 0x0200_0000_0001L);
        Wire.put16(MEMORY, data + 12, isIpv6 ? EtherType.IPV6 : EtherType.IPV4);
        long ip = data + ETHERNET_BYTES;
        if (isIpv6) {
            Ipv6.write(MEMORY, ip, 2, tcpBytes, IpProtocol.TCP, 64);
            Ipv6.source(MEMORY, ip, 0xfd99L << 48, 1);
            Ipv6.destination(MEMORY, ip, 0xfd99L << 48, 2);
        } else {
            int totalBytes = Ipv4.MIN_HEADER_BYTES + tcpBytes;
            Ipv4.write(MEMORY, ip, 2, totalBytes, 64, IpProtocol.TCP, 0x0a000001, 0x0a000002);
            // The kernel goes on from here, also beyond the end.
            Ipv4.identification(MEMORY, ip, 0xfffe);
            Ipv4.writeChecksum(MEMORY, ip);
        }
        long tcp = data + transportOffset();
        Wire.put16(MEMORY, tcp, 40_000);
        Wire.put16(MEMORY, tcp + 2, 5_201);
        // Half way through it comes round.
        Wire.put32(MEMORY, tcp + Tcp.SEQUENCE_OFFSET, -segmentBytes - 1);
        Wire.put32(MEMORY, tcp + Tcp.ACKNOWLEDGEMENT_OFFSET, 77);
        int words = (Tcp.MIN_HEADER_BYTES + optionBytes) / 4;
        Wire.put8(MEMORY, tcp + Tcp.DATA_OFFSET_OFFSET, words << 4);
        Wire.put8(MEMORY, tcp + Tcp.FLAGS_OFFSET, flags);
        Wire.put16(MEMORY, tcp + Tcp.WINDOW_OFFSET, 501);
        Wire.put16(MEMORY, tcp + Tcp.CHECKSUM_OFFSET, 0);
        Wire.put16(MEMORY, tcp + 18, 0);
        for (int i = 0; i < optionBytes; i++) {
            Wire.put8(MEMORY, tcp + Tcp.MIN_HEADER_BYTES + i, 1);
        }
        for (int i = 0; i < payloadBytes; i++) {
            long at = tcp + Tcp.MIN_HEADER_BYTES + optionBytes + i;
            Wire.put8(MEMORY, at, i * 31 + i / 251);
        }
        int type = (isIpv6 ? 4 : 1) | ((flags & Tcp.CWR) != 0 ? 0x80 : 0);
        header(frame, 1, type, segmentBytes, transportOffset(), Tcp.CHECKSUM_OFFSET);
    }

    /** Writes what the kernel would say before a frame. */
    public static void header(
            Frame frame, int flags, int type, int size, int checksumStart, int checksumPlace) {
        long header = header(frame);
        Wire.put8(MEMORY, header, flags);
        Wire.put8(MEMORY, header + 1, type);
        short[] words = {100, (short) size, (short) checksumStart, (short) checksumPlace};
        for (int i = 0; i < words.length; i++) {
            MEMORY.set(ValueLayout.JAVA_SHORT_UNALIGNED, header + 2 + 2L * i, words[i]);
        }
    }

    /** Where that stands. */
    public static long header(Frame frame) {
        return frame.dataOffset - VirtioHeader.BYTES;
    }

    /** Has a device's code look at it. */
    public static @Nullable DropReason take(Frame frame) {
        return VirtioHeader.take(frame, header(frame), 0, MAX_FRAME_BYTES);
    }

    /** Writes it, and has it taken; it must be one of several segments. */
    public void into(Frame frame) {
        write(frame);
        DropReason bad = take(frame);
        if (bad != null || frame.segmentBytes != segmentBytes) {
            throw new AssertionError(bad + ", " + frame.segmentBytes);
        }
    }

    /** Puts a tag on a frame that has been taken. */
    public static void tag(Frame frame, int tci) {
        frame.dataOffset = Vlan.push(MEMORY, frame.dataOffset, EtherType.VLAN, tci);
        frame.storedBytes += Vlan.TAG_BYTES;
        frame.lengthBytes += Vlan.TAG_BYTES * TcpSegments.count(frame);
        frame.etherTypeOffset += Vlan.TAG_BYTES;
        frame.ipOffset += Vlan.TAG_BYTES;
        frame.transportOffset += Vlan.TAG_BYTES;
        frame.tagged = true;
    }

    public static byte[] bytes(Frame frame) {
        return MEMORY.asSlice(frame.dataOffset, frame.storedBytes).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Its segments. */
    public static List<byte[]> segments(Frame whole) {
        Frame one = new FrameRegion(1, 16_384).frame(0);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < TcpSegments.count(whole); i++) {
            one.dataOffset = one.slotOffset + FrameRegion.HEADROOM_BYTES;
            TcpSegments.cut(whole, i, one);
            all.add(bytes(one));
        }
        return all;
    }
}
