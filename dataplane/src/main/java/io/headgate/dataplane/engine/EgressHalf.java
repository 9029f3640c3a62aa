package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PortQueues;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.dataplane.queue.Queues;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The egress half: the transmitting side of a port. Owns the port's data queues; moves frames from
 * the channels into them, starts them at the configured line rate, hands each to the device when it
 * starts, and sends its slot home when the device is done with it. Owned by one worker.
 *
 * <p>Bounded by its queues' limits: {@code arrived = transmitted + held + dropped}.
 */
public final class EgressHalf implements Duty, Prefetch {
    private static final int NOTICE_PRIORITY = 6;
    private static final int NOTICE_DSCP = 48;

    private final int port;
    private final int half;
    private final String name;
    private final HalfSetup setup;
    private final FrameChannel[] channels;
    private final FrameOutbox outbox;
    private final PresentTime time;
    private final VlanTable vlans;
    private final Frame[] linkSlots;
    private final @Nullable NoticeRing notices;
    private final CounterBlock counters;
    private final Orders<EgressHalf> orders;
    private final long housekeepingIntervalNs;

    // Replaced when the half is restarted. Null means that the port does not have it, as with most
    // ports.
    private PortConfig config;
    private Queues queues;
    private PortQueues watchedQueues;
    private Admission admission;
    private Transmission transmission;
    private Departures departures;
    private LinkControlSlots linkControl;
    private EgressDrops drops;
    private @Nullable EgressFlowControl flow;
    private @Nullable FlowControlCounters flowCounters;
    private @Nullable FrameDetour detour;
    private @Nullable Congestion congestion;
    private @Nullable CongestionPoint point;
    private boolean deviceUp;

    // Whether a call has thrown: from then on the half only winds down. And whether it has found
    // what that call had in its hands.
    private boolean stopped;
    private boolean foundStranded;

    private @Nullable Tap tap;
    private long housekeepingNs = Long.MAX_VALUE;
    private long deadlineNs = Long.MAX_VALUE;

    // Whether the deadline is that of all that is here; not where the owner has changed something.
    private boolean isSettled;

    // Whether gauges are written when they are read, not at the end of each call. The length of a
    // lasting state, such as a stop, is then that of the last call that did something.
    private final boolean asksForGauges;
    private long workedNs;

    // What queues count by themselves, now and then: null if they do not.
    private final @Nullable QueueCounters queueCounters;

    /** Builds a half; {@code linkSlots} are its own, for the link-control frames that it makes. */
    EgressHalf(HalfSetup setup, VlanTable vlans, Frame[] linkSlots) {
        this.port = setup.port();
        this.half = FrameOutbox.egressHalf(port);
        this.name = setup.portName() + ".egress";
        this.setup = setup;
        this.channels = setup.links().channels();
        this.outbox = setup.links().outbox();
        this.time = setup.host().presentTime();
        this.vlans = vlans;
        this.linkSlots = linkSlots;
        this.notices = setup.links().notices();
        this.counters = setup.counts().half();
        this.orders = new Orders<>(setup.links().doorbell());
        this.housekeepingIntervalNs = setup.host().housekeepingIntervalNs();
        this.asksForGauges = setup.host().asksForGauges();
        this.queueCounters = setup.counts().queues();
        make(setup.config(), setup.behaviour().queues().get());
    }

    private void make(PortConfig as, Queues empty) {
        config = as;
        queues = empty;
        watchedQueues = new PortQueues(empty);
        flow = EgressFlowControl.isConfigured(as) ? flow(setup, as) : null;
        flowCounters = FlowControlCounters.of(setup.counts(), as, PriorityCounter.Egress.values());
        // What can be counted was laid out at the start.
        congestion =
                Congestion.of(
                        setup.config().mechanisms(),
                        watched(
                                flow == null ? StopView.NEVER : flow,
                                notices == null ? Notices.NONE : notices),
                        watchedQueues::waiting,
                        setup.counts().congestion());
        point = congestion == null ? null : congestion.point();
        linkControl = new LinkControlSlots(half, port, linkSlots);
        detour = flow == null ? null : flow.detour();
        drops = new EgressDrops(setup, linkControl, detour);
        departures = new Departures(setup, linkControl);
        admission = new Admission(setup, vlans, queues, drops, flow, detour, point);
        transmission =
                new Transmission(
                        setup, queues, linkControl, departures, drops, flow, detour, point);
    }

    private static EgressFlowControl flow(HalfSetup setup, PortConfig config) {
        return new EgressFlowControl(
                config,
                setup.host().maxCatchUpNs(),
                setup.host().wireFormat(setup.port()),
                setup.shared().registry().flowControl(setup.port()),
                setup.host().presentTime());
    }

    /**
     * The parts that a half needs for another configuration of its port. The thread that orders the
     * change builds them, so that no frame waits.
     *
     * @param queues empty ones; null: the queues stay
     * @param areOthers whether the queues replace its own, regardless of other changes
     * @param flow set if the change turns flow control on
     * @param watchdog set if the change turns the watchdog on
     */
    public record Change(
            PortConfig config,
            @Nullable Queues queues,
            boolean areOthers,
            @Nullable EgressFlowControl flow,
            @Nullable PfcWatchdog watchdog,
            Congestion.@Nullable Change congestion) {}

    /**
     * Any thread: prepares a change from one configuration to another. The two must agree in
     * everything that is laid out at the start.
     *
     * @param others makes the queues of the other configuration
     * @throws IllegalArgumentException in one sentence, if it cannot be
     */
    public Change prepare(PortConfig from, PortConfig to, Supplier<Queues> others) {
        boolean beginsFlow =
                !EgressFlowControl.isConfigured(from) && EgressFlowControl.isConfigured(to);
        boolean areOthers = PortBehaviour.areQueuesOthers(from, to);
        boolean replaces = areOthers || beginsFlow;
        return new Change(
                to,
                replaces ? others.get() : null,
                areOthers,
                // For rates of single priorities: there are no protocols, and so no stops.
                beginsFlow ? flow(setup, to) : null,
                EgressFlowControl.watchdog(to),
                congestion == null
                        ? null
                        : congestion.prepare(
                                from.mechanisms(),
                                to.mechanisms(),
                                to.rateBps(),
                                replaces || from.rateBps() != to.rateBps()));
    }

    /** Owner only: applies a prepared change. Waiting frames keep their order. */
    public void change(long nowNs, Change change) {
        PortConfig next = change.config;
        // A half that failed is made again with what is in force then.
        if (stopped || next.equals(config)) {
            return;
        }
        config = next;
        Queues others = change.queues;
        if (others != null) {
            replaceQueues(nowNs, others, change);
        }
        if (flow == null) {
            flow = change.flow;
        } else {
            flow.change(next, change.watchdog);
        }
        if (congestion != null && change.congestion != null) {
            congestion.change(nowNs, change.congestion);
        }
        tell(congestion == null ? null : congestion.point());
    }

    /** Shows frames to this point from now on; null: to none. */
    private void tell(@Nullable CongestionPoint watching) {
        isSettled = false;
        point = watching;
        admission.change(queues, flow, watching);
        transmission.change(config.rateBps(), queues, flow, watching);
    }

    private void replaceQueues(long nowNs, Queues others, Change change) {
        if (flow == null && change.flow != null && admission.beginsToClassify()) {
            admission.classifyWaiting(nowNs, others);
        } else if (change.areOthers) {
            admission.numberWaiting(others);
            // Also where frames are not numbered: what waits comes now, for the next queues.
            queues.arriving(nowNs);
            others.arriving(nowNs);
            queues.handOver(others);
        } else {
            return;
        }
        queues = others;
        watchedQueues.set(others);
    }

    private Congestion.Port watched(StopView stops, Notices sent) {
        // What the far end will make of notices: of a tag where it trusts tags, and of DSCP 48.
        int noticePriority = setup.behaviour().classifier().classify(NOTICE_PRIORITY, NOTICE_DSCP);
        return new Congestion.Port(
                new CongestionSetup.Node(setup.engine().name(), !setup.engine().isSwitch()),
                port,
                config.name(),
                config.rateBps(),
                config.mtuBytes(),
                watchedQueues,
                stops,
                sent,
                setup.shared().registry().boards(),
                noticePriority,
                setup.engine().seed());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long deadlineNs() {
        return deadlineNs;
    }

    /**
     * Any thread: queues an order for this half's owner to run between bursts; false if too many
     * wait.
     */
    public boolean order(Consumer<EgressHalf> order) {
        return orders.offer(order);
    }

    /**
     * Owner only, after a call has thrown: from now on this half only winds down, until it is
     * restarted. False if it did so already.
     */
    public boolean stop() {
        if (stopped) {
            return false;
        }
        stopped = true;
        foundStranded = false;
        deadlineNs = Long.MAX_VALUE;
        if (congestion != null) {
            congestion.withdraw();
        }
        tell(null);
        counters.add(EgressCounter.FAILURES, 1);
        return true;
    }

    /** Owner only: whether a call has thrown, and the half has not been restarted since. */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Owner only, for a half without a device: makes all its parts again, without their former
     * state. Frames in its queues were dropped with the device, or are dropped now.
     *
     * @param as the configuration in force
     * @param empty queues for it
     * @param isOfDomain whether the queues share state with those of other ports
     */
    public void restart(long nowNs, PortConfig as, Queues empty, boolean isOfDomain) {
        if (departures.device() != null) {
            throw new IllegalStateException(name + " has a device and cannot be restarted");
        }
        if (isOfDomain) {
            queues.handOver(empty);
        } else {
            // Queues that could not be emptied are gone: what they have goes home all the same.
            dropStranded(nowNs);
            outbox.flush();
        }
        for (Frame frame : linkSlots) {
            frame.place = SlotPlace.FREE;
        }
        long lastPacketId = linkControl.lastPacketId();
        Tap shown = tap;
        make(as, empty);
        linkControl.numberAfter(lastPacketId);
        if (flow != null) {
            flow.change(as, EgressFlowControl.watchdog(as));
        }
        if (congestion != null && !as.equals(setup.config())) {
            Congestion.Change since =
                    congestion.prepare(
                            setup.config().mechanisms(), as.mechanisms(), as.rateBps(), true);
            congestion.change(nowNs, since);
        }
        tell(congestion == null ? null : congestion.point());
        tap(shown);
        deviceUp = false;
        stopped = false;
    }

    /**
     * Owner only, instead of {@link #doWork} after that has failed: runs orders, so that the device
     * can still be detached, and drops all frames as {@link DropReason#PORT_DOWN}, so that other
     * ports get their slots back.
     */
    public int windDown(long nowNs) {
        int work = orders.drainTo(this);
        linkUp(false);
        work += transmission.dropHeld(nowNs);
        work += admission.takeArrivals(nowNs);
        if (stopped && !foundStranded) {
            work += dropStranded(nowNs);
            foundStranded = true;
        }
        // Also what the call that failed did not come to.
        workedNs = nowNs;
        publishGauges();
        outbox.flush();
        return work;
    }

    /**
     * Drops the frames that the failed call was processing: recorded as queued, but in no queue.
     */
    private int dropStranded(long nowNs) {
        int own = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        int count = 0;
        for (int slot = 0; slot < setup.shared().region().slots(); slot++) {
            Frame frame = setup.shared().region().made(slot);
            if (frame != null && frame.place == own) {
                // Should dropping it fail, it is not tried again.
                frame.place = SlotPlace.RING;
                drops.drop(nowNs, frame, DropReason.PORT_DOWN);
                count++;
            }
        }
        return count;
    }

    @Override
    public int doWork(long nowNs) {
        if (stopped) {
            return windDown(nowNs);
        }
        int work = orders.drainTo(this);
        if (isSettled && work == 0 && deadlineNs - nowNs > 0 && transmission.isBusy(nowNs)) {
            return admitOnly(nowNs);
        }
        // Whether this call stops at a bound: what is left behind rings no more.
        boolean stoppedShort = Orders.stoppedShort(work);
        if (point != null && point.deadlineNs() - nowNs <= 0) {
            work += point.tick(nowNs);
        }
        work += admission.dropLost(nowNs);
        int came = admission.takeArrivals(nowNs);
        stoppedShort |= came == FrameChannel.BURST;
        work += came;
        int moved = transmission.transmit(nowNs);
        int completed = departures.collect(nowNs);
        stoppedShort |= completed == Departures.COMPLETION_BURST;
        moved += completed;
        work += moved;
        if (housekeepingNs - nowNs <= 0) {
            housekeep(nowNs);
            work++;
        }
        if (work > 0) {
            workedNs = nowNs;
            if (!asksForGauges) {
                publishGauges();
            }
            outbox.flush();
            if (notices != null) {
                notices.flush();
            }
        }
        deadlineNs = nextDeadlineNs(nowNs, moved);
        if (stoppedShort) {
            deadlineNs = nowNs;
        }
        // What a congestion point or a detour does may follow from what comes.
        isSettled = point == null && detour == null;
        return work;
    }

    /**
     * Short form of {@link #doWork} for the time while a frame is on the wire and no other work is
     * due.
     */
    private int admitOnly(long nowNs) {
        boolean waited = queues.ready() != 0;
        int came = admission.takeArrivals(nowNs);
        if (came == 0) {
            return 0;
        }
        workedNs = nowNs;
        if (!asksForGauges) {
            publishGauges();
        }
        outbox.flush();
        if (came == FrameChannel.BURST) {
            deadlineNs = nowNs;
        } else if (!waited) {
            // What waited before starts when the wire is free, whatever is behind it.
            deadlineNs = nextDeadlineNs(nowNs, 0);
        }
        return came;
    }

    /** Owner only: called at the end of a cycle of its worker, as in {@link PortDevice#flush}. */
    public void flush(long nowNs, long cycle) {
        departures.flush(nowNs, cycle);
    }

    @Override
    public void publish() {
        publishQueueCounters();
        if (asksForGauges) {
            publishGauges();
        }
    }

    private void publishQueueCounters() {
        if (queueCounters != null) {
            queueCounters.publish(queues);
        }
    }

    private void publishGauges() {
        if (flowCounters != null && flow != null) {
            flowCounters.publish(flow, workedNs);
        }
        if (congestion != null && congestion.point() != null) {
            congestion.publish();
        }
        if (notices != null) {
            counters.set(EgressCounter.NOTICES_REFUSED, notices.refused());
        }
        counters.set(EgressCounter.QUEUE_FRAMES, waitingFrames());
        counters.set(EgressCounter.QUEUE_BYTES, admission.waitingBytes());
    }

    private long nextDeadlineNs(long nowNs, int moved) {
        long next = Math.min(housekeepingNs, departures.deadlineNs(nowNs, moved));
        if (point != null) {
            next = Math.min(next, point.deadlineNs());
        }
        return Math.min(next, transmission.deadlineNs(nowNs, departures.areWaiting()));
    }

    private void housekeep(long nowNs) {
        housekeepingNs = nowNs - nowNs % housekeepingIntervalNs + housekeepingIntervalNs;
        publishQueueCounters();
        PortDevice current = departures.device();
        if (current != null) {
            noteLink(nowNs, current.isUp());
            departures.readDropsInTurn(current);
        }
    }

    private void noteLink(long nowNs, boolean up) {
        boolean changed = up != deviceUp;
        if (changed && flow != null) {
            flow.linkChanged();
        }
        linkUp(up);
        if (!up) {
            transmission.dropHeld(nowNs);
        }
        if (changed && point != null) {
            point.reset(nowNs);
        }
    }

    private void linkUp(boolean up) {
        isSettled = false;
        deviceUp = up;
        admission.linkUp(up);
        transmission.linkUp(up);
    }

    /** Owner only: starts to use a device; the half must have none. */
    public void attach(PortDevice opened) {
        if (departures.device() != null) {
            throw new IllegalStateException(name + " has a device already");
        }
        departures.attach(opened);
        if (flow != null) {
            flow.linkChanged();
        }
        linkUp(opened.isUp());
        transmission.sourceMac(opened.info().mac());
        if (housekeepingIntervalNs > 0) {
            // The beginning of time; Long.MIN_VALUE would lie in the future, as differences wrap.
            housekeepingNs = 0;
        }
    }

    /**
     * Owner only: stops using the device, even if it throws; frames that waited for it are dropped
     * as {@link DropReason#PORT_DOWN}. Slots in its rings stay marked until {@link #reclaim}.
     */
    public void detach(long nowNs) {
        PortDevice current = departures.device();
        if (current == null) {
            return;
        }
        try {
            departures.detach(current, nowNs);
        } finally {
            housekeepingNs = Long.MAX_VALUE;
            noteLink(nowNs, false);
            outbox.flush();
        }
    }

    /** Owner only: the link of the device went up or down (virtual links say so themselves). */
    public void linkChanged(long nowNs) {
        PortDevice current = departures.device();
        if (current != null) {
            noteLink(nowNs, current.isUp());
        }
    }

    /**
     * Owner only: after the device was closed, finds the frames that its rings held by their
     * recorded place and sends them home.
     */
    public int reclaim() {
        int count = departures.reclaim();
        outbox.flush();
        return count;
    }

    /** Owner only: starts, changes or (null) ends a capture here. */
    public void tap(@Nullable Tap newTap) {
        tap = newTap;
        departures.tap(newTap);
        drops.tap(newTap);
        PortDevice device = departures.device();
        if (device != null) {
            device.showDrops(
                    newTap == null
                            ? null
                            : (reason, frame, nowNs) ->
                                    newTap.dropped(port, reason, frame, time.presentNs(nowNs)));
        }
    }

    /** Owner only: forgets the largest queue length and ring length seen. */
    public void clearWatermarks() {
        counters.set(EgressCounter.CYCLE_LONGEST_NS, 0);
        counters.set(EgressCounter.QUEUE_MAX_BYTES, admission.waitingBytes());
        counters.set(EgressCounter.RING_MAX_FRAMES, 0);
    }

    @Override
    public void took(long durationNs, boolean isLong) {
        counters.raise(EgressCounter.CYCLE_LONGEST_NS, durationNs);
        if (isLong) {
            counters.add(EgressCounter.CYCLES_OVER_THRESHOLD, 1);
        }
    }

    @Override
    public long prefetch(int distance) {
        return switch (distance) {
            case 0 -> deadlineNs + half + (name == null ? 1 : 0) + (tap == null ? 1 : 0);
            case 1 ->
                    queues.occupied()
                            + transmission.prefetch(1)
                            + departures.prefetch(1)
                            + counters.prefetch(1)
                            + orders.prefetch(1)
                            + admission.prefetch(1)
                            + (flow == null ? 0 : flow.prefetch(1))
                            + prefetchChannels(1);
            default ->
                    queues.prefetch(distance)
                            + transmission.prefetch(2)
                            + departures.prefetch(2)
                            + (flow == null ? 0 : flow.prefetch(2))
                            + prefetchChannels(2);
        };
    }

    private long prefetchChannels(int distance) {
        long read = 0;
        for (FrameChannel channel : channels) {
            read += channel.prefetch(distance);
        }
        return read;
    }

    /**
     * Owner only: the first frame of the highest non-empty priority, linked to the others of its
     * queue; null if none waits.
     */
    public @Nullable Frame firstFrame() {
        return queues.first();
    }

    /** Owner only: frames in the queue of a priority. */
    public int waitingFrames(int priority) {
        return queues.frames(priority);
    }

    public @Nullable EgressFlowControl flow() {
        return flow;
    }

    /** The detour of the port, on or off; null for a port without one. */
    public @Nullable FrameDetour detour() {
        return detour;
    }

    /** The congestion point that watches the queues; null if there is none. */
    public @Nullable CongestionPoint congestionPoint() {
        return point;
    }

    /** Free slots for link control at home here; exact only for the owner. */
    public int freeLinkSlots() {
        return linkControl.free();
    }

    /** Frames held: queued, started, or in the device's rings; exact only for the owner. */
    public int heldFrames() {
        return waitingFrames() + departures.held();
    }

    private int waitingFrames() {
        return queues.frames() + (detour == null ? 0 : detour.frames());
    }
}
