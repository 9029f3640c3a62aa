package io.headgate.dataplane.engine;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import org.jspecify.annotations.Nullable;

/**
 * Starts the frames of an egress half at the line rate: link control first, then data that is
 * neither paused nor without credits. No frame starts before the device has taken all that started
 * earlier. Owned by the egress half.
 */
final class Transmission implements Prefetch {
    private Queues queues;
    private final Pacer pacer;
    private final LinkControlSlots linkControl;
    private final Departures departures;
    private final EgressDrops drops;
    private @Nullable EgressFlowControl flow;
    private final @Nullable FrameDetour detour;
    private @Nullable CongestionPoint point;
    private boolean deviceUp;
    private long sourceMac;
    private boolean burstWasFull;

    // Whether queues may hold back what the pacer would let start.
    private boolean mayHoldBack;

    // Whether they do nothing by themselves.
    private boolean isPassive;

    // When the queues were last seen empty: a frame found in them later came after that.
    private long emptyAtNs = Long.MIN_VALUE / 2;

    Transmission(
            HalfSetup setup,
            Queues queues,
            LinkControlSlots linkControl,
            Departures departures,
            EgressDrops drops,
            @Nullable EgressFlowControl flow,
            @Nullable FrameDetour detour,
            @Nullable CongestionPoint point) {
        this.detour = detour;
        this.queues = queues;
        this.mayHoldBack = queues.mayHoldBack();
        this.isPassive = queues.isPassive();
        this.pacer =
                new Pacer(
                        setup.config().rateBps(),
                        setup.host().maxCatchUpNs(),
                        setup.host().wireFormat(setup.port()));
        this.linkControl = linkControl;
        this.departures = departures;
        this.drops = drops;
        this.flow = flow;
        this.point = point;
    }

    /** Sets the source MAC address of link-control frames, once the device is open. */
    void sourceMac(long mac) {
        sourceMac = mac;
    }

    /** Sets the device's link state; while it is down, no frame starts. */
    void linkUp(boolean up) {
        deviceUp = up;
    }

    /**
     * Changes the line rate from the next frame on, and replaces queues, flow control and
     * congestion point.
     */
    void change(
            long rateBps,
            Queues newQueues,
            @Nullable EgressFlowControl newFlow,
            @Nullable CongestionPoint newPoint) {
        pacer.rate(rateBps);
        queues = newQueues;
        mayHoldBack = newQueues.mayHoldBack();
        isPassive = newQueues.isPassive();
        flow = newFlow;
        point = newPoint;
    }

    /** Starts the frames that may start now; returns the amount of work done. */
    int transmit(long nowNs) {
        if (flow != null && deviceUp) {
            look(nowNs, flow);
        }
        int work = 0;
        if (departures.areWaiting()) {
            work = departures.offer(nowNs);
            if (departures.areWaiting()) {
                return work;
            }
        }
        if (flow != null) {
            return startThroughFlow(nowNs, flow) + work;
        }
        // Read once: the compiler asks of which class they are each time that it reads them.
        Queues from = queues;
        int count = 0;
        if (!from.isEmpty()) {
            pacer.resume(nowNs, emptyAtNs);
            try {
                count = from.dequeue(nowNs, pacer, departures.toStart());
            } catch (RuntimeException | Error e) {
                departures.keep(from.dequeued());
                throw e;
            }
        }
        if (mayHoldBack) {
            burstWasFull = count == departures.toStart().length;
        }
        if (from.isEmpty() || isHeldBack(nowNs)) {
            emptyAtNs = nowNs;
        }
        return work + start(nowNs, 0, count);
    }

    /**
     * Reads the far end's pauses and credits, also while the device has not taken all started
     * frames.
     */
    private void look(long nowNs, EgressFlowControl through) {
        int released = through.look(nowNs, queues);
        if (released != 0 && point != null) {
            point.released(nowNs, released);
        }
    }

    /** Starts link control first, then data that is neither paused nor without credits. */
    private int startThroughFlow(long nowNs, EgressFlowControl through) {
        int work = dropStormed(nowNs, through);
        if (!deviceUp) {
            return work;
        }
        Queues from = queues;
        int eligible = through.eligible();
        from.eligible(eligible);
        if (detour != null) {
            return work + startWithDetour(nowNs, through, from, eligible, detour);
        }
        int controls = startControl(nowNs, through, from.ready());
        int count = dequeue(nowNs, through, from, controls);
        return work + startData(nowNs, controls, controls, count);
    }

    /** As {@link #startThroughFlow}, with a detour, whose frames start before all other data. */
    private int startWithDetour(
            long nowNs, EgressFlowControl through, Queues from, int eligible, FrameDetour by) {
        int work = by.run(nowNs, from, eligible, point);
        if (work > 0) {
            work += drops.dropLost(nowNs, by);
        }
        int controls = startControl(nowNs, through, from.ready() | by.frames());
        Frame[] starting = departures.toStart();
        int data = by.dequeue(nowNs, pacer, starting, controls);
        for (int i = controls; i < data; i++) {
            through.passedBy(starting[i].priority);
        }
        int count = dequeue(nowNs, through, from, data);
        by.started(starting, data, count);
        return work + startData(nowNs, controls, data, count);
    }

    /**
     * Starts a link-control frame if one is due; returns the number of frames to start.
     *
     * @param ready not 0 if data waits that may start
     */
    private int startControl(long nowNs, EgressFlowControl through, int ready) {
        LinkSender due = through.controlDue(nowNs);
        if (due != null || ready != 0) {
            pacer.resume(nowNs, emptyAtNs);
        }
        if (due != null && pacer.mayStartControl(nowNs)) {
            Frame control = linkControl.make(nowNs, through, due, sourceMac);
            if (control != null) {
                pacer.startControl(nowNs, control.lengthBytes);
                departures.toStart()[0] = control;
                return 1;
            }
        }
        return 0;
    }

    /**
     * Dequeues the frames that start now into the array behind those already there; returns the
     * number of all.
     */
    private int dequeue(long nowNs, EgressFlowControl through, Queues from, int behind) {
        try {
            return from.dequeue(nowNs, pacer, departures.toStart(), behind, through);
        } catch (RuntimeException | Error e) {
            departures.keep(from.dequeued());
            throw e;
        }
    }

    private int startData(long nowNs, int controls, int data, int count) {
        Frame[] starting = departures.toStart();
        if (count > controls) {
            pacer.noteLastFrame(starting[count - 1].lengthBytes);
        }
        burstWasFull = count == starting.length;
        if (!burstWasFull && pacer.mayStart(nowNs)) {
            emptyAtNs = nowNs;
        }
        return start(nowNs, data, count);
    }

    /**
     * Starts the first {@code count} frames: link control up to {@code data}, then data. Returns
     * how many the device took.
     */
    private int start(long nowNs, int data, int count) {
        if (point != null && count > data) {
            point.started(nowNs, departures.toStart(), data, count);
        }
        return departures.start(nowNs, count);
    }

    private int dropStormed(long nowNs, EgressFlowControl through) {
        int count = 0;
        int stormed = through.watch(nowNs, queues) & queues.occupied();
        if (stormed == 0) {
            return 0;
        }
        for (int rest = stormed; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            while (queues.head(queue) != null) {
                dropQueued(nowNs, queues.take(queue), DropReason.WATCHDOG);
                count++;
            }
        }
        through.emptied(nowNs, stormed);
        return count;
    }

    /**
     * Drops started frames that the device did not take, and all queued ones; returns their number.
     */
    int dropHeld(long nowNs) {
        int count = 0;
        for (Frame frame = departures.takeUnsent();
                frame != null;
                frame = departures.takeUnsent()) {
            drops.drop(nowNs, frame, DropReason.PORT_DOWN);
            count++;
        }
        for (Frame frame = queues.drain(); frame != null; frame = queues.drain()) {
            dropQueued(nowNs, frame, DropReason.PORT_DOWN);
            count++;
        }
        return count + drops.dropDetoured(nowNs);
    }

    private void dropQueued(long nowNs, Frame frame, DropReason reason) {
        if (point != null) {
            point.removed(nowNs, frame);
        }
        drops.drop(nowNs, frame, reason);
    }

    /**
     * The time of the next call if no input comes before.
     *
     * @param waiting whether the device has not taken all frames that have started
     */
    long deadlineNs(long nowNs, boolean waiting) {
        if (flow != null) {
            return flowDeadlineNs(nowNs, waiting, flow);
        }
        if (waiting || queues.isEmpty() || isHeldBack(nowNs)) {
            return Long.MAX_VALUE;
        }
        return pacer.nextStartNs();
    }

    /**
     * Whether the wire is taken by a started frame, so that no new frame can start, and no news of
     * flow control waits to be read.
     */
    boolean isBusy(long nowNs) {
        return isPassive
                && !pacer.mayStart(nowNs)
                && departures.areGone()
                && (flow == null || !flow.hasNews());
    }

    /** Whether only the queues hold frames back; their owner then knows for how long. */
    private boolean isHeldBack(long nowNs) {
        return mayHoldBack && !burstWasFull && pacer.mayStart(nowNs);
    }

    /**
     * A blocked head frame (paused, or no credits) needs no deadline: the event that unblocks it
     * rings, or has a deadline of its own.
     */
    private long flowDeadlineNs(long nowNs, boolean waiting, EgressFlowControl through) {
        if (!deviceUp) {
            return Long.MAX_VALUE;
        }
        if (waiting) {
            // Nothing starts before the device has taken what has; that stops end is noted.
            return through.stopsEndNs();
        }
        int ready = queues.ready();
        if (detour != null) {
            if (detour.isBehind()) {
                return nowNs;
            }
            ready |= detour.frames();
        }
        long data = through.dataDeadlineNs(nowNs, queues.occupied());
        long next = Math.min(through.watchdogDeadlineNs(), data);
        boolean controlWaits = through.controlDue(nowNs) != null;
        next = Math.min(next, through.controlDeadlineNs(nowNs));
        if (controlWaits || ready != 0) {
            boolean maySendControl = controlWaits && linkControl.free() > 0;
            if (maySendControl && pacer.mayStartControl(nowNs)) {
                next = nowNs;
            } else if (!pacer.mayStart(nowNs)) {
                long startNs = maySendControl ? pacer.nextControlNs() : pacer.nextStartNs();
                next = Math.min(next, Math.max(startNs, nowNs + 1));
            } else if (burstWasFull) {
                next = nowNs;
            }
        }
        return next;
    }

    @Override
    public long prefetch(int distance) {
        return distance == 1 ? emptyAtNs + (point == null ? 1 : 0) : pacer.nextStartNs();
    }
}
