package io.headgate.testbed.traffic;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Reth;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rdma.Requester;
import io.headgate.hostagent.rdma.Responder;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A host's endpoint of the flows that are reliable connections of RoCEv2 (InfiniBand architecture
 * specification, volume 1, 9.7): writes the packets and responses of their {@link MessageEnds}, and
 * processes those that arrive. Owned by the host's device; holds no frame.
 */
final class ReliableEndpoint {
    /** The outcome of a frame that arrived at a host. */
    enum Arrival {
        /** It is for this host, or needs no response. */
        KNOWN,
        /** It is not one of ours, not for this host, or makes no sense. */
        FOREIGN,
        /** A checksum is wrong, where checksums are on. */
        UNSOUND,
        /** Its flow was complete already, or never was. */
        LATE
    }

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int ANSWER_BYTES = Bth.HEADER_BYTES + Aeth.HEADER_BYTES;
    private static final long PS_PER_NS = 1000;

    private final TrafficHosts hosts;
    private final FlowScheduler scheduler;
    private final FlowFinder flows;
    private final CnpSender cnps;
    private final int host;

    ReliableEndpoint(
            TrafficHosts hosts,
            FlowScheduler scheduler,
            FlowFinder flows,
            CnpSender cnps,
            int host) {
        this.hosts = hosts;
        this.scheduler = scheduler;
        this.flows = flows;
        this.cnps = cnps;
        this.host = host;
    }

    /**
     * Sends a flow's next packet, of the current message or a new one.
     *
     * @param timePs when it was due
     * @return its frame's length, without FCS
     */
    int send(Flow flow, MessageEnds ends, Frame frame, long timePs, long nowPs) {
        ends.send(nowPs / PS_PER_NS);
        Requester packet = ends.requester;
        FrameShape shape = flow.shape;
        int lengthBytes = shape.packetBytes(packet.opcode(), packet.payloadBytes());
        frame.lengthBytes = lengthBytes;
        requireRoom(shape, frame, lengthBytes);
        long at = begin(frame, flow.words);
        frame.storedBytes =
                FrameTemplate.packet(shape, at, packet, timePs, host, flow.number, lengthBytes);
        flow.follow(ends);
        return lengthBytes;
    }

    /** Sends the response that a flow's receiving end has ready. */
    static void answer(Flow flow, MessageEnds ends, Frame frame) {
        Responder by = ends.responder;
        frame.lengthBytes = flow.shape.answerBytes(by.reportBytes() + by.echoBytes());
        frame.storedBytes =
                FrameTemplate.answer(
                        flow.shape,
                        begin(frame, flow.ackWords),
                        flow.number,
                        by,
                        NotificationPoint.congestion(flow.ackFlags),
                        frame.lengthBytes);
        flow.ackFlags = 0;
    }

    private static void requireRoom(FrameShape shape, Frame frame, int lengthBytes) {
        int room = frame.region.slotBytes() - FrameRegion.HEADROOM_BYTES;
        if (shape.messages().stored() && lengthBytes > room) {
            throw new IllegalStateException(
                    "a frame of " + lengthBytes + " bytes to be stored in " + room);
        }
    }

    private static long begin(Frame frame, long[] words) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = at;
        FrameTemplate.copy(words, at);
        return at;
    }

    /**
     * Whether a frame to RoCEv2's port is a packet on a reliable connection, its headers stored.
     *
     * @param storedBytes from the UDP header on
     */
    static boolean is(long udp, int storedBytes) {
        int behind = storedBytes - Udp.HEADER_BYTES - Bth.HEADER_BYTES;
        if (behind < Aeth.HEADER_BYTES) {
            return false;
        }
        int opcode = Bth.opcode(MEMORY, udp + Udp.HEADER_BYTES);
        return opcode == RcOpcode.ACKNOWLEDGE
                || (RcOpcode.isRequest(opcode)
                        && behind >= RcOpcode.extendedBytes(opcode) + TrafficHeader.BYTES);
    }

    /** A frame has come that {@link #is} one of these. */
    Arrival arrive(Frame frame, long ip, long udp, long nowPs, long untilPs) {
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (hosts.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            return Arrival.UNSOUND;
        }
        long bth = udp + Udp.HEADER_BYTES;
        int opcode = Bth.opcode(MEMORY, bth);
        boolean isAnswer = opcode == RcOpcode.ACKNOWLEDGE;
        Flow flow = find(bth, opcode, nowPs);
        if (flow == null) {
            return Arrival.LATE;
        }
        MessageEnds ends = flow.ends;
        if (ends == null) {
            return Arrival.FOREIGN;
        }
        if (flow.shape.messages().stored()
                && !Icrc.verify(MEMORY, ip, frame.storedBytes - frame.ipOffset)) {
            return Arrival.UNSOUND;
        }
        int reportBytes = isAnswer ? reportBytes(flow, bth) : 0;
        if (isAnswer) {
            if (storedBytes < Udp.HEADER_BYTES + ANSWER_BYTES + reportBytes) {
                return Arrival.FOREIGN;
            }
            flow.way = frame.hops;
            readEcho(flow, bth, storedBytes, reportBytes);
        }
        boolean known =
                isAnswer
                        ? takeAnswer(flow, ends, ip, bth, reportBytes > 0, nowPs, untilPs)
                        : flow.destinationHost == host
                                && takePacket(flow, ends, frame, ip, bth, nowPs);
        return known ? Arrival.KNOWN : Arrival.FOREIGN;
    }

    /** Bytes of an answer's report, which stands between its header and what it echoes. */
    private static int reportBytes(Flow flow, long bth) {
        return flow.shape.messages().reordering() != 0
                        && Aeth.syndrome(MEMORY, bth + Bth.HEADER_BYTES) == Aeth.PSN_SEQUENCE_ERROR
                ? Responder.REPORT_BYTES
                : 0;
    }

    /**
     * @param storedBytes from the UDP header on
     */
    private static void readEcho(Flow flow, long bth, int storedBytes, int reportBytes) {
        int headerBytes = Udp.HEADER_BYTES + ANSWER_BYTES + reportBytes;
        int bytes = Udp.lengthBytes(MEMORY, bth - Udp.HEADER_BYTES) - headerBytes - Icrc.BYTES;
        boolean isStored = bytes > 0 && headerBytes + bytes <= storedBytes;
        flow.readEcho(MEMORY, bth + ANSWER_BYTES + reportBytes, isStored ? bytes : 0);
    }

    /** A queue pair has the number of its flow, at both ends. */
    private @Nullable Flow find(long bth, int opcode, long nowPs) {
        if (opcode == RcOpcode.ACKNOWLEDGE) {
            return hosts.flow(host, Bth.destinationQp(MEMORY, bth), host, nowPs);
        }
        long header = bth + Bth.HEADER_BYTES + RcOpcode.extendedBytes(opcode);
        return flows.find(
                TrafficHeader.host(MEMORY, header), TrafficHeader.flow(MEMORY, header), nowPs);
    }

    private boolean takePacket(
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
        int marks = TrafficHeader.marks(flow.shape.ecn(), Ipv4.ecn(MEMORY, ip));
        if (flow.readsFecn) {
            marks |= NotificationPoint.marksOnTheWay(Bth.congestion(MEMORY, bth));
        }
        if (became != Responder.Arrived.INVALID) {
            ends.responder.cameBy(frame.hops);
            int wireBytes = hosts.wireBytes(frame.lengthBytes);
            if (flow.echo.sendsPackets()) {
                cnps.arrived(flow, nowPs, marks, wireBytes);
            } else {
                flow.ackFlags |= flow.echo.arrived(nowPs / PS_PER_NS, marks, wireBytes);
            }
        }
        if (ends.responder.hasAnswer()) {
            scheduler.acknowledge(flow);
        }
        switch (became) {
            case TAKEN, KEPT -> {
                flow.framesReordered += ends.responder.isLate() ? 1 : 0;
                long timePs = TrafficHeader.timePs(MEMORY, body + extended);
                long agePs = TrafficHeader.agePs(nowPs, timePs);
                hosts.taken(flow, frame.lengthBytes, marks, agePs, nowPs);
            }
            case REPEATED -> {
                flow.framesDuplicate++;
                hosts.thrownAway(flow, frame.lengthBytes, nowPs);
            }
            case EARLY -> {
                flow.framesDiscarded++;
                hosts.thrownAway(flow, frame.lengthBytes, nowPs);
            }
            case INVALID -> {
                return false;
            }
        }
        return true;
    }

    private boolean takeAnswer(
            Flow flow,
            MessageEnds ends,
            long ip,
            long bth,
            boolean isReport,
            long nowPs,
            long untilPs) {
        if (Ipv4.source(MEMORY, ip) != hosts.peer(flow.destinationHost).address.ipv4()) {
            return false;
        }
        Requester requester = ends.requester;
        long nowNs = nowPs / PS_PER_NS;
        int psn = Bth.sequence(MEMORY, bth);
        Requester.Answered became =
                isReport
                        ? requester.reported(nowNs, psn, MEMORY, bth + ANSWER_BYTES)
                        : requester.answered(
                                nowNs, psn, Aeth.syndrome(MEMORY, bth + Bth.HEADER_BYTES));
        if (became == Requester.Answered.IMPOSSIBLE || became == Requester.Answered.REFUSED) {
            return false;
        }
        flow.follow(ends);
        int marks = NotificationPoint.marks(Bth.congestion(MEMORY, bth));
        flow.countAnswer(marks, requester.roundTripNs() * PS_PER_NS);
        if (became != Requester.Answered.REPEATED || marks != 0) {
            flow.tellAcknowledged(nowPs, marks, requester.roundTripNs());
        }
        if (became == Requester.Answered.WENT_BACK) {
            flow.rewinds++;
            flow.tellLost(nowPs);
        }
        scheduler.resume(flow, untilPs);
        hosts.heard(flow, nowPs);
        return true;
    }
}
