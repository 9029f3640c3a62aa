package io.headgate.config;

import java.net.InetAddress;

/** An IPv4 or IPv6 address with the length of its network prefix, as in {@code 10.0.0.1/24}. */
public record InterfaceAddress(InetAddress address, int prefixLength) {

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + prefixLength;
    }
}
