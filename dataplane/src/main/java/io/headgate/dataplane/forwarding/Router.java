package io.headgate.dataplane.forwarding;

import io.headgate.config.RoutedConfig;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next hop of an IP packet, and rewrites the packet for it (RFC 1812 section 5.2, RFC
 * 8200 section 3). Tables are shared; the result fields are not: every owner needs its own Router.
 *
 * <p>Among equal next hops {@link PathChoice} chooses. A hop whose port is down or whose neighbour
 * does not answer is passed over for the next one.
 */
public final class Router {
    /** Results of {@link #route}. */
    public enum Verdict {
        FORWARD,
        LOCAL,
        BAD_HEADER,
        BAD_SOURCE,
        NO_ROUTE,
        EXPIRED,
        TOO_BIG,
        UNRESOLVED,
        PORT_DOWN
    }

    private final Routes current;
    private final NeighbourTable neighbours;
    private final SwitchAddresses addresses;
    private final IntPredicate links;
    private final int[] mtuBytes;
    private final int[] grownMtuBytes;
    private final PathChoice paths;

    // What the packet at hand is looked up in.
    private RouteTable routes;

    // The next hop of the last packet, after FORWARD, TOO_BIG and UNRESOLVED.
    private int port;
    private long hopHigh;
    private long hopLow;
    private long hopMac;

    /**
     * @param links whether a port can send; may be slightly out of date
     * @param mtuBytes largest IP packet by port, as a host may send it
     * @param grownMtuBytes the same, with the bytes that mechanisms add on the way
     * @param paths how it chooses among equal next hops
     * @param seed the switch's seed, with {@code port} of the calling half, for that choice
     */
    public Router(
            Routes current,
            NeighbourTable neighbours,
            SwitchAddresses addresses,
            IntPredicate links,
            int[] mtuBytes,
            int[] grownMtuBytes,
            RoutedConfig.Paths paths,
            long seed,
            int port) {
        this.current = current;
        this.routes = current.table();
        this.neighbours = neighbours;
        this.addresses = addresses;
        this.links = links;
        this.mtuBytes = mtuBytes.clone();
        this.grownMtuBytes = grownMtuBytes.clone();
        this.paths = PathChoice.of(paths, seed, port);
    }

    /** Routes a parsed frame of type IPv4 or IPv6. */
    public Verdict route(long nowNs, Frame frame, MemorySegment region) {
        if (frame.ipOffset == Frame.ABSENT) {
            return Verdict.BAD_HEADER;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        routes = current.table();
        return frame.etherType == EtherType.IPV4
                ? ipv4(nowNs, frame, region, ip)
                : ipv6(nowNs, frame, region, ip);
    }

    private Verdict ipv4(long nowNs, Frame frame, MemorySegment region, long ip) {
        if (!Ipv4.isChecksumRight(region, ip)) {
            return Verdict.BAD_HEADER;
        }
        if (!IpAddress.isIpv4Source(Ipv4.source(region, ip))) {
            return Verdict.BAD_SOURCE;
        }
        int destination = Ipv4.destination(region, ip);
        if (!IpAddress.isIpv4Source(destination)) {
            return Verdict.NO_ROUTE;
        }
        int group = routes.lookupIpv4(destination);
        Verdict special = special(group);
        if (special != null) {
            return special;
        }
        if (Ipv4.ttl(region, ip) <= 1) {
            return Verdict.EXPIRED;
        }
        return toHop(
                nowNs,
                frame,
                region,
                group,
                0,
                IpAddress.ofIpv4(destination),
                Ipv4.totalBytes(region, ip));
    }

    private Verdict ipv6(long nowNs, Frame frame, MemorySegment region, long ip) {
        long sourceHigh = Ipv6.sourceHigh(region, ip);
        if (IpAddress.isIpv6Group(sourceHigh)
                || IpAddress.isIpv6Reserved(sourceHigh, Ipv6.sourceLow(region, ip))) {
            return Verdict.BAD_SOURCE;
        }
        long high = Ipv6.destinationHigh(region, ip);
        long low = Ipv6.destinationLow(region, ip);
        if (IpAddress.isIpv6LinkLocal(high)) {
            return addresses.isAt(frame.ingressPort, high, low) ? Verdict.LOCAL : Verdict.NO_ROUTE;
        }
        if (IpAddress.isIpv6Group(high) || IpAddress.isIpv6Reserved(high, low)) {
            return Verdict.NO_ROUTE;
        }
        int group = routes.lookupIpv6(high, low);
        Verdict special = special(group);
        if (special != null) {
            return special;
        }
        if (IpAddress.isIpv6LinkLocal(sourceHigh)) {
            return Verdict.NO_ROUTE;
        }
        if (Ipv6.hopLimit(region, ip) <= 1) {
            return Verdict.EXPIRED;
        }
        int packetBytes = Ipv6.HEADER_BYTES + Ipv6.payloadBytes(region, ip);
        return toHop(nowNs, frame, region, group, high, low, packetBytes);
    }

    private static @Nullable Verdict special(int group) {
        return switch (group) {
            case RouteTable.NO_ROUTE, RouteTable.DISCARD -> Verdict.NO_ROUTE;
            case RouteTable.LOCAL -> Verdict.LOCAL;
            default -> null;
        };
    }

    private Verdict toHop(
            long nowNs,
            Frame frame,
            MemorySegment region,
            int group,
            long high,
            long low,
            int packetBytes) {
        int longestBytes =
                frame.segmentBytes == 0
                        ? packetBytes
                        : TcpSegments.longestBytes(frame) - frame.ipOffset;
        int hops = routes.hops(group);
        int first = 0;
        if (hops > 1) {
            first = paths.choose(nowNs, frame, region, hops);
        }
        int unresolved = -1;
        for (int i = 0; i < hops; i++) {
            int hop = first + i < hops ? first + i : first + i - hops;
            if (links.test(routes.port(group, hop))) {
                aim(group, hop, high, low);
                hopMac = neighbours.lookup(port, hopHigh, hopLow);
                if (hopMac != NeighbourTable.NONE) {
                    return longestBytes <= grownMtuBytes[port] ? Verdict.FORWARD : Verdict.TOO_BIG;
                }
                unresolved = unresolved < 0 ? hop : unresolved;
            }
        }
        if (unresolved < 0) {
            return Verdict.PORT_DOWN;
        }
        aim(group, unresolved, high, low);
        return longestBytes <= grownMtuBytes[port] ? Verdict.UNRESOLVED : Verdict.TOO_BIG;
    }

    private void aim(int group, int hop, long high, long low) {
        port = routes.port(group, hop);
        hopHigh = routes.high(group, hop);
        hopLow = routes.low(group, hop);
        if (hopHigh == 0 && hopLow == 0) {
            hopHigh = high;
            hopLow = low;
        }
    }

    /** After FORWARD: gives the frame its new MAC addresses, TTL or hop limit, and checksum. */
    public void rewrite(Frame frame, MemorySegment region) {
        Ethernet.destination(region, frame.dataOffset, hopMac);
        Ethernet.source(region, frame.dataOffset, addresses.mac(port));
        long ip = frame.dataOffset + frame.ipOffset;
        if (frame.etherType == EtherType.IPV4) {
            Ipv4.ttl(region, ip, Ipv4.ttl(region, ip) - 1);
        } else {
            Ipv6.hopLimit(region, ip, Ipv6.hopLimit(region, ip) - 1);
        }
    }

    /** The egress port of the last result. */
    public int port() {
        return port;
    }

    /** The neighbour of the last result. */
    public long hopHigh() {
        return hopHigh;
    }

    public long hopLow() {
        return hopLow;
    }

    /** Largest IP packet that a host may send by a port, in bytes. */
    public int mtuBytes(int ofPort) {
        return mtuBytes[ofPort];
    }
}
