package io.headgate.testbed.traffic;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.InternalDevice;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.Classify;
import io.headgate.hostagent.rate.NotifiedFlows;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The application side of one host's network card: {@code receive} makes the frames that are due,
 * {@code transmit} takes those that have arrived. A frame that is due but finds no free slot, or no
 * room in its priority's share of slots, waits here until enough slots are free again.
 *
 * <p>A frame is made in the nanosecond in which it is due, so up to a nanosecond early: a flow at a
 * link's rate then leaves no gap.
 */
public final class TrafficDevice implements InternalDevice {
    private static final long PS_PER_NS = 1000;
    private static final int MAX_FRAME_BYTES = 16_000;

    private final TrafficHosts hosts;
    private final HostAddress address;
    private final FlowScheduler scheduler;
    private final List<FlowSource> sources = new ArrayList<>();
    private final TrafficHosts.Peer self;
    private final CnpSender cnps;
    private final FrameReceiver receiver;

    private Doorbell doorbell = inputs -> {};

    private final ReliableEndpoint reliable;
    private final FlowStarter starter;
    private final FlowNotices notified;
    // Last frames of closed-loop flows that are still in the network card, at most its slots.
    private final List<Departing> departing = new ArrayList<>();

    private long deadlineNs;
    private boolean starved;
    private WireBound bound = WireBound.none();

    private long framesSent;

    /** When the slot of this frame is free again, the origin of its flow is notified. */
    private record Departing(Frame last, Flow.Origin origin) {}

    TrafficDevice(TrafficHosts hosts, HostAddress address, int host, long timeoutPs) {
        this.hosts = hosts;
        this.address = address;
        this.scheduler = new FlowScheduler(timeoutPs);
        FlowFinder finder = new FlowFinder(hosts, host);
        this.self =
                new TrafficHosts.Peer(host, address, new FlowTable(hosts::apartPs), hosts.part(0));
        this.cnps = new CnpSender(hosts, self, scheduler);
        this.reliable = new ReliableEndpoint(hosts, scheduler, finder, cnps, host);
        this.receiver = new FrameReceiver(hosts, scheduler, finder, cnps, reliable, host);
        this.starter = new FlowStarter(hosts, self, scheduler, timeoutPs);
        this.notified = new FlowNotices(hosts, self, scheduler);
    }

    /** Sets the doorbell that is rung when an arriving frame gives the host something to send. */
    public void ring(Doorbell ingressHalf) {
        doorbell = ingressHalf;
    }

    /**
     * Makes the priorities share the network card's slots; call it when the device is attached to
     * the card.
     */
    public void shareSlots(Accounts ofIngressHalf, int mostSlotsPerPriority, Classify byCard) {
        self.share = new CardShare(ofIngressHalf, mostSlotsPerPriority, byCard);
    }

    TrafficHosts.Peer self() {
        return self;
    }

    /**
     * Limits the frames that are made to those that the wire can carry, whatever the card does with
     * them.
     *
     * @param frames number of frames of the largest size that it may be ahead of the wire
     * @param frameBytes that size, without FCS
     */
    public void bound(long rateBps, long frames, int frameBytes) {
        bound = WireBound.of(rateBps, frames * hosts.wireBytes(frameBytes));
    }

    /** Whether one thread must call this device and all others; read when the run starts. */
    public boolean needsOneThread() {
        return hosts.needsOneThread();
    }

    /**
     * Sets the host's part of the run, and so the thread that calls it, before the run starts.
     *
     * @param clockPs that part's time in ps
     */
    public void join(int part, LongSupplier clockPs) {
        hosts.join(self, part, clockPs);
    }

    /** Sets the rate of the host's link, for rate controls and counters. */
    public void lineRateBps(long bps) {
        self.lineRateBps = bps;
        starter.lineRateBps(bps);
    }

    /**
     * Sets an action that runs once, at the first flow for which {@link #notified} takes notices.
     */
    public void notices(Runnable wanted) {
        starter.wantsNotices(wanted);
    }

    /** Its flows, for deliverers of notices. */
    public NotifiedFlows notified() {
        return notified;
    }

    FlowStarter starter() {
        return starter;
    }

    FlowScheduler scheduler() {
        return scheduler;
    }

    void begin(ArrivalSpec spec, FlowGroup group, String owner) {
        // Sources come before flows that are due at the same time.
        int order = Integer.MIN_VALUE + sources.size();
        FlowSource source =
                new FlowSource(starter, scheduler, spec, group, hosts.seed(), owner, order);
        sources.add(source);
        source.begin();
        wake();
    }

    /** Rings the half, so that it reads the deadline again. */
    void wake() {
        doorbell.ring(Doorbell.DEVICE);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        long nowPs = nowNs * PS_PER_NS;
        notifyOfDepartures(nowPs);
        scheduler.advance(nowPs + PS_PER_NS - 1);
        int count = 0;
        int waiting = waiting();
        if (waiting != 0) {
            CardShare share = self.share;
            int open = share == null ? waiting : share.open(waiting);
            count = sendNotifications(open, free, batch, limit);
            count = sendAcknowledgements(open, free, batch, count, limit);
            count = sendData(nowPs, open, free, batch, count, limit);
            assert (waiting() & ~waiting) == 0 : "ready since this call began";
        }
        scheduler.endVisit();
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
        CardShare share = self.share;
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

    private void notifyOfDepartures(long nowPs) {
        int kept = 0;
        for (int i = 0; i < departing.size(); i++) {
            Departing one = departing.get(i);
            if (one.last.place == SlotPlace.FREE) {
                one.origin.onDeparture(nowPs);
            } else {
                departing.set(kept++, one);
            }
        }
        while (departing.size() > kept) {
            departing.removeLast();
        }
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
                flow.ackWords = hosts.ackWords(flow, self);
            }
            MessageEnds messages = flow.ends;
            if (messages == null) {
                int kind = TrafficHeader.ACK | flow.ackFlags;
                flow.ackFlags = 0;
                frame.lengthBytes = flow.shape.minFrameBytes();
                write(frame, flow.shape, flow.ackWords, kind, flow.ackTimePs, flow.expectedFrame);
            } else {
                ReliableEndpoint.answer(flow, messages, frame);
                if (messages.responder.hasAnswer()) {
                    scheduler.acknowledge(flow);
                }
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
        // At the card's first visit since it came due, it was not refused: only the machine is
        // late,
        // and the pattern goes on from when it was due. A control has to know when frames were
        // sent.
        boolean isOnTime =
                !starved
                        && flow.dueVisit == scheduler.visit()
                        && !(pacing instanceof Pacing.Controlled);
        long sentPs = isOnTime ? Math.min(flow.duePs, nowPs) : nowPs;
        long timePs = pacing == null ? nowPs : pacing.timePs(flow.duePs, sentPs);
        boolean firstTime = flow.nextFrame >= flow.highestFrame;
        MessageEnds messages = flow.ends;
        int lengthBytes =
                messages == null
                        ? datagram(flow, frame, timePs)
                        : reliable.send(flow, messages, frame, timePs, nowPs);
        hosts.seal(flow.shape, frame);
        int wireBytes = hosts.wireBytes(lengthBytes);
        bound.made(nowPs, wireBytes);
        count(flow);
        if (pacing != null) {
            flow.duePs = pacing.nextDuePs(flow.duePs, sentPs, wireBytes);
            flow.sent(nowPs);
            end(flow, nowPs);
        }
        if (flow.isWindowed() && !flow.timing && messages == null) {
            scheduler.startTimer(flow, nowPs);
        }
        Flow.Origin origin = flow.origin;
        boolean last = firstTime && flow.nextFrame == flow.totalFrames;
        if (origin != null && last && origin.isClosedLoop()) {
            departing.add(new Departing(frame, origin));
        }
        scheduler.resume(flow, nowPs + PS_PER_NS - 1);
    }

    private static int datagram(Flow flow, Frame frame, long timePs) {
        int lengthBytes = flow.nextFrameBytes();
        frame.lengthBytes = lengthBytes;
        write(frame, flow.shape, flow.words, TrafficHeader.DATA, timePs, flow.nextFrame++);
        if (lengthBytes != flow.fullFrameBytes) {
            FrameTemplate.length(flow.shape, frame.dataOffset, lengthBytes);
        }
        return lengthBytes;
    }

    private void count(Flow flow) {
        framesSent++;
        flow.framesSent++;
        flow.highestFrame = Math.max(flow.highestFrame, flow.nextFrame);
        self.counts(flow.group).framesSent++;
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
            flow.cutShort();
            hosts.ended(flow);
        }
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        long nowPs = self.nowPs();
        long untilPs = nowPs - nowPs % PS_PER_NS + PS_PER_NS - 1;
        scheduler.advance(untilPs);
        for (int i = from; i < from + count; i++) {
            receiver.arrive(batch[i], nowPs, untilPs);
        }
        // Without a free slot it can make no frame; a slot that becomes free rings by itself.
        if (!starved && (scheduler.takeWoken() || nextDueNs() != deadlineNs)) {
            wake();
        }
        return count;
    }

    @Override
    public boolean awaitsReturns() {
        CardShare share = self.share;
        return starved || !departing.isEmpty() || (share != null && share.opensAny(waiting()));
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

    /** Data frames handed to the network card. */
    public long framesSent() {
        return framesSent;
    }

    /** Frames of any kind that the network card handed over. */
    public long framesReceived() {
        return receiver.framesReceived;
    }

    /** Received frames that are not test frames, not for this host, or invalid. */
    public long framesForeign() {
        return receiver.framesForeign;
    }

    /** Received frames with a wrong checksum, if checksums are on. */
    public long framesUnsound() {
        return receiver.framesUnsound;
    }

    /** Received frames whose flow was already complete, or never existed. */
    public long framesLate() {
        return receiver.framesLate;
    }
}
