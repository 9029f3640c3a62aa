package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/** Checksums of UDP, as the hosts have them whose datagrams pass a switch. */
public final class UdpChecksums {
    private UdpChecksums() {}

    /** Whether there is no checksum, or a right one. Only behind {@link Udp#isValid}. */
    public static boolean isChecksumRightIpv4(MemorySegment segment, long ip, long udp) {
        int length = Udp.lengthBytes(segment, udp);
        return Udp.checksum(segment, udp) == 0
                || overIpv4(segment, ip, IpProtocol.UDP, udp, length) == 0;
    }

    /** As over IPv4; whether a checksum of zero is acceptable is for the caller to say. */
    public static boolean isChecksumRightIpv6(MemorySegment segment, long ip, long udp) {
        int length = Udp.lengthBytes(segment, udp);
        return Udp.checksum(segment, udp) == 0
                || Checksum.overIpv6(segment, ip, IpProtocol.UDP, udp, length) == 0;
    }

    /** Computes and writes the checksum over IPv4. Only behind {@link Udp#isValid}. */
    public static void writeChecksumIpv4(MemorySegment segment, long ip, long udp) {
        Wire.put16(segment, udp + Udp.CHECKSUM_OFFSET, 0);
        int length = Udp.lengthBytes(segment, udp);
        int computed = overIpv4(segment, ip, IpProtocol.UDP, udp, length);
        Wire.put16(segment, udp + Udp.CHECKSUM_OFFSET, notZero(computed));
    }

    /** Computes and writes the checksum over IPv6. Only behind {@link Udp#isValid}. */
    public static void writeChecksumIpv6(MemorySegment segment, long ip, long udp) {
        Wire.put16(segment, udp + Udp.CHECKSUM_OFFSET, 0);
        int length = Udp.lengthBytes(segment, udp);
        int computed = Checksum.overIpv6(segment, ip, IpProtocol.UDP, udp, length);
        Wire.put16(segment, udp + Udp.CHECKSUM_OFFSET, notZero(computed));
    }

    /**
     * The checksum of a transport message over IPv4, pseudo header included; 0 over a message that
     * carries a right one.
     */
    public static int overIpv4(
            MemorySegment segment, long ip, int protocol, long message, int messageBytes) {
        long pseudoHeader =
                Checksum.sum(segment, ip + Ipv4.SOURCE_OFFSET, 8) + protocol + messageBytes;
        return Checksum.finish(pseudoHeader + Checksum.sum(segment, message, messageBytes));
    }

    private static int notZero(int checksum) {
        return checksum == 0 ? 0xFFFF : checksum;
    }
}
