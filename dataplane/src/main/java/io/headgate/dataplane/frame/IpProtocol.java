package io.headgate.dataplane.frame;

/** IP protocol numbers, which are also IPv6 next headers. */
public final class IpProtocol {
    public static final int HOP_BY_HOP = 0;
    public static final int ICMP = 1;
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int DCCP = 33;
    public static final int ROUTING = 43;
    public static final int FRAGMENT = 44;
    public static final int ICMPV6 = 58;
    public static final int NO_NEXT_HEADER = 59;
    public static final int DESTINATION_OPTIONS = 60;
    public static final int SCTP = 132;
    public static final int UDP_LITE = 136;

    private IpProtocol() {}

    /** Whether its header begins with a source and a destination port of 16 bits each. */
    public static boolean hasPorts(int protocol) {
        return switch (protocol) {
            case TCP, UDP, DCCP, SCTP, UDP_LITE -> true;
            default -> false;
        };
    }
}
