package io.headgate.dataplane.congestion;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Congestion marks in the headers of a frame. A mark is raised, never lowered: if two ports mark a
 * frame, the receiver reads the worse mark.
 *
 * <p>In the IP header (RFC 3168) a sender that distinguishes the two marks sends ECT(1). The code
 * points are then in the order of their meaning: "undetermined" is the value between ECT(1) and
 * "congestion experienced" (Zhang et al., "Congestion Detection in Lossless Networks", SIGCOMM
 * 2021). For a sender of ECT(0), "undetermined" has no meaning. In the base transport header of
 * RoCEv2 the marks are FECN and, for "undetermined", the reserved bit two places below it; both are
 * outside of the invariant CRC.
 */
public final class Mark {
    /** None. */
    public static final int NONE = 0;

    /** The port cannot tell whether it is congested: it was stopped a short while ago. */
    public static final int UNDETERMINED = 2;

    /** Congestion experienced. */
    public static final int CONGESTION = 3;

    /** Bit of {@link Bth#congestion}: the port is in an undetermined state. */
    public static final int BTH_UNDETERMINED = 0x20;

    /**
     * Result of {@link #write}: the frame is not IP, or not of an ECN-capable transport, or not
     * RoCEv2.
     */
    public static final int INCAPABLE = 0;

    /**
     * Result of {@link #write}: the frame came with this mark or a worse one, and does not change.
     */
    public static final int CAME_MARKED = 1;

    /** Result of {@link #write}: the frame was marked here. */
    public static final int WRITTEN = 2;

    private static final int NOT_ECT = 0;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private Mark() {}

    /** The header fields for a mark. */
    public enum Field {
        /** In the IP header alone. */
        ECN,
        /** In RoCEv2's base transport header alone. */
        BTH,
        /** In both. */
        BOTH
    }

    /**
     * Marks a frame.
     *
     * @param mark {@link #UNDETERMINED} or {@link #CONGESTION}
     * @return {@link #WRITTEN} if the mark was written in at least one field, {@link #CAME_MARKED},
     *     or {@link #INCAPABLE}
     */
    public static int write(Frame frame, int mark, Field field) {
        if (frame.ipOffset == Frame.ABSENT) {
            return INCAPABLE;
        }
        if (field == Field.ECN) {
            return writeEcn(frame, mark);
        }
        int inIp = field == Field.BOTH ? writeEcn(frame, mark) : INCAPABLE;
        return Math.max(writeBth(frame, mark), inIp);
    }

    private static int writeEcn(Frame frame, int mark) {
        long ip = frame.dataOffset + frame.ipOffset;
        return switch (frame.etherType) {
            case EtherType.IPV4 -> {
                int ecn = Ipv4.ecn(MEMORY, ip);
                if (ecn == NOT_ECT || ecn >= mark) {
                    yield ecn == NOT_ECT ? INCAPABLE : CAME_MARKED;
                }
                Ipv4.ecn(MEMORY, ip, mark);
                yield WRITTEN;
            }
            case EtherType.IPV6 -> {
                int ecn = Ipv6.ecn(MEMORY, ip);
                if (ecn == NOT_ECT || ecn >= mark) {
                    yield ecn == NOT_ECT ? INCAPABLE : CAME_MARKED;
                }
                Ipv6.ecn(MEMORY, ip, mark);
                yield WRITTEN;
            }
            default -> INCAPABLE;
        };
    }

    private static int writeBth(Frame frame, int mark) {
        if (!isRoce(frame)) {
            return INCAPABLE;
        }
        long udp = frame.dataOffset + frame.transportOffset;
        long bth = udp + Udp.HEADER_BYTES;
        int before = Bth.congestion(MEMORY, bth);
        int after = before | (mark == CONGESTION ? Bth.FECN : BTH_UNDETERMINED);
        if (after == before) {
            return CAME_MARKED;
        }
        Bth.congestion(MEMORY, udp, bth, after);
        return WRITTEN;
    }

    private static boolean isRoce(Frame frame) {
        int udpAt = frame.transportOffset;
        int readable = Math.min(frame.storedBytes, frame.lengthBytes) - udpAt;
        if (udpAt == Frame.ABSENT || readable < Udp.HEADER_BYTES + Bth.HEADER_BYTES) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        int protocol =
                frame.etherType == EtherType.IPV4
                        ? Ipv4.protocol(MEMORY, ip)
                        : Ipv6.nextHeader(MEMORY, ip);
        return protocol == IpProtocol.UDP
                && Udp.destinationPort(MEMORY, frame.dataOffset + udpAt) == Bth.UDP_PORT;
    }
}
