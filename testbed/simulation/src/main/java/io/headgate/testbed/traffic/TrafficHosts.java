package io.headgate.testbed.traffic;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The data that all hosts of one run share: its clock and seed, the other hosts, the shapes of
 * frames, and the log of complete flows. Several threads may call it at once, each for the hosts of
 * its own part ({@link TrafficPart}).
 */
final class TrafficHosts {
    /** A host as the others see it. */
    static final class Peer {
        final int host;
        final HostAddress address;

        final FlowTable flows;

        private int partNumber;
        private TrafficPart part;

        /** The share of each priority in its card's slots; null: no shares. */
        @Nullable CardShare share;

        long lineRateBps;

        // When the frame that came last was off its link; and when it got there.
        private long offWirePs;
        private long onWirePs;

        Peer(int host, HostAddress address, FlowTable flows, TrafficPart first) {
            this.host = host;
            this.address = address;
            this.flows = flows;
            this.part = first;
        }

        long nowPs() {
            return part.clockPs.getAsLong();
        }

        /** The counters for the frames of a group that this host sends or receives. */
        FlowCounts counts(FlowGroup group) {
            return group.of(partNumber);
        }

        /**
         * Computes the time that an arrived frame was on the link, after the frame before it. In
         * real time frames come in bursts, with one time for all, but the link did not carry them
         * at once.
         */
        private void onWire(long nowPs, int wireBytes) {
            long lengthPs =
                    lineRateBps == 0 ? 0 : (long) (wireBytes * PS_PER_BYTE_AT_1BPS / lineRateBps);
            onWirePs = Math.max(offWirePs, Math.max(0, nowPs - lengthPs));
            offWirePs = Math.max(nowPs, onWirePs + lengthPs);
        }

        /** The priority that its card finds in frames of a shape. */
        int priorityOf(FrameShape shape, int priority, int dscp) {
            return share == null ? priority : share.priorityOf(shape, priority, dscp);
        }
    }

    /** Source ports of flows that do not name one, as RoCEv2 has them (IBTA annex A17). */
    static final int FIRST_SOURCE_PORT = 0xC000;

    static final int SOURCE_PORTS = 0x4000;

    private static final double PS_PER_BYTE_AT_1BPS = 8e12;

    private final long seed;
    private final LongSupplier apartPs;
    private final WireFormat wire;
    private final boolean checksums;
    private final List<Peer> peers = new ArrayList<>();
    private Peer[] byNumber = {};
    private final List<TrafficPart> parts = new ArrayList<>();
    private final List<FlowGroup> groups = new ArrayList<>();
    private final FlowLog log = new FlowLog();
    private boolean needsOneThread;
    private FlowLog.IdealTime ideal = (flow, frames, lastFrameBytes) -> 0;

    /**
     * @param seed what random numbers come from
     * @param clockPs the time of hosts that join no other part, in ps
     * @param apartPs how far any two hosts can be apart in time, in ps
     * @param wire what a frame occupies on the links
     * @param checksums whether UDP checksums are sent, and frames with a wrong one not taken
     */
    TrafficHosts(
            long seed,
            LongSupplier clockPs,
            LongSupplier apartPs,
            WireFormat wire,
            boolean checksums) {
        this.seed = seed;
        this.apartPs = apartPs;
        this.wire = wire;
        this.checksums = checksums;
        parts.add(new TrafficPart(clockPs));
        log.part(1);
    }

    /** The part of a number; the first has all hosts that have not joined another. */
    TrafficPart part(int number) {
        return parts.get(number);
    }

    /** Puts a host into a part with this clock; called before the run starts. */
    void join(Peer peer, int part, LongSupplier clockPs) {
        while (parts.size() <= part) {
            parts.add(new TrafficPart(clockPs));
        }
        groups.forEach(group -> group.part(parts.size()));
        log.part(parts.size());
        peer.partNumber = part;
        peer.part = parts.get(part);
        peer.part.clockPs = clockPs;
    }

    /**
     * Requires that one thread calls all hosts: a flow waits for the end of one that its sender may
     * stop at any time, or two hosts share the messages of a kept connection.
     *
     * @param name name of the flow or source that requires it
     * @throws IllegalStateException if several threads have begun to call them
     */
    void needOneThread(String name) {
        if (parts.size() > 1) {
            throw new IllegalStateException(
                    name
                            + " needs all hosts in one thread, and they are in "
                            + parts.size()
                            + "; add it before the run, or run with one thread");
        }
        needsOneThread = true;
    }

    boolean needsOneThread() {
        return needsOneThread;
    }

    FlowGroup addGroup(String name) {
        FlowGroup group = new FlowGroup(name);
        group.part(parts.size());
        groups.add(group);
        return group;
    }

    List<FlowGroup> groups() {
        return groups;
    }

    /** Adds a host; its number is the number of hosts before it. */
    void add(Peer peer) {
        peers.add(peer);
        byNumber = peers.toArray(new Peer[0]);
    }

    Peer peer(int host) {
        return byNumber[host];
    }

    void measureAgainst(FlowLog.IdealTime idealTime) {
        ideal = idealTime;
    }

    FlowLog log() {
        return log;
    }

    long seed() {
        return seed;
    }

    /** The time of the first part, in ps: that of all hosts while none is called. */
    long nowPs() {
        return parts.getFirst().clockPs.getAsLong();
    }

    long apartPs() {
        return apartPs.getAsLong();
    }

    int wireBytes(int frameBytes) {
        return wire.wireBytes(frameBytes);
    }

    boolean checksums() {
        return checksums;
    }

    /** The flow that a host began under a number; null if it is complete or never was. */
    @Nullable Flow flow(int host, int number, int byHost, long nowPs) {
        return host < byNumber.length ? byNumber[host].flows.find(number, byHost, nowPs) : null;
    }

    long[] dataWords(Flow flow, Peer by) {
        FrameShape shape = flow.shape;
        FrameTemplate.Kind kind =
                new FrameTemplate.Kind(
                        TrafficHeader.DATA,
                        shape.priority(),
                        shape.dscp(),
                        shape.ecn(),
                        flow.fullFrameBytes);
        return words(by, flow, kind, flow.sourceHost, flow.destinationHost);
    }

    long[] ackWords(Flow flow, Peer by) {
        FrameShape shape = flow.shape;
        FrameTemplate.Kind kind =
                new FrameTemplate.Kind(
                        TrafficHeader.ACK,
                        shape.acknowledgement().priority(),
                        shape.acknowledgement().dscp(),
                        FrameShape.NOT_ECT,
                        shape.minFrameBytes());
        return words(by, flow, kind, flow.destinationHost, flow.sourceHost);
    }

    private long[] words(Peer by, Flow flow, FrameTemplate.Kind kind, int from, int to) {
        return by.part.template.words(
                flow.shape,
                kind,
                byNumber[from].address,
                byNumber[to].address,
                sourcePort(flow),
                flow.sourceHost,
                flow.number);
    }

    static int sourcePort(Flow flow) {
        int given = flow.shape.sourcePort();
        if (given != 0) {
            return given;
        }
        // Neighbouring numbers get ports far apart: a multiplicative hash's high bits.
        long key = ((long) flow.sourceHost << 32) | flow.number;
        long hash = (key + 1) * 0x9E37_79B9_7F4A_7C15L;
        return FIRST_SOURCE_PORT + (int) ((hash >>> 32) & (SOURCE_PORTS - 1));
    }

    void seal(FrameShape shape, Frame frame) {
        if (checksums) {
            FrameTemplate.checksum(shape, frame.dataOffset, frame.storedBytes);
        }
    }

    /**
     * Counts a frame that the receiver took.
     *
     * @param marks as from {@link TrafficHeader#marks}
     * @param delayPs time since it was due
     */
    void taken(Flow flow, int lengthBytes, int marks, long delayPs, long nowPs) {
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
        Peer receiver = byNumber[flow.destinationHost];
        FlowCounts counts = receiver.counts(flow.group);
        if (counts.recordsThroughput()) {
            receiver.onWire(nowPs, wire.wireBytes(lengthBytes));
        }
        counts.arrived(nowPs, receiver.onWirePs, receiver.offWirePs, lengthBytes, delayPs, marks);
        Deque<Flow.Message> kept = flow.kept;
        if (kept != null) {
            finished(flow, kept, receiver, nowPs);
        } else if (flow.hasArrived()) {
            finished(flow, receiver);
        }
    }

    /** The receiver has all of what a kept connection carried up to a message's end. */
    private void finished(Flow flow, Deque<Flow.Message> kept, Peer receiver, long nowPs) {
        for (Flow.Message done = kept.peek();
                done != null && flow.framesReceived >= done.endFrames();
                done = kept.peek()) {
            receiver.counts(flow.group).flowsFinished++;
            log.add(receiver.partNumber, FlowLog.entry(flow, kept.remove(), nowPs));
        }
    }

    long idealPs(Flow flow, long frames, int lastFrameBytes) {
        return ideal.idealPs(flow, frames, lastFrameBytes);
    }

    private long idealPs(Flow flow) {
        return ideal.idealPs(flow, flow.totalFrames, flow.lastFrameBytes);
    }

    void thrownAway(Flow flow, int lengthBytes, long nowPs) {
        Peer receiver = byNumber[flow.destinationHost];
        FlowCounts counts = receiver.counts(flow.group);
        if (counts.recordsThroughput()) {
            receiver.onWire(nowPs, wire.wireBytes(lengthBytes));
        }
        counts.thrownAway(receiver.onWirePs, receiver.offWirePs, lengthBytes);
    }

    /**
     * The receiver has all of a flow.
     *
     * @param by the host that finds it so
     */
    private void finished(Flow flow, Peer by) {
        if (flow.isCutShort()) {
            return;
        }
        flow.finishedPs = flow.lastArrivalPs;
        by.counts(flow.group).flowsFinished++;
        if (!flow.isWindowed()) {
            complete(flow, by);
        }
        flow.completeAt(flow.destinationHost, flow.finishedPs);
    }

    void heard(Flow flow, long nowPs) {
        if (flow.kept == null
                && flow.acknowledgedFrames == flow.totalFrames
                && flow.acknowledgedPs == Flow.NOT_YET
                && !flow.isCutShort()) {
            Peer sender = byNumber[flow.sourceHost];
            if (flow.isJustCut()) {
                // What was acknowledged had all come in an earlier turn.
                finished(flow, sender);
            }
            flow.acknowledgedPs = nowPs;
            acknowledged(flow, sender);
        }
    }

    private void acknowledged(Flow flow, Peer sender) {
        complete(flow, sender);
        flow.completeAt(flow.sourceHost, flow.acknowledgedPs);
    }

    /** Handles a flow that its sender has cut short; its receiver may already have all of it. */
    void ended(Flow flow) {
        Peer sender = byNumber[flow.sourceHost];
        boolean isAcknowledged = flow.isWindowed() && flow.acknowledgedFrames == flow.totalFrames;
        if (parts.size() > 1 && !isAcknowledged) {
            // The receiver may be in the midst of a frame.
            sender.part.cut.add(flow);
            return;
        }
        flow.showCut();
        if (flow.totalFrames == 0 || !flow.hasArrived()) {
            return;
        }
        finished(flow, sender);
        if (isAcknowledged && !flow.isCutShort()) {
            flow.acknowledgedPs = flow.lastArrivalPs;
            acknowledged(flow, sender);
        }
    }

    /** Makes the ends of flows known to hosts of other parts; called while all threads rest. */
    void handOver() {
        // Some that were cut short are complete by that.
        for (TrafficPart part : parts) {
            part.cut.forEach(this::showCut);
            part.cut.clear();
        }
        for (TrafficPart part : parts) {
            part.completed.forEach(flow -> byNumber[flow.sourceHost].flows.completed(flow));
            part.completed.clear();
        }
    }

    private void showCut(Flow flow) {
        flow.showCut();
        if (flow.totalFrames > 0 && flow.hasArrived() && flow.finishedPs == Flow.NOT_YET) {
            finished(flow, byNumber[flow.sourceHost]);
        }
    }

    /** Flows with a size, complete or not, that had begun before a time; by their beginnings. */
    List<FlowLog.Entry> begun(long beforePs) {
        List<FlowLog.Entry> all = new ArrayList<>(log.entries());
        showOpen(all::add);
        all.removeIf(one -> one.startPs() >= beforePs || one.sizeBytes() == FlowSpec.UNLIMITED);
        all.sort(FlowLog.BY_START);
        return all;
    }

    private void showOpen(Consumer<FlowLog.Entry> to) {
        for (Peer peer : peers) {
            peer.flows.showOpen(flow -> to.accept(FlowLog.entry(flow, idealPs(flow))));
            peer.flows.showKept((flow, kept) ->
                    kept.forEach(one -> to.accept(FlowLog.entry(flow, one, Flow.NOT_YET))));
        }
    }

    /** Whether a flow that has a size and began within a period has not arrived completely. */
    boolean isUnderWay(long fromPs, long untilPs) {
        List<FlowLog.Entry> open = new ArrayList<>();
        showOpen(open::add);
        return open.stream()
                .anyMatch(one ->
                        one.startPs() >= fromPs
                                && one.startPs() < untilPs
                                && one.sizeBytes() != FlowSpec.UNLIMITED
                                && one.finishedPs() == Flow.NOT_YET);
    }

    /**
     * All that there will be to say of a flow is known.
     *
     * @param by the host that knows it first
     */
    private void complete(Flow flow, Peer by) {
        log.add(by.partNumber, FlowLog.entry(flow, idealPs(flow)));
        if (flow.origin == null) {
            return;
        }
        flow.completedPs = by.nowPs();
        if (parts.size() > 1) {
            by.part.completed.add(flow);
        } else {
            byNumber[flow.sourceHost].flows.completed(flow);
        }
    }
}
