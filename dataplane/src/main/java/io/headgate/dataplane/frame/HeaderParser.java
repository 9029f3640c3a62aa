package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds the headers of a received frame in one pass. For any bytes, it ends, reads only bytes of
 * the frame, and throws nothing.
 *
 * <p>Up to two 802.1Q tags are parsed. The outer one gives VLAN and priority, and must be valid;
 * the inner one does not concern the switch, so a truncated one only ends the parse. An 802.1ad tag
 * (0x88A8) is a type like any other, and nothing after it is parsed. A frame with an invalid IP
 * header has no {@code ipOffset}: a bridge still forwards it.
 */
public final class HeaderParser {
    /**
     * Minimum number of stored bytes from {@link Frame#transportOffset} on: a whole UDP or ICMP
     * header.
     */
    public static final int TRANSPORT_MIN_BYTES = 8;

    private static final int TAG_AND_TYPE_BYTES = Vlan.ETHER_TYPE_OFFSET + 2;

    private HeaderParser() {}

    /**
     * Sets {@code tagged}, {@code vlan}, {@code priority} (the tag's, 0 without one), {@code
     * etherTypeOffset}, {@code etherType}, {@code ipOffset} and {@code transportOffset} from the
     * frame's bytes.
     *
     * <p>{@code ipOffset} is set if {@link Ipv4#isValid} or {@link Ipv6#isValid} holds there and
     * the header is stored. {@code transportOffset} is set if in addition the packet is not a later
     * fragment and {@link #TRANSPORT_MIN_BYTES} of the transport header are stored.
     *
     * @param segment the segment for which {@link Frame#dataOffset} is an offset
     * @return null if the frame can be handled, else why not; its fields then have no meaning
     */
    public static @Nullable DropReason parse(MemorySegment segment, Frame frame) {
        long data = frame.dataOffset;
        int stored = frame.storedBytes;
        if (stored < Ethernet.HEADER_BYTES) {
            return DropReason.RUNT;
        }
        int typeOffset = Ethernet.ETHER_TYPE_OFFSET;
        int etherType = Ethernet.etherType(segment, data);
        boolean tagged = etherType == EtherType.VLAN;
        int tci = 0;
        if (tagged) {
            if (!Vlan.isValid(segment, data + typeOffset, stored - typeOffset)) {
                return DropReason.MALFORMED_TAG;
            }
            tci = Vlan.tci(segment, data + typeOffset);
            etherType = Vlan.etherType(segment, data + typeOffset);
            typeOffset += Vlan.TAG_BYTES;
            if (etherType == EtherType.VLAN && stored - typeOffset >= TAG_AND_TYPE_BYTES) {
                etherType = Vlan.etherType(segment, data + typeOffset);
                typeOffset += Vlan.TAG_BYTES;
            }
        }
        frame.tagged = tagged;
        frame.vlan = Vlan.id(tci);
        frame.priority = Vlan.priority(tci);
        frame.etherTypeOffset = typeOffset;
        frame.etherType = etherType;
        if (etherType == EtherType.IPV4) {
            parseIpv4(segment, frame, typeOffset + 2, stored);
        } else if (etherType == EtherType.IPV6) {
            parseIpv6(segment, frame, typeOffset + 2, stored);
        } else {
            frame.ipOffset = Frame.ABSENT;
            frame.transportOffset = Frame.ABSENT;
        }
        return null;
    }

    /**
     * Whether a parsed frame, or each of the segments that it stands for, carries no more than an
     * MTU allows. Tags do not count, including provider tags, of which up to two per frame are
     * allowed.
     */
    public static boolean isWithin(int mtuBytes, Frame frame) {
        int bytes = frame.lengthBytes - mtuBytes;
        return bytes <= frame.etherTypeOffset + 2
                || (frame.etherType == EtherType.SERVICE_VLAN
                        && bytes <= Ethernet.HEADER_BYTES + 2 * Vlan.TAG_BYTES)
                || (frame.segmentBytes != 0
                        && TcpSegments.longestBytes(frame) - mtuBytes <= frame.etherTypeOffset + 2);
    }

    private static void parseIpv4(MemorySegment segment, Frame frame, int ipOffset, int stored) {
        long ip = frame.dataOffset + ipOffset;
        int storedBytes = stored - ipOffset;
        int foundIp = Frame.ABSENT;
        int foundTransport = Frame.ABSENT;
        if (storedBytes >= Ipv4.MIN_HEADER_BYTES) {
            int firstWord = Wire.i32(segment, ip);
            int headerBytes = Ipv4.headerBytes(firstWord);
            if (headerBytes <= storedBytes
                    && Ipv4.isValid(firstWord, frame.lengthBytes - ipOffset)) {
                foundIp = ipOffset;
                int endBytes = Math.min(storedBytes, Ipv4.totalBytes(firstWord));
                if (endBytes - headerBytes >= TRANSPORT_MIN_BYTES
                        && Ipv4.fragmentOffsetBytes(segment, ip) == 0) {
                    foundTransport = ipOffset + headerBytes;
                }
            }
        }
        frame.ipOffset = foundIp;
        frame.transportOffset = foundTransport;
    }

    private static void parseIpv6(MemorySegment segment, Frame frame, int ipOffset, int stored) {
        long ip = frame.dataOffset + ipOffset;
        int storedBytes = stored - ipOffset;
        frame.ipOffset = Frame.ABSENT;
        frame.transportOffset = Frame.ABSENT;
        if (storedBytes < Ipv6.HEADER_BYTES
                || !Ipv6.isValid(segment, ip, frame.lengthBytes - ipOffset)) {
            return;
        }
        frame.ipOffset = ipOffset;
        int endBytes = Math.min(storedBytes, Ipv6.HEADER_BYTES + Ipv6.payloadBytes(segment, ip));
        long transport = Ipv6.transport(segment, ip, endBytes);
        if (transport != Ipv6.NO_TRANSPORT) {
            int transportOffset = Ipv6.transportOffset(transport);
            if (endBytes - transportOffset >= TRANSPORT_MIN_BYTES) {
                frame.transportOffset = ipOffset + transportOffset;
            }
        }
    }
}
