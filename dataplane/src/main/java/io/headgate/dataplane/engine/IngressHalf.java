package io.headgate.dataplane.engine;

import io.headgate.config.BridgeConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.TokenBucket;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.policy.Threshold;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ingress half: the receiving side of a port. Receives frames into its free slots, charges them
 * to an account and hands them to their egress halves; takes back slots that come home. Owned by
 * one worker.
 *
 * <p>Bounded by its slots and its accounts' caps: {@code received + copied = forwarded + dropped},
 * and every slot of its own is free here, or in one recorded place elsewhere.
 */
public final class IngressHalf implements Duty, Prefetch {
    private final int port;
    private final String name;
    private final HalfSetup setup;
    private final HomeSlots home;
    private final FreeList free;
    private final Accounts accounts;
    private final Forwarding forwarding;
    private final FrameChannel[] returns;

    // Which of them is first: behind the one that the last call stopped at.
    private int nextReturns;

    private final FrameOutbox outbox;
    private final PortRegistry registry;
    private final CounterBlock counters;
    private final DropCounters drops;
    private final Orders<IngressHalf> orders;
    private final TokenBucket floodLimit;

    // Replaced when the half is restarted. Null means no flow control, as with most ports.
    private Arrivals arrivals;
    private @Nullable IngressFlowControl flow;
    private @Nullable FlowControlCounters flowCounters;

    // Totals that were reached before that.
    private long ignoredBefore;
    private long mismatchesBefore;

    // Whether a call has thrown: from then on the half only winds down. And whether it has found
    // what that call had in its hands.
    private boolean stopped;
    private boolean foundStranded;

    private @Nullable Tap tap;

    // Whether this call stopped at a bound: what is left behind rings no more.
    private boolean stoppedShort;
    private long deadlineNs = Long.MAX_VALUE;

    private final boolean asksForGauges;

    IngressHalf(HalfSetup setup, int firstSlot, int slots, boolean fifo, Forwarding forwarding) {
        this.port = setup.port();
        this.name = setup.portName() + ".ingress";
        this.setup = setup;
        this.accounts =
                new Accounts(setup.config().accountCapBytes(), setup.config().accountCapSlots());
        this.forwarding = forwarding;
        this.returns = setup.links().channels();
        this.outbox = setup.links().outbox();
        this.registry = setup.shared().registry();
        this.counters = setup.counts().half();
        this.drops = setup.counts().drops();
        this.orders = new Orders<>(setup.links().doorbell());
        this.floodLimit = new TokenBucket(setup.engine().floodFramesPerSec());
        this.asksForGauges = setup.host().asksForGauges();
        make(setup.config(), slots, setup.behaviour().threshold());
        this.home = new HomeSlots(setup, firstSlot, slots, fifo, accounts, flow);
        this.free = home.free();
    }

    private void make(PortConfig as, int slots, @Nullable Threshold threshold) {
        flow =
                PortFlowControl.isConfigured(setup.config())
                        ? new IngressFlowControl(
                                as,
                                slots,
                                accounts,
                                threshold,
                                setup.links().buffer(),
                                registry.flowControl(port),
                                setup.host().presentTime())
                        : null;
        ignoredBefore = counters.get(IngressCounter.LINK_CONTROL_IGNORED);
        mismatchesBefore = counters.get(IngressCounter.LINK_CONTROL_MISMATCHES);
        arrivals = new Arrivals(setup, setup.behaviour().classifier(), flow, forwarding);
        flowCounters = FlowControlCounters.of(setup.counts(), as, PriorityCounter.Ingress.values());
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
    public boolean order(Consumer<IngressHalf> order) {
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
        counters.add(IngressCounter.FAILURES, 1);
        return true;
    }

    /** Owner only: whether a call has thrown, and the half has not been restarted since. */
    public boolean isStopped() {
        return stopped;
    }

    /** Owner only: whether all slots are at home. */
    public boolean isAtRest() {
        return home.areAllHome();
    }

    /**
     * Owner only, for a half without a device that {@link #isAtRest}: makes all its parts again,
     * without their former state. Learned addresses stay.
     */
    public void restart(PortConfig as, @Nullable Threshold threshold) {
        if (arrivals.device() != null || !isAtRest()) {
            throw new IllegalStateException(name + " is in use and cannot be restarted");
        }
        accounts.clear();
        accounts.caps(as.accountCapBytes(), as.accountCapSlots());
        if (flow != null) {
            flow.accounts().leavePool();
        }
        long lastPacketId = arrivals.lastPacketId();
        make(as, home.size(), threshold);
        arrivals.numberAfter(lastPacketId);
        arrivals.tap(tap);
        if (flow != null) {
            flow.change(as, threshold);
        }
        home.restart(flow);
        stopped = false;
    }

    /**
     * Owner only, instead of {@link #doWork} after that has failed: runs orders, so that the device
     * can still be detached, and takes back slots that come home, so that none is missing.
     */
    public int windDown() {
        int work = orders.drainTo(this);
        work += takeHome();
        if (stopped && !foundStranded) {
            foundStranded = true;
            work += dropStranded();
        }
        // Also what the call that failed did not come to.
        home.raiseWatermark();
        publishGauges();
        outbox.flush();
        return work;
    }

    /** Drops the frames that the failed call was processing. */
    private int dropStranded() {
        int count = home.takeBackStranded();
        drops.add(DropReason.PORT_DOWN, count);
        return count;
    }

    @Override
    public int doWork(long nowNs) {
        if (stopped) {
            return windDown();
        }
        int work = orders.drainTo(this);
        stoppedShort = Orders.stoppedShort(work);
        work += takeHome();
        Throwable failure = home.failure();
        if (failure != null) {
            throw new IllegalStateException(
                    name + " cannot give back what frames were charged: " + failure, failure);
        }
        int received = arrivals.receive(nowNs, free);
        if (received > 0) {
            if (flow != null) {
                flow.look();
            }
            if (arrivals.detoured() == 0) {
                dispatch(nowNs, received);
            } else {
                dispatchDetoured(nowNs, received);
            }
        }
        work += received;
        if (arrivals.housekeep(nowNs)) {
            work++;
        }
        if (work > 0) {
            if (flow != null && flow.publish(nowNs)) {
                outbox.callEgress(port);
            }
            home.raiseWatermark();
            if (!asksForGauges) {
                publishGauges();
            }
            outbox.flush();
        }
        deadlineNs = stoppedShort ? nowNs : arrivals.deadlineNs();
        return work;
    }

    private int takeHome() {
        if (returns.length > 0) {
            takeReturns();
        }
        return home.countCameHome();
    }

    private void takeReturns() {
        int room = FrameChannel.BURST;
        int at = nextReturns;
        for (int looked = 0; looked < returns.length && room > 0; looked++) {
            FrameChannel channel = returns[at];
            int back = channel.take(room);
            if (back > 0) {
                home.takeBack(channel.taken(), channel.takenFrom(), back);
                room -= back;
            }
            at = at + 1 < returns.length ? at + 1 : 0;
        }
        if (room == 0) {
            nextReturns = at;
            stoppedShort = true;
        }
    }

    private void dispatch(long nowNs, int count) {
        if (count == 1) {
            // Most often, in virtual time and where there is little traffic.
            int sent = dispatch(nowNs, arrivals.frames()[0], arrivals.answers()[0]);
            counters.add(IngressCounter.FRAMES_FORWARDED, sent);
            return;
        }
        // Fields in locals: the compiler must otherwise read them again for every frame.
        Frame[] frames = arrivals.frames();
        int[] answers = arrivals.answers();
        HomeSlots slots = home;
        FrameOutbox towards = outbox;
        int forwarded = 0;
        try {
            for (int i = 0; i < count; ) {
                int answer = answers[i];
                int end = i + 1;
                if (answer >= 0) {
                    // Mostly several in a row go the same way: charged and sent at once.
                    int priority = frames[i].priority;
                    while (end < count
                            && answers[end] == answer
                            && frames[end].priority == priority) {
                        end++;
                    }
                    if (slots.charge(frames, i, end - i, priority)) {
                        towards.sendToEgress(answer, frames, i, end - i);
                        forwarded += end - i;
                        i = end;
                        continue;
                    }
                }
                for (; i < end; i++) {
                    forwarded += dispatch(nowNs, frames[i], answer);
                }
            }
        } finally {
            // Also where a frame makes the half fail: those before it are on their way.
            counters.add(IngressCounter.FRAMES_FORWARDED, forwarded);
        }
    }

    /** Dispatches a batch with frames that came by a detour, for which slots are reserved. */
    private void dispatchDetoured(long nowNs, int count) {
        int forwarded = 0;
        for (int i = 0; i < count; i++) {
            Frame frame = arrivals.frames()[i];
            int answer = arrivals.answers()[i];
            if (frame.detour != 0 && answer >= 0 && home.chargeDetoured(frame)) {
                outbox.sendToEgress(answer, frame);
                forwarded++;
            } else {
                forwarded += dispatch(nowNs, frame, answer);
            }
        }
        counters.add(IngressCounter.FRAMES_FORWARDED, forwarded);
    }

    /** Answers how many frames left for an egress half, copies included. */
    private int dispatch(long nowNs, Frame frame, int answer) {
        if (answer < Forwarding.FLOOD || !home.charge(frame, frame.priority)) {
            turnAway(frame, answer);
            return 0;
        }
        if (answer == Forwarding.FLOOD) {
            return flood(nowNs, frame);
        }
        outbox.sendToEgress(answer, frame);
        return 1;
    }

    /** Drops a frame that is not charged, or frees its slot if it was consumed. */
    private void turnAway(Frame frame, int answer) {
        if (flow != null) {
            flow.turnedAway(frame);
        }
        if (answer == Forwarding.CONSUMED) {
            home.putBack(frame);
        } else if (answer < Forwarding.FLOOD) {
            drop(frame, Forwarding.reason(answer));
        } else {
            drop(frame, home.refusal(frame.priority));
        }
    }

    /** Answers how many frames left for an egress half, copies included. */
    private int flood(long nowNs, Frame frame) {
        if (!floodLimit.take(nowNs)) {
            drop(frame, DropReason.FLOOD_LIMIT);
            return 0;
        }
        long[] ports = forwarding.floodPorts(frame);
        int first = -1;
        int published = 0;
        for (int word = 0; word < ports.length; word++) {
            for (long rest = ports[word]; rest != 0; rest &= rest - 1) {
                int egress = (word << 6) + Long.numberOfTrailingZeros(rest);
                if (egress == port || !registry.isUp(egress)) {
                    continue;
                }
                if (first < 0) {
                    first = egress;
                } else if (copyTo(frame, egress)) {
                    published++;
                }
            }
        }
        if (first < 0) {
            drop(frame, DropReason.NO_DESTINATION);
            return 0;
        }
        counters.add(IngressCounter.FRAMES_FLOODED, 1);
        outbox.sendToEgress(first, frame);
        return published + 1;
    }

    private boolean copyTo(Frame frame, int egress) {
        counters.add(IngressCounter.FRAMES_COPIED, 1);
        Frame copy = free.take();
        if (copy == null) {
            countDrop(frame, DropReason.NO_SLOT);
            return false;
        }
        copy.dataOffset = copy.slotOffset + (frame.dataOffset - frame.slotOffset);
        copy.lengthBytes = frame.lengthBytes;
        copy.storedBytes = frame.storedBytes;
        copy.segmentBytes = frame.segmentBytes;
        int account = home.accountOfCopy(frame.priority);
        if (!home.charge(copy, account)) {
            home.putBack(copy);
            countDrop(frame, home.refusal(account));
            return false;
        }
        MemorySegment.copy(
                FrameRegion.MEMORY,
                frame.dataOffset,
                FrameRegion.MEMORY,
                copy.dataOffset,
                frame.storedBytes);
        copy.priority = frame.priority;
        copy.vlan = frame.vlan;
        copy.tagged = frame.tagged;
        copy.etherTypeOffset = frame.etherTypeOffset;
        copy.etherType = frame.etherType;
        copy.ipOffset = frame.ipOffset;
        copy.transportOffset = frame.transportOffset;
        copy.detour = 0;
        copy.packetId = frame.packetId;
        outbox.sendToEgress(egress, copy);
        return true;
    }

    private void drop(Frame frame, DropReason reason) {
        countDrop(frame, reason);
        home.putBack(frame);
    }

    private void countDrop(Frame frame, DropReason reason) {
        drops.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, arrivals.shownNs());
        }
    }

    @Override
    public void publish() {
        if (asksForGauges) {
            publishGauges();
            arrivals.publishDrops();
        }
    }

    private void publishGauges() {
        if (flowCounters != null && flow != null) {
            flowCounters.publish(flow);
            if (flow.takeHeard()) {
                counters.set(
                        IngressCounter.LINK_CONTROL_IGNORED, ignoredBefore + flow.ignoredControl());
                counters.set(
                        IngressCounter.LINK_CONTROL_MISMATCHES,
                        mismatchesBefore + flow.mismatches());
            }
        }
        home.publish();
    }

    /** Owner only: starts to use a device; the half must have none. */
    public void attach(PortDevice opened) {
        if (arrivals.device() != null) {
            throw new IllegalStateException(name + " has a device already");
        }
        arrivals.attach(opened);
    }

    /**
     * Owner only: stops using the device, even if it throws. Its slots stay marked until {@link
     * #reclaim}.
     */
    public void detach() {
        arrivals.detach();
    }

    /** Owner only: the link of the device went up or down (virtual links say so themselves). */
    public void linkChanged() {
        arrivals.linkChanged();
    }

    /** Owner only: after the device was closed, takes back the slots that its rings held. */
    public int reclaim() {
        int count = home.reclaim();
        publishGauges();
        return count;
    }

    /** Owner only: starts, changes or (null) ends a capture here. */
    public void tap(@Nullable Tap newTap) {
        tap = newTap;
        arrivals.tap(newTap);
    }

    /** Owner only: forgets the largest occupancy seen. */
    public void clearWatermarks() {
        counters.set(IngressCounter.CYCLE_LONGEST_NS, 0);
        home.clearWatermarks();
        if (flowCounters != null) {
            flowCounters.clearOccupancyMaxima();
        }
    }

    /**
     * Owner only: follows another configuration from now on; the two must agree in everything that
     * is laid out at the start. Charged frames stay charged.
     */
    public void change(PortConfig own, BridgeConfig bridge, @Nullable Threshold threshold) {
        accounts.caps(own.accountCapBytes(), own.accountCapSlots());
        if (flow != null) {
            flow.change(own, threshold);
        }
        floodLimit.rate(bridge.floodFramesPerSec());
        forwarding.ageing(bridge.ageingNs());
    }

    /** Free slots, for halves that send frames home. */
    HomeSlots home() {
        return home;
    }

    public Accounts accounts() {
        return accounts;
    }

    public @Nullable IngressFlowControl flow() {
        return flow;
    }

    /** Slots free at home; exact only for the owner. */
    public int freeSlots() {
        return free.size();
    }

    /**
     * Owner only, after slots have come home: whether this half has more to do than to count them,
     * which it does at any later call.
     */
    public boolean awaitsReturns() {
        PortDevice current = arrivals.device();
        return (flow != null && flow.awaitsReturns())
                || current == null
                || current.awaitsReturns()
                || home.failure() != null;
    }

    @Override
    public void took(long durationNs, boolean isLong) {
        counters.raise(IngressCounter.CYCLE_LONGEST_NS, durationNs);
        if (isLong) {
            counters.add(IngressCounter.CYCLES_OVER_THRESHOLD, 1);
        }
    }

    @Override
    public long prefetch(int distance) {
        return switch (distance) {
            // One field of each cache line: the first and the last.
            case 0 -> deadlineNs + (home == null ? 1 : 0) + (tap == null ? 1 : 0);
            case 1 ->
                    home.prefetch(1)
                            + free.size()
                            + accounts.totalBytes()
                            + arrivals.prefetch(1)
                            + counters.prefetch(1)
                            + orders.prefetch(1)
                            + (flow == null ? 0 : flow.prefetch(1));
            default ->
                    accounts.prefetch(distance)
                            + arrivals.prefetch(2)
                            + (flow == null ? 0 : flow.prefetch(2));
        };
    }

    /**
     * Owner only: the frames of the slots that will be taken next, in no order.
     *
     * @param into filled from index {@code from}; must have room
     * @return index behind the last
     */
    public int peekSlots(Frame[] into, int from, int count) {
        return free.peek(into, from, count);
    }

    /** Number of this half's slots, wherever they are now. */
    public int homeSlots() {
        return home.size();
    }

    /** Owner only: whether the device must be polled to know that a frame has come. */
    public boolean pollsDevice() {
        return !stopped && arrivals.pollsDevice();
    }

    /** Owner only: the device in use, or null. */
    public @Nullable PortDevice device() {
        return arrivals.device();
    }
}
