package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.MacAddress;

/**
 * Frames that a service of the switch receives: untagged, with a given EtherType, to the switch or
 * to a group.
 *
 * @param group a group address; {@link #TO_SWITCH}
 */
public record Listening(int etherType, long group) {
    /**
     * Instead of a group: frames to the MAC address of the switch (in a router: of the port), or to
     * all.
     */
    public static final long TO_SWITCH = 0;

    private static final int LARGEST_ETHER_TYPE = 0xFFFF;

    /**
     * @throws IllegalArgumentException if the switch needs such frames for itself, or the address
     *     is not a group
     */
    public Listening {
        boolean isTaken =
                switch (etherType) {
                    case EtherType.ARP,
                            EtherType.IPV4,
                            EtherType.IPV6,
                            EtherType.VLAN,
                            EtherType.SERVICE_VLAN ->
                            true;
                    default -> EtherType.isLinkControl(etherType);
                };
        if (etherType < EtherType.LOWEST || etherType > LARGEST_ETHER_TYPE || isTaken) {
            throw new IllegalArgumentException(
                    ("EtherType 0x%04x cannot be received by a service: it must be from 0x0600 to"
                                    + " 0xffff, and not one of ARP, IPv4, IPv6, VLAN tags and link"
                                    + " control")
                            .formatted(etherType));
        }
        if (group != TO_SWITCH && (!MacAddress.isGroup(group) || group == MacAddress.MAC_CONTROL)) {
            throw new IllegalArgumentException(
                    ("%s cannot be received by a service: it must be a group address, and not that"
                                    + " of pauses")
                            .formatted(MacAddress.format(group)));
        }
    }

    /** Frames of an EtherType to the switch itself, or to all. */
    public static Listening to(int etherType) {
        return new Listening(etherType, TO_SWITCH);
    }

    /** Whether its group is an address that no bridge forwards (IEEE 802.1Q 8.6.3). */
    public boolean isReserved() {
        return MacAddress.isLinkLocalReserved(group);
    }

    /**
     * Whether it includes a frame.
     *
     * @param mac the switch's address at the ingress port
     */
    public boolean takes(int type, long destination, long mac) {
        return type == etherType
                && (group == TO_SWITCH
                        ? destination == mac || destination == MacAddress.BROADCAST
                        : destination == group);
    }

    @Override
    public String toString() {
        return "EtherType 0x%04x to %s"
                .formatted(etherType, group == TO_SWITCH ? "the switch" : MacAddress.format(group));
    }
}
