package io.headgate.dataplane.memory;

/**
 * The reasons for which a frame can be dropped. A component forwards a frame, holds it, or drops it
 * for one of these reasons; there is no reason called "other".
 */
public enum DropReason {
    RUNT(Side.INGRESS, "shorter than an Ethernet header (14 bytes)"),
    OVERSIZE(Side.INGRESS, "longer than the port's MTU allows"),
    BAD_SOURCE_MAC(Side.INGRESS, "source address is a group address or zero"),
    TRUNCATED(Side.INGRESS, "device delivered fewer bytes than the frame had"),
    MALFORMED_TELEMETRY(
            Side.INGRESS,
            "telemetry that switches added, truncated or malformed: a host's card could not remove it"),
    MALFORMED_TAG(Side.INGRESS, "802.1Q tag cut short, or VLAN id 4095"),
    LINK_LOCAL(
            Side.INGRESS, "reserved link-local address (01-80-C2-00-00-0X), consumed at the port"),
    SERVICE_TAGGED(
            Side.INGRESS,
            "frame for a service of the switch (LLDP), but with an 802.1Q tag, which is not allowed"
                    + " there"),
    SERVICE_OTHER_GROUP(
            Side.INGRESS,
            "EtherType of a service of the switch (LLDP), but with another of the three group"
                    + " addresses of bridges (01-80-C2-00-00-00, -03, -0E) than that of the"
                    + " service"),
    LINK_CONTROL_MALFORMED(
            Side.INGRESS,
            "address of link control (01-80-C2-00-00-01), but tagged or with another EtherType:"
                    + " damaged, or sent as data"),
    LINK_CONTROL_MISADDRESSED(
            Side.INGRESS,
            "EtherType of link control (0x8808, 0x88B5), but not a reserved address: if forwarded,"
                    + " it could stop another host"),
    VLAN_NOT_ALLOWED(Side.INGRESS, "frame's VLAN is not carried by the port"),
    SAME_PORT(Side.INGRESS, "destination is on the port the frame came from"),
    NO_DESTINATION(Side.INGRESS, "no port to send the frame to"),
    FLOOD_LIMIT(Side.INGRESS, "flooding limit of the ingress port reached"),
    ACCOUNT_AT_CAP(Side.INGRESS, "lossy priority at its share of the buffer"),
    HEADROOM_EXHAUSTED(
            Side.INGRESS,
            "lossless priority beyond its headroom: the far end did not stop in time"),
    WATCHDOG(Side.BOTH, "priority in a pause storm, dropped by the PFC watchdog"),
    DEADLOCK(
            Side.EGRESS, "dropped to end a deadlock of which the switch was a part (Loop Breaker)"),
    NO_SLOT(Side.INGRESS, "no free slot in this ingress half, or none for a flooded lossless copy"),
    QUEUE_FULL(Side.EGRESS, "egress queue at its limit"),
    PUSHED_OUT(
            Side.EGRESS,
            "pushed out of its egress queue by a higher-ranked frame, or refused by the next queue"
                    + " inside the switch"),
    EGRESS_OVERSIZE(
            Side.BOTH, "longer than the egress port's MTU allows (a router fragments nothing)"),
    PORT_DOWN(Side.BOTH, "port is down, its device is gone, or one of its halves failed"),
    DEVICE_REFUSED(Side.EGRESS, "device refused the frame for transmission"),
    DEVICE_CLOSED(Side.EGRESS, "held by a device's ring when the device was closed"),
    BAD_IP_HEADER(Side.INGRESS, "IP header malformed or its checksum wrong"),
    BAD_SOURCE_IP(
            Side.INGRESS, "source IP address is a group, loopback, reserved or unspecified one"),
    TTL_EXPIRED(Side.BOTH, "TTL or hop limit reached zero"),
    NO_ROUTE(Side.BOTH, "no route to the destination"),
    NEIGHBOUR_UNRESOLVED(Side.BOTH, "next hop's MAC address not known yet"),
    NOT_FOR_US(Side.INGRESS, "destination MAC is not the routing port's own"),
    NOT_IP(Side.INGRESS, "neither IP nor ARP, on a routing port"),
    LOCAL_UNHANDLED(Side.EGRESS, "for the switch itself, which does not handle such frames"),
    LOCAL_INBOX_FULL(Side.EGRESS, "for the switch itself, but faster than it can answer"),
    KERNEL_RX_RING_FULL(Side.INGRESS, "kernel: receive ring full, switch too slow to empty it"),
    KERNEL_RX_FILL_EMPTY(Side.INGRESS, "kernel: AF_XDP fill ring empty"),
    KERNEL_RX_INVALID(Side.INGRESS, "kernel: receive descriptor or length refused"),
    KERNEL_RX_INTERFACE(Side.INGRESS, "kernel: interface dropped before the switch could receive"),
    KERNEL_TX(Side.EGRESS, "kernel: dropped on transmission, after the switch had sent it"),
    TAP_RING_FULL(Side.INGRESS, "kernel: TAP queue full"),
    FAULT_INJECTED(Side.BOTH, "lost by configured faults of the port's device, not by the switch"),
    TUNNEL_FOREIGN(Side.INGRESS, "datagram is not of this tunnel (peer, VNI or header)");

    /** The half of a port that can drop a frame for a reason. */
    public enum Side {
        INGRESS,
        EGRESS,
        BOTH
    }

    private final Side side;
    private final String description;

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

    /**
     * Whether the kernel drops frames for it and counts them; the count is known only after it was
     * read.
     */
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

    /** One line, for the user. */
    public String description() {
        return description;
    }

    /** Number of reasons; arrays indexed by {@link #ordinal()} have this length. */
    public static final int COUNT = values().length;
}
