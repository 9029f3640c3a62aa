package io.headgate.testbed.virtual.host;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.Classify;
import java.lang.foreign.MemorySegment;
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
public final class TrafficDevice implements PortDevice {
    /** Source ports of flows that do not name one, as RoCEv2 has them (IBTA annex A17). */
    static final int FIRST_SOURCE_PORT = 0xC000;

    static final int SOURCE_PORTS = 0x4000;

    private static final long PS_PER_NS = 1000;
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int MAX_FRAME_BYTES = 16_000;
    private static final int ALL_PRIORITIES = (1 << FlowScheduler.PRIORITIES) - 1;

    /** With so few frames of a full priority left in the card, more are made: the wire goes on. */
    private static final int KEPT_WAITING = 1;

    private final Traffic traffic;
    private final HostAddress address;
    private final int host;
    private final FlowScheduler scheduler;
    private final List<FlowSource> sources = new ArrayList<>();
    private @Nullable Flow[] flows = new Flow[8];
    private int flowsBegun;
    private @Nullable Flow pool;
    private @Nullable Flow firstCompleted;
    private @Nullable Flow lastCompleted;

    private Doorbell doorbell = inputs -> {};
    private @Nullable Accounts accounts;
    private int slotsPerPriority;

    // Priorities, as bits, that have taken their whole share since it was last all but free.
    private int filled;

    private final int[] room = new int[FlowScheduler.PRIORITIES];
    private @Nullable Classify card;

    // Last frames of closed-loop flows that are still in the network card; at most its slots.
    private @Nullable Frame[] leaving = new Frame[4];
    private @Nullable FlowSource[] leavingSources = new FlowSource[4];
    private int leavingCount;

    private long deadlineNs;
    private boolean starved;
    private WireBound bound = WireBound.none();

    private long framesSent;
    private long frameBytesSent;
    private long framesReceived;
    private long frameBytesReceived;
    private long framesForeign;
    private long framesUnsound;
    private long framesLate;

    TrafficDevice(Traffic traffic, HostAddress address, int host, long timeoutPs) {
        this.traffic = traffic;
        this.address = address;
        this.host = host;
        this.scheduler = new FlowScheduler(timeoutPs);
    }

    /** Sets what is rung when an arriving frame gives the host something to send. */
    public void ring(Doorbell ingressHalf) {
        doorbell = ingressHalf;
    }

    /**
     * Keeps any priority from taking all of the network card's slots, e.g. one that is paused: no
     * frame is made of a priority that has taken its share, until all but one have come home.
     *
     * @param ofIngressHalf the accounts of the half that this device is attached to
     * @param mostSlotsPerPriority at least 2
     * @param byCard how that half finds a frame's priority, whatever the frame's shape says
     */
    public void shareSlots(Accounts ofIngressHalf, int mostSlotsPerPriority, Classify byCard) {
        if (mostSlotsPerPriority <= KEPT_WAITING) {
            throw new IllegalArgumentException(mostSlotsPerPriority + " slots per priority");
        }
        accounts = ofIngressHalf;
        slotsPerPriority = mostSlotsPerPriority;
        card = byCard;
    }

    /** The priority that the network card will find in frames of a shape. */
    private int priorityOf(FrameShape shape, int priority, int dscp) {
        Classify sorts = card;
        if (sorts == null) {
            return priority;
        }
        boolean tagged = shape.vlan() != FrameShape.UNTAGGED;
        return sorts.classify(tagged ? priority : Classify.ABSENT, dscp);
    }

    /** Bounds what is made by what the wire can carry, whatever the card does with it. */
    void bound(WireBound byWire) {
        bound = byWire;
    }

    FlowScheduler scheduler() {
        return scheduler;
    }

    long seed() {
        return traffic.seed();
    }

    void begin(ArrivalSpec spec, FlowGroup group, String owner) {
        // Sources come before flows that are due at the same time.
        int order = Integer.MIN_VALUE + sources.size();
        FlowSource source = new FlowSource(this, spec, group, seed(), owner, order);
        sources.add(source);
        source.begin();
        wake();
    }

    /** Begins a flow: its first frame waits until it is due. */
    Flow beginFlow(
            @Nullable FlowSource origin,
            FlowGroup group,
            FrameShape shape,
            int destination,
            long startPs,
            long sizeBytes,
            int windowFrames,
            @Nullable Pacing pacing) {
        Flow flow = takeFlow(group, shape);
        flow.reset();
        flow.origin = origin;
        flow.group = group;
        flow.shape = shape;
        flow.destinationHost = destination;
        flow.priority = priorityOf(shape, shape.priority(), shape.dscp());
        FrameShape.Acknowledgement ack = shape.acknowledgement();
        flow.ackPriority =
                traffic.device(destination).priorityOf(shape, ack.priority(), ack.dscp());
        flow.number = flowsBegun;
        flow.order = flowsBegun;
        flow.sizeBytes = sizeBytes;
        flow.startPs = startPs;
        flow.stopPs = Long.MAX_VALUE;
        flow.windowFrames = windowFrames;
        flow.pacing = pacing;
        Segmentation segmentation = shape.segmentation();
        flow.fullFrameBytes = shape.frameLengthBytes(segmentation.maxSegmentBytes());
        boolean ends = sizeBytes != FlowSpec.UNLIMITED;
        flow.totalFrames = ends ? segmentation.frames(sizeBytes) : Long.MAX_VALUE;
        flow.lastFrameBytes =
                ends
                        ? shape.frameLengthBytes(segmentation.lastSegmentBytes(sizeBytes))
                        : flow.fullFrameBytes;
        flow.words = traffic.dataWords(flow);
        flow.duePs = pacing == null ? startPs : pacing.firstDuePs(startPs);
        group.flowsStarted++;
        if (flowsBegun == flows.length) {
            flows = Arrays.copyOf(flows, 2 * flowsBegun);
        }
        flows[flowsBegun++] = flow;
        flow.state = Flow.State.TIMED;
        scheduler.wait(flow);
        return flow;
    }

    private Flow takeFlow(FlowGroup group, FrameShape shape) {
        forgetCompleted();
        Flow free = pool;
        if (free == null) {
            return new Flow(scheduler, host, group, shape);
        }
        pool = free.nextReady;
        free.nextReady = null;
        return free;
    }

    /** A flow of a source is complete: from now on {@link #flow} finds it no more. */
    void completed(Flow flow, long nowPs) {
        flow.completedPs = nowPs;
        Flow last = lastCompleted;
        if (last == null) {
            firstCompleted = flow;
        } else {
            last.nextCompleted = flow;
        }
        lastCompleted = flow;
    }

    /** Forgets flows that no host finds any more; they are used again if nothing waits for them. */
    private void forgetCompleted() {
        // Another host may be behind this one by the lookahead, and finds flows for as long.
        long beforePs = traffic.nowPs() - 2 * traffic.lookaheadPs();
        Flow flow = firstCompleted;
        while (flow != null && flow.completedPs < beforePs) {
            Flow next = flow.nextCompleted;
            flow.nextCompleted = null;
            flows[flow.number] = null;
            if (flow.state == Flow.State.IDLE && !flow.ackPending && !flow.timing) {
                flow.nextReady = pool;
                pool = flow;
            }
            flow = next;
        }
        firstCompleted = flow;
        if (flow == null) {
            lastCompleted = null;
        }
    }

    /**
     * The flow of a number that began here, as another host or this one finds it; null if it is
     * complete or never was. That its sender knows it to be complete reaches the other after the
     * lookahead, in whichever order the two are run.
     */
    @Nullable Flow flow(int number, int byHost, long nowPs) {
        Flow flow = number >= 0 && number < flowsBegun ? flows[number] : null;
        if (flow == null || flow.completedPs == Long.MAX_VALUE) {
            return flow;
        }
        boolean byReceiver = flow.isWindowed() && byHost != host;
        long knownPs = flow.completedPs + (byReceiver ? traffic.lookaheadPs() : 0);
        return nowPs < knownPs ? flow : null;
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
        if ((scheduler.readyPriorities() | scheduler.ackPriorities()) != 0) {
            int open = openPriorities();
            count = sendAcknowledgements(open, free, batch, limit);
            count = sendData(nowPs, open, free, batch, count, limit);
        }
        scheduler.takeWoken();
        setDeadline(nowNs, free, count == limit);
        return count;
    }

    private void setDeadline(long nowNs, FreeList free, boolean full) {
        starved = free.size() == 0;
        if (starved) {
            deadlineNs = Long.MAX_VALUE;
        } else if (full && (scheduler.readyPriorities() | scheduler.ackPriorities()) != 0) {
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

    /** Priorities, as bits, that have room in their share of the slots. */
    private int openPriorities() {
        Accounts current = accounts;
        if (current == null) {
            return ALL_PRIORITIES;
        }
        for (int priority = 0; priority < FlowScheduler.PRIORITIES; priority++) {
            int held = current.slots(priority);
            room[priority] = slotsPerPriority - held;
            if (held <= KEPT_WAITING) {
                filled &= ~(1 << priority);
            }
        }
        return ALL_PRIORITIES & ~filled;
    }

    private int takeRoom(int open, int priority) {
        if (accounts == null || --room[priority] > 0) {
            return open;
        }
        filled |= 1 << priority;
        return open & ~(1 << priority);
    }

    private int sendAcknowledgements(int openBefore, FreeList free, Frame[] batch, int limit) {
        int open = openBefore;
        int count = 0;
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
                flow.ackWords = traffic.ackWords(flow);
            }
            int kind = TrafficHeader.ACK | flow.ackFlags;
            flow.ackFlags = 0;
            frame.lengthBytes = flow.shape.minFrameBytes();
            write(frame, flow.shape, flow.ackWords, kind, flow.ackTimePs, flow.expectedFrame);
            traffic.seal(flow.shape, frame);
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
        int lengthBytes = flow.nextFrameBytes();
        long timePs = pacing == null ? nowPs : pacing.timePs(flow.duePs, nowPs);
        long sequence = flow.nextFrame++;
        frame.lengthBytes = lengthBytes;
        write(frame, flow.shape, flow.words, TrafficHeader.DATA, timePs, sequence);
        if (lengthBytes != flow.fullFrameBytes) {
            FrameTemplate.length(flow.shape, frame.dataOffset, lengthBytes);
        }
        traffic.seal(flow.shape, frame);
        int wireBytes = traffic.wireBytes(lengthBytes);
        bound.made(nowPs, wireBytes);
        boolean firstTime = sequence >= flow.highestFrame;
        count(flow, lengthBytes);
        if (pacing != null) {
            flow.duePs = pacing.nextDuePs(flow.duePs, nowPs, wireBytes);
            end(flow, nowPs);
        }
        if (flow.isWindowed() && !flow.timing) {
            scheduler.startTimer(flow, nowPs);
        }
        FlowSource origin = flow.origin;
        boolean last = firstTime && flow.nextFrame == flow.totalFrames;
        if (origin != null && last && origin.isClosedLoop()) {
            watch(frame, origin);
        }
        scheduler.resume(flow, nowPs + PS_PER_NS - 1);
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
            traffic.ended(flow);
        }
    }

    private void watch(Frame last, FlowSource source) {
        if (leavingCount == leaving.length) {
            leaving = Arrays.copyOf(leaving, 2 * leavingCount);
            leavingSources = Arrays.copyOf(leavingSources, 2 * leavingCount);
        }
        leaving[leavingCount] = last;
        leavingSources[leavingCount++] = source;
    }

    private void noticeDepartures(long nowPs) {
        int kept = 0;
        for (int i = 0; i < leavingCount; i++) {
            Frame frame = leaving[i];
            FlowSource source = leavingSources[i];
            if (frame == null || source == null) {
                throw new IllegalStateException("entry " + i + " of " + leavingCount + " is empty");
            }
            if (frame.place == SlotPlace.FREE) {
                source.onDeparture(nowPs);
            } else {
                leaving[kept] = frame;
                leavingSources[kept++] = source;
            }
        }
        leavingCount = kept;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        long nowPs = traffic.nowPs();
        long untilPs = nowPs - nowPs % PS_PER_NS + PS_PER_NS - 1;
        scheduler.advance(untilPs);
        for (int i = from; i < from + count; i++) {
            arrive(batch[i], nowPs, untilPs);
        }
        // Without a free slot there is nothing to be done; one that comes home rings by itself.
        if (!starved && (scheduler.takeWoken() || nextDueNs() != deadlineNs)) {
            wake();
        }
        return count;
    }

    @Override
    public int awaitedReturns() {
        if (starved || leavingCount > 0) {
            return 1;
        }
        Accounts current = accounts;
        int waiting = (scheduler.readyPriorities() | scheduler.ackPriorities()) & filled;
        int least = NO_RETURNS;
        if (current != null) {
            for (int rest = waiting; rest != 0; rest &= rest - 1) {
                int priority = Integer.numberOfTrailingZeros(rest);
                least = Math.min(least, current.slots(priority) - KEPT_WAITING);
            }
        }
        return least;
    }

    private void arrive(Frame frame, long nowPs, long untilPs) {
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
        if (traffic.checksums() && !FrameTemplate.isSound(ip, udp, storedBytes)) {
            framesUnsound++;
            return;
        }
        long header = udp + Udp.HEADER_BYTES + behindUdp;
        Flow flow =
                traffic.flow(
                        TrafficHeader.host(MEMORY, header),
                        TrafficHeader.flow(MEMORY, header),
                        host,
                        nowPs);
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
            traffic.finished(flow);
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
        WindowEndpoint.onAck(flow, sequence, kind, roundTripPs, nowPs, untilPs);
        if (flow.acknowledgedFrames == flow.totalFrames && flow.acknowledgedPs == Flow.NOT_YET) {
            flow.acknowledgedPs = nowPs;
            traffic.acknowledged(flow);
        }
        return true;
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
        return (scheduler.readyPriorities() | scheduler.ackPriorities()) != 0;
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
        return framesReceived;
    }

    /** Their lengths without FCS. */
    public long frameBytesReceived() {
        return frameBytesReceived;
    }

    /** Frames of those that are not ours, not for this host, or make no sense. */
    public long framesForeign() {
        return framesForeign;
    }

    /** Frames of those with a wrong checksum, where checksums are on. */
    public long framesUnsound() {
        return framesUnsound;
    }

    /** Frames of those whose flow was complete already, or never was. */
    public long framesLate() {
        return framesLate;
    }
}
