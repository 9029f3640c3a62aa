package io.headgate.testbed.traffic.frame;

import io.headgate.dataplane.frame.MacAddress;

/**
 * The addresses of a host.
 *
 * @param name short and unique in its topology, e.g. {@code h3}
 * @param mac its own MAC address in the low 48 bits
 * @param ipv4 its IPv4 address, the first byte on the wire highest
 * @param gatewayMac MAC address to which it sends frames for other hosts; 0 if all hosts are on one
 *     network and frames are addressed to the other host itself
 */
public record HostAddress(String name, long mac, int ipv4, long gatewayMac) {
    /**
     * @throws IllegalArgumentException if the MAC address cannot be a source
     */
    public HostAddress {
        if (!MacAddress.isValidSource(mac)) {
            throw new IllegalArgumentException(
                    "host " + name + " cannot have MAC address " + MacAddress.format(mac));
        }
    }

    /** A host on one network with all others. */
    public static HostAddress onOneNetwork(String name, long mac, int ipv4) {
        return new HostAddress(name, mac, ipv4, 0);
    }
}
