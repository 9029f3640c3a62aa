package io.headgate.dataplane.frame;

/** EtherTypes that the switch knows. */
public final class EtherType {
    public static final int IPV4 = 0x0800;
    public static final int ARP = 0x0806;
    public static final int VLAN = 0x8100;
    public static final int IPV6 = 0x86DD;
    public static final int MAC_CONTROL = 0x8808;

    /**
     * A provider's tag (IEEE 802.1ad). This switch treats it and everything after it as payload.
     */
    public static final int SERVICE_VLAN = 0x88A8;

    /** Local experimental EtherType 1: link control of this switch (credits). */
    public static final int LINK_CONTROL = 0x88B5;

    public static final int LLDP = 0x88CC;

    /** Values below this are an IEEE 802.3 length, not a type. */
    public static final int LOWEST = 0x0600;

    private EtherType() {}

    /** Whether frames of this type are only for the far end of the link. */
    public static boolean isLinkControl(int etherType) {
        return etherType == MAC_CONTROL || etherType == LINK_CONTROL;
    }
}
