package io.headgate.dataplane.forwarding;

import io.headgate.config.InterfaceAddress;
import io.headgate.config.SwitchConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses for which a switch answers, per port. A bridge has the same MAC address and IP
 * address at every port; a router has a MAC address and networks per port. With an IPv6 address it
 * also has the link-local address made from its MAC. Immutable.
 *
 * <p>MAC addresses are locally administered and made from the switch's name (FNV-1a, 32 bits) and
 * the port's number, so that they are the same at every start; two switches on one network need
 * different names.
 */
public final class SwitchAddresses {
    private static final long LOCALLY_ADMINISTERED = 0x02L << 40;
    private static final int FNV_BASIS = 0x811C_9DC5;
    private static final int FNV_PRIME = 0x0100_0193;

    /** An IPv4 network of this prefix length (31) or longer has no broadcast (RFC 3021). */
    private static final int POINT_TO_POINT = 96 + 31;

    private final long[] macs;
    private final Own[] byPort;
    private final Own everywhere;

    private SwitchAddresses(long[] macs, Own[] byPort, Own everywhere) {
        this.macs = macs;
        this.byPort = byPort;
        this.everywhere = everywhere;
    }

    /** The MAC address of a switch's port, counted from 0; of the switch itself for port -1. */
    public static long mac(String switchName, int port) {
        int hash = FNV_BASIS;
        for (byte character : switchName.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (character & 0xFF)) * FNV_PRIME;
        }
        return LOCALLY_ADMINISTERED | ((hash & 0xFFFF_FFFFL) << 8) | (port + 1);
    }

    /** The addresses of a configuration, for its ports and the local port after them. */
    public static SwitchAddresses of(SwitchConfig config) {
        boolean routed = config.mode() == SwitchConfig.Mode.ROUTED;
        InterfaceAddress address = config.address();
        List<InterfaceAddress> switchWide = address == null ? List.of() : List.of(address);
        int ports = config.ports().size() + 1;
        long[] macs = new long[ports];
        Own[] byPort = new Own[ports];
        List<InterfaceAddress> all = new ArrayList<>(switchWide);
        for (int port = 0; port < ports; port++) {
            boolean isLocal = port == ports - 1;
            macs[port] = mac(config.name(), routed && !isLocal ? port : -1);
            List<InterfaceAddress> own = switchWide;
            if (routed) {
                own = isLocal ? List.of() : config.ports().get(port).addresses();
                all.addAll(own);
            }
            byPort[port] = new Own(own, macs[port]);
        }
        return new SwitchAddresses(macs, byPort, new Own(all, 0));
    }

    private static final class Own {
        final long[] highs;
        final long[] lows;
        final int[] prefixLengths;

        Own(List<InterfaceAddress> addresses, long mac) {
            boolean linkLocal =
                    mac != 0
                            && addresses.stream()
                                    .anyMatch(a -> a.address().getAddress().length == 16);
            int count = addresses.size() + (linkLocal ? 1 : 0);
            highs = new long[count];
            lows = new long[count];
            prefixLengths = new int[count];
            for (int i = 0; i < addresses.size(); i++) {
                InterfaceAddress own = addresses.get(i);
                highs[i] = IpAddress.high(own.address());
                lows[i] = IpAddress.low(own.address());
                int bits = own.address().getAddress().length * 8;
                prefixLengths[i] = 128 - bits + own.prefixLength();
            }
            if (linkLocal) {
                highs[count - 1] = IpAddress.LINK_LOCAL_HIGH;
                lows[count - 1] = IpAddress.linkLocalLow(mac);
                prefixLengths[count - 1] = 64;
            }
        }

        int find(long high, long low) {
            for (int i = 0; i < lows.length; i++) {
                if (lows[i] == low && highs[i] == high) {
                    return i;
                }
            }
            return -1;
        }

        /**
         * Whether the address is a broadcast, all ones or all zeros, in one of our IPv4 networks
         * (RFC 1122 3.2.1.3).
         */
        boolean isBroadcast(long high, long low) {
            for (int i = 0; i < lows.length; i++) {
                long host = ~PrefixTable.maskLow(prefixLengths[i]);
                if (IpAddress.isIpv4(highs[i], lows[i])
                        && IpAddress.isIpv4(high, low)
                        && prefixLengths[i] < POINT_TO_POINT
                        && ((lows[i] ^ low) & ~host) == 0
                        && ((low & host) == 0 || (low & host) == host)) {
                    return true;
                }
            }
            return false;
        }

        int onLink(long high, long low) {
            for (int i = 0; i < lows.length; i++) {
                int length = prefixLengths[i];
                if (((highs[i] ^ high) & PrefixTable.maskHigh(length)) == 0
                        && ((lows[i] ^ low) & PrefixTable.maskLow(length)) == 0) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** Number of ports, the local port included. */
    public int ports() {
        return macs.length;
    }

    public long mac(int port) {
        return macs[port];
    }

    /** Whether the switch has this address at this port, where neighbours may ask for it. */
    public boolean isAt(int port, long high, long low) {
        return byPort[port].find(high, low) >= 0;
    }

    /** Whether the switch has this address at any port. */
    public boolean isOwn(long high, long low) {
        return everywhere.find(high, low) >= 0;
    }

    /**
     * Whether an address can belong to one other host, so that it may be answered (RFC 1122 section
     * 3.2.2): not the switch's own, not reserved, not a group, not a broadcast.
     */
    public boolean isPeer(int port, long high, long low) {
        boolean isOneHost =
                IpAddress.isIpv4(high, low)
                        ? IpAddress.isIpv4Source((int) low) && !isBroadcast(high, low)
                        : !IpAddress.isIpv6Group(high) && !IpAddress.isIpv6Reserved(high, low);
        return isOneHost && !isOwn(high, low) && !isAt(port, high, low);
    }

    /** Whether it is a broadcast in one of the switch's IPv4 networks. */
    public boolean isBroadcast(long high, long low) {
        return everywhere.isBroadcast(high, low);
    }

    /**
     * Number of the switch's address, at a port, that is in the same network as another address, or
     * -1.
     */
    public int onLink(int port, long high, long low) {
        return byPort[port].onLink(high, low);
    }

    /** Number of the source address to use at a port, or -1 if it has none of the family. */
    public int source(int port, boolean ipv4) {
        Own own = byPort[port];
        for (int i = 0; i < own.lows.length; i++) {
            if (IpAddress.isIpv4(own.highs[i], own.lows[i]) == ipv4) {
                return i;
            }
        }
        return -1;
    }

    public long high(int port, int number) {
        return byPort[port].highs[number];
    }

    public long low(int port, int number) {
        return byPort[port].lows[number];
    }
}
