package io.headgate.testbed.topology;

import io.headgate.config.InterfaceAddress;
import io.headgate.config.PortTraffic;
import io.headgate.hostagent.card.CardSetup;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The addresses and link settings of a host: what it needs to send frames and to receive them.
 *
 * @param number number in its network, from 0
 * @param mac its MAC address, in the low 48 bits
 * @param ipv4 its IPv4 address and network
 * @param ipv6 its IPv6 address and network; null in a network without IPv6
 * @param gateway the router's address on its link; null if switches bridge
 * @param gateway6 the router's IPv6 address on its link; null if switches bridge or the network has
 *     no IPv6
 * @param gatewayMac the router's MAC address on its link; 0 if switches bridge
 * @param rateBps of its link, scaled, in bits per second
 * @param delayPs of its link, scaled, in picoseconds
 * @param mtuBytes largest layer-3 payload
 * @param wire priorities and flow control of its card, scaled
 */
public record HostPlan(
        int number,
        String name,
        long mac,
        InterfaceAddress ipv4,
        @Nullable InterfaceAddress ipv6,
        @Nullable InetAddress gateway,
        @Nullable InetAddress gateway6,
        long gatewayMac,
        long rateBps,
        long delayPs,
        int mtuBytes,
        PortTraffic.End wire) {

    public Inet4Address address() {
        return (Inet4Address) ipv4.address();
    }

    /**
     * The IPv6 address.
     *
     * @throws IllegalStateException in a network without IPv6
     */
    public Inet6Address address6() {
        if (ipv6 == null) {
            throw new IllegalStateException(name + " has no IPv6 address");
        }
        return (Inet6Address) ipv6.address();
    }

    /** Its network card, for the virtual bed. */
    public CardSetup card() {
        CardSetup card = CardSetup.of(name, rateBps).withMtuBytes(mtuBytes).withWire(wire);
        CardSetup.Slots slots = card.slots();
        return card.withSlots(slots.app(), slots.wire(), ElidedSlots.bytes(wire.mechanisms()));
    }

    /** Whether frames for another network go to a router's MAC address. */
    public boolean hasGateway() {
        return gatewayMac != 0;
    }
}
