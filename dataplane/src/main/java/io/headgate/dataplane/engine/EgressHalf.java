package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.congestion.Congestion;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.EgressFlow;
import io.headgate.dataplane.flowcontrol.PresentTime;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.DataQueues;
import io.headgate.dataplane.queue.TransmissionSelection;
import io.headgate.dataplane.queue.WireFormat;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transmitting half of a port. Owns the port's data queues; takes frames from the channels into
 * them, starts them at the configured line rate, hands each to the device when it starts, and sends
 * its slot home when the device is done with it. Owned by one worker.
 *
 * <p>Bounded by its queues' limits: {@code arrived = transmitted + held + dropped}.
 */
public final class EgressHalf implements Duty {
    private final int port;
    private final int half;
    private final String name;
    private final Outbox outbox;
    private final PresentTime time;
    private final DataQueues queues;
    private final Admission admission;
    private final Transmission transmission;
    private final Departures departures;
    private final LinkControlSlots linkControl;

    // Null where there is nothing of it, which is what most ports have.
    private final @Nullable EgressFlow flow;
    private final @Nullable FlowCounters flowCounters;
    private final @Nullable Congestion congestion;

    private final CounterBlock counters;
    private final EgressDrops drops;
    private final Inbox<EgressHalf> inbox;
    private final long housekeepingIntervalNs;
    private boolean deviceUp;

    private @Nullable Tap tap;
    private long housekeepingNs = Long.MAX_VALUE;
    private long deadlineNs = Long.MAX_VALUE;

    /** A half; {@code linkSlots} are its own, for the link-control frames that it makes. */
    EgressHalf(HalfSetup setup, VlanTable vlans, Frame[] linkSlots) {
        this(setup, vlans, linkSlots, configuredSchedule(setup.config(), setup.wireFormat()));
    }

    /** As above, served by another schedule than configured; null: the highest priority first. */
    EgressHalf(HalfSetup setup, VlanTable vlans, Frame[] linkSlots, @Nullable Schedule schedule) {
        this.port = setup.port();
        this.half = Outbox.egressHalf(port);
        this.name = setup.portName() + ".egress";
        this.outbox = setup.outbox();
        this.time = setup.time();
        PortConfig config = setup.config();
        this.queues =
                new DataQueues(
                        config.queueLimitBytes(), config.traffic().losslessMask(), schedule, null);
        this.flow =
                EgressFlow.isConfigured(config)
                        ? new EgressFlow(
                                config,
                                setup.maxCatchUpNs(),
                                setup.wireFormat(),
                                new Classifier(config.traffic()).digest(),
                                setup.registry().pauses(port),
                                setup.registry().credits(port),
                                setup.time())
                        : null;
        CounterBlock perPriority = setup.priorityCounters();
        this.flowCounters =
                perPriority == null
                        ? null
                        : new FlowCounters(perPriority, config.traffic().losslessMask());
        this.congestion =
                Congestion.of(
                        config.mechanisms(),
                        queues,
                        config.rateBps(),
                        setup.seed(),
                        config.name(),
                        setup.congestionCounters());
        CongestionPoint point = congestion == null ? null : congestion.point();
        this.linkControl = new LinkControlSlots(half, port, linkSlots);
        this.counters = setup.counters();
        this.drops = new EgressDrops(setup, linkControl);
        this.departures = new Departures(setup, linkControl);
        this.admission = new Admission(setup, vlans, queues, drops, flow, point);
        this.transmission =
                new Transmission(setup, queues, linkControl, departures, drops, flow, point);
        this.inbox = new Inbox<>(setup.doorbell());
        this.housekeepingIntervalNs = setup.housekeepingIntervalNs();
    }

    static @Nullable Schedule configuredSchedule(PortConfig config, WireFormat wire) {
        int[] weights = config.traffic().weights().stream().mapToInt(Integer::intValue).toArray();
        return Arrays.stream(weights).allMatch(weight -> weight == TrafficConfig.STRICT)
                ? null
                : new TransmissionSelection(
                        weights, ConfigDefaults.maxFrameBytes(config.mtuBytes()), wire);
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
     * Any thread: has this half's owner run an order between bursts; false if its inbox is full.
     */
    public boolean order(Consumer<EgressHalf> order) {
        return inbox.offer(order);
    }

    /**
     * Owner only, in place of {@link #doWork} once that has failed: runs orders, so that the device
     * can still be taken away, and drops all frames as {@link DropReason#PORT_DOWN}, so that other
     * ports get their slots back.
     */
    public int windDown(long nowNs) {
        int work = inbox.drainTo(this);
        linkUp(false);
        work += transmission.dropHeld(nowNs);
        work += admission.takeArrivals(nowNs);
        // Also what the call that failed did not come to.
        publishGauges(nowNs);
        outbox.flush();
        return work;
    }

    @Override
    public int doWork(long nowNs) {
        int work = inbox.drainTo(this);
        // Whether this call stops at a bound: what is left behind rings no more.
        boolean stoppedShort = Inbox.stoppedShort(work);
        int came = admission.takeArrivals(nowNs);
        stoppedShort |= came == FrameChannel.BURST;
        work += came;
        int moved = transmission.transmit(nowNs);
        int completed = departures.collect(nowNs);
        stoppedShort |= completed == Departures.COMPLETION_BURST;
        moved += completed;
        work += moved;
        if (housekeepingNs - nowNs <= 0) {
            keepHouse(nowNs);
            work++;
        }
        if (work > 0) {
            publishGauges(nowNs);
            outbox.flush();
        }
        deadlineNs = nextDeadlineNs(nowNs, moved);
        if (stoppedShort) {
            deadlineNs = nowNs;
        }
        return work;
    }

    private void publishGauges(long nowNs) {
        if (flowCounters != null && flow != null) {
            flowCounters.publish(flow, nowNs);
        }
        if (congestion != null) {
            congestion.publish();
        }
        counters.set(EgressCounter.QUEUE_FRAMES, queues.frames());
        counters.set(EgressCounter.QUEUE_BYTES, queues.bytes());
    }

    private long nextDeadlineNs(long nowNs, int moved) {
        long next = Math.min(housekeepingNs, departures.deadlineNs(nowNs, moved));
        return Math.min(next, transmission.deadlineNs(nowNs, departures.areWaiting()));
    }

    private void keepHouse(long nowNs) {
        housekeepingNs = nowNs - nowNs % housekeepingIntervalNs + housekeepingIntervalNs;
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
        if (changed && congestion != null) {
            congestion.point().reset(nowNs);
        }
    }

    private void linkUp(boolean up) {
        deviceUp = up;
        admission.linkUp(up);
        transmission.linkUp(up);
    }

    /** Owner only: takes a device into use; the half must have none. */
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
     * Owner only: gives the device up, also where it throws; what waited for it is dropped as
     * {@link DropReason#PORT_DOWN}. Slots that its rings hold stay marked until {@link #reclaim}.
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
        if (departures.device() instanceof LocalPortDevice local) {
            local.showDrops(
                    newTap == null
                            ? null
                            : (reason, frame, nowNs) ->
                                    newTap.dropped(port, reason, frame, time.presentNs(nowNs)));
        }
    }

    /** Owner only: forgets the largest queue length and ring length seen. */
    public void clearWatermarks() {
        counters.set(EgressCounter.QUEUE_MAX_BYTES, queues.bytes());
        counters.set(EgressCounter.RING_MAX_FRAMES, 0);
    }

    /** Owner only: as {@link IngressHalf#touch}. */
    public long touch(int distance) {
        return switch (distance) {
            case 0 -> deadlineNs + half + (name == null ? 1 : 0) + (tap == null ? 1 : 0);
            case 1 ->
                    queues.occupied()
                            + transmission.touch()
                            + departures.touch(1)
                            + drops.touch()
                            + counters.touch()
                            + inbox.touch()
                            + admission.touch(1);
            default -> queues.touch() + departures.touch(2) + admission.touch(2);
        };
    }

    /**
     * Owner only: the first frame of the highest priority that has one, behind it those of its
     * queue; null if none waits.
     */
    public @Nullable Frame firstFrame() {
        return queues.first();
    }

    /** Owner only: frames in the queue of a priority. */
    public int waitingFrames(int priority) {
        return queues.frames(priority);
    }

    /** Flow control here; null if the port has none. */
    public @Nullable EgressFlow flow() {
        return flow;
    }

    /** Free slots at home here, for link control; exact only to the owner. */
    public int freeLinkSlots() {
        return linkControl.free();
    }

    /** Frames held: queued, started, or in the device's rings; exact only to the owner. */
    public int heldFrames() {
        return queues.frames() + departures.held();
    }
}
