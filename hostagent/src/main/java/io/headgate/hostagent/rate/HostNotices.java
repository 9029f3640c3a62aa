package io.headgate.hostagent.rate;

import io.headgate.dataplane.congestion.FairRate;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.forwarding.NoticeTaker;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.RoccNotice;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * Handles the notices that arrive at a host: each is given to the flow that it is about or ignored,
 * and counted as one of {@link NoticeCounter}, whatever its content. Owned by the card's worker;
 * holds no frame.
 */
public final class HostNotices implements NoticeTaker {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    /** Bytes of the quoted packet's transport header that must be present: its ports. */
    private static final int TRANSPORT_BYTES = 8;

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final NotifiedFlows flows;
    private final CounterBlock counters;
    private final boolean takesPackets;

    /**
     * Handles {@link Notice}s.
     *
     * @param takesPackets whether congestion notification packets are also taken, for flows that
     *     know their queue pairs
     */
    public HostNotices(NotifiedFlows flows, CounterBlock counters, boolean takesPackets) {
        this.takesPackets = takesPackets;
        this.flows = flows;
        this.counters = counters;
    }

    @Override
    public boolean takes(Frame frame) {
        return Notice.is(MEMORY, frame) || Cnm.is(frame) || (takesPackets && Cnp.is(MEMORY, frame));
    }

    @Override
    public void take(long nowNs, Frame frame) {
        NoticeCounter became;
        if (Cnm.is(frame)) {
            became = lookAtMessage(nowNs, frame);
        } else {
            boolean isNotice = Notice.is(MEMORY, frame);
            became = isNotice ? look(nowNs, frame) : lookAtPacket(nowNs, frame);
        }
        counters.add(became, 1);
    }

    private NoticeCounter lookAtMessage(long nowNs, Frame frame) {
        int offset = Ethernet.HEADER_BYTES + (frame.tagged ? Vlan.TAG_BYTES : 0);
        long cnm = frame.dataOffset + offset;
        int bytes = Math.min(frame.storedBytes, frame.lengthBytes) - offset;
        int quoted = Cnm.quotedBytes(MEMORY, cnm, bytes);
        if (quoted < 0) {
            return NoticeCounter.MALFORMED;
        }
        int etherType = Cnm.quotedType(MEMORY, cnm);
        boolean isIpv4 = etherType == EtherType.IPV4;
        if (!isIpv4 && etherType != EtherType.IPV6) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        if (!holdsTogether(isIpv4, Cnm.quoted(cnm), quoted)) {
            return NoticeCounter.MALFORMED;
        }
        return flows.notified(
                nowNs,
                etherType,
                Cnm.quoted(cnm),
                quoted,
                Cnm.KIND,
                Cnm.point(MEMORY, cnm),
                Cnm.feedback(MEMORY, cnm));
    }

    private NoticeCounter lookAtPacket(long nowNs, Frame frame) {
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        int stored = Math.min(frame.storedBytes, frame.lengthBytes) - frame.ipOffset;
        int headerBytes = frame.transportOffset - frame.ipOffset;
        int crc = Icrc.locate(MEMORY, ip, stored);
        if (crc == Icrc.ABSENT) {
            return NoticeCounter.MALFORMED;
        }
        if (Icrc.read(MEMORY, ip, crc) != Icrc.compute(MEMORY, ip, crc)) {
            return NoticeCounter.CHECKSUM;
        }
        return flows.congested(
                nowNs,
                frame.etherType,
                ip,
                Cnp.queuePair(MEMORY, udp),
                origin(isIpv4, ip, 0),
                NotificationPoint.value(
                        NotificationPoint.marks(Cnp.says(MEMORY, udp)),
                        Cnp.rateBps(MEMORY, udp, crc - headerBytes)));
    }

    private NoticeCounter look(long nowNs, Frame frame) {
        boolean isIpv4 = frame.etherType == EtherType.IPV4;
        long ip = frame.dataOffset + frame.ipOffset;
        long icmp = frame.dataOffset + frame.transportOffset;
        int headerBytes = frame.transportOffset - frame.ipOffset;
        int packetBytes =
                isIpv4
                        ? Ipv4.totalBytes(MEMORY, ip)
                        : Ipv6.HEADER_BYTES + Ipv6.payloadBytes(MEMORY, ip);
        int bytes = packetBytes - headerBytes;
        int stored = Math.min(frame.storedBytes, frame.lengthBytes) - frame.transportOffset;
        long quote = icmp + Notice.QUOTE_OFFSET;
        int quoted = Math.min(bytes - Notice.QUOTE_OFFSET, Notice.QUOTE_BYTES);
        if (bytes > stored || !holdsTogether(isIpv4, quote, quoted)) {
            return NoticeCounter.MALFORMED;
        }
        boolean isRight =
                isIpv4
                        ? Icmp.isChecksumRightIpv4(MEMORY, icmp, bytes)
                        : Icmp.isChecksumRightIpv6(MEMORY, ip, icmp, bytes);
        if (!isRight) {
            return NoticeCounter.CHECKSUM;
        }
        if (!isOfReceiver(isIpv4, ip, quote)) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        int kind = Notice.kind(MEMORY, icmp);
        long value = Notice.value(MEMORY, icmp);
        if (RoccNotice.isForHost(kind)) {
            if (bytes < Notice.DETAILS_OFFSET + Notice.DETAIL_BYTES) {
                return NoticeCounter.MALFORMED;
            }
            // A nonsensical notice has a rate of 0, which controls ignore.
            long steps = FairRate.stepsAtHost(MEMORY, icmp + Notice.DETAILS_OFFSET);
            value = RoccNotice.withSteps(value, steps);
        }
        return flows.notified(
                nowNs,
                frame.etherType,
                quote,
                quoted,
                kind,
                origin(isIpv4, ip, Notice.point(MEMORY, icmp)),
                value);
    }

    /** Whether the quoted bytes begin a packet of the same IP version. */
    private static boolean holdsTogether(boolean isIpv4, long quote, int quoted) {
        int least = isIpv4 ? Ipv4.MIN_HEADER_BYTES : Ipv6.HEADER_BYTES;
        if (quoted < least + TRANSPORT_BYTES) {
            return false;
        }
        int first = Wire.u8(MEMORY, quote);
        if (!isIpv4) {
            return first >>> 4 == 6;
        }
        int headerBytes = (first & 0xF) * Integer.BYTES;
        return first >>> 4 == 4 && headerBytes >= least && headerBytes + TRANSPORT_BYTES <= quoted;
    }

    /**
     * Whether the notice's sender is the quoted packet's destination, and its receiver the quoted
     * packet's source.
     */
    private static boolean isOfReceiver(boolean isIpv4, long ip, long quote) {
        return isIpv4
                ? Ipv4.source(MEMORY, quote) == Ipv4.destination(MEMORY, ip)
                : Ipv6.sourceHigh(MEMORY, quote) == Ipv6.destinationHigh(MEMORY, ip)
                        && Ipv6.sourceLow(MEMORY, quote) == Ipv6.destinationLow(MEMORY, ip);
    }

    /**
     * A number for each congestion point, made of its switch's address (or 32 bits derived from it)
     * and its own number.
     */
    private static long origin(boolean isIpv4, long ip, int point) {
        long address;
        if (isIpv4) {
            address = Ipv4.source(MEMORY, ip);
        } else {
            long mixed = Ipv6.sourceHigh(MEMORY, ip) * SPREAD ^ Ipv6.sourceLow(MEMORY, ip);
            address = (mixed * SPREAD) >>> Integer.SIZE;
        }
        return address << Integer.SIZE | (point & 0xFFFF_FFFFL);
    }
}
