package io.headgate.dataplane.device.linux;

import static io.headgate.dataplane.memory.FrameRegion.MEMORY;

import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.frame.Checksum;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The virtio network header before a frame ({@code struct virtio_net_hdr}, in the machine's byte
 * order): describes the work that the sender left to hardware. Linux writes it before received
 * frames, and we write it before sent ones. Its values are not trusted: they are checked against
 * the frame's own headers.
 *
 * <pre>
 *   0      1         2         4         6           8            10
 *   flags  gso type  hdr len   gso size  csum start  csum offset
 * </pre>
 */
public final class VirtioHeader {
    public static final int BYTES = 10;

    private static final int GSO_TYPE_OFFSET = 1;
    private static final int HEADER_LENGTH_OFFSET = 2;
    private static final int GSO_SIZE_OFFSET = 4;

    /** Start of the checksummed bytes, and offset of the checksum from that start. */
    public static final int CHECKSUM_START_OFFSET = 6;

    public static final int CHECKSUM_PLACE_OFFSET = 8;

    private static final int NEEDS_CHECKSUM = 1;

    private static final int GSO_NONE = 0;
    private static final int GSO_TCPV4 = 1;
    private static final int GSO_TCPV6 = 4;

    /** Added to a type: the first segment says that its sender has slowed down. */
    private static final int GSO_ECN = 0x80;

    /** Where TCP and UDP have their checksum; others (SCTP's) are not Internet checksums. */
    private static final int UDP_CHECKSUM_PLACE = 6;

    private VirtioHeader() {}

    /**
     * Completes a received frame: work that its sender left to hardware is done, or noted in the
     * frame ({@link Frame#segmentBytes}). The frame's offset and lengths are already set.
     *
     * @param header address of the kernel's header
     * @param moved bytes by which everything behind the MAC addresses has moved since, because of a
     *     tag
     * @param maxFrameBytes longest frame of the link
     * @return why it must be dropped, or null
     */
    public static @Nullable DropReason take(
            Frame frame, long header, int moved, int maxFrameBytes) {
        frame.segmentBytes = 0;
        int type = Wire.u8(MEMORY, header + GSO_TYPE_OFFSET) & ~GSO_ECN;
        if (type != GSO_NONE) {
            return takeSegments(frame, header, moved, maxFrameBytes);
        }
        if (frame.lengthBytes < Ethernet.HEADER_BYTES) {
            return DropReason.RUNT;
        }
        if (frame.lengthBytes > maxFrameBytes) {
            return DropReason.OVERSIZE;
        }
        if ((Wire.u8(MEMORY, header) & NEEDS_CHECKSUM) != 0) {
            int start = word(header, CHECKSUM_START_OFFSET) + moved;
            int place = word(header, CHECKSUM_PLACE_OFFSET);
            if (!isFinishable(start, place, frame.lengthBytes)) {
                return DropReason.KERNEL_RX_INVALID;
            }
            finishChecksum(frame.dataOffset, start, place, frame.lengthBytes);
        }
        return null;
    }

    private static @Nullable DropReason takeSegments(
            Frame frame, long header, int moved, int maxFrameBytes) {
        int type = Wire.u8(MEMORY, header + GSO_TYPE_OFFSET) & ~GSO_ECN;
        int segmentBytes = word(header, GSO_SIZE_OFFSET);
        if (segmentBytes == 0 || HeaderParser.parse(MEMORY, frame) != null || !isTcp(frame, type)) {
            return DropReason.KERNEL_RX_INVALID;
        }
        if ((Wire.u8(MEMORY, header) & NEEDS_CHECKSUM) != 0
                && (word(header, CHECKSUM_START_OFFSET) + moved != frame.transportOffset
                        || word(header, CHECKSUM_PLACE_OFFSET) != TcpSegments.CHECKSUM_OFFSET)) {
            return DropReason.KERNEL_RX_INVALID;
        }
        int headerBytes = TcpSegments.headerBytes(frame);
        TcpSegments.beginChecksum(frame);
        if (frame.storedBytes - headerBytes <= segmentBytes) {
            // It is a frame of the wire's, whatever its sender says.
            if (frame.lengthBytes > maxFrameBytes) {
                return DropReason.OVERSIZE;
            }
            finishChecksum(
                    frame.dataOffset,
                    frame.transportOffset,
                    TcpSegments.CHECKSUM_OFFSET,
                    frame.lengthBytes);
            return null;
        }
        long counted = TcpSegments.countedBytes(frame.storedBytes, headerBytes, segmentBytes);
        // Inside the switch each segment may get a tag.
        long most =
                TcpSegments.countedBytes(
                        frame.storedBytes + Vlan.TAG_BYTES,
                        headerBytes + Vlan.TAG_BYTES,
                        segmentBytes);
        if (most > ConfigDefaults.WHOLE_FRAME_BYTES || headerBytes + segmentBytes > maxFrameBytes) {
            return DropReason.OVERSIZE;
        }
        frame.segmentBytes = segmentBytes;
        frame.lengthBytes = (int) counted;
        return null;
    }

    /** Whether a parsed frame is all one packet of TCP, of that type, with some payload. */
    private static boolean isTcp(Frame frame, int type) {
        int transport = frame.transportOffset;
        if (transport == Frame.ABSENT) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int packetBytes = frame.storedBytes - frame.ipOffset;
        boolean isTcp;
        if (frame.etherType == EtherType.IPV4) {
            isTcp =
                    type == GSO_TCPV4
                            && Ipv4.protocol(MEMORY, ip) == IpProtocol.TCP
                            && !Ipv4.isFragment(MEMORY, ip)
                            && Ipv4.totalBytes(MEMORY, ip) == packetBytes;
        } else {
            long found = Ipv6.transport(MEMORY, ip, packetBytes);
            isTcp =
                    type == GSO_TCPV6
                            && found != Ipv6.NO_TRANSPORT
                            && Ipv6.transportProtocol(found) == IpProtocol.TCP
                            && !Ipv6.transportIsFragment(found)
                            && Ipv6.HEADER_BYTES + Ipv6.payloadBytes(MEMORY, ip) == packetBytes;
        }
        return isTcp && TcpSegments.isTcp(frame);
    }

    private static int word(long header, int offset) {
        return MEMORY.get(ValueLayout.JAVA_SHORT_UNALIGNED, header + offset) & 0xFFFF;
    }

    /** Whether a checksum that was left to hardware can be completed. */
    public static boolean isFinishable(int start, int place, int lengthBytes) {
        return (place == TcpSegments.CHECKSUM_OFFSET || place == UDP_CHECKSUM_PLACE)
                && start >= Ethernet.HEADER_BYTES
                && start + place + 2 <= lengthBytes;
    }

    /**
     * Computes a checksum that the sender left to a network card, which a veth does not have. The
     * field holds the sum of the pseudo header; the sum over all bytes from the transport header on
     * completes it. The kernel gives the start of that header, so tunnels and extension headers
     * need no parsing here.
     *
     * @param data address of the frame
     */
    public static void finishChecksum(long data, int start, int place, int lengthBytes) {
        int checksum = Checksum.finish(Checksum.sum(MEMORY, data + start, lengthBytes - start));
        if (checksum == 0 && place == UDP_CHECKSUM_PLACE) {
            // Zero says "none" in UDP (RFC 768); the other zero is meant.
            checksum = 0xFFFF;
        }
        Wire.put16(MEMORY, data + start + place, checksum);
    }

    /**
     * Prepares a frame to be sent with a header: writes the header into the room right before the
     * frame, and zeros for missing bytes, also up to the shortest frame.
     *
     * @return the header's address, with the frame's stored bytes right behind; 0: no room in the
     *     slot
     */
    public static long prepare(Frame frame) {
        if (frame.segmentBytes == 0) {
            int lengthBytes = Math.max(frame.lengthBytes, Ethernet.MIN_FRAME_BYTES);
            if (frame.dataOffset + lengthBytes > frame.slotOffset + frame.region.slotBytes()) {
                return 0;
            }
            for (int index = frame.storedBytes; index < lengthBytes; index++) {
                MEMORY.set(ValueLayout.JAVA_BYTE, frame.dataOffset + index, (byte) 0);
            }
            frame.storedBytes = Math.max(frame.storedBytes, lengthBytes);
        }
        return frame.dataOffset - BYTES < frame.slotOffset ? 0 : write(frame);
    }

    private static long write(Frame frame) {
        long header = frame.dataOffset - BYTES;
        if (frame.segmentBytes == 0) {
            MEMORY.set(ValueLayout.JAVA_LONG_UNALIGNED, header, 0);
            put(header, CHECKSUM_PLACE_OFFSET, 0);
            return header;
        }
        int type = frame.etherType == EtherType.IPV4 ? GSO_TCPV4 : GSO_TCPV6;
        Wire.put8(MEMORY, header, NEEDS_CHECKSUM);
        Wire.put8(
                MEMORY,
                header + GSO_TYPE_OFFSET,
                TcpSegments.hasCwr(frame) ? type | GSO_ECN : type);
        put(header, HEADER_LENGTH_OFFSET, TcpSegments.headerBytes(frame));
        put(header, GSO_SIZE_OFFSET, frame.segmentBytes);
        put(header, CHECKSUM_START_OFFSET, frame.transportOffset);
        put(header, CHECKSUM_PLACE_OFFSET, TcpSegments.CHECKSUM_OFFSET);
        return header;
    }

    private static void put(long header, int offset, int value) {
        MEMORY.set(ValueLayout.JAVA_SHORT_UNALIGNED, header + offset, (short) value);
    }
}
