package io.headgate.dataplane.frame;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Hash of a frame's flow, over addresses, protocol and ports for TCP, UDP, SCTP, DCCP and UDP-Lite;
 * over addresses and protocol for other IP; over addresses alone for fragments, because later
 * fragments have no ports and must take the same path as the first; and over the two MAC addresses
 * for all other frames.
 *
 * <p>Switches that choose among equal paths need different seeds: otherwise consecutive switches
 * make the same choice and leave paths unused.
 */
public final class FlowHash {
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private FlowHash() {}

    /** Hash of a frame that {@link HeaderParser} has accepted. All 32 bits are well mixed. */
    public static int of(MemorySegment segment, Frame frame, long seed) {
        if (frame.ipOffset == Frame.ABSENT) {
            return macs(segment, frame.dataOffset, seed);
        }
        long ip = frame.dataOffset + frame.ipOffset;
        boolean hasTransport = frame.transportOffset != Frame.ABSENT;
        if (frame.etherType == EtherType.IPV4) {
            return ipv4(segment, ip, hasTransport, seed);
        }
        int storedBytes = Math.min(frame.storedBytes, frame.lengthBytes) - frame.ipOffset;
        return ipv6(segment, ip, hasTransport, storedBytes, seed);
    }

    private static int macs(MemorySegment segment, long frame, long seed) {
        long hash = mix(seed + GOLDEN_RATIO + Ethernet.destination(segment, frame));
        return fold(mix(hash + Ethernet.source(segment, frame)));
    }

    private static int ipv4(MemorySegment segment, long ip, boolean hasTransport, long seed) {
        long addresses = Wire.i64(segment, ip + Ipv4.SOURCE_OFFSET);
        long rest = ofIpv4(segment, ip, hasTransport);
        return fold(mix(mix(seed + GOLDEN_RATIO + addresses) + rest));
    }

    /**
     * Protocol and ports, as the hash uses them to distinguish flows between the same addresses:
     * the protocol in the upper word, the ports in the lower; 0 for a packet without ports.
     *
     * @param isIpv4 false: IPv6
     * @param storedBytes bytes of the packet that may be read, at least a header
     */
    public static long protocolAndPorts(
            MemorySegment segment, long ip, boolean isIpv4, int storedBytes) {
        return isIpv4
                ? ofIpv4(
                        segment,
                        ip,
                        storedBytes - Ipv4.headerBytes(segment, ip)
                                >= HeaderParser.TRANSPORT_MIN_BYTES)
                : ofIpv6(segment, ip, storedBytes);
    }

    /** The same for an IP frame that {@link HeaderParser} has accepted. */
    public static long protocolAndPorts(MemorySegment segment, Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        boolean hasTransport = frame.transportOffset != Frame.ABSENT;
        if (frame.etherType == EtherType.IPV4) {
            return ofIpv4(segment, ip, hasTransport);
        }
        int storedBytes = Math.min(frame.storedBytes, frame.lengthBytes) - frame.ipOffset;
        return hasTransport ? ofIpv6(segment, ip, storedBytes) : 0;
    }

    private static long ofIpv4(MemorySegment segment, long ip, boolean hasTransport) {
        if (Ipv4.isFragment(segment, ip)) {
            return 0;
        }
        long transport = ip + Ipv4.headerBytes(segment, ip);
        return ofTransport(segment, transport, hasTransport, Ipv4.protocol(segment, ip));
    }

    private static long ofIpv6(MemorySegment segment, long ip, int storedBytes) {
        long found = Ipv6.transport(segment, ip, storedBytes);
        if (found == Ipv6.NO_TRANSPORT || Ipv6.transportIsFragment(found)) {
            return 0;
        }
        int offset = Ipv6.transportOffset(found);
        boolean hasTransport = storedBytes - offset >= HeaderParser.TRANSPORT_MIN_BYTES;
        return hasTransport
                ? ofTransport(segment, ip + offset, true, Ipv6.transportProtocol(found))
                : 0;
    }

    private static int ipv6(
            MemorySegment segment, long ip, boolean hasTransport, int storedBytes, long seed) {
        long rest = hasTransport ? ofIpv6(segment, ip, storedBytes) : 0;
        long hash = mix(seed + GOLDEN_RATIO + Ipv6.sourceHigh(segment, ip));
        hash = mix(hash + Ipv6.sourceLow(segment, ip));
        hash = mix(hash + Ipv6.destinationHigh(segment, ip));
        hash = mix(hash + Ipv6.destinationLow(segment, ip));
        return fold(mix(hash + rest));
    }

    private static long ofTransport(
            MemorySegment segment, long transport, boolean hasTransport, int protocol) {
        long ports =
                hasTransport && IpProtocol.hasPorts(protocol) ? Wire.u32(segment, transport) : 0;
        return ((long) protocol << 32) | ports;
    }

    /** Stafford's thirteenth variant of MurmurHash3's finaliser: every bit reaches every other. */
    public static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }

    private static int fold(long hash) {
        return (int) ((hash >>> 32) ^ hash);
    }
}
