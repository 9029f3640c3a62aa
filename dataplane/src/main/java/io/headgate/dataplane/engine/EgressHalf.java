package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.EgressFlow;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.flowcontrol.PresentTime;
import io.headgate.dataplane.forwarding.VlanTable;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.DataQueues;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.TransmissionSelection;
import io.headgate.dataplane.queue.WireFormat;
import java.util.Arrays;
import java.util.List;
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
    private final FrameChannel[] arrivals;

    // Which of them is first: behind the one that the last call stopped at.
    private int nextArrivals;

    private final Outbox outbox;
    private final PresentTime time;
    private final VlanTable vlans;
    private final boolean trunk;
    private final DataQueues queues;
    private final Pacer pacer;

    // Null where there is nothing of it, which is what most ports have.
    private final @Nullable Classifier classifier;

    private final @Nullable EgressFlow flow;
    private final @Nullable FlowCounters flowCounters;

    // Gives frames their priorities anew, unless their ingress port's are the same; null where none
    // changes.
    private final @Nullable Classifier resorter;
    private final boolean[] sortedAlike;
    private final LinkControlSlots linkControl;
    private long sourceMac;
    private final CounterBlock counters;
    private final DropCounters drops;
    private final Inbox<EgressHalf> inbox;
    private final int maxPayloadBytes;
    private final long housekeepingIntervalNs;
    private final Departures departures;
    private boolean deviceUp;
    private boolean burstWasFull;

    // Whether this call stopped at a bound: what is left behind rings no more.
    private boolean stoppedShort;

    // When the queues were last seen empty: a frame found in them later came after that.
    private long emptyAtNs = Long.MIN_VALUE / 2;
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
        this.arrivals = setup.channels();
        this.outbox = setup.outbox();
        this.time = setup.time();
        this.vlans = vlans;
        this.trunk = vlans.isTrunk(port);
        PortConfig config = setup.config();
        this.queues =
                new DataQueues(
                        config.queueLimitBytes(), config.traffic().losslessMask(), schedule, null);
        Classifier sorts = new Classifier(config.traffic());
        // Where the far end's pauses and credits are meant for what it sees, so must we see it.
        this.classifier = IngressFlow.isConfigured(config) || !sorts.isPlain() ? sorts : null;
        this.flow =
                EgressFlow.isConfigured(config)
                        ? new EgressFlow(
                                config,
                                setup.maxCatchUpNs(),
                                setup.wireFormat(),
                                sorts.digest(),
                                setup.registry().pauses(port),
                                setup.registry().credits(port),
                                setup.time())
                        : null;
        CounterBlock perPriority = setup.priorityCounters();
        this.flowCounters =
                perPriority == null
                        ? null
                        : new FlowCounters(perPriority, config.traffic().losslessMask());
        this.resorter = flow == null || !setup.editsTags() ? null : classifier;
        this.sortedAlike = resorter == null ? new boolean[0] : sortedAlike(resorter, setup.ports());
        this.linkControl = new LinkControlSlots(half, port, linkSlots);
        this.pacer = new Pacer(setup.config().rateBps(), setup.maxCatchUpNs(), setup.wireFormat());
        this.counters = setup.counters();
        this.drops = setup.drops();
        this.departures = new Departures(setup, linkControl);
        this.inbox = new Inbox<>(setup.doorbell());
        this.maxPayloadBytes = setup.config().mtuBytes();
        this.housekeepingIntervalNs = setup.housekeepingIntervalNs();
    }

    private static boolean[] sortedAlike(Classifier here, List<PortConfig> ports) {
        boolean[] alike = new boolean[ports.size()];
        for (int port = 0; port < alike.length; port++) {
            alike[port] = here.sortsAlike(new Classifier(ports.get(port).traffic()));
        }
        return alike;
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
        deviceUp = false;
        work += dropHeld(nowNs);
        work += takeArrivals(nowNs);
        // Also what the call that failed did not come to.
        publishGauges(nowNs);
        outbox.flush();
        return work;
    }

    @Override
    public int doWork(long nowNs) {
        int work = inbox.drainTo(this);
        stoppedShort = Inbox.stoppedShort(work);
        work += takeArrivals(nowNs);
        int moved = transmit(nowNs);
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
        counters.set(EgressCounter.QUEUE_FRAMES, queues.frames());
        counters.set(EgressCounter.QUEUE_BYTES, queues.bytes());
    }

    private long nextDeadlineNs(long nowNs, int moved) {
        long next = Math.min(housekeepingNs, departures.deadlineNs(nowNs, moved));
        boolean waiting = departures.areWaiting();
        if (flow != null) {
            return Math.min(next, flowDeadlineNs(nowNs, waiting));
        }
        if (!waiting && !queues.isEmpty()) {
            next = Math.min(next, pacer.nextStartNs());
        }
        return next;
    }

    /**
     * A frame that may not start, for want of credits or because it is paused, is nothing to be
     * called for: what lets it start rings, or is a deadline of its own.
     */
    private long flowDeadlineNs(long nowNs, boolean waiting) {
        if (flow == null || !deviceUp || waiting) {
            // Nothing is looked at before the device has taken what has started.
            return Long.MAX_VALUE;
        }
        long data = flow.dataDeadlineNs(nowNs, queues.occupied());
        long next = Math.min(flow.watchdogDeadlineNs(), data);
        long control = flow.controlDeadlineNs();
        boolean controlWaits = flow.isControlDue(nowNs);
        if (!controlWaits) {
            next = Math.min(next, control);
        }
        if (controlWaits || queues.ready() != 0) {
            long startNs = pacer.nextStartNs();
            if (!pacer.mayStart(nowNs)) {
                next = Math.min(next, Math.max(startNs, nowNs + 1));
            } else if (burstWasFull) {
                next = nowNs;
            } else if (controlWaits && linkControl.free() > 0) {
                next = nowNs;
            }
        }
        return next;
    }

    private int takeArrivals(long nowNs) {
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
                } else if (admit(nowNs, taken[from])) {
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
            stoppedShort = true;
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
                drop(nowNs, frames[i], DropReason.QUEUE_FULL);
                next++;
            }
            i = next;
        }
        return admitted;
    }

    private boolean admit(long nowNs, Frame frame) {
        if (!fits(nowNs, frame, flow == null ? 0 : flow.dropping())) {
            return false;
        }
        frame.place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        if (!queues.enqueue(frame)) {
            drop(nowNs, frame, DropReason.QUEUE_FULL);
            return false;
        }
        return true;
    }

    /** Makes a frame as it is to leave; if it cannot leave here, drops it and answers false. */
    private boolean fits(long nowNs, Frame frame, int dropping) {
        if (!deviceUp) {
            drop(nowNs, frame, DropReason.PORT_DOWN);
            return false;
        }
        boolean leavesTagged = trunk && vlans.leavesTagged(port, frame.vlan);
        if (frame.tagged || leavesTagged) {
            adaptTag(frame, leavesTagged);
        }
        // Sorted as the far end will sort it: by its bytes as they leave.
        if (resorter != null && !sortedAlike[frame.ingressPort]) {
            frame.priority = resorter.priorityOf(FrameRegion.MEMORY, frame);
        }
        if ((dropping >>> frame.priority & 1) != 0) {
            drop(nowNs, frame, DropReason.WATCHDOG);
            return false;
        }
        if (!HeaderParser.isWithin(maxPayloadBytes, frame)) {
            drop(nowNs, frame, DropReason.EGRESS_OVERSIZE);
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

    private int transmit(long nowNs) {
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
        int count = 0;
        if (!queues.isEmpty()) {
            pacer.resume(nowNs, emptyAtNs);
            try {
                count = queues.dequeue(nowNs, pacer, departures.toStart());
            } catch (RuntimeException | Error e) {
                departures.keep(queues.dequeued());
                throw e;
            }
        }
        if (queues.isEmpty()) {
            emptyAtNs = nowNs;
        }
        return work + departures.start(nowNs, count);
    }

    /** Link control first, then what is neither paused nor without credits. */
    private int startThroughFlow(long nowNs, EgressFlow through) {
        int work = dropStormed(nowNs, through);
        if (!deviceUp) {
            return work;
        }
        queues.eligible(through.eligible(nowNs));
        boolean controlDue = through.isControlDue(nowNs);
        if (controlDue || queues.ready() != 0) {
            pacer.resume(nowNs, emptyAtNs);
        }
        Frame[] starting = departures.toStart();
        int count = 0;
        if (controlDue && pacer.mayStart(nowNs)) {
            Frame control = linkControl.make(nowNs, through, sourceMac);
            if (control != null) {
                pacer.start(control.lengthBytes);
                starting[count++] = control;
            }
        }
        try {
            count = queues.dequeue(nowNs, pacer, starting, count, through);
        } catch (RuntimeException | Error e) {
            departures.keep(queues.dequeued());
            throw e;
        }
        burstWasFull = count == starting.length;
        if (!burstWasFull && pacer.mayStart(nowNs)) {
            emptyAtNs = nowNs;
        }
        return work + departures.start(nowNs, count);
    }

    private int dropStormed(long nowNs, EgressFlow through) {
        int count = 0;
        int stormed = through.watch(nowNs, queues) & queues.occupied();
        for (int rest = stormed; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            while (queues.head(queue) != null) {
                drop(nowNs, queues.take(queue), DropReason.WATCHDOG);
                count++;
            }
        }
        return count;
    }

    private void drop(long nowNs, Frame frame, DropReason reason) {
        if (frame.home == half) {
            linkControl.takeBack(frame);
            return;
        }
        drops.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, time.presentNs(nowNs));
        }
        outbox.sendHome(frame);
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
        if (up != deviceUp && flow != null) {
            flow.linkChanged();
        }
        deviceUp = up;
        if (!up) {
            dropHeld(nowNs);
        }
    }

    private int dropHeld(long nowNs) {
        int count = 0;
        for (Frame frame = departures.takeUnsent();
                frame != null;
                frame = departures.takeUnsent()) {
            drop(nowNs, frame, DropReason.PORT_DOWN);
            count++;
        }
        for (Frame frame = queues.drain(); frame != null; frame = queues.drain()) {
            drop(nowNs, frame, DropReason.PORT_DOWN);
            count++;
        }
        return count;
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
        deviceUp = opened.isUp();
        sourceMac = opened.info().mac();
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
                            + pacer.nextStartNs()
                            + departures.touch(1)
                            + counters.touch()
                            + inbox.touch()
                            + touchArrivals(1);
            default -> queues.touch() + departures.touch(2) + touchArrivals(2);
        };
    }

    private long touchArrivals(int distance) {
        long read = 0;
        for (FrameChannel channel : arrivals) {
            read += channel.touch(distance);
        }
        return read;
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
