package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** What of a frame a policy may take for a packet's value, processing, slack, flow, or itself. */
public enum FrameValue {
    /** Always 0. */
    NONE(1),
    /** The priority, 0 to 7. */
    PRIORITY(8),
    /** The byte that IPv4 calls type of service and IPv6 traffic class; 0 where there is no IP. */
    TOS(256),
    /** The upper six bits of it. */
    DSCP(64),
    /** Hops that are left. */
    TTL(256),
    /** The protocol in IP. */
    PROTOCOL(256),
    /** The IPv4 identification. */
    ID(65_536),
    /** Bytes of the frame. */
    LENGTH(1 << 16),
    /** A hash of the flow, 31 bits. */
    FLOW(0),
    /** The number of the port that the frame came in by. */
    INGRESS(0),
    /** Source address: of IPv6 its lower half, without the sign. */
    SOURCE(0),
    /** Destination address, in the same way. */
    DESTINATION(0);

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int ECN_BITS = 2;

    private final int bound;

    FrameValue(int bound) {
        this.bound = bound;
    }

    /** What it is always below; 0 if nothing small. */
    public int bound() {
        return bound;
    }

    // ---- one each, for generated code; none is negative

    /** The method of these that has the value. */
    String method() {
        return name().toLowerCase(Locale.ROOT);
    }

    static long priority(Frame frame) {
        return frame.priority;
    }

    static long length(Frame frame) {
        return frame.lengthBytes;
    }

    static long ingress(Frame frame) {
        return frame.ingressPort;
    }

    static long flow(Frame frame) {
        return FlowHash.of(MEMORY, frame, 0) & Integer.MAX_VALUE;
    }

    static long tos(Frame frame) {
        if (hasNoIp(frame)) {
            return 0;
        }
        return isIpv4(frame)
                ? Ipv4.trafficClass(MEMORY, ip(frame))
                : Ipv6.trafficClass(MEMORY, ip(frame));
    }

    static long dscp(Frame frame) {
        return tos(frame) >>> ECN_BITS;
    }

    static long ttl(Frame frame) {
        if (hasNoIp(frame)) {
            return 0;
        }
        return isIpv4(frame) ? Ipv4.ttl(MEMORY, ip(frame)) : Ipv6.hopLimit(MEMORY, ip(frame));
    }

    static long protocol(Frame frame) {
        if (hasNoIp(frame)) {
            return 0;
        }
        return isIpv4(frame)
                ? Ipv4.protocol(MEMORY, ip(frame))
                : Ipv6.nextHeader(MEMORY, ip(frame));
    }

    static long id(Frame frame) {
        return hasNoIp(frame) || !isIpv4(frame) ? 0 : Ipv4.identification(MEMORY, ip(frame));
    }

    static long source(Frame frame) {
        if (hasNoIp(frame)) {
            return 0;
        }
        return isIpv4(frame)
                ? Integer.toUnsignedLong(Ipv4.source(MEMORY, ip(frame)))
                : Ipv6.sourceLow(MEMORY, ip(frame)) & Long.MAX_VALUE;
    }

    static long destination(Frame frame) {
        if (hasNoIp(frame)) {
            return 0;
        }
        return isIpv4(frame)
                ? Integer.toUnsignedLong(Ipv4.destination(MEMORY, ip(frame)))
                : Ipv6.destinationLow(MEMORY, ip(frame)) & Long.MAX_VALUE;
    }

    private static boolean hasNoIp(Frame frame) {
        return frame.ipOffset == Frame.ABSENT;
    }

    private static boolean isIpv4(Frame frame) {
        return frame.etherType == EtherType.IPV4;
    }

    private static long ip(Frame frame) {
        return frame.dataOffset + frame.ipOffset;
    }
}
