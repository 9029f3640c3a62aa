package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.TransmitStatus;
import io.headgate.dataplane.engine.capture.Tap;
import io.headgate.dataplane.engine.counter.CounterBlock;
import io.headgate.dataplane.engine.counter.DropCounters;
import io.headgate.dataplane.engine.counter.EgressCounter;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.EgressFlow;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.forwarding.VlanTable;
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
    static final int TRANSMIT_BURST = 64;
    private static final int COMPLETION_BURST = 256;

    /**
     * A device that did not take all frames, or holds some, is looked at again after this long, and
     * after twice as long each time that nothing has moved: what holds it may be a link that is
     * down, and the worker is to sleep meanwhile.
     */
    private static final long FIRST_RETRY_NS = 20_000;

    private static final long LONGEST_RETRY_NS = 5_000_000;

    private final int port;
    private final int half;
    private final String name;
    private final FrameRegion region;
    private final FrameChannel[] arrivals;
    private final Outbox outbox;
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
    private final boolean devicesRing;

    // Frames whose transmission has started and that the device has not taken yet.
    private final Frame[] started = new Frame[TRANSMIT_BURST];
    private int startedFrom;
    private int startedTo;

    // Whether the device did not take all of them: a wait counts once, however often it is offered.
    private boolean turnedAway;

    private final Frame[] done = new Frame[COMPLETION_BURST];
    private final DeviceDrops deviceDrops;

    private @Nullable PortDevice device;
    private boolean deviceUp;
    private boolean deviceCopies;
    private TransmitStatus status = new TransmitStatus();
    private long refusedFrames;
    private long refusedBytes;
    private int heldByDevice;
    private long retryNs;
    private long retryIntervalNs;
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
        this.port = setup.port();
        this.half = Outbox.egressHalf(port);
        this.name = setup.portName() + ".egress";
        this.region = setup.region();
        this.arrivals = setup.channels();
        this.outbox = setup.outbox();
        this.vlans = vlans;
        this.trunk = vlans.isTrunk(port);
        PortConfig config = setup.config();
        this.queues =
                new DataQueues(
                        config.queueLimitBytes(),
                        config.traffic().losslessMask(),
                        schedule(config, setup.wireFormat()),
                        null);
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
                                setup.registry().credits(port))
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
        this.deviceDrops = new DeviceDrops(drops, half);
        this.inbox = new Inbox<>(setup.doorbell());
        this.maxPayloadBytes = setup.config().mtuBytes();
        this.housekeepingIntervalNs = setup.housekeepingIntervalNs();
        this.devicesRing = setup.devicesRing();
    }

    private static boolean[] sortedAlike(Classifier here, List<PortConfig> ports) {
        boolean[] alike = new boolean[ports.size()];
        for (int port = 0; port < alike.length; port++) {
            alike[port] = here.sortsAlike(new Classifier(ports.get(port).traffic()));
        }
        return alike;
    }

    private static @Nullable Schedule schedule(PortConfig config, WireFormat wire) {
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
        work += queues.frames() + startedTo - startedFrom;
        dropHeld(nowNs);
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
        int moved = transmit(nowNs) + collectCompleted(nowNs);
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
        long next = housekeepingNs;
        boolean waiting = startedTo > startedFrom;
        if (waiting || heldByDevice > 0 || status.unsent()) {
            if (!devicesRing) {
                next = Math.min(next, nextRetryNs(nowNs, moved));
            }
        } else {
            retryIntervalNs = 0;
        }
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

    private long nextRetryNs(long nowNs, int moved) {
        if (moved > 0 || retryIntervalNs == 0) {
            retryIntervalNs = FIRST_RETRY_NS;
            retryNs = nowNs + FIRST_RETRY_NS;
        } else if (retryNs - nowNs <= 0) {
            retryIntervalNs = Math.min(2 * retryIntervalNs, LONGEST_RETRY_NS);
            retryNs = nowNs + retryIntervalNs;
        }
        return retryNs;
    }

    private int takeArrivals(long nowNs) {
        int count = 0;
        int admitted = 0;
        for (FrameChannel channel : arrivals) {
            int came = channel.take();
            if (came > 0) {
                admitted += admit(nowNs, channel.taken(), channel.takenFrom(), came);
                count += came;
                stoppedShort |= came == FrameChannel.BURST;
            }
        }
        if (count > 0) {
            counters.add(EgressCounter.FRAMES_ENQUEUED, admitted);
            counters.raise(EgressCounter.RING_MAX_FRAMES, count);
            counters.raise(EgressCounter.QUEUE_MAX_BYTES, queues.bytes());
        }
        return count;
    }

    /** Answers how many frames have come into the queues. */
    private int admit(long nowNs, Frame[] frames, int from, int count) {
        int fit = from;
        int dropping = flow == null ? 0 : flow.dropping();
        for (int i = from; i < from + count; i++) {
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
        if (frame.lengthBytes > frame.etherTypeOffset + 2 + maxPayloadBytes) {
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
        if (startedTo > startedFrom) {
            work = handToDevice(nowNs);
            if (startedTo > startedFrom) {
                return work;
            }
        }
        startedFrom = 0;
        startedTo = 0;
        if (flow != null) {
            return startThroughFlow(nowNs, flow) + work;
        }
        if (!queues.isEmpty()) {
            pacer.resume(nowNs, emptyAtNs);
            startedTo = queues.dequeue(nowNs, pacer, started);
        }
        if (queues.isEmpty()) {
            emptyAtNs = nowNs;
        }
        if (startedTo > 0) {
            work += handToDevice(nowNs);
        }
        return work;
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
        if (controlDue && pacer.mayStart(nowNs)) {
            Frame control = linkControl.make(nowNs, through, sourceMac);
            if (control != null) {
                pacer.start(control.lengthBytes);
                started[startedTo++] = control;
            }
        }
        startedTo = queues.dequeue(nowNs, pacer, started, startedTo, through);
        burstWasFull = startedTo == started.length;
        if (!burstWasFull && pacer.mayStart(nowNs)) {
            emptyAtNs = nowNs;
        }
        if (startedTo > 0) {
            work += handToDevice(nowNs);
        }
        return work;
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

    private int handToDevice(long nowNs) {
        PortDevice target = device;
        if (target == null) {
            return 0;
        }
        int offered = startedTo - startedFrom;
        int taken = target.transmit(started, startedFrom, offered);
        if (taken < offered && !turnedAway) {
            counters.add(EgressCounter.DEVICE_BUSY, 1);
        }
        turnedAway = taken < offered;
        int from = startedFrom;
        startedFrom += taken;
        if (tap != null) {
            for (int i = from; i < startedFrom; i++) {
                tap.transmitted(port, started[i].priority, started[i], nowNs);
            }
        }
        if (deviceCopies) {
            sendHome(started, from, taken);
        } else {
            for (int i = from; i < startedFrom; i++) {
                started[i].place = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
            }
            heldByDevice += taken;
        }
        return taken;
    }

    private int collectCompleted(long nowNs) {
        PortDevice target = device;
        if (target == null) {
            return 0;
        }
        if (status.unsent() && deviceCopies && retryNs - nowNs <= 0) {
            // Each attempt is a system call: not at every turn of a worker that spins.
            target.completed(done, COMPLETION_BURST);
        }
        if (heldByDevice == 0) {
            return 0;
        }
        int count = target.completed(done, COMPLETION_BURST);
        sendHome(done, 0, count);
        heldByDevice -= count;
        stoppedShort |= count == COMPLETION_BURST;
        return count;
    }

    /** Frames that have left by the device, or that it took and could not send. */
    private void sendHome(Frame[] frames, int from, int all) {
        int count = linkControl.takeBack(frames, from, all);
        if (count < all) {
            counters.add(EgressCounter.LINK_CONTROL_TRANSMITTED, all - count);
        }
        long bytes = 0;
        for (int i = from; i < from + count; i++) {
            bytes += frames[i].lengthBytes;
        }
        outbox.sendHome(frames, from, count);
        long refused = status.refusedFrames() - refusedFrames;
        if (refused > 0) {
            bytes -= noteRefused(refused);
        }
        counters.add(EgressCounter.FRAMES_TRANSMITTED, count - refused);
        counters.add(EgressCounter.BYTES_TRANSMITTED, bytes);
    }

    private long noteRefused(long frames) {
        long bytes = status.refusedBytes() - refusedBytes;
        refusedFrames += frames;
        refusedBytes += bytes;
        drops.add(DropReason.DEVICE_REFUSED, frames);
        return bytes;
    }

    private void drop(long nowNs, Frame frame, DropReason reason) {
        if (linkControl.own(frame)) {
            linkControl.takeBack(frame);
            return;
        }
        drops.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, nowNs);
        }
        outbox.sendHome(frame);
    }

    private void keepHouse(long nowNs) {
        housekeepingNs = nowNs - nowNs % housekeepingIntervalNs + housekeepingIntervalNs;
        PortDevice current = device;
        if (current != null) {
            noteLink(nowNs, current.isUp());
            if (deviceDrops.isDue()) {
                readDeviceDrops(current);
            }
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

    private void dropHeld(long nowNs) {
        for (int i = startedFrom; i < startedTo; i++) {
            if (SlotPlace.kind(started[i].place) == SlotPlace.DEVICE_TRANSMIT) {
                // The device failed while it took a batch, and may send this one yet.
                started[i].place = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
                heldByDevice++;
            } else {
                drop(nowNs, started[i], DropReason.PORT_DOWN);
            }
        }
        startedFrom = 0;
        startedTo = 0;
        for (Frame frame = queues.drain(); frame != null; frame = queues.drain()) {
            drop(nowNs, frame, DropReason.PORT_DOWN);
        }
    }

    private void readDeviceDrops(PortDevice current) {
        current.readTransmitDrops(deviceDrops.totals);
        deviceDrops.publish();
    }

    /** Owner only: takes a device into use; the half must have none. */
    public void attach(PortDevice opened) {
        if (device != null) {
            throw new IllegalStateException(name + " has a device already");
        }
        device = opened;
        deviceCopies = opened.transmitCopies();
        status = opened.transmitStatus();
        refusedFrames = status.refusedFrames();
        refusedBytes = status.refusedBytes();
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
        PortDevice current = device;
        if (current == null) {
            return;
        }
        try {
            while (collectCompleted(nowNs) > 0) {
                // What has left is not to be counted as lost with the device.
            }
            readDeviceDrops(current);
        } finally {
            deviceDrops.startAnew();
            device = null;
            status = new TransmitStatus();
            housekeepingNs = Long.MAX_VALUE;
            noteLink(nowNs, false);
            outbox.flush();
        }
    }

    /** Owner only: the link of the device went up or down (virtual links say so themselves). */
    public void linkChanged(long nowNs) {
        PortDevice current = device;
        if (current != null) {
            noteLink(nowNs, current.isUp());
        }
    }

    /**
     * Owner only: after the device was closed, finds the frames that its rings held by their
     * recorded place and sends them home.
     */
    public int reclaim(long nowNs) {
        int lost = SlotPlace.heldBy(SlotPlace.DEVICE_TRANSMIT, half);
        int count = 0;
        for (int slot = 0; slot < region.slots() && heldByDevice > 0; slot++) {
            Frame frame = region.frame(slot);
            if (frame.place == lost) {
                heldByDevice--;
                if (linkControl.own(frame)) {
                    linkControl.takeBack(frame);
                } else {
                    count++;
                    outbox.sendHome(frame);
                }
            }
        }
        drops.add(DropReason.DEVICE_CLOSED, count);
        outbox.flush();
        return count;
    }

    /** Owner only: starts, changes or (null) ends a capture here. */
    public void tap(@Nullable Tap newTap) {
        tap = newTap;
        if (device instanceof LocalPortDevice local) {
            local.showDrops(
                    newTap == null
                            ? null
                            : (reason, frame, nowNs) -> newTap.dropped(port, reason, frame, nowNs));
        }
    }

    /** Owner only: forgets the largest queue length and ring length seen. */
    public void clearWatermarks() {
        counters.set(EgressCounter.QUEUE_MAX_BYTES, queues.bytes());
        counters.set(EgressCounter.RING_MAX_FRAMES, 0);
    }

    /** Owner only: as {@link IngressHalf#touch}. */
    public long touch() {
        long read = deadlineNs + startedFrom + pacer.nextStartNs() + status.refusedFrames();
        for (FrameChannel channel : arrivals) {
            read += channel.size();
        }
        return read + queues.touch() + counters.touch();
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
        return queues.frames() + startedTo - startedFrom + heldByDevice;
    }
}
