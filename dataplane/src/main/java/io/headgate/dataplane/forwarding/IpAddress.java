package io.headgate.dataplane.forwarding;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * IP addresses as two longs, the first byte on the wire highest. An IPv4 address is its IPv4-mapped
 * IPv6 address (RFC 4291 section 2.5.5.2): {@code high} 0, {@code low} 0x0000FFFF and the 32 bits.
 */
public final class IpAddress {
    private static final long MAPPED = 0x0000_FFFF_0000_0000L;

    /** The high half of link-local addresses, fe80::/64. */
    public static final long LINK_LOCAL_HIGH = 0xFE80_0000_0000_0000L;

    /** The high half of solicited-node addresses, ff02::1:ff00:0/104 (RFC 4291 section 2.7.1). */
    public static final long SOLICITED_NODE_HIGH = 0xFF02_0000_0000_0000L;

    private static final int LINK_LOCAL_SHIFT = 54;

    private IpAddress() {}

    public static long high(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? 0 : ByteBuffer.wrap(bytes).getLong();
    }

    public static long low(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == 4 ? ofIpv4(buffer.getInt()) : buffer.getLong(8);
    }

    /** The low half of an IPv4 address; its high half is 0. */
    public static long ofIpv4(int address) {
        return MAPPED | (address & 0xFFFF_FFFFL);
    }

    public static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED >>> 32;
    }

    /**
     * Whether it can be the source of an IPv4 packet on a link, and a router may forward a packet
     * to it: not a group, loopback or reserved address (RFC 1812 section 5.3.7).
     */
    public static boolean isIpv4Source(int address) {
        int first = address >>> 24;
        return first != 0 && first != 127 && first < 224;
    }

    public static boolean isIpv6Group(long high) {
        return high >>> 56 == 0xFF;
    }

    /** Whether it is in fe80::/10, which no router forwards (RFC 4291 section 2.5.6). */
    public static boolean isIpv6LinkLocal(long high) {
        return high >>> LINK_LOCAL_SHIFT == LINK_LOCAL_HIGH >>> LINK_LOCAL_SHIFT;
    }

    /**
     * Whether it is ::, ::1 or another address in ::/96, which must not occur in a packet on a
     * link.
     */
    public static boolean isIpv6Reserved(long high, long low) {
        return high == 0 && (low >>> 32 == 0 || isIpv4(high, low));
    }

    /** The low half of the link-local address made from a MAC address (RFC 4291 appendix A). */
    public static long linkLocalLow(long mac) {
        long eui = ((mac & 0xFFFF_FF00_0000L) << 16) | 0xFF_FE00_0000L | (mac & 0xFF_FFFFL);
        return eui ^ 0x0200_0000_0000_0000L;
    }

    /** The low half of the solicited-node address of an address. */
    public static long solicitedNodeLow(long low) {
        return 0x1_FF00_0000L | (low & 0xFF_FFFFL);
    }

    /** The MAC address that an IPv6 group address maps to (RFC 2464 section 7). */
    public static long groupMac(long low) {
        return 0x3333_0000_0000L | (low & 0xFFFF_FFFFL);
    }
}
