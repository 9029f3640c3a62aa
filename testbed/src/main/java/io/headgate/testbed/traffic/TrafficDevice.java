package io.headgate.testbed.traffic;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.Classify;
import io.headgate.hostagent.rate.NotifiedFlows;
import io.headgate.hostagent.rdma.Requester;
import io.headgate.hostagent.rdma.Responder;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.frame.Segmentation;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The application side of one host's network card: {@code receive} makes the frames that are due,
 * {@code transmit} takes those that have arrived. What is due and finds no free slot, or no room in
 * its priority's share of them, waits here until enough slots have come home.
 *
 * <p>A frame is due within the nanosecond that its time lies in, and is made then: up to a
 * nanosecond early, so that a flow at a link's rate keeps the link busy without a gap.
 */
public final class TrafficDevice implements PortDevice, NotifiedFlows {
    private static final long PS_PER_NS = 1000;
    private static final int MAX_FRAME_BYTES = 16_000;
    private static final long ANY_RATE_BPS = 400_000_000_000L;

    private final TrafficHosts hosts;
    private final HostAddress address;
    private final int host;
    private final long timeoutPs;
    private final FlowScheduler scheduler;
    private final List<FlowSource> sources = new ArrayList<>();
    private final FlowTable flows;
    private final TrafficHosts.Peer self;
    private final CnpSender cnps;
    private final FrameReceiver receiver;

    private Doorbell doorbell = inputs -> {};

    // Last frames of closed-loop flows that are still in the network card; at most its slots.
    private @Nullable Frame[] leaving = new Frame[4];
    private Flow.@Nullable Origin[] leavingOrigins = new Flow.Origin[4];
    private int leavingCount;

    private long deadlineNs;
    private boolean starved;
    private WireBound bound = WireBound.none();
    private long lineRateBps = ANY_RATE_BPS;

    // Called once, when the first flow begins that obeys notices; null after that.
    private @Nullable Runnable wantsNotices;

    private long framesSent;
    private long frameBytesSent;

    TrafficDevice(TrafficHosts hosts, HostAddress address, int host, long timeoutPs) {
        this.hosts = hosts;
        this.address = address;
        this.host = host;
        this.timeoutPs = timeoutPs;
        this.scheduler = new FlowScheduler(timeoutPs);
        this.flows = new FlowTable(hosts.clock(), scheduler, host);
        this.self = new TrafficHosts.Peer(address, flows);
        this.cnps = new CnpSender(hosts, scheduler);
        this.receiver = new FrameReceiver(hosts, scheduler, cnps, host);
    }

    /** Sets what is rung when an arriving frame gives the host something to send. */
    public void ring(Doorbell ingressHalf) {
        doorbell = ingressHalf;
    }

    /** Has the priorities share the network card's slots, once it is attached to the card. */
    public void shareSlots(Accounts ofIngressHalf, int mostSlotsPerPriority, Classify byCard) {
        self.share(new CardShare(ofIngressHalf, mostSlotsPerPriority, byCard));
    }

    TrafficHosts.Peer self() {
        return self;
    }

    /**
     * Bounds what is made by what the wire can carry, whatever the card does with it.
     *
     * @param frames of the largest size that it may be ahead of the wire
     * @param frameBytes that size, without FCS
     */
    public void bound(long rateBps, long frames, int frameBytes) {
        bound = WireBound.of(rateBps, frames * hosts.wireBytes(frameBytes));
    }

    /** Says how fast the host's link is, to those that control the rates of flows. */
    public void lineRateBps(long bps) {
        lineRateBps = bps;
    }

    /** Sets what is called when notices are to be given to {@link #notified} from now on. */
    public void notices(Runnable wanted) {
        wantsNotices = wanted;
    }

    FlowScheduler scheduler() {
        return scheduler;
    }

    void begin(ArrivalSpec spec, FlowGroup group, String owner) {
        // Sources come before flows that are due at the same time.
        int order = Integer.MIN_VALUE + sources.size();
        FlowSource source =
                new FlowSource(this::beginFlow, scheduler, spec, group, hosts.seed(), owner, order);
        sources.add(source);
        source.begin();
        wake();
    }

    /** Begins a flow: its first frame waits until it is due. */
    Flow beginFlow(
            Flow.@Nullable Origin origin,
            FlowGroup group,
            FrameShape shape,
            int destination,
            long startPs,
            long sizeBytes,
            int windowFrames,
            @Nullable Pacing pacing) {
        Flow flow = flows.take(group, shape);
        flow.reset();
        flow.origin = origin;
        flow.group = group;
        flow.shape = shape;
        flow.destinationHost = destination;
        flow.priority = self.priorityOf(shape, shape.priority(), shape.dscp());
        FrameShape.Acknowledgement ack = shape.acknowledgement();
        flow.ackPriority = hosts.peer(destination).priorityOf(shape, ack.priority(), ack.dscp());
        flow.number = flows.begun();
        flow.order = flow.number;
        flow.sizeBytes = sizeBytes;
        flow.startPs = startPs;
        flow.stopPs = Long.MAX_VALUE;
        flow.windowFrames = windowFrames;
        flow.pacing = pacing;
        Segmentation segmentation = shape.segmentation();
        flow.fullFrameBytes = shape.frameLengthBytes(segmentation.maxSegmentBytes());
        boolean isEnding = sizeBytes != FlowSpec.UNLIMITED;
        if (shape.isReliable()) {
            flow.ends = new MessageEnds(group, shape, sizeBytes, timeoutPs);
            flow.totalFrames = MessageEnds.packets(shape, sizeBytes);
        } else {
            flow.totalFrames = isEnding ? segmentation.frames(sizeBytes) : Long.MAX_VALUE;
        }
        flow.lastFrameBytes = isEnding ? lastFrameBytes(shape, sizeBytes) : flow.fullFrameBytes;
        if (pacing instanceof Pacing.Controlled controlled) {
            flow.control(controlled, lineRateBps, hosts.wireBytes(flow.fullFrameBytes));
            flow.cnpPriority = hosts.peer(destination).priorityOf(shape, Cnp.PRIORITY, Cnp.DSCP);
            Runnable wanted = wantsNotices;
            if (controlled.noticePeriodNs() > 0 && wanted != null) {
                wantsNotices = null;
                wanted.run();
            }
        }
        flow.words = hosts.dataWords(flow);
        flow.duePs = pacing == null ? startPs : pacing.firstDuePs(startPs);
        group.flowsStarted++;
        flows.add(flow);
        flow.state = Flow.State.TIMED;
        scheduler.wait(flow);
        return flow;
    }

    private static int lastFrameBytes(FrameShape shape, long sizeBytes) {
        return shape.frameLengthBytes(
                shape.isReliable()
                        ? MessageEnds.lastPacketBytes(shape, sizeBytes)
                        : shape.segmentation().lastSegmentBytes(sizeBytes));
    }

    /** Rings the half, so that it asks for the deadline again. */
    void wake() {
        doorbell.ring(Doorbell.DEVICE);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        long nowPs = nowNs * PS_PER_NS;
        if (leavingCount > 0) {
            noticeDepartures(nowPs);
        }
        scheduler.advance(nowPs + PS_PER_NS - 1);
        int count = 0;
        int waiting = waiting();
        if (waiting != 0) {
            CardShare share = self.share();
            int open = share == null ? waiting : share.open(waiting);
            count = sendNotifications(open, free, batch, limit);
            count = sendAcknowledgements(open, free, batch, count, limit);
            count = sendData(nowPs, open, free, batch, count, limit);
            assert (waiting() & ~waiting) == 0 : "ready since this call began";
        }
        scheduler.takeWoken();
        setDeadline(nowNs, free, count == limit);
        return count;
    }

    /** Priorities, as bits, of which there is something to send. */
    private int waiting() {
        return scheduler.readyPriorities() | scheduler.ackPriorities() | cnps.priorities();
    }

    private void setDeadline(long nowNs, FreeList free, boolean full) {
        starved = free.size() == 0;
        if (starved) {
            deadlineNs = Long.MAX_VALUE;
        } else if (full && waiting() != 0) {
            deadlineNs = nowNs;
        } else if (bound.isReached(nowNs * PS_PER_NS) && scheduler.readyPriorities() != 0) {
            deadlineNs = Math.min(nextDueNs(), Math.ceilDiv(bound.untilPs(), PS_PER_NS));
        } else {
            deadlineNs = nextDueNs();
        }
    }

    private long nextDueNs() {
        long nextPs = scheduler.nextPs();
        return nextPs == TimerHeap.NEVER ? Long.MAX_VALUE : nextPs / PS_PER_NS;
    }

    private int takeRoom(int open, int priority) {
        CardShare share = self.share();
        return share == null ? open : share.take(open, priority);
    }

    private int sendNotifications(int openBefore, FreeList free, Frame[] batch, int limit) {
        int open = openBefore;
        int count = 0;
        while (count < limit) {
            Flow flow = cnps.peek(open);
            Frame frame = flow == null ? null : free.take();
            if (flow == null || frame == null) {
                break;
            }
            cnps.write(flow, frame);
            batch[count++] = frame;
            open = takeRoom(open, flow.cnpPriority);
        }
        return count;
    }

    private int sendAcknowledgements(
            int openBefore, FreeList free, Frame[] batch, int from, int limit) {
        int open = openBefore;
        int count = from;
        while (count < limit) {
            Flow flow = scheduler.peekAck(open);
            if (flow == null) {
                break;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            scheduler.removeAck(flow);
            if (flow.ackWords.length == 0) {
                flow.ackWords = hosts.ackWords(flow);
            }
            MessageEnds messages = flow.ends;
            if (messages == null) {
                int kind = TrafficHeader.ACK | flow.ackFlags;
                flow.ackFlags = 0;
                frame.lengthBytes = flow.shape.minFrameBytes();
                write(frame, flow.shape, flow.ackWords, kind, flow.ackTimePs, flow.expectedFrame);
            } else {
                answer(flow, messages.responder, frame);
            }
            hosts.seal(flow.shape, frame);
            batch[count++] = frame;
            open = takeRoom(open, flow.ackPriority);
        }
        return count;
    }

    private int sendData(
            long nowPs, int openBefore, FreeList free, Frame[] batch, int from, int limit) {
        int open = openBefore;
        int count = from;
        while (count < limit && free.size() > 0 && !bound.isReached(nowPs)) {
            Flow flow = scheduler.peekReady(open);
            if (flow == null) {
                break;
            }
            if (!flow.maySend() || flow.isPastStop(nowPs)) {
                scheduler.removeReady(flow);
                end(flow, nowPs);
                continue;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            scheduler.removeReady(flow);
            send(flow, frame, nowPs);
            batch[count++] = frame;
            open = takeRoom(open, flow.priority);
        }
        return count;
    }

    private void send(Flow flow, Frame frame, long nowPs) {
        Pacing pacing = flow.pacing;
        long timePs = pacing == null ? nowPs : pacing.timePs(flow.duePs, nowPs);
        long sequence = flow.nextFrame;
        boolean firstTime = sequence >= flow.highestFrame;
        MessageEnds messages = flow.ends;
        int lengthBytes;
        if (messages == null) {
            lengthBytes = flow.nextFrameBytes();
            flow.nextFrame++;
            frame.lengthBytes = lengthBytes;
            write(frame, flow.shape, flow.words, TrafficHeader.DATA, timePs, sequence);
            if (lengthBytes != flow.fullFrameBytes) {
                FrameTemplate.length(flow.shape, frame.dataOffset, lengthBytes);
            }
        } else {
            messages.send(nowPs / PS_PER_NS, flow.windowFrames);
            lengthBytes = packet(flow, messages.requester, frame, timePs);
            flow.follow(messages);
        }
        hosts.seal(flow.shape, frame);
        int wireBytes = hosts.wireBytes(lengthBytes);
        bound.made(nowPs, wireBytes);
        count(flow, lengthBytes);
        if (pacing != null) {
            flow.duePs = pacing.nextDuePs(flow.duePs, nowPs, wireBytes);
            flow.sent();
            end(flow, nowPs);
        }
        if (flow.isWindowed() && !flow.timing && messages == null) {
            scheduler.startTimer(flow, nowPs);
        }
        Flow.Origin origin = flow.origin;
        boolean last = firstTime && flow.nextFrame == flow.totalFrames;
        if (origin != null && last && origin.isClosedLoop()) {
            watch(frame, origin);
        }
        scheduler.resume(flow, nowPs + PS_PER_NS - 1);
    }

    /** Writes a packet of a message; answers its frame's length. */
    private int packet(Flow flow, Requester packet, Frame frame, long timePs) {
        FrameShape shape = flow.shape;
        int lengthBytes = shape.packetBytes(packet.opcode(), packet.payloadBytes());
        frame.lengthBytes = lengthBytes;
        requireRoom(shape, frame, lengthBytes);
        long at = begin(frame, flow.words);
        frame.storedBytes =
                FrameTemplate.packet(shape, at, packet, timePs, host, flow.number, lengthBytes);
        return lengthBytes;
    }

    private static void answer(Flow flow, Responder by, Frame frame) {
        int syndrome = by.takeAnswer();
        frame.lengthBytes = flow.shape.answerBytes();
        frame.storedBytes =
                FrameTemplate.answer(
                        flow.shape,
                        begin(frame, flow.ackWords),
                        flow.number,
                        by.answerPsn(syndrome),
                        syndrome,
                        by.messages());
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

    private void count(Flow flow, int lengthBytes) {
        framesSent++;
        frameBytesSent += lengthBytes;
        flow.framesSent++;
        flow.frameBytesSent += lengthBytes;
        flow.highestFrame = Math.max(flow.highestFrame, flow.nextFrame);
        FlowGroup group = flow.group;
        group.framesSent++;
        group.frameBytesSent += lengthBytes;
    }

    private static void write(
            Frame frame, FrameShape shape, long[] words, int kind, long timePs, long sequence) {
        long at = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.dataOffset = at;
        frame.storedBytes = shape.storedBytes();
        FrameTemplate.copy(words, at);
        FrameTemplate.sequence(shape, at, kind, timePs, sequence);
    }

    /** If no new frame of a flow may be made any more, what was sent is all of it. */
    private void end(Flow flow, long nowPs) {
        if (flow.totalFrames > flow.highestFrame
                && flow.nextFrame == flow.highestFrame
                && flow.isPastStop(nowPs)) {
            flow.totalFrames = flow.highestFrame;
            flow.lastFrameBytes = flow.fullFrameBytes;
            hosts.ended(flow);
        }
    }

    private void watch(Frame last, Flow.Origin origin) {
        if (leavingCount == leaving.length) {
            leaving = Arrays.copyOf(leaving, 2 * leavingCount);
            leavingOrigins = Arrays.copyOf(leavingOrigins, 2 * leavingCount);
        }
        leaving[leavingCount] = last;
        leavingOrigins[leavingCount++] = origin;
    }

    private void noticeDepartures(long nowPs) {
        int kept = 0;
        for (int i = 0; i < leavingCount; i++) {
            Frame frame = leaving[i];
            Flow.Origin origin = leavingOrigins[i];
            if (frame == null || origin == null) {
                throw new IllegalStateException("entry " + i + " of " + leavingCount + " is empty");
            }
            if (frame.place == SlotPlace.FREE) {
                origin.onDeparture(nowPs);
            } else {
                leaving[kept] = frame;
                leavingOrigins[kept++] = origin;
            }
        }
        leavingCount = kept;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        long nowPs = hosts.clock().nowPs();
        long untilPs = nowPs - nowPs % PS_PER_NS + PS_PER_NS - 1;
        scheduler.advance(untilPs);
        for (int i = from; i < from + count; i++) {
            receiver.arrive(batch[i], nowPs, untilPs);
        }
        // Without a free slot there is nothing to be done; one that comes home rings by itself.
        if (!starved && (scheduler.takeWoken() || nextDueNs() != deadlineNs)) {
            wake();
        }
        return count;
    }

    /** As those that arrive say: a flow is found by the header of its frames. */
    @Override
    public NoticeCounter notified(
            long nowNs, int etherType, long packet, int bytes, int kind, long origin, long value) {
        long nowPs = hosts.clock().nowPs();
        return tell(
                receiver.sentBy(etherType, packet, bytes, address, nowPs),
                nowPs,
                kind,
                origin,
                value);
    }

    /** As those that arrive say: a flow is found by the low bits of its number. */
    @Override
    public NoticeCounter congested(
            long nowNs, int etherType, long packet, int queuePair, long origin, int marks) {
        long nowPs = hosts.clock().nowPs();
        boolean isOurs =
                etherType == EtherType.IPV4
                        && Ipv4.destination(FrameRegion.MEMORY, packet) == address.ipv4();
        Flow flow =
                isOurs
                        ? receiver.sentFrom(
                                queuePair,
                                flows.begun(),
                                Ipv4.source(FrameRegion.MEMORY, packet),
                                nowPs)
                        : null;
        return tell(flow, nowPs, Cnp.KIND, origin, marks);
    }

    private NoticeCounter tell(@Nullable Flow flow, long nowPs, int kind, long origin, long value) {
        if (flow == null) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        NoticeCounter became = flow.tellNotice(nowPs, kind, origin, value);
        scheduler.resume(flow, nowPs);
        return became;
    }

    @Override
    public boolean awaitsReturns() {
        CardShare share = self.share();
        return starved || leavingCount > 0 || (share != null && share.opensAny(waiting()));
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo(
                "traffic",
                address.name(),
                address.mac(),
                MAX_FRAME_BYTES,
                sources.size() + " sources",
                true);
    }

    @Override
    public boolean transmitCopies() {
        return true;
    }

    @Override
    public int completed(Frame[] into, int limit) {
        return 0;
    }

    @Override
    public boolean isUp() {
        return true;
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        // Makes frames, and loses none.
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        // Takes every frame; what it can make nothing of it counts itself.
    }

    @Override
    public int receiveFd() {
        return POLLED;
    }

    @Override
    public boolean armReceive() {
        return waiting() != 0;
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    @Override
    public void close() {
        // Holds nothing but memory.
    }

    public HostAddress address() {
        return address;
    }

    /** Its number among the run's hosts. */
    public int host() {
        return host;
    }

    /** Data frames handed to the network card. */
    public long framesSent() {
        return framesSent;
    }

    /** Their lengths without FCS. */
    public long frameBytesSent() {
        return frameBytesSent;
    }

    /** Frames of any kind that the network card handed over. */
    public long framesReceived() {
        return receiver.framesReceived();
    }

    /** Their lengths without FCS. */
    public long frameBytesReceived() {
        return receiver.frameBytesReceived();
    }

    /** Frames of those that are not ours, not for this host, or make no sense. */
    public long framesForeign() {
        return receiver.framesForeign();
    }

    /** Frames of those with a wrong checksum, where checksums are on. */
    public long framesUnsound() {
        return receiver.framesUnsound();
    }

    /** Frames of those whose flow was complete already, or never was. */
    public long framesLate() {
        return receiver.framesLate();
    }
}
