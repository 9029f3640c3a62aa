package io.headgate.testbed.topology;

import io.headgate.config.InterfaceAddress;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the addresses of hosts, bridges and routers from their numbers, so that every run has
 * the same ones.
 *
 * <pre>
 *   host n           06:00:00:00:00:00 + n + 1
 *   bridged host n   10.0.0.1 + n /8                   fd48::1 + n /64
 *   bridge s         10.255.0.1 + s /8
 *   routed host      at port p of switch s:
 *                    10.0.0.0 + 512 s + 2 p + 1 /31    fd48:0:0:s::2p + 1 /127 (the router: 2p)
 *   between routers  link l: 172.16.0.0 + 2 l, +1 /31  fd48:1::2l, +1 /127
 *   router s         100.64.0.1 + s /32
 * </pre>
 *
 * All hosts behind a router are one prefix, 512 addresses of IPv4 and a /64 of IPv6. Link prefixes
 * follow RFC 3021 and RFC 6164, the ranges RFC 1918, RFC 6598 and RFC 4193.
 */
final class Addressing {
    static final int BLOCK_PREFIX = 23;
    static final int BLOCK_PREFIX6 = 64;

    private static final int BLOCK_SHIFT = 9;
    private static final int HOSTS_BASE = 10 << 24;
    private static final int BRIDGES_BASE = HOSTS_BASE | 255 << 16;
    private static final int LINKS_BASE = 172 << 24 | 16 << 16;
    private static final int ROUTERS_BASE = 100 << 24 | 64 << 16;
    private static final long HOSTS_BASE6 = 0xfd48L << 48;
    private static final long LINKS_BASE6 = HOSTS_BASE6 | 1L << 32;
    private static final long HOST_MACS = 0x0600_0000_0000L;

    private Addressing() {}

    static long hostMac(int host) {
        return HOST_MACS | (host + 1);
    }

    static InterfaceAddress bridgedHost(int host) {
        return new InterfaceAddress(ipv4(HOSTS_BASE + 1 + host), 8);
    }

    static InterfaceAddress bridgedHost6(int host) {
        return new InterfaceAddress(ipv6(HOSTS_BASE6, 1L + host), 64);
    }

    static InterfaceAddress bridge(int number) {
        return new InterfaceAddress(ipv4(BRIDGES_BASE + 1 + number), 8);
    }

    static InterfaceAddress router(int number) {
        return new InterfaceAddress(ipv4(ROUTERS_BASE + 1 + number), 32);
    }

    /** The addresses of a host's link to a router: end 0 is the router's, end 1 the host's. */
    static InterfaceAddress hostLink(int router, int port, int end) {
        int address = HOSTS_BASE + (router << BLOCK_SHIFT) + 2 * port + end;
        return new InterfaceAddress(ipv4(address), 31);
    }

    static InterfaceAddress hostLink6(int router, int port, int end) {
        return new InterfaceAddress(ipv6(HOSTS_BASE6 | router, 2L * port + end), 127);
    }

    static InterfaceAddress block(int router) {
        return new InterfaceAddress(ipv4(HOSTS_BASE + (router << BLOCK_SHIFT)), BLOCK_PREFIX);
    }

    static InterfaceAddress block6(int router) {
        return new InterfaceAddress(ipv6(HOSTS_BASE6 | router, 0), BLOCK_PREFIX6);
    }

    /** The addresses of a link between routers: end 0 is that of the link's first node. */
    static InterfaceAddress routerLink(int link, int end) {
        return new InterfaceAddress(ipv4(LINKS_BASE + 2 * link + end), 31);
    }

    static InterfaceAddress routerLink6(int link, int end) {
        return new InterfaceAddress(ipv6(LINKS_BASE6, 2L * link + end), 127);
    }

    private static InetAddress ipv4(int address) {
        return of(
                (byte) (address >> 24),
                (byte) (address >> 16),
                (byte) (address >> 8),
                (byte) address);
    }

    private static InetAddress ipv6(long high, long low) {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >> (56 - 8 * i));
            bytes[8 + i] = (byte) (low >> (56 - 8 * i));
        }
        return of(bytes);
    }

    private static InetAddress of(byte... bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of a wrong length", e);
        }
    }

    /**
     * Switches take their MAC addresses from their names, by a hash of 32 bits.
     *
     * @throws IllegalArgumentException if two get the same
     */
    static void requireDifferentMacs(List<String> switches) {
        Map<Long, String> owners = new HashMap<>();
        for (String name : switches) {
            String other = owners.putIfAbsent(SwitchAddresses.mac(name, -1), name);
            if (other != null) {
                throw new IllegalArgumentException(
                        "switches "
                                + other
                                + " and "
                                + name
                                + " get the same MAC addresses, because these are computed from the"
                                + " name; rename one of them");
            }
        }
    }
}
