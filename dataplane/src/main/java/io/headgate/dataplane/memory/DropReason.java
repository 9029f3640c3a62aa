package io.headgate.dataplane.memory;

/**
 * Every way a frame can end other than by being forwarded. A frame that leaves a component does so
 * forwarded, held, or dropped for one of these; there is no reason called "other".
 */
public enum DropReason {
    RUNT("shorter than an Ethernet header (14 bytes)"),
    OVERSIZE("longer than the port's MTU allows"),
    BAD_SOURCE_MAC("source address is a group address or zero"),
    TRUNCATED("device delivered fewer bytes than the frame had"),
    MALFORMED_TAG("802.1Q tag cut short, or VLAN id 4095"),
    LINK_LOCAL("reserved link-local address (01-80-C2-00-00-0X), consumed at the port"),
    VLAN_NOT_ALLOWED("frame's VLAN is not carried by the port"),
    SAME_PORT("destination is on the port the frame came from"),
    NO_DESTINATION("no port to send the frame to"),
    FLOOD_LIMIT("flooding limit of the ingress port reached"),
    ACCOUNT_AT_CAP("lossy priority at its share of the buffer"),
    NO_SLOT("no free slot at home in this ingress half for a copy or a received frame"),
    QUEUE_FULL("egress queue at its limit"),
    EGRESS_OVERSIZE("longer than the egress port's MTU allows"),
    PORT_DOWN("egress port is down or its device is gone"),
    DEVICE_REFUSED("device refused the frame for transmission"),
    DEVICE_CLOSED("held by a device's ring when the device was closed"),
    BAD_IP_HEADER("IP header malformed or its checksum wrong"),
    TTL_EXPIRED("TTL or hop limit reached zero"),
    NO_ROUTE("no route to the destination"),
    NEIGHBOUR_UNRESOLVED("next hop's MAC address not known yet"),
    NOT_FOR_US("destination MAC is not the routing port's own"),
    NOT_IP("neither IP nor ARP, on a routing port"),
    LOCAL_UNHANDLED("for the switch itself, which does not answer this"),
    LOCAL_INBOX_FULL("for the switch itself, faster than it answers"),
    KERNEL_RX_RING_FULL("kernel: receive ring full, switch too slow to empty it"),
    KERNEL_RX_FILL_EMPTY("kernel: AF_XDP fill ring empty"),
    KERNEL_RX_INVALID("kernel: receive descriptor or length refused"),
    KERNEL_RX_INTERFACE("kernel: interface dropped before the switch could receive"),
    KERNEL_TX("kernel: interface dropped on transmission"),
    TAP_RING_FULL("kernel: TAP queue full"),
    TUNNEL_FOREIGN("datagram is not of this tunnel (peer, VNI or header)");

    private final String description;

    DropReason(String description) {
        this.description = description;
    }

    /** One line, for a person. */
    public String description() {
        return description;
    }

    /** Number of reasons; arrays indexed by {@link #ordinal()} have this length. */
    public static final int COUNT = values().length;
}
