package io.headgate.testbed.traffic;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.NotifiedFlows;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Passes notices from congestion points and receivers to a host's flows. Owned by the host's
 * device.
 */
final class FlowNotices implements NotifiedFlows {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final TrafficHosts hosts;
    private final TrafficHosts.Peer self;
    private final FlowScheduler scheduler;

    FlowNotices(TrafficHosts hosts, TrafficHosts.Peer self, FlowScheduler scheduler) {
        this.hosts = hosts;
        this.self = self;
        this.scheduler = scheduler;
    }

    /**
     * Handles a notice from a congestion point; it contains the start of a data packet, whose
     * headers identify the flow.
     */
    @Override
    public NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value) {
        long nowPs = self.nowPs();
        Flow flow = sentBy(etherType, packet, bytes, nowPs);
        return tell(flow, nowPs, kind, origin, value);
    }

    /**
     * Handles a congestion notification packet; the queue pair, the low bits of the flow's number,
     * identifies the flow.
     */
    @Override
    public NoticeCounter congested(
            long nowNs, int etherType, long packet, int queuePair, long origin, long value) {
        long nowPs = self.nowPs();
        boolean isOurs =
                etherType == EtherType.IPV4
                        && Ipv4.destination(MEMORY, packet) == self.address.ipv4();
        Flow flow = isOurs ? sentFrom(queuePair, Ipv4.source(MEMORY, packet), nowPs) : null;
        return tell(flow, nowPs, Cnp.KIND, origin, value);
    }

    private NoticeCounter tell(@Nullable Flow flow, long nowPs, int kind, long origin, long value) {
        if (flow == null) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        NoticeCounter became = flow.tellNotice(nowPs, kind, origin, value);
        scheduler.resume(flow, nowPs);
        return became;
    }

    /** The flow of a data packet that this host sent; null if not found. */
    private @Nullable Flow sentBy(int etherType, long packet, int bytes, long nowPs) {
        if (etherType != EtherType.IPV4
                || Ipv4.headerBytes(MEMORY, packet) != Ipv4.MIN_HEADER_BYTES
                || Ipv4.protocol(MEMORY, packet) != IpProtocol.UDP
                || Ipv4.source(MEMORY, packet) != self.address.ipv4()) {
            return null;
        }
        long udp = packet + Ipv4.MIN_HEADER_BYTES;
        boolean rocev2 = Udp.destinationPort(MEMORY, udp) == Bth.UDP_PORT;
        if (rocev2 && udp + Udp.HEADER_BYTES + Bth.HEADER_BYTES - packet <= bytes) {
            Flow flow = sentByQueuePair(packet, udp + Udp.HEADER_BYTES, nowPs);
            if (flow != null) {
                return flow;
            }
        }
        long header = udp + Udp.HEADER_BYTES + (rocev2 ? Bth.HEADER_BYTES : 0);
        if (header + TrafficHeader.SEQUENCE_OFFSET - packet > bytes
                || TrafficHeader.host(MEMORY, header) != self.host
                || (TrafficHeader.kind(MEMORY, header) & TrafficHeader.KIND_MASK)
                        != TrafficHeader.DATA) {
            return null;
        }
        return sentTo(TrafficHeader.flow(MEMORY, header), Ipv4.destination(MEMORY, packet), nowPs);
    }

    private @Nullable Flow sentByQueuePair(long packet, long bth, long nowPs) {
        if (!RcOpcode.isRequest(Bth.opcode(MEMORY, bth))) {
            return null;
        }
        Flow flow = sentTo(Bth.destinationQp(MEMORY, bth), Ipv4.destination(MEMORY, packet), nowPs);
        return flow != null && flow.ends != null ? flow : null;
    }

    /** The flow that this host sends from a queue pair to another host; null if not found. */
    private @Nullable Flow sentFrom(int queuePair, int toIpv4, long nowPs) {
        // The latest of the flows whose numbers have these low bits.
        int last = self.flows.begun() - 1;
        int number = last - (last - queuePair & FrameTemplate.QUEUE_PAIR_MASK);
        return sentTo(number, toIpv4, nowPs);
    }

    private @Nullable Flow sentTo(int number, int toIpv4, long nowPs) {
        Flow flow = self.flows.find(number, self.host, nowPs);
        return flow != null && hosts.peer(flow.destinationHost).address.ipv4() == toIpv4
                ? flow
                : null;
    }
}
