package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Explicit congestion notification in the IP header (RFC 3168). */
final class EcnMark {
    private static final int NOT_ECT = 0;
    private static final int CE = 3;

    private EcnMark() {}

    /**
     * Marks a frame "congestion experienced".
     *
     * @return whether it is marked now; what is not IP, or not of an ECN-capable transport, stays
     *     as it is
     */
    static boolean write(Frame frame) {
        if (frame.ipOffset == Frame.ABSENT) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        return switch (frame.etherType) {
            case EtherType.IPV4 -> {
                boolean capable = Ipv4.ecn(FrameRegion.MEMORY, ip) != NOT_ECT;
                if (capable) {
                    Ipv4.ecn(FrameRegion.MEMORY, ip, CE);
                }
                yield capable;
            }
            case EtherType.IPV6 -> {
                boolean capable = Ipv6.ecn(FrameRegion.MEMORY, ip) != NOT_ECT;
                if (capable) {
                    Ipv6.ecn(FrameRegion.MEMORY, ip, CE);
                }
                yield capable;
            }
            default -> false;
        };
    }
}
