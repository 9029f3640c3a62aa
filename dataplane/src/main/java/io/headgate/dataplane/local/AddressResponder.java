package io.headgate.dataplane.local;

import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.Arp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.NeighborDiscovery;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the switch's own addresses: ARP requests (RFC 826), neighbour solicitations
 * (RFC 4861 section 7.2.4) and echo requests (RFC 792, RFC 4443 section 4). Echo requests only if
 * they come from one other host: an answer to a broadcast, or to ourselves, would multiply frames.
 * The request is turned into the answer in its own buffer, and sent back to its source MAC address,
 * by its ingress port.
 */
final class AddressResponder {
    /** Result for a frame. */
    enum Outcome {
        ANSWERED,
        CONSUMED,
        UNHANDLED
    }

    private static final int TTL = 64;
    private static final long ALL_NODES_HIGH = 0xFF02_0000_0000_0000L;
    private static final long ALL_NODES_LOW = 1;

    private final LocalBuffers buffers;
    private final MemorySegment segment;
    private final SwitchAddresses addresses;
    // Null in a bridge, which has no use for what neighbours say of themselves.
    private final @Nullable Neighbours learning;

    /** Flags of our advertisements, without solicited and override. */
    private final int advertisementFlags;

    AddressResponder(
            LocalBuffers buffers, SwitchAddresses addresses, @Nullable Neighbours learning) {
        this.buffers = buffers;
        this.segment = buffers.segment();
        this.addresses = addresses;
        this.learning = learning;
        this.advertisementFlags = learning == null ? 0 : NeighborDiscovery.ROUTER;
    }

    private void heard(long nowNs, int port, long high, long low, long mac, boolean mayAdd) {
        if (learning != null && MacAddress.isValidSource(mac)) {
            learning.heard(nowNs, port, high, low, mac, mayAdd);
        }
    }

    private Outcome answered(Frame frame, int lengthBytes) {
        Ethernet.source(segment, frame.dataOffset, addresses.mac(frame.ingressPort));
        buffers.leave(frame, lengthBytes, frame.ingressPort);
        buffers.count(ForwardingCounter.LOCAL_ANSWERED);
        return Outcome.ANSWERED;
    }

    Outcome arp(long nowNs, Frame frame) {
        long arp = frame.dataOffset + Ethernet.HEADER_BYTES;
        if (!Arp.isValid(segment, arp, frame.lengthBytes - Ethernet.HEADER_BYTES)) {
            return Outcome.UNHANDLED;
        }
        long senderMac = Arp.senderMac(segment, arp);
        int senderIp = Arp.senderIp(segment, arp);
        int target = Arp.targetIp(segment, arp);
        int port = frame.ingressPort;
        boolean forUs = addresses.isAt(port, 0, IpAddress.ofIpv4(target));
        heard(nowNs, port, 0, IpAddress.ofIpv4(senderIp), senderMac, forUs);
        if (!forUs
                || Arp.operation(segment, arp) != Arp.REQUEST
                || !MacAddress.isValidSource(senderMac)) {
            return Outcome.CONSUMED;
        }
        Ethernet.destination(segment, frame.dataOffset, senderMac);
        Arp.write(segment, arp, Arp.REPLY, addresses.mac(port), target, senderMac, senderIp);
        return answered(frame, Ethernet.HEADER_BYTES + Arp.MESSAGE_BYTES);
    }

    /** Handles a frame with an IP packet for one of our addresses. */
    Outcome ip(long nowNs, Frame frame) {
        if (frame.transportOffset == Frame.ABSENT) {
            return Outcome.UNHANDLED;
        }
        return frame.etherType == EtherType.IPV4 ? ipv4(frame) : ipv6(nowNs, frame);
    }

    private Outcome ipv4(Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        long icmp = frame.dataOffset + frame.transportOffset;
        int totalBytes = Ipv4.totalBytes(segment, ip);
        int messageBytes = totalBytes - Ipv4.MIN_HEADER_BYTES;
        if (Ipv4.protocol(segment, ip) != IpProtocol.ICMP
                || Ipv4.headerBytes(segment, ip) != Ipv4.MIN_HEADER_BYTES
                || Ipv4.isFragment(segment, ip)
                || Icmp.type(segment, icmp) != Icmp.V4_ECHO_REQUEST
                || Icmp.code(segment, icmp) != 0
                || !Ipv4.isChecksumRight(segment, ip)
                || !isPeer(frame, 0, IpAddress.ofIpv4(Ipv4.source(segment, ip)))
                || !Icmp.isChecksumRightIpv4(segment, icmp, messageBytes)) {
            return Outcome.UNHANDLED;
        }
        int asker = Ipv4.source(segment, ip);
        int own = Ipv4.destination(segment, ip);
        int trafficClass = Ipv4.trafficClass(segment, ip);
        Ipv4.write(segment, ip, trafficClass, totalBytes, TTL, IpProtocol.ICMP, own, asker);
        Ipv4.writeChecksum(segment, ip);
        Icmp.type(segment, icmp, Icmp.V4_ECHO_REPLY);
        turnRound(frame);
        return answered(frame, frame.ipOffset + totalBytes);
    }

    private boolean isPeer(Frame frame, long high, long low) {
        return addresses.isPeer(frame.ingressPort, high, low);
    }

    private void turnRound(Frame frame) {
        long sender = Ethernet.source(segment, frame.dataOffset);
        Ethernet.destination(segment, frame.dataOffset, sender);
    }

    private Outcome ipv6(long nowNs, Frame frame) {
        long ip = frame.dataOffset + frame.ipOffset;
        long icmp = frame.dataOffset + frame.transportOffset;
        int messageBytes = Ipv6.payloadBytes(segment, ip);
        if (Ipv6.nextHeader(segment, ip) != IpProtocol.ICMPV6
                || !Icmp.isChecksumRightIpv6(segment, ip, icmp, messageBytes)) {
            return Outcome.UNHANDLED;
        }
        return switch (Icmp.type(segment, icmp)) {
            case Icmp.V6_ECHO_REQUEST -> echoIpv6(frame, ip, icmp, messageBytes);
            case NeighborDiscovery.SOLICITATION, NeighborDiscovery.ADVERTISEMENT ->
                    Ipv6.hopLimit(segment, ip) == NeighborDiscovery.HOP_LIMIT
                                    && NeighborDiscovery.isValid(segment, icmp, messageBytes)
                            ? discovery(nowNs, frame, ip, icmp, messageBytes)
                            : Outcome.UNHANDLED;
            default -> Outcome.UNHANDLED;
        };
    }

    private Outcome echoIpv6(Frame frame, long ip, long icmp, int messageBytes) {
        long high = Ipv6.sourceHigh(segment, ip);
        long low = Ipv6.sourceLow(segment, ip);
        if (!isPeer(frame, high, low) || Icmp.code(segment, icmp) != 0) {
            return Outcome.UNHANDLED;
        }
        // Both addresses are in the pseudo header, whichever way round: the checksum stays right.
        long ownHigh = Ipv6.destinationHigh(segment, ip);
        long ownLow = Ipv6.destinationLow(segment, ip);
        Ipv6.source(segment, ip, ownHigh, ownLow);
        Ipv6.destination(segment, ip, high, low);
        Ipv6.hopLimit(segment, ip, TTL);
        Icmp.type(segment, icmp, Icmp.V6_ECHO_REPLY);
        turnRound(frame);
        return answered(frame, frame.ipOffset + Ipv6.HEADER_BYTES + messageBytes);
    }

    private Outcome discovery(long nowNs, Frame frame, long ip, long icmp, int messageBytes) {
        boolean asks = Icmp.type(segment, icmp) == NeighborDiscovery.SOLICITATION;
        int port = frame.ingressPort;
        long high = NeighborDiscovery.targetHigh(segment, icmp);
        long low = NeighborDiscovery.targetLow(segment, icmp);
        if (!asks) {
            long mac = option(icmp, messageBytes, NeighborDiscovery.TARGET_LINK_LAYER);
            heard(nowNs, port, high, low, mac, false);
            return Outcome.CONSUMED;
        }
        if (!addresses.isAt(port, high, low)) {
            return Outcome.CONSUMED;
        }
        long askerHigh = Ipv6.sourceHigh(segment, ip);
        long askerLow = Ipv6.sourceLow(segment, ip);
        long mac = option(icmp, messageBytes, NeighborDiscovery.SOURCE_LINK_LAYER);
        int flags = advertisementFlags | NeighborDiscovery.OVERRIDE;
        if (askerHigh == 0 && askerLow == 0) {
            // A host checks whether our address is free: the answer goes to all nodes (RFC 4862
            // 5.4.3).
            askerHigh = ALL_NODES_HIGH;
            askerLow = ALL_NODES_LOW;
            mac = IpAddress.groupMac(ALL_NODES_LOW);
        } else {
            heard(nowNs, port, askerHigh, askerLow, mac, true);
            flags |= NeighborDiscovery.SOLICITED;
            mac = MacAddress.isValidSource(mac) ? mac : Ethernet.source(segment, frame.dataOffset);
        }
        Ethernet.destination(segment, frame.dataOffset, mac);
        Ipv6.write(
                segment,
                ip,
                0,
                NeighborDiscovery.WITH_OPTION_BYTES,
                IpProtocol.ICMPV6,
                NeighborDiscovery.HOP_LIMIT);
        Ipv6.source(segment, ip, high, low);
        Ipv6.destination(segment, ip, askerHigh, askerLow);
        long own = addresses.mac(port);
        NeighborDiscovery.write(
                segment, icmp, NeighborDiscovery.ADVERTISEMENT, flags, high, low, own);
        Icmp.writeChecksumIpv6(segment, ip, icmp, NeighborDiscovery.WITH_OPTION_BYTES);
        int ipBytes = Ipv6.HEADER_BYTES + NeighborDiscovery.WITH_OPTION_BYTES;
        return answered(frame, frame.ipOffset + ipBytes);
    }

    /** The MAC address in an option; 0, which is never a source, if the option is missing. */
    private long option(long icmp, int messageBytes, int kind) {
        long mac = NeighborDiscovery.linkLayerAddress(segment, icmp, messageBytes, kind);
        return mac == NeighborDiscovery.NO_ADDRESS ? 0 : mac;
    }
}
