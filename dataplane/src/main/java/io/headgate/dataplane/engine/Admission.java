package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.forwarding.TagEditor;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.frame.FlowHash;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.Queues;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames into the queues of an egress half: takes them from the channels, gives each its
 * outgoing form (tags, length), and drops those that cannot leave here or that their queue refuses.
 * Owned by the egress half.
 */
final class Admission implements Prefetch {
    private static final Comparator<Frame> BY_ARRIVAL =
            Comparator.comparingLong(frame -> frame.arrival);

    private final int port;
    private final int half;
    private final FrameChannel[] arrivals;

    // Which of them is first: behind the one that the last call stopped at.
    private int nextArrivals;

    private final VlanTable vlans;
    private final boolean trunk;
    private Queues queues;
    private final EgressDrops drops;
    private final CounterBlock counters;
    private final int maxPayloadBytes;

    // Null where there is nothing of it, which is what most ports have.
    private final @Nullable Classifier classifier;

    private final @Nullable FrameDetour detour;
    private final @Nullable DetourAdmission byDetour;
    private final List<PortBehaviour> behaviours;
    private @Nullable EgressFlowControl flow;
    private @Nullable CongestionPoint point;

    // Whether frames are classified again here, and which ingress ports' frames keep their
    // priority.
    private boolean classifies;
    private final boolean[] keepsPriority;

    private final boolean editsTags;

    // The switch itself is the last port; a card has none.
    private final int localPort;
    private final boolean trustsTags;
    private boolean deviceUp;

    // Frames are numbered as they come where the queues ask for it, or may become one.
    private boolean numbersArrivals;
    private long lastArrival;

    private boolean losesLater;

    // The point, if it makes room in frames before they are measured.
    private @Nullable CongestionPoint grower;

    // Whether it asks for flow hashes, which are made here, so that they cost nothing elsewhere.
    private boolean hashesFlows;
    private final long seed;

    Admission(
            HalfSetup setup,
            VlanTable vlans,
            Queues queues,
            EgressDrops drops,
            @Nullable EgressFlowControl flow,
            @Nullable FrameDetour detour,
            @Nullable CongestionPoint point) {
        this.detour = detour;
        this.byDetour = detour == null ? null : new DetourAdmission(detour, this);
        this.port = setup.port();
        this.half = FrameOutbox.egressHalf(port);
        this.arrivals = setup.links().channels();
        this.vlans = vlans;
        this.trunk = vlans.isTrunk(port);
        this.queues = queues;
        this.drops = drops;
        this.counters = setup.counts().half();
        PortConfig config = setup.config();
        this.editsTags = setup.engine().isSwitch();
        this.seed = setup.engine().seed();
        this.localPort = editsTags ? setup.engine().ports().size() - 1 : -1;
        this.trustsTags = config.traffic().classify().trust() == TrafficConfig.Trust.PCP;
        this.maxPayloadBytes = config.grownMtuBytes();
        Classifier configured = setup.behaviour().classifier();
        // Where the far end's pauses and credits are meant for what it sees, so must we see it.
        this.classifier =
                PortFlowControl.isConfigured(config) || !configured.isPlain() ? configured : null;
        this.behaviours = setup.shared().behaviours();
        this.keepsPriority = new boolean[behaviours.size()];
        Arrays.fill(keepsPriority, true);
        change(queues, flow, point);
    }

    /**
     * Replaces the queues that frames join, and the flow control and the congestion point that see
     * them.
     */
    void change(
            Queues newQueues,
            @Nullable EgressFlowControl newFlow,
            @Nullable CongestionPoint newPoint) {
        queues = newQueues;
        flow = newFlow;
        point = newPoint;
        if (newFlow != null) {
            beginsToClassify();
        }
        numbersArrivals = newQueues.readsArrivals() || mayBeginToClassify();
        losesLater = newQueues.losesLater();
        grower = newPoint != null && newPoint.growsFrames() ? newPoint : null;
        hashesFlows = newPoint != null && newPoint.readsFlowHash();
    }

    /**
     * Starts to classify frames here, as a port with flow control or priority rates needs. Returns
     * true if they were not classified before: {@link #classifyWaiting} must then follow.
     */
    boolean beginsToClassify() {
        if (classifier == null || !mayBeginToClassify()) {
            return false;
        }
        classifies = true;
        for (int ingress = 0; ingress < keepsPriority.length; ingress++) {
            keepsPriority[ingress] =
                    classifier.classifiesAlike(behaviours.get(ingress).classifier());
        }
        return true;
    }

    private boolean mayBeginToClassify() {
        return !classifies && classifier != null && editsTags;
    }

    /**
     * Moves all frames to other queues by their new class, so that a flow's frames stay in one
     * queue. They move in the order of their arrival, because several queues may become one.
     */
    void classifyWaiting(long nowNs, Queues next) {
        dropLost(nowNs);
        Frame[] waiting = new Frame[queues.frames()];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = Objects.requireNonNull(queues.drain());
        }
        Arrays.sort(waiting, BY_ARRIVAL);
        // Also hands over the further state of these queues, and the parts that refer to them.
        queues.handOver(next);
        next.arriving(nowNs);
        for (Frame frame : waiting) {
            reclassify(frame);
            next.adopt(frame);
        }
    }

    private void reclassify(Frame frame) {
        if (classifier != null && !keepsPriority[frame.ingressPort]) {
            frame.priority = classifier.priorityOf(FrameRegion.MEMORY, frame);
        }
    }

    /**
     * Called before the waiting frames move to other queues: if only the new queues read arrival
     * numbers, numbers the frames queue by queue, those of the highest first.
     */
    void numberWaiting(Queues next) {
        if (queues.readsArrivals() || !next.readsArrivals()) {
            return;
        }
        for (int queue = queues.queues() - 1; queue >= 0; queue--) {
            Frame[] waiting = queues.waiting(queue);
            number(waiting, 0, waiting.length);
        }
    }

    private void number(Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            frames[i].arrival = ++lastArrival;
        }
    }

    /** Sets the device's link state; while it is down, all arriving frames are dropped. */
    void linkUp(boolean up) {
        deviceUp = up;
    }

    /**
     * Takes frames from the channels, at most {@link FrameChannel#BURST}.
     *
     * @return how many there were; if a burst, there may be more
     */
    int takeArrivals(long nowNs) {
        int count = 0;
        int admitted = 0;
        int room = FrameChannel.BURST;
        int at = nextArrivals;
        if (numbersArrivals) {
            queues.arriving(nowNs);
        }
        for (int looked = 0; looked < arrivals.length && room > 0; looked++) {
            FrameChannel channel = arrivals[at];
            int came = channel.take(room);
            if (came > 0) {
                Frame[] taken = channel.taken();
                int from = channel.takenFrom();
                if (came > 1) {
                    admitted += admitAll(nowNs, taken, from, from + came);
                } else if (admit(nowNs, taken, from)) {
                    // Most often, in virtual time and where there is little traffic.
                    admitted++;
                }
                count += came;
                room -= came;
            }
            at = at + 1 < arrivals.length ? at + 1 : 0;
        }
        if (room == 0) {
            nextArrivals = at;
        }
        if (count > 0) {
            counters.add(EgressCounter.FRAMES_ENQUEUED, admitted);
            counters.raise(EgressCounter.RING_MAX_FRAMES, count);
            counters.raise(EgressCounter.QUEUE_MAX_BYTES, waitingBytes());
        }
        return count;
    }

    /** Drops the frames that the queues have lost since the last call; returns their number. */
    int dropLost(long nowNs) {
        if (!losesLater) {
            return 0;
        }
        int count = 0;
        for (Frame lost = queues.alsoLost(); lost != null; lost = queues.alsoLost()) {
            pushedOut(nowNs, lost);
            count++;
        }
        return count;
    }

    private void pushedOut(long nowNs, Frame frame) {
        if (point != null) {
            point.removed(nowNs, frame);
        }
        drops.drop(nowNs, frame, DropReason.PUSHED_OUT);
    }

    /** Bytes in the queues and in the detour. */
    long waitingBytes() {
        return queues.bytes() + (detour == null ? 0 : detour.bytes());
    }

    /** Returns how many frames have joined the queues. */
    private int admitAll(long nowNs, Frame[] frames, int from, int to) {
        int fit = from;
        int dropping = flow == null ? 0 : flow.dropping();
        // On most ports no frame needs what fits does but for its length: asked once for all.
        boolean asItCame = deviceUp && !trunk && dropping == 0 && grower == null;
        boolean[] keeps = keepsPriority;
        int mtuBytes = maxPayloadBytes;
        int place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        int i = from;
        try {
            hashFlows(frames, from, to);
            for (; i < to; i++) {
                Frame frame = frames[i];
                if ((asItCame
                                && !frame.tagged
                                && keeps[frame.ingressPort]
                                && HeaderParser.isWithin(mtuBytes, frame))
                        || fits(nowNs, frame, dropping)) {
                    frame.place = place;
                    if (fit != i) {
                        frames[fit] = frame;
                    }
                    fit++;
                }
            }
        } catch (RuntimeException | Error e) {
            claim(frames, i, to);
            throw e;
        }
        if (numbersArrivals) {
            number(frames, from, fit);
        }
        return byDetour == null
                ? enqueueAll(nowNs, frames, from, fit)
                : byDetour.admit(nowNs, frames, from, fit, queues, point);
    }

    private void hashFlows(Frame[] frames, int from, int to) {
        if (hashesFlows) {
            for (int i = from; i < to; i++) {
                frames[i].flowHash = FlowHash.of(FrameRegion.MEMORY, frames[i], seed);
            }
        }
    }

    /**
     * Records frames as this half's own, so that they are found if it fails while it processes
     * them.
     */
    private void claim(Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            if (SlotPlace.kind(frames[i].place) == SlotPlace.RING) {
                frames[i].place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
            }
        }
    }

    /** Puts frames into the queues; returns how many the queues have taken. */
    int enqueueAll(long nowNs, Frame[] frames, int from, int to) {
        int admitted = 0;
        for (int i = from; i < to; ) {
            int next = queues.enqueue(frames, i, to);
            if (next == i) {
                admitted += enqueue(nowNs, frames, i) ? 1 : 0;
                next++;
            } else {
                admitted += next - i;
                tell(nowNs, frames, i, next);
            }
            i = next;
        }
        return admitted;
    }

    private boolean admit(long nowNs, Frame[] frames, int at) {
        Frame frame = frames[at];
        try {
            hashFlows(frames, at, at + 1);
            if (!fits(nowNs, frame, flow == null ? 0 : flow.dropping())) {
                return false;
            }
        } catch (RuntimeException | Error e) {
            claim(frames, at, at + 1);
            throw e;
        }
        frame.place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        if (numbersArrivals) {
            number(frames, at, at + 1);
        }
        return byDetour == null
                ? enqueue(nowNs, frames, at)
                : byDetour.admit(nowNs, frames, at, at + 1, queues, point) > 0;
    }

    /** Puts a frame into the queues; returns false if they have not taken it. */
    boolean enqueue(long nowNs, Frame[] frames, int at) {
        Frame frame = frames[at];
        boolean isTaken = true;
        for (Frame lost = queues.enqueue(frame); lost != null; lost = queues.alsoLost()) {
            if (lost == frame) {
                isTaken = false;
                drops.drop(nowNs, lost, DropReason.QUEUE_FULL);
            } else {
                pushedOut(nowNs, lost);
            }
        }
        if (!isTaken) {
            return false;
        }
        tell(nowNs, frames, at, at + 1);
        return true;
    }

    private void tell(long nowNs, Frame[] frames, int from, int to) {
        if (point != null) {
            point.enqueued(nowNs, frames[from].priority, frames, from, to);
        }
    }

    /** Gives a frame its outgoing form; if it cannot leave here, drops it and returns false. */
    private boolean fits(long nowNs, Frame frame, int dropping) {
        if (!deviceUp) {
            drops.drop(nowNs, frame, DropReason.PORT_DOWN);
            return false;
        }
        boolean leavesTagged = trunk && vlans.leavesTagged(port, frame.vlan);
        if (leavesTagged || (frame.tagged && !keepsPriorityTag(frame))) {
            adaptTag(frame, leavesTagged);
        }
        // Classified as the far end will do it: by its bytes as they leave.
        reclassify(frame);
        if ((dropping >>> frame.priority & 1) != 0) {
            drops.drop(nowNs, frame, DropReason.WATCHDOG);
            return false;
        }
        if (grower != null) {
            grower.prepare(nowNs, frame);
        }
        if (!HeaderParser.isWithin(maxPayloadBytes, frame)) {
            drops.drop(nowNs, frame, DropReason.EGRESS_OVERSIZE);
            return false;
        }
        return true;
    }

    /**
     * Whether a frame keeps its priority tag: only frames that the switch itself sends (notices),
     * and only where the far end reads priorities from tags.
     */
    private boolean keepsPriorityTag(Frame frame) {
        return trustsTags && frame.ingressPort == localPort;
    }

    private void adaptTag(Frame frame, boolean leavesTagged) {
        if (classifier == null) {
            TagEditor.adapt(FrameRegion.MEMORY, frame, leavesTagged);
            return;
        }
        int priority = frame.priority;
        frame.priority = classifier.pcpOf(priority);
        TagEditor.adapt(FrameRegion.MEMORY, frame, leavesTagged);
        frame.priority = priority;
    }

    @Override
    public long prefetch(int distance) {
        // Channels are the half's to read: it is one reference nearer to them.
        return distance == 1 ? lastArrival + keepsPriority.length : 0;
    }
}
