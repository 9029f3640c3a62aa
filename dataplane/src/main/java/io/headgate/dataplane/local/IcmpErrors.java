package io.headgate.dataplane.local;

import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.forwarding.TokenBucket;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Sends ICMP errors to the senders of packets that cannot be forwarded (RFC 792, RFC 1812 section
 * 4.3, RFC 4443), at a limited rate, and never for packets that must not be answered (RFC 1122
 * section 3.2.2): errors, groups, broadcasts, later fragments, packets that are not from one other
 * host.
 */
final class IcmpErrors {
    /** The errors, with their type and code in ICMP and in ICMPv6. */
    enum Kind {
        NO_ROUTE(3, 0, 1, 0),
        HOST_UNREACHABLE(3, 1, 1, 3),
        PORT_UNREACHABLE(3, 3, 1, 4),
        /** The switch supports only ICMP: RFC 1122 section 3.2.2.1; RFC 4443 section 3.4. */
        PROTOCOL_UNREACHABLE(3, 2, 4, 1),
        TOO_BIG(3, 4, 2, 0),
        TIME_EXCEEDED(11, 0, 3, 0),
        /**
         * The switch does not reassemble fragments, so the time for reassembly is exceeded at once.
         */
        NOT_REASSEMBLED(11, 1, 3, 1);

        private final int typeV4;
        private final int codeV4;
        private final int typeV6;
        private final int codeV6;

        Kind(int typeV4, int codeV4, int typeV6, int codeV6) {
            this.typeV4 = typeV4;
            this.codeV4 = codeV4;
            this.typeV6 = typeV6;
            this.codeV6 = codeV6;
        }
    }

    private static final int ERRORS_PER_SEC = 1000;
    private static final int TTL = 64;
    private static final int V4_LIMIT_BYTES = 576;
    private static final int V6_LIMIT_BYTES = 1280;

    /** ICMPv6 types below this are errors. */
    private static final int V6_FIRST_QUERY = 128;

    private final LocalBuffers buffers;
    private final MemorySegment segment;
    private final SwitchAddresses addresses;
    private final TokenBucket limit = new TokenBucket(ERRORS_PER_SEC);

    IcmpErrors(LocalBuffers buffers, SwitchAddresses addresses) {
        this.buffers = buffers;
        this.segment = buffers.segment();
        this.addresses = addresses;
    }

    /**
     * Sends an error about a frame with a valid IP header; the frame itself remains the caller's.
     *
     * @param mtuBytes for {@link Kind#TOO_BIG}: the largest packet that could be forwarded
     */
    void send(long nowNs, Frame frame, Kind kind, int mtuBytes) {
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        long ip = frame.dataOffset + frame.ipOffset;
        int own = addresses.source(frame.ingressPort, isIpv4);
        if (own < 0
                || MacAddress.isGroup(Ethernet.destination(segment, frame.dataOffset))
                || !(isIpv4 ? mayAnswerIpv4(frame, ip) : mayAnswerIpv6(frame, ip))
                || !limit.take(nowNs)) {
            return;
        }
        Frame error = buffers.originate();
        if (error == null) {
            return;
        }
        Ethernet.destination(segment, error.dataOffset, Ethernet.source(segment, frame.dataOffset));
        Ethernet.source(segment, error.dataOffset, addresses.mac(frame.ingressPort));
        Ethernet.etherType(segment, error.dataOffset, frame.etherType);
        long low = addresses.low(frame.ingressPort, own);
        int ipBytes =
                isIpv4
                        ? writeIpv4(error, ip, kind, (int) low, mtuBytes)
                        : writeIpv6(
                                error,
                                ip,
                                kind,
                                addresses.high(frame.ingressPort, own),
                                low,
                                mtuBytes);
        buffers.count(ForwardingCounter.ICMP_ERRORS);
        buffers.leave(error, Ethernet.HEADER_BYTES + ipBytes, frame.ingressPort);
    }

    private boolean mayAnswerIpv4(Frame frame, long ip) {
        long source = IpAddress.ofIpv4(Ipv4.source(segment, ip));
        if (!addresses.isPeer(frame.ingressPort, 0, source)
                || !Ipv4.isChecksumRight(segment, ip)
                || !IpAddress.isIpv4Source(Ipv4.destination(segment, ip))
                || addresses.isBroadcast(0, IpAddress.ofIpv4(Ipv4.destination(segment, ip)))
                || Ipv4.fragmentOffsetBytes(segment, ip) != 0) {
            return false;
        }
        if (Ipv4.protocol(segment, ip) != IpProtocol.ICMP) {
            return true;
        }
        if (frame.transportOffset == Frame.ABSENT) {
            return false;
        }
        int type = Icmp.type(segment, frame.dataOffset + frame.transportOffset);
        return type == Icmp.V4_ECHO_REQUEST || type == Icmp.V4_ECHO_REPLY;
    }

    private boolean mayAnswerIpv6(Frame frame, long ip) {
        long high = Ipv6.sourceHigh(segment, ip);
        if (!addresses.isPeer(frame.ingressPort, high, Ipv6.sourceLow(segment, ip))
                || IpAddress.isIpv6Group(Ipv6.destinationHigh(segment, ip))
                || frame.transportOffset == Frame.ABSENT) {
            return false;
        }
        long transport = Ipv6.transport(segment, ip, frame.storedBytes - frame.ipOffset);
        return Ipv6.transportProtocol(transport) != IpProtocol.ICMPV6
                || Icmp.type(segment, frame.dataOffset + frame.transportOffset) >= V6_FIRST_QUERY;
    }

    /** Longest error that the standard and a buffer allow; slots for elided payload are small. */
    private int quotable(int limitBytes) {
        return Math.min(limitBytes, buffers.maxFrameBytes() - Ethernet.HEADER_BYTES);
    }

    private int writeIpv4(Frame error, long offending, Kind kind, int own, int mtuBytes) {
        long ip = error.dataOffset + Ethernet.HEADER_BYTES;
        long icmp = ip + Ipv4.MIN_HEADER_BYTES;
        int headers = Ipv4.MIN_HEADER_BYTES + Icmp.HEADER_BYTES;
        int quoted =
                Math.min(Ipv4.totalBytes(segment, offending), quotable(V4_LIMIT_BYTES) - headers);
        Wire.put32(segment, icmp, (kind.typeV4 << 24) | (kind.codeV4 << 16));
        Wire.put32(segment, icmp + 4, kind == Kind.TOO_BIG ? mtuBytes : 0);
        MemorySegment.copy(segment, offending, segment, icmp + Icmp.HEADER_BYTES, quoted);
        int asker = Ipv4.source(segment, offending);
        Ipv4.write(segment, ip, 0, headers + quoted, TTL, IpProtocol.ICMP, own, asker);
        Ipv4.writeChecksum(segment, ip);
        Icmp.writeChecksumIpv4(segment, icmp, Icmp.HEADER_BYTES + quoted);
        return headers + quoted;
    }

    private int writeIpv6(
            Frame error, long offending, Kind kind, long ownHigh, long ownLow, int mtuBytes) {
        long ip = error.dataOffset + Ethernet.HEADER_BYTES;
        long icmp = ip + Ipv6.HEADER_BYTES;
        int headers = Ipv6.HEADER_BYTES + Icmp.HEADER_BYTES;
        int packetBytes = Ipv6.HEADER_BYTES + Ipv6.payloadBytes(segment, offending);
        int quoted = Math.min(packetBytes, quotable(V6_LIMIT_BYTES) - headers);
        Wire.put32(segment, icmp, (kind.typeV6 << 24) | (kind.codeV6 << 16));
        Wire.put32(
                segment,
                icmp + 4,
                switch (kind) {
                    case TOO_BIG -> mtuBytes;
                    case PROTOCOL_UNREACHABLE -> Ipv6.NEXT_HEADER_OFFSET;
                    default -> 0;
                });
        MemorySegment.copy(segment, offending, segment, icmp + Icmp.HEADER_BYTES, quoted);
        int messageBytes = Icmp.HEADER_BYTES + quoted;
        Ipv6.write(segment, ip, 0, messageBytes, IpProtocol.ICMPV6, TTL);
        Ipv6.source(segment, ip, ownHigh, ownLow);
        Ipv6.destination(
                segment,
                ip,
                Ipv6.sourceHigh(segment, offending),
                Ipv6.sourceLow(segment, offending));
        Icmp.writeChecksumIpv6(segment, ip, icmp, messageBytes);
        return headers + quoted;
    }
}
