package io.headgate.dataplane.local;

import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.forwarding.Router;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Writes the notices of congestion points as packets, in the form of {@link Notice}: to the source
 * of the packet that caused the notice, by the router's or the bridge's table; with DSCP 48, and a
 * priority tag, which a port that sends untagged frames removes, unless the far end reads
 * priorities from tags. Notices to a MAC address return by the frame's ingress port and VLAN, with
 * such a tag.
 *
 * <p>Bounded by buffers: a notice without a free one waits in its ring. Bounded by {@link
 * NoticeShares} at the egress port: notices beyond that share are left out, and the ring is
 * notified.
 */
final class NoticeWriter {
    private static final int TRAFFIC_CLASS = 48 << 2;
    private static final int PRIORITY = 6;
    private static final int TTL = 64;

    private static final int LINK_BYTES = Ethernet.HEADER_BYTES + Vlan.TAG_BYTES;

    /** Also without its tag, a frame is as long as the standard has it: 60 bytes before the FCS. */
    private static final int LEAST_BODY_BYTES = 46;

    /** Buffers reserved for the switch's own answers, however many notices there are. */
    private static final int BUFFERS_LEFT = LocalBuffers.COUNT / 2;

    // What became of a notice.
    private static final int LEFT = 0;
    private static final int NOBODY = 1;
    private static final int BEYOND_SHARE = 2;

    private final NoticeRing[] rings;
    private final LocalBuffers buffers;
    private final MemorySegment segment;
    private final SwitchAddresses addresses;
    private final NoticeShares shares;

    // Null in a bridge.
    private final @Nullable Router router;
    private final @Nullable Neighbours neighbours;

    // Which ring is first: behind the one that the last call stopped at.
    private int next;

    NoticeWriter(
            NoticeRing[] rings,
            LocalBuffers buffers,
            SwitchAddresses addresses,
            NoticeShares shares,
            @Nullable Router router,
            @Nullable Neighbours neighbours) {
        this.shares = shares;
        this.rings = rings.clone();
        this.buffers = buffers;
        this.segment = buffers.segment();
        this.addresses = addresses;
        this.router = router;
        this.neighbours = neighbours;
    }

    /** Writes as many notices as there are buffers; returns whether more wait. */
    boolean make(long nowNs) {
        int looked = 0;
        while (looked < rings.length) {
            NoticeRing ring = rings[next];
            if (ring.next()) {
                if (buffers.free() <= BUFFERS_LEFT) {
                    return true;
                }
                make(nowNs, ring);
                ring.release();
                looked = 0;
            } else {
                looked++;
            }
            next = next + 1 < rings.length ? next + 1 : 0;
        }
        return false;
    }

    private void make(long nowNs, NoticeRing notice) {
        int port = notice.ingressPort();
        boolean isFrame = notice.isFrame();
        int own = isFrame ? 0 : addresses.source(port, notice.isIpv4());
        Frame frame = own < 0 ? null : buffers.take();
        if (frame == null) {
            buffers.count(ForwardingCounter.NOTICES_UNSENT);
            return;
        }
        frame.ingressPort = port;
        long at = frame.dataOffset;
        Ethernet.destination(segment, at, notice.sourceMac());
        Ethernet.source(segment, at, addresses.mac(port));
        Ethernet.etherType(segment, at, EtherType.VLAN);
        long tag = at + Ethernet.ETHER_TYPE_OFFSET;
        // A bridge's frame goes back where the other came from: by its port, in its VLAN.
        int vlan = isFrame && router == null ? notice.vlan() : Vlan.PRIORITY_ONLY;
        Vlan.tci(segment, tag, Vlan.tci(PRIORITY, false, vlan));
        int ip = notice.isIpv4() ? EtherType.IPV4 : EtherType.IPV6;
        Wire.put16(segment, tag + Vlan.ETHER_TYPE_OFFSET, isFrame ? notice.etherType() : ip);
        int bytes = LINK_BYTES + payload(at, notice, own);
        int left = bytes == LINK_BYTES ? NOBODY : leave(nowNs, frame, bytes, isFrame);
        if (left == NOBODY) {
            buffers.count(ForwardingCounter.NOTICES_UNSENT);
            buffers.release(frame);
        } else if (left == BEYOND_SHARE) {
            buffers.count(ForwardingCounter.NOTICES_LIMITED);
            buffers.release(frame);
            notice.limited();
        }
    }

    /** Writes the payload; returns the bytes after the tag; 0 if the source cannot be notified. */
    private int payload(long at, NoticeRing notice, int own) {
        if (!notice.isFrame()) {
            return notice.isIpv4() ? ipv4(at, notice, own) : ipv6(at, notice, own);
        }
        long body = at + LINK_BYTES;
        int bytes = notice.copyBody(segment, body);
        for (; bytes < LEAST_BODY_BYTES; bytes++) {
            Wire.put8(segment, body + bytes, 0);
        }
        return bytes;
    }

    private int leave(long nowNs, Frame frame, int bytes, boolean isFrame) {
        int port = frame.ingressPort;
        if (!isFrame && router != null && neighbours != null) {
            frame.lengthBytes = bytes;
            frame.storedBytes = bytes;
            if (HeaderParser.parse(segment, frame) != null) {
                return NOBODY;
            }
            Router.Verdict verdict = router.route(nowNs, frame, segment);
            if (verdict == Router.Verdict.UNRESOLVED) {
                // One notice is like the next: none waits for the answer.
                neighbours.resolve(nowNs, port, router.port(), router.hopHigh(), router.hopLow());
            }
            if (verdict != Router.Verdict.FORWARD) {
                return NOBODY;
            }
            router.rewrite(frame, segment);
            port = router.port();
        }
        if (!shares.take(nowNs, port, bytes)) {
            return BEYOND_SHARE;
        }
        buffers.count(ForwardingCounter.NOTICES);
        buffers.count(ForwardingCounter.LOCAL_ORIGINATED);
        buffers.leave(frame, bytes, port);
        return LEFT;
    }

    private void message(long icmp, NoticeRing notice, int type) {
        Wire.put32(segment, icmp, type << 24);
        Wire.put64(segment, icmp + Notice.FIRST_OFFSET, notice.first());
        Wire.put64(segment, icmp + Notice.SECOND_OFFSET, notice.second());
        notice.copyQuote(segment, icmp + Notice.QUOTE_OFFSET);
        if (notice.hasDetails()) {
            int quoteEnd = Notice.QUOTE_OFFSET + notice.quotedBytes();
            for (int at = quoteEnd; at < Notice.DETAILS_OFFSET; at++) {
                Wire.put8(segment, icmp + at, 0);
            }
            notice.copyDetails(segment, icmp + Notice.DETAILS_OFFSET);
        }
    }

    private static int messageBytes(NoticeRing notice) {
        return notice.hasDetails()
                ? Notice.DETAILS_OFFSET + Notice.DETAIL_BYTES
                : Notice.QUOTE_OFFSET + notice.quotedBytes();
    }

    /** Writes the packet; returns its length; 0 if the source cannot be notified. */
    private int ipv4(long at, NoticeRing notice, int own) {
        long ip = at + LINK_BYTES;
        long icmp = ip + Ipv4.MIN_HEADER_BYTES;
        message(icmp, notice, Notice.TYPE_V4);
        int source = Ipv4.source(segment, icmp + Notice.QUOTE_OFFSET);
        if (!addresses.isPeer(notice.ingressPort(), 0, IpAddress.ofIpv4(source))) {
            return 0;
        }
        int messageBytes = messageBytes(notice);
        int bytes = Ipv4.MIN_HEADER_BYTES + messageBytes;
        int from = (int) addresses.low(notice.ingressPort(), own);
        Ipv4.write(segment, ip, TRAFFIC_CLASS, bytes, TTL, IpProtocol.ICMP, from, source);
        Ipv4.writeChecksum(segment, ip);
        Icmp.writeChecksumIpv4(segment, icmp, messageBytes);
        return bytes;
    }

    /** As {@link #ipv4}. */
    private int ipv6(long at, NoticeRing notice, int own) {
        int port = notice.ingressPort();
        long ip = at + LINK_BYTES;
        long icmp = ip + Ipv6.HEADER_BYTES;
        message(icmp, notice, Notice.TYPE_V6);
        long high = Ipv6.sourceHigh(segment, icmp + Notice.QUOTE_OFFSET);
        long low = Ipv6.sourceLow(segment, icmp + Notice.QUOTE_OFFSET);
        if (!addresses.isPeer(port, high, low)) {
            return 0;
        }
        int messageBytes = messageBytes(notice);
        Ipv6.write(segment, ip, TRAFFIC_CLASS, messageBytes, IpProtocol.ICMPV6, TTL);
        Ipv6.source(segment, ip, addresses.high(port, own), addresses.low(port, own));
        Ipv6.destination(segment, ip, high, low);
        Icmp.writeChecksumIpv6(segment, ip, icmp, messageBytes);
        return Ipv6.HEADER_BYTES + messageBytes;
    }
}
