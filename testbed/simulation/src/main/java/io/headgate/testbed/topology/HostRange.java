package io.headgate.testbed.topology;

import io.headgate.config.InterfaceAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The addresses of the hosts of a bridged network, consecutive from those of host 0. Hosts behind
 * routers are not in it: their addresses follow from their router.
 *
 * @param mac of host 0, the low 48 bits
 * @param ipv4 of host 0, and the network that all are in
 * @param ipv6 the same in IPv6
 */
public record HostRange(long mac, InterfaceAddress ipv4, InterfaceAddress ipv6) {
    /** Room for ten thousand hosts; the switches of the same network are above them. */
    public static final HostRange DEFAULT =
            new HostRange(
                    Addressing.hostMac(0), Addressing.bridgedHost(0), Addressing.bridgedHost6(0));

    /** MAC address of a host. */
    long mac(int host) {
        return mac + host;
    }

    InterfaceAddress ipv4(int host) {
        return plus(ipv4, host);
    }

    InterfaceAddress ipv6(int host) {
        return plus(ipv6, host);
    }

    private static InterfaceAddress plus(InterfaceAddress first, int host) {
        byte[] address = first.address().getAddress();
        int carry = host;
        for (int i = address.length - 1; i >= 0 && carry != 0; i--) {
            carry += address[i] & 0xFF;
            address[i] = (byte) carry;
            carry >>>= Byte.SIZE;
        }
        try {
            return new InterfaceAddress(InetAddress.getByAddress(address), first.prefixLength());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of a wrong length", e);
        }
    }
}
