package io.headgate.testbed.traffic;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Reth;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rdma.Requester;
import io.headgate.hostagent.rdma.Responder;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What a host makes of the frames that arrive: finds their flow, wherever it began, and notes what
 * came; acknowledgements go to the flow's sender. Owned by the host's device; holds no frame.
 */
final class FrameReceiver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long PS_PER_NS = 1000;

    private final TrafficHosts hosts;
    private final FlowScheduler scheduler;
    private final CnpSender cnps;
    private final int host;

    // Of the last frame; used again for another flow, it has another number.
    private @Nullable Flow lastFlow;

    private long framesReceived;
    private long frameBytesReceived;
    private long framesForeign;
    private long framesUnsound;
    private long framesLate;

    FrameReceiver(TrafficHosts hosts, FlowScheduler scheduler, CnpSender cnps, int host) {
        this.hosts = hosts;
        this.scheduler = scheduler;
        this.cnps = cnps;
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
        if (Ipv4.protocol(MEMORY, ip) != IpProtocol.UDP) {
            // A switch's notice may be about a flow that nothing controls.
            framesForeign += Notice.is(MEMORY, frame) ? 0 : 1;
            return;
        }
        long udp = frame.dataOffset + frame.transportOffset;
        boolean rocev2 = Udp.destinationPort(MEMORY, udp) == Bth.UDP_PORT;
        int behindUdp = rocev2 ? Bth.HEADER_BYTES : 0;
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (rocev2 && isReliable(udp, storedBytes)) {
            arriveReliable(frame, ip, udp, nowPs, untilPs);
            return;
        }
        if (storedBytes < Udp.HEADER_BYTES + behindUdp + TrafficHeader.BYTES) {
            framesForeign++;
            return;
        }
        if (hosts.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            framesUnsound++;
            return;
        }
        if (rocev2 && Cnp.is(MEMORY, frame)) {
            return; // of another host, likewise
        }
        long header = udp + Udp.HEADER_BYTES + behindUdp;
        int sender = TrafficHeader.host(MEMORY, header);
        Flow flow = find(sender, TrafficHeader.flow(MEMORY, header), nowPs);
        if (flow == null) {
            framesLate++;
            return;
        }
        if (!arriveOf(flow, frame, header, nowPs, untilPs)) {
            framesForeign++;
        }
    }

    private boolean arriveOf(Flow flow, Frame frame, long header, long nowPs, long untilPs) {
        int kind = TrafficHeader.kind(MEMORY, header);
        if ((kind & TrafficHeader.KIND_MASK) == TrafficHeader.DATA) {
            int ecn = Ipv4.ecn(MEMORY, frame.dataOffset + frame.ipOffset);
            return arriveData(flow, frame, header, ecn, nowPs);
        }
        return arriveAcknowledgement(flow, kind, header, nowPs, untilPs);
    }

    /** Whether it is a packet on a reliable connection, its headers stored. */
    private static boolean isReliable(long udp, int storedBytes) {
        int behind = storedBytes - Udp.HEADER_BYTES - Bth.HEADER_BYTES;
        if (behind < Aeth.HEADER_BYTES) {
            return false;
        }
        int opcode = Bth.opcode(MEMORY, udp + Udp.HEADER_BYTES);
        return opcode == RcOpcode.ACKNOWLEDGE
                || (RcOpcode.isRequest(opcode)
                        && behind >= RcOpcode.extendedBytes(opcode) + TrafficHeader.BYTES);
    }

    private void arriveReliable(Frame frame, long ip, long udp, long nowPs, long untilPs) {
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (hosts.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            framesUnsound++;
            return;
        }
        long bth = udp + Udp.HEADER_BYTES;
        int opcode = Bth.opcode(MEMORY, bth);
        boolean isAnswer = opcode == RcOpcode.ACKNOWLEDGE;
        long header = bth + Bth.HEADER_BYTES + RcOpcode.extendedBytes(opcode);
        // A queue pair has the number of its flow, at both ends.
        Flow flow =
                isAnswer
                        ? hosts.flow(host, Bth.destinationQp(MEMORY, bth), host, nowPs)
                        : find(
                                TrafficHeader.host(MEMORY, header),
                                TrafficHeader.flow(MEMORY, header),
                                nowPs);
        if (flow == null) {
            framesLate++;
            return;
        }
        MessageEnds ends = flow.ends;
        if (ends == null) {
            framesForeign++;
            return;
        }
        if (flow.shape.messages().stored()
                && !Icrc.verify(MEMORY, ip, frame.storedBytes - frame.ipOffset)) {
            framesUnsound++;
            return;
        }
        boolean known =
                isAnswer
                        ? arriveAnswer(flow, ends, ip, bth, nowPs, untilPs)
                        : flow.destinationHost == host
                                && arrivePacket(flow, ends, frame, ip, bth, nowPs);
        if (!known) {
            framesForeign++;
        }
    }

    private boolean arrivePacket(
            Flow flow, MessageEnds ends, Frame frame, long ip, long bth, long nowPs) {
        int opcode = Bth.opcode(MEMORY, bth);
        int extended = RcOpcode.extendedBytes(opcode);
        long body = bth + Bth.HEADER_BYTES;
        int payload =
                Udp.lengthBytes(MEMORY, bth - Udp.HEADER_BYTES)
                        - Udp.HEADER_BYTES
                        - Bth.HEADER_BYTES
                        - extended
                        - Bth.padBytes(MEMORY, bth)
                        - Icrc.BYTES;
        Responder.Arrived became =
                ends.responder.arrived(
                        nowPs / PS_PER_NS,
                        Bth.sequence(MEMORY, bth),
                        opcode,
                        Bth.ackRequest(MEMORY, bth),
                        payload,
                        extended > 0 ? Reth.lengthBytes(MEMORY, body) : 0);
        flow.expectedFrame = ends.responder.expected();
        if (ends.responder.hasAnswer()) {
            scheduler.acknowledge(flow);
        }
        switch (became) {
            case TAKEN -> {
                long timePs = TrafficHeader.timePs(MEMORY, body + extended);
                int marks = marks(flow.shape.ecn(), Ipv4.ecn(MEMORY, ip));
                long agePs = TrafficHeader.agePs(nowPs, timePs);
                take(flow, frame.lengthBytes, marks, agePs, nowPs);
            }
            case REPEATED -> flow.framesDuplicate++;
            case EARLY -> flow.framesDiscarded++;
            case INVALID -> {
                return false;
            }
        }
        return true;
    }

    private boolean arriveAnswer(
            Flow flow, MessageEnds ends, long ip, long bth, long nowPs, long untilPs) {
        if (Ipv4.source(MEMORY, ip) != hosts.peer(flow.destinationHost).address.ipv4()) {
            return false;
        }
        Requester requester = ends.requester;
        long timedBefore = requester.roundTrips();
        Requester.Answered became =
                requester.answered(
                        nowPs / PS_PER_NS,
                        Bth.sequence(MEMORY, bth),
                        Aeth.syndrome(MEMORY, bth + Bth.HEADER_BYTES));
        if (became == Requester.Answered.IMPOSSIBLE || became == Requester.Answered.REFUSED) {
            return false;
        }
        flow.follow(ends);
        long roundTripPs = requester.roundTripNs() * PS_PER_NS;
        if (requester.roundTrips() > timedBefore) {
            flow.roundTrips++;
            flow.roundTripSumPs += roundTripPs;
            flow.roundTripMaxPs = Math.max(flow.roundTripMaxPs, roundTripPs);
        }
        RateControl control = flow.control;
        if (control != null && became == Requester.Answered.ADVANCED) {
            flow.tellAcknowledged(control, nowPs, 0, roundTripPs);
        }
        if (became == Requester.Answered.WENT_BACK) {
            flow.rewinds++;
            flow.tellLost(nowPs);
        }
        scheduler.resume(flow, untilPs);
        hosts.heard(flow, nowPs);
        return true;
    }

    /** The flow of which a packet of data is that this host sent; null if it is none. */
    @Nullable Flow sentBy(int etherType, long packet, int bytes, HostAddress self, long nowPs) {
        if (etherType != EtherType.IPV4
                || Ipv4.headerBytes(MEMORY, packet) != Ipv4.MIN_HEADER_BYTES
                || Ipv4.protocol(MEMORY, packet) != IpProtocol.UDP
                || Ipv4.source(MEMORY, packet) != self.ipv4()) {
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
                || TrafficHeader.host(MEMORY, header) != host
                || (TrafficHeader.kind(MEMORY, header) & TrafficHeader.KIND_MASK)
                        != TrafficHeader.DATA) {
            return null;
        }
        Flow flow = hosts.flow(host, TrafficHeader.flow(MEMORY, header), host, nowPs);
        return flow != null
                        && hosts.peer(flow.destinationHost).address.ipv4()
                                == Ipv4.destination(MEMORY, packet)
                ? flow
                : null;
    }

    private @Nullable Flow sentByQueuePair(long packet, long bth, long nowPs) {
        if (!RcOpcode.isRequest(Bth.opcode(MEMORY, bth))) {
            return null;
        }
        Flow flow = hosts.flow(host, Bth.destinationQp(MEMORY, bth), host, nowPs);
        boolean isIt =
                flow != null
                        && flow.ends != null
                        && hosts.peer(flow.destinationHost).address.ipv4()
                                == Ipv4.destination(MEMORY, packet);
        return isIt ? flow : null;
    }

    /** The flow that this host sends from a queue pair to another host; null if it is none. */
    @Nullable Flow sentFrom(int queuePair, int begun, int toIpv4, long nowPs) {
        // Of the flows that have this number's low bits, the one that began last.
        int number = begun - 1 - (begun - 1 - queuePair & FrameTemplate.QUEUE_PAIR_MASK);
        Flow flow = hosts.flow(host, number, host, nowPs);
        return flow != null && hosts.peer(flow.destinationHost).address.ipv4() == toIpv4
                ? flow
                : null;
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
        boolean byPackets = flow.echo.sendsPackets();
        if (byPackets) {
            cnps.arrived(flow, nowPs, marks, hosts.wireBytes(frame.lengthBytes));
        }
        if (flow.isWindowed()) {
            int wireBytes = hosts.wireBytes(frame.lengthBytes);
            int told = byPackets ? 0 : flow.echo.arrived(nowPs / PS_PER_NS, marks, wireBytes);
            if (!WindowEndpoint.onData(flow, scheduler, sequence, told, timePs)) {
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
            } else {
                flow.framesUe++;
            }
        }
        if (flow.firstArrivalPs == Flow.NOT_YET) {
            flow.firstArrivalPs = nowPs;
        }
        flow.lastArrivalPs = nowPs;
        group.arrived(nowPs, lengthBytes, delayPs, marks);
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
        hosts.heard(flow, nowPs);
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
