package io.headgate.testbed.traffic;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What a host makes of the frames that arrive: finds their flow, wherever it began, and notes what
 * came; acknowledgements go to the flow's sender. Owned by the host's device; holds no frame.
 */
final class FrameReceiver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final TrafficHosts hosts;
    private final FlowScheduler scheduler;
    private final int host;

    // Of the last frame; used again for another flow, it has another number.
    private @Nullable Flow lastFlow;

    private long framesReceived;
    private long frameBytesReceived;
    private long framesForeign;
    private long framesUnsound;
    private long framesLate;

    FrameReceiver(TrafficHosts hosts, FlowScheduler scheduler, int host) {
        this.hosts = hosts;
        this.scheduler = scheduler;
        this.host = host;
    }

    /**
     * A frame has come.
     *
     * @param untilPs what is due by then may be sent in answer
     */
    void arrive(Frame frame, long nowPs, long untilPs) {
        framesReceived++;
        frameBytesReceived += frame.lengthBytes;
        if (frame.etherType != EtherType.IPV4 || frame.transportOffset == Frame.ABSENT) {
            framesForeign++;
            return;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        long udp = frame.dataOffset + frame.transportOffset;
        boolean rocev2 = Udp.destinationPort(MEMORY, udp) == Bth.UDP_PORT;
        int behindUdp = rocev2 ? Bth.HEADER_BYTES : 0;
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (storedBytes < Udp.HEADER_BYTES + behindUdp + TrafficHeader.BYTES
                || Ipv4.protocol(MEMORY, ip) != IpProtocol.UDP) {
            framesForeign++;
            return;
        }
        if (hosts.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            framesUnsound++;
            return;
        }
        long header = udp + Udp.HEADER_BYTES + behindUdp;
        int sender = TrafficHeader.host(MEMORY, header);
        Flow flow = find(sender, TrafficHeader.flow(MEMORY, header), nowPs);
        if (flow == null) {
            framesLate++;
            return;
        }
        int kind = TrafficHeader.kind(MEMORY, header);
        boolean known;
        if ((kind & TrafficHeader.KIND_MASK) == TrafficHeader.DATA) {
            known = arriveData(flow, frame, header, Ipv4.ecn(MEMORY, ip), nowPs);
        } else {
            known = arriveAcknowledgement(flow, kind, header, nowPs, untilPs);
        }
        if (!known) {
            framesForeign++;
        }
    }

    /** Frames of a flow come several in a row: the one found last is mostly meant again. */
    private @Nullable Flow find(int sender, int number, long nowPs) {
        Flow last = lastFlow;
        if (last != null && last.number == number && last.sourceHost == sender) {
            return FlowTable.isFound(last, host, nowPs, hosts.clock().apartPs()) ? last : null;
        }
        Flow found = hosts.flow(sender, number, host, nowPs);
        lastFlow = found;
        return found;
    }

    private boolean arriveData(Flow flow, Frame frame, long header, int ecn, long nowPs) {
        int low = TrafficHeader.sequence(MEMORY, header);
        long sequence = Flow.widen(low, flow.expectedFrame);
        if (flow.destinationHost != host || sequence < 0 || sequence >= flow.highestFrame) {
            return false;
        }
        long timePs = TrafficHeader.timePs(MEMORY, header);
        int marks = marks(flow.shape.ecn(), ecn);
        if (flow.isWindowed()) {
            if (!WindowEndpoint.onData(flow, scheduler, sequence, marks, timePs)) {
                return true;
            }
        } else if (sequence >= flow.expectedFrame) {
            flow.framesMissing += sequence - flow.expectedFrame;
            flow.expectedFrame = sequence + 1;
        } else {
            flow.framesReordered++;
            flow.framesMissing--;
        }
        take(flow, frame.lengthBytes, marks, TrafficHeader.agePs(nowPs, timePs), nowPs);
        return true;
    }

    private void take(Flow flow, int lengthBytes, int marks, long delayPs, long nowPs) {
        FlowGroup group = flow.group;
        flow.framesReceived++;
        flow.frameBytesReceived += lengthBytes;
        flow.delaySumPs += delayPs;
        flow.delayMaxPs = Math.max(flow.delayMaxPs, delayPs);
        if (marks != 0) {
            if (marks == TrafficHeader.MARKED_CE) {
                flow.framesCe++;
                group.framesCe++;
            } else {
                flow.framesUe++;
                group.framesUe++;
            }
        }
        if (flow.firstArrivalPs == Flow.NOT_YET) {
            flow.firstArrivalPs = nowPs;
        }
        flow.lastArrivalPs = nowPs;
        group.arrived(nowPs, lengthBytes, delayPs);
        if (flow.framesReceived == flow.totalFrames) {
            hosts.finished(flow);
        }
    }

    /** A code point above the one that was sent is a mark: 3 is CE, 2 is TCD's undetermined. */
    private static int marks(int sentEcn, int ecn) {
        if (ecn <= sentEcn || ecn < FrameShape.ECT_0) {
            return 0;
        }
        return ecn == FrameShape.CE ? TrafficHeader.MARKED_CE : TrafficHeader.MARKED_UE;
    }

    private boolean arriveAcknowledgement(
            Flow flow, int kind, long header, long nowPs, long untilPs) {
        int low = TrafficHeader.sequence(MEMORY, header);
        long sequence = Flow.widen(low, flow.acknowledgedFrames);
        if ((kind & TrafficHeader.KIND_MASK) != TrafficHeader.ACK
                || flow.sourceHost != host
                || !flow.isWindowed()
                || sequence < 0
                || sequence > flow.highestFrame) {
            return false;
        }
        long roundTripPs = TrafficHeader.agePs(nowPs, TrafficHeader.timePs(MEMORY, header));
        WindowEndpoint.onAck(flow, scheduler, sequence, kind, roundTripPs, nowPs, untilPs);
        if (flow.acknowledgedFrames == flow.totalFrames && flow.acknowledgedPs == Flow.NOT_YET) {
            flow.acknowledgedPs = nowPs;
            hosts.acknowledged(flow);
        }
        return true;
    }

    /** Frames of any kind that the network card handed over. */
    long framesReceived() {
        return framesReceived;
    }

    /** Their lengths without FCS. */
    long frameBytesReceived() {
        return frameBytesReceived;
    }

    /** Frames of those that are not ours, not for this host, or make no sense. */
    long framesForeign() {
        return framesForeign;
    }

    /** Frames of those with a wrong checksum, where checksums are on. */
    long framesUnsound() {
        return framesUnsound;
    }

    /** Frames of those whose flow was complete already, or never was. */
    long framesLate() {
        return framesLate;
    }
}
