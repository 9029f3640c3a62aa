package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Arp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.NeighborDiscovery;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Forwarding by IP address. Packets that only the switch itself can handle go to the local port:
 * those to its own addresses without limit (the local port's queue bounds them), those that need an
 * ICMP error or a neighbour's address at a limited rate. Nothing is flooded.
 */
public final class RoutedForwarding implements Forwarding {
    /** Packets a second from one ingress port that may trouble the local port. */
    private static final long PUNTED_PER_SEC = 10_000;

    private static final int VLAN_NOT_ALLOWED = Forwarding.drop(DropReason.VLAN_NOT_ALLOWED);
    private static final int BAD_SOURCE_MAC = Forwarding.drop(DropReason.BAD_SOURCE_MAC);
    private static final int NOT_FOR_US = Forwarding.drop(DropReason.NOT_FOR_US);
    private static final int NOT_IP = Forwarding.drop(DropReason.NOT_IP);

    private final int port;
    private final int localPort;
    private final long mac;
    private final VlanTable vlans;
    private final SwitchAddresses addresses;
    private final Router router;
    private final TokenBucket puntLimit = new TokenBucket(PUNTED_PER_SEC);

    /**
     * @param vlans identifies tagged frames, which a routing port does not take
     */
    public RoutedForwarding(
            int port, int localPort, VlanTable vlans, SwitchAddresses addresses, Router router) {
        this.port = port;
        this.localPort = localPort;
        this.mac = addresses.mac(port);
        this.vlans = vlans;
        this.addresses = addresses;
        this.router = router;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        for (int i = 0; i < count; i++) {
            if (answers[i] == UNDECIDED) {
                answers[i] = egress(nowNs, batch[i], FrameRegion.MEMORY);
            }
        }
    }

    private int egress(long nowNs, Frame frame, MemorySegment region) {
        int vlan = vlans.classify(port, frame.tagged, frame.vlan);
        if (vlan == 0) {
            return VLAN_NOT_ALLOWED;
        }
        frame.vlan = vlan;
        if (!MacAddress.isValidSource(Ethernet.source(region, frame.dataOffset))) {
            return BAD_SOURCE_MAC;
        }
        long destination = Ethernet.destination(region, frame.dataOffset);
        if (destination != mac) {
            return isAskedFor(frame, region, destination) ? localPort : NOT_FOR_US;
        }
        return switch (frame.etherType) {
            case EtherType.IPV4, EtherType.IPV6 -> route(nowNs, frame, region);
            case EtherType.ARP -> localPort;
            default -> NOT_IP;
        };
    }

    private int route(long nowNs, Frame frame, MemorySegment region) {
        return switch (router.route(nowNs, frame, region)) {
            case FORWARD -> {
                router.rewrite(frame, region);
                yield router.port();
            }
            case LOCAL -> localPort;
            case BAD_HEADER -> Forwarding.drop(DropReason.BAD_IP_HEADER);
            case BAD_SOURCE -> Forwarding.drop(DropReason.BAD_SOURCE_IP);
            case PORT_DOWN -> Forwarding.drop(DropReason.PORT_DOWN);
            case NO_ROUTE -> punt(nowNs, DropReason.NO_ROUTE);
            case EXPIRED -> punt(nowNs, DropReason.TTL_EXPIRED);
            case TOO_BIG -> punt(nowNs, DropReason.EGRESS_OVERSIZE);
            case UNRESOLVED -> punt(nowNs, DropReason.NEIGHBOUR_UNRESOLVED);
        };
    }

    private int punt(long nowNs, DropReason reason) {
        return puntLimit.take(nowNs) ? localPort : Forwarding.drop(reason);
    }

    /** Whether a frame to a group asks for one of this port's addresses, or announces another's. */
    private boolean isAskedFor(Frame frame, MemorySegment region, long destination) {
        if (!MacAddress.isGroup(destination)) {
            return false;
        }
        if (frame.etherType == EtherType.ARP) {
            int offset = frame.etherTypeOffset + 2;
            long arp = frame.dataOffset + offset;
            if (!Arp.isValid(region, arp, frame.storedBytes - offset)) {
                return false;
            }
            int target = Arp.targetIp(region, arp);
            return target == Arp.senderIp(region, arp)
                    || addresses.isAt(port, 0, IpAddress.ofIpv4(target));
        }
        return frame.etherType == EtherType.IPV6 && isSolicitation(frame, region);
    }

    private boolean isSolicitation(Frame frame, MemorySegment region) {
        if (frame.transportOffset == Frame.ABSENT
                || frame.storedBytes - frame.transportOffset < NeighborDiscovery.OPTIONS_OFFSET) {
            return false;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        long icmp = frame.dataOffset + frame.transportOffset;
        return Ipv6.nextHeader(region, ip) == IpProtocol.ICMPV6
                && Icmp.type(region, icmp) == NeighborDiscovery.SOLICITATION
                && addresses.isAt(
                        port,
                        NeighborDiscovery.targetHigh(region, icmp),
                        NeighborDiscovery.targetLow(region, icmp));
    }
}
