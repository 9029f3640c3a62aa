package io.headgate.testbed.traffic;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.traffic.ReliableEndpoint.Arrival;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import java.lang.foreign.MemorySegment;

/**
 * Receives a host's frames: finds the flow of each, wherever it began, and counts the frame; passes
 * acknowledgements to the flow's sender. Owned by the host's device; holds no frame.
 *
 * <p>Every frame of a run in virtual time comes through here. The methods that all of them need are
 * small enough to be compiled into one (HotSpot: 325 bytecodes each).
 */
final class FrameReceiver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long PS_PER_NS = 1000;

    private final TrafficHosts hosts;
    private final FlowScheduler scheduler;
    private final FlowFinder flows;
    private final CnpSender cnps;
    private final ReliableEndpoint reliable;
    private final int host;

    /** Frames of any kind that the network card handed over; then those not taken, by reason. */
    long framesReceived;

    long framesForeign;
    long framesUnsound;
    long framesLate;

    FrameReceiver(
            TrafficHosts hosts,
            FlowScheduler scheduler,
            FlowFinder flows,
            CnpSender cnps,
            ReliableEndpoint reliable,
            int host) {
        this.hosts = hosts;
        this.scheduler = scheduler;
        this.flows = flows;
        this.cnps = cnps;
        this.reliable = reliable;
        this.host = host;
    }

    /**
     * Processes a frame that has arrived.
     *
     * @param untilPs frames that are due by then may be sent in response
     */
    void arrive(Frame frame, long nowPs, long untilPs) {
        framesReceived++;
        Arrival became = take(frame, nowPs, untilPs);
        if (became != Arrival.KNOWN) {
            count(became);
        }
    }

    private void count(Arrival notTaken) {
        switch (notTaken) {
            case FOREIGN -> framesForeign++;
            case UNSOUND -> framesUnsound++;
            case LATE -> framesLate++;
            case KNOWN -> {}
        }
    }

    private Arrival take(Frame frame, long nowPs, long untilPs) {
        if (frame.etherType != EtherType.IPV4 || frame.transportOffset == Frame.ABSENT) {
            // A switch's notice may be about a flow that nothing controls.
            return Cnm.is(frame) ? Arrival.KNOWN : Arrival.FOREIGN;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (Ipv4.protocol(MEMORY, ip) != IpProtocol.UDP) {
            return Notice.is(MEMORY, frame) ? Arrival.KNOWN : Arrival.FOREIGN; // as above
        }
        long udp = frame.dataOffset + frame.transportOffset;
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (Udp.destinationPort(MEMORY, udp) != Bth.UDP_PORT) {
            return takeDatagram(frame, udp, Udp.HEADER_BYTES, nowPs, untilPs);
        }
        if (ReliableEndpoint.is(udp, storedBytes)) {
            return reliable.arrive(frame, ip, udp, nowPs, untilPs);
        }
        return takeDatagram(frame, udp, Udp.HEADER_BYTES + Bth.HEADER_BYTES, nowPs, untilPs);
    }

    private Arrival takeDatagram(Frame frame, long udp, int headerBytes, long nowPs, long untilPs) {
        int storedBytes = frame.storedBytes - frame.transportOffset;
        if (storedBytes < headerBytes + TrafficHeader.BYTES) {
            return Arrival.FOREIGN;
        }
        long ip = frame.dataOffset + frame.ipOffset;
        if (hosts.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            return Arrival.UNSOUND;
        }
        if (headerBytes != Udp.HEADER_BYTES && Cnp.is(MEMORY, frame)) {
            return Arrival.KNOWN; // of another host: as above
        }
        long header = udp + headerBytes;
        int number = TrafficHeader.flow(MEMORY, header);
        Flow flow = flows.find(TrafficHeader.host(MEMORY, header), number, nowPs);
        if (flow == null) {
            return Arrival.LATE;
        }
        int kind = TrafficHeader.kind(MEMORY, header);
        boolean known =
                (kind & TrafficHeader.KIND_MASK) == TrafficHeader.DATA
                        ? takeData(flow, frame, header, Ipv4.ecn(MEMORY, ip), nowPs)
                        : takeAcknowledgement(flow, frame, kind, header, nowPs, untilPs);
        return known ? Arrival.KNOWN : Arrival.FOREIGN;
    }

    private boolean takeData(Flow flow, Frame frame, long header, int ecn, long nowPs) {
        int low = TrafficHeader.sequence(MEMORY, header);
        long sequence = Flow.widen(low, flow.expectedFrame);
        if (flow.destinationHost != host || sequence < 0 || sequence >= flow.highestFrame) {
            return false;
        }
        long timePs = TrafficHeader.timePs(MEMORY, header);
        int marks = TrafficHeader.marks(flow.shape.ecn(), ecn);
        boolean byPackets = flow.echo.sendsPackets();
        if (byPackets) {
            cnps.arrived(flow, nowPs, marks, hosts.wireBytes(frame.lengthBytes));
        }
        if (flow.isWindowed()) {
            int wireBytes = hosts.wireBytes(frame.lengthBytes);
            int told = byPackets ? 0 : flow.echo.arrived(nowPs / PS_PER_NS, marks, wireBytes);
            if (!WindowEndpoint.onData(flow, scheduler, sequence, told, timePs)) {
                hosts.thrownAway(flow, frame.lengthBytes, nowPs);
                return true;
            }
        } else if (sequence >= flow.expectedFrame) {
            flow.framesMissing += sequence - flow.expectedFrame;
            flow.expectedFrame = sequence + 1;
        } else {
            flow.framesReordered++;
            flow.framesMissing--;
        }
        long agePs = TrafficHeader.agePs(nowPs, timePs);
        hosts.taken(flow, frame.lengthBytes, marks, agePs, nowPs);
        return true;
    }

    private boolean takeAcknowledgement(
            Flow flow, Frame frame, int kind, long header, long nowPs, long untilPs) {
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
        flow.way = frame.hops;
        WindowEndpoint.onAck(flow, scheduler, sequence, kind, roundTripPs, nowPs, untilPs);
        hosts.heard(flow, nowPs);
        return true;
    }
}
