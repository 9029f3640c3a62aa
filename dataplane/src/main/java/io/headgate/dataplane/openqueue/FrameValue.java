package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Values of a frame that a policy may use as a packet's value, processing, slack or flow, or
 * directly.
 */
public enum FrameValue {
    /** Always 0. */
    NONE(1),
    /** The priority, 0 to 7. */
    PRIORITY(8),
    /** IPv4's type of service or IPv6's traffic class; 0 without IP. */
    TOS(256),
    /** The upper six bits of {@link #TOS}. */
    DSCP(64),
    /** Remaining hops. */
    TTL(256),
    /** The IP protocol. */
    PROTOCOL(256),
    /** The IPv4 identification. */
    ID(65_536),
    /** Length of the frame in bytes. */
    LENGTH(1 << 16),
    /** A hash of the flow, 31 bits. */
    FLOW(0),
    /** The number of the ingress port. */
    INGRESS(0),
    /** Source address; for IPv6 its lower half, without the sign bit. */
    SOURCE(0),
    /** Destination address, in the same way. */
    DESTINATION(0);

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int ECN_BITS = 2;

    private final int bound;

    FrameValue(int bound) {
        this.bound = bound;
    }

    /** An exclusive upper bound of the value; 0 if there is no small one. */
    public int bound() {
        return bound;
    }

    // ---- one each, for generated code; none is negative

    /** Name of the method in this class that returns the value. */
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
