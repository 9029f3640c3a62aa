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
    MALFORMED_TELEMETRY(
            "what switches add to frames, cut short or making no sense: a host's card could not"
                    + " take it off"),
    MALFORMED_TAG("802.1Q tag cut short, or VLAN id 4095"),
    LINK_LOCAL("reserved link-local address (01-80-C2-00-00-0X), consumed at the port"),
    SERVICE_TAGGED(
            "what a service of the switch listens to (LLDP), but behind an 802.1Q tag, where it has"
                    + " none"),
    SERVICE_OTHER_GROUP(
            "EtherType that a service of the switch listens to (LLDP), but to another of the three"
                    + " groups of bridges (01-80-C2-00-00-00, -03, -0E) than the service does"),
    LINK_CONTROL_MALFORMED(
            "to link control's address (01-80-C2-00-00-01), but tagged or of another EtherType:"
                    + " damaged, or sent as data"),
    LINK_CONTROL_MISADDRESSED(
            "link control by its EtherType (0x8808, 0x88B5), but not to a reserved address:"
                    + " forwarded, it could stop another host"),
    VLAN_NOT_ALLOWED("frame's VLAN is not carried by the port"),
    SAME_PORT("destination is on the port the frame came from"),
    NO_DESTINATION("no port to send the frame to"),
    FLOOD_LIMIT("flooding limit of the ingress port reached"),
    ACCOUNT_AT_CAP("lossy priority at its share of the buffer"),
    HEADROOM_EXHAUSTED("lossless priority beyond its headroom: the far end did not stop in time"),
    WATCHDOG(Side.BOTH, "priority in a pause storm, dropped by the PFC watchdog"),
    DEADLOCK(
            Side.EGRESS,
            "given up to end a deadlock that the switch was found to be part of (Loop Breaker)"),
    NO_SLOT("no free slot at home in this ingress half, or none for a flooded lossless copy"),
    QUEUE_FULL(Side.EGRESS, "egress queue at its limit"),
    PUSHED_OUT(
            Side.EGRESS,
            "pushed out of its egress queue by a frame that ranks higher, or refused by the next"
                    + " queue inside the switch"),
    EGRESS_OVERSIZE(
            Side.BOTH, "longer than the egress port's MTU allows (a router fragments nothing)"),
    PORT_DOWN(Side.BOTH, "port is down, its device is gone, or one of its halves failed"),
    DEVICE_REFUSED(Side.EGRESS, "device refused the frame for transmission"),
    DEVICE_CLOSED(Side.EGRESS, "held by a device's ring when the device was closed"),
    BAD_IP_HEADER("IP header malformed or its checksum wrong"),
    BAD_SOURCE_IP("source IP address is a group, loopback, reserved or unspecified one"),
    TTL_EXPIRED(Side.BOTH, "TTL or hop limit reached zero"),
    NO_ROUTE(Side.BOTH, "no route to the destination"),
    NEIGHBOUR_UNRESOLVED(Side.BOTH, "next hop's MAC address not known yet"),
    NOT_FOR_US("destination MAC is not the routing port's own"),
    NOT_IP("neither IP nor ARP, on a routing port"),
    LOCAL_UNHANDLED(Side.EGRESS, "for the switch itself, which does not answer this"),
    LOCAL_INBOX_FULL(Side.EGRESS, "for the switch itself, faster than it answers"),
    KERNEL_RX_RING_FULL("kernel: receive ring full, switch too slow to empty it"),
    KERNEL_RX_FILL_EMPTY("kernel: AF_XDP fill ring empty"),
    KERNEL_RX_INVALID("kernel: receive descriptor or length refused"),
    KERNEL_RX_INTERFACE("kernel: interface dropped before the switch could receive"),
    KERNEL_TX(Side.EGRESS, "kernel: dropped on transmission, after the switch had sent it"),
    TAP_RING_FULL("kernel: TAP queue full"),
    FAULT_INJECTED(
            Side.BOTH,
            "lost by the faults that the port's device is configured with, not by the switch"),
    TUNNEL_FOREIGN("datagram is not of this tunnel (peer, VNI or header)");

    /** Which half of a port can drop a frame for a reason. */
    public enum Side {
        INGRESS,
        EGRESS,
        BOTH
    }

    private final Side side;
    private final String description;

    /** Most reasons are those of ingress halves. */
    DropReason(String description) {
        this(Side.INGRESS, description);
    }

    DropReason(Side side, String description) {
        this.side = side;
        this.description = description;
    }

    public boolean atIngress() {
        return side != Side.EGRESS;
    }

    public boolean atEgress() {
        return side != Side.INGRESS;
    }

    /** Whether the kernel drops for it, and counts; known when it has been asked. */
    public boolean isOfKernel() {
        return switch (this) {
            case KERNEL_RX_RING_FULL,
                    KERNEL_RX_FILL_EMPTY,
                    KERNEL_RX_INVALID,
                    KERNEL_RX_INTERFACE,
                    KERNEL_TX,
                    TAP_RING_FULL ->
                    true;
            default -> false;
        };
    }

    /** One line, for a person. */
    public String description() {
        return description;
    }

    /** Number of reasons; arrays indexed by {@link #ordinal()} have this length. */
    public static final int COUNT = values().length;
}
