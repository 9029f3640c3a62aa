package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.EgressFlow;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.DataQueues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How frames come into the queues of an egress half: takes them from the channels, makes each as it
 * is to leave, and drops what cannot leave here or what its queue does not take. Owned by the
 * egress half.
 */
final class Admission {
    private final int port;
    private final int half;
    private final FrameChannel[] arrivals;

    // Which of them is first: behind the one that the last call stopped at.
    private int nextArrivals;

    private final VlanTable vlans;
    private final boolean trunk;
    private final DataQueues queues;
    private final EgressDrops drops;
    private final CounterBlock counters;
    private final int maxPayloadBytes;

    // Null where there is nothing of it, which is what most ports have.
    private final @Nullable Classifier classifier;

    private final @Nullable EgressFlow flow;
    private final @Nullable CongestionPoint point;

    // Gives frames their priorities anew, unless their ingress port's are the same; null where none
    // changes.
    private final @Nullable Classifier reclassifier;
    private final boolean[] classifiesAlike;
    private boolean deviceUp;

    /** Into {@code queues}, as the others of the same half have them. */
    Admission(
            HalfSetup setup,
            VlanTable vlans,
            DataQueues queues,
            EgressDrops drops,
            @Nullable EgressFlow flow,
            @Nullable CongestionPoint point) {
        this.port = setup.port();
        this.half = Outbox.egressHalf(port);
        this.arrivals = setup.channels();
        this.vlans = vlans;
        this.trunk = vlans.isTrunk(port);
        this.queues = queues;
        this.drops = drops;
        this.counters = setup.counters();
        this.flow = flow;
        this.point = point;
        PortConfig config = setup.config();
        this.maxPayloadBytes = config.mtuBytes();
        Classifier classifies = new Classifier(config.traffic());
        // Where the far end's pauses and credits are meant for what it sees, so must we see it.
        this.classifier =
                IngressFlow.isConfigured(config) || !classifies.isPlain() ? classifies : null;
        this.reclassifier = flow == null || !setup.editsTags() ? null : classifier;
        this.classifiesAlike =
                reclassifier == null
                        ? new boolean[0]
                        : classifiesAlike(reclassifier, setup.ports());
    }

    private static boolean[] classifiesAlike(Classifier here, List<PortConfig> ports) {
        boolean[] alike = new boolean[ports.size()];
        for (int port = 0; port < alike.length; port++) {
            alike[port] = here.sortsAlike(new Classifier(ports.get(port).traffic()));
        }
        return alike;
    }

    /** The device's link is up, or is not: then all that comes is dropped. */
    void linkUp(boolean up) {
        deviceUp = up;
    }

    /**
     * Takes frames that have come, at most {@link FrameChannel#BURST}.
     *
     * @return how many there were; if a burst, there may be more
     */
    int takeArrivals(long nowNs) {
        int count = 0;
        int admitted = 0;
        int room = FrameChannel.BURST;
        int at = nextArrivals;
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
            counters.raise(EgressCounter.QUEUE_MAX_BYTES, queues.bytes());
        }
        return count;
    }

    /** Answers how many frames have come into the queues. */
    private int admitAll(long nowNs, Frame[] frames, int from, int to) {
        int fit = from;
        int dropping = flow == null ? 0 : flow.dropping();
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            if (fits(nowNs, frame, dropping)) {
                frame.place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
                if (fit != i) {
                    frames[fit] = frame;
                }
                fit++;
            }
        }
        int admitted = 0;
        for (int i = from; i < fit; ) {
            int next = queues.enqueue(frames, i, fit);
            admitted += next - i;
            if (next == i) {
                drops.drop(nowNs, frames[i], DropReason.QUEUE_FULL);
                next++;
            } else if (point != null) {
                point.enqueued(nowNs, frames[i].priority, frames, i, next);
            }
            i = next;
        }
        return admitted;
    }

    private boolean admit(long nowNs, Frame[] frames, int at) {
        Frame frame = frames[at];
        if (!fits(nowNs, frame, flow == null ? 0 : flow.dropping())) {
            return false;
        }
        frame.place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        if (!queues.enqueue(frame)) {
            drops.drop(nowNs, frame, DropReason.QUEUE_FULL);
            return false;
        }
        if (point != null) {
            point.enqueued(nowNs, frame.priority, frames, at, at + 1);
        }
        return true;
    }

    /** Makes a frame as it is to leave; if it cannot leave here, drops it and answers false. */
    private boolean fits(long nowNs, Frame frame, int dropping) {
        if (!deviceUp) {
            drops.drop(nowNs, frame, DropReason.PORT_DOWN);
            return false;
        }
        boolean leavesTagged = trunk && vlans.leavesTagged(port, frame.vlan);
        if (frame.tagged || leavesTagged) {
            adaptTag(frame, leavesTagged);
        }
        // Classified as the far end will do it: by its bytes as they leave.
        if (reclassifier != null && !classifiesAlike[frame.ingressPort]) {
            frame.priority = reclassifier.priorityOf(FrameRegion.MEMORY, frame);
        }
        if ((dropping >>> frame.priority & 1) != 0) {
            drops.drop(nowNs, frame, DropReason.WATCHDOG);
            return false;
        }
        if (!HeaderParser.isWithin(maxPayloadBytes, frame)) {
            drops.drop(nowNs, frame, DropReason.EGRESS_OVERSIZE);
            return false;
        }
        return true;
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

    /** As {@link IngressHalf#touch}. */
    long touch(int distance) {
        long read = 0;
        for (FrameChannel channel : arrivals) {
            read += channel.touch(distance);
        }
        return read;
    }
}
