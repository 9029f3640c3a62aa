package io.headgate.dataplane.engine;

import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.capture.Tap;
import io.headgate.dataplane.engine.counter.CounterBlock;
import io.headgate.dataplane.engine.counter.DropCounters;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.IngressFlow;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.forwarding.TokenBucket;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a port. Takes frames from the device into its free slots, finds their
 * headers, charges them to an account, asks where they go and hands them to the egress half; takes
 * back slots that come home. Owned by one worker.
 *
 * <p>Bounded by its slots and its accounts' caps: {@code received + copied = forwarded + dropped},
 * and every slot of its own is free here, or in one recorded place elsewhere.
 */
public final class IngressHalf implements Duty {
    static final int RECEIVE_BURST = 64;
    private static final int LINK_LOCAL = Forwarding.drop(DropReason.LINK_LOCAL);

    /**
     * Link control by half. The sender of one that was damaged has not counted it: counted as data,
     * or given room, it would take what another frame was promised.
     */
    private static final int LINK_CONTROL_ASTRAY = Forwarding.drop(DropReason.LINK_CONTROL_ASTRAY);

    private static final int OVERSIZE = Forwarding.drop(DropReason.OVERSIZE);

    /** A link-control frame that the port's flow control has taken: neither forwarded nor lost. */
    private static final int CONSUMED = Forwarding.UNDECIDED + 1;

    private static final int PORT_SHIFT = 48;

    private final int port;
    private final String name;
    private final FrameRegion region;
    private final Frame[] slots;
    private final FreeList free;
    private final Accounts accounts;

    // Null where tags are priorities, and where there is no flow control: what most ports have.
    private final @Nullable Classifier classifier;
    private final @Nullable IngressFlow flow;
    private final @Nullable FlowCounters flowCounters;
    private final Forwarding forwarding;
    private final FrameChannel[] returns;
    private final Outbox outbox;
    private final PortRegistry registry;
    private final CounterBlock counters;
    private final DropCounters drops;
    private final Inbox<IngressHalf> inbox;
    private final int maxPayloadBytes;
    private final long housekeepingIntervalNs;
    private final TokenBucket floodLimit;

    private final Frame[] batch = new Frame[RECEIVE_BURST];

    // What becomes of each frame of the batch: UNDECIDED, or as Forwarding answers.
    private final int[] answers = new int[RECEIVE_BURST];
    private final DeviceDrops deviceDrops;

    // Frames that have come home since this half last said so.
    private int cameHome;

    // Why what a frame was charged could not be given back as it came home.
    private @Nullable Throwable ledgerFailure;

    private @Nullable PortDevice device;
    private boolean deviceUp;
    private boolean pollsDevice;
    private @Nullable Tap tap;
    private long nextPacketId;

    // Whether this call stopped at a bound: what is left behind rings no more.
    private boolean stoppedShort;
    private long housekeepingNs = Long.MAX_VALUE;
    private long deadlineNs = Long.MAX_VALUE;

    IngressHalf(HalfSetup setup, Frame[] slots, boolean fifo, Forwarding forwarding) {
        this.port = setup.port();
        this.name = setup.portName() + ".ingress";
        this.region = setup.region();
        this.slots = slots;
        this.free = new FreeList(slots.length, fifo);
        this.accounts =
                new Accounts(setup.config().accountCapBytes(), setup.config().accountCapSlots());
        Classifier sorts = new Classifier(setup.config().traffic());
        this.classifier = sorts.isPlain() ? null : sorts;
        this.flow =
                IngressFlow.isConfigured(setup.config())
                        ? new IngressFlow(
                                setup.config(),
                                slots.length,
                                accounts,
                                sorts.digest(),
                                setup.registry().pauses(port),
                                setup.registry().credits(port))
                        : null;
        CounterBlock perPriority = setup.priorityCounters();
        this.flowCounters =
                perPriority == null
                        ? null
                        : new FlowCounters(perPriority, setup.config().traffic().losslessMask());
        this.forwarding = forwarding;
        this.returns = setup.channels();
        this.outbox = setup.outbox();
        this.registry = setup.registry();
        this.counters = setup.counters();
        this.drops = setup.drops();
        this.deviceDrops = new DeviceDrops(drops, Outbox.ingressHalf(port));
        this.inbox = new Inbox<>(setup.doorbell());
        this.maxPayloadBytes = setup.config().mtuBytes();
        this.housekeepingIntervalNs = setup.housekeepingIntervalNs();
        this.floodLimit = new TokenBucket(setup.floodFramesPerSec());
        this.nextPacketId = (long) (port + 1) << PORT_SHIFT;
        for (Frame frame : slots) {
            frame.home = Outbox.ingressHalf(port);
            frame.ingressPort = port;
            free.put(frame);
        }
        counters.set(IngressCounter.SLOTS_FREE, free.size());
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
    public boolean order(Consumer<IngressHalf> order) {
        return inbox.offer(order);
    }

    /**
     * Owner only, in place of {@link #doWork} once that has failed: runs orders, so that the device
     * can still be taken away, and takes home what comes back, so that it is not missing.
     */
    public int windDown() {
        int work = inbox.drainTo(this);
        work += takeHome();
        // Also what the call that failed did not come to.
        publishGauges();
        outbox.flush();
        return work;
    }

    @Override
    public int doWork(long nowNs) {
        int work = inbox.drainTo(this);
        stoppedShort = Inbox.stoppedShort(work);
        work += takeHome();
        if (ledgerFailure != null) {
            throw new IllegalStateException(
                    name + " cannot give back what frames were charged: " + ledgerFailure,
                    ledgerFailure);
        }
        work += receive(nowNs);
        if (housekeepingNs - nowNs <= 0) {
            keepHouse(nowNs);
            work++;
        }
        if (work > 0) {
            if (flow != null && flow.publish(nowNs)) {
                outbox.callEgress(port);
            }
            publishGauges();
            outbox.flush();
        }
        PortDevice current = device;
        deadlineNs =
                current == null ? housekeepingNs : Math.min(housekeepingNs, current.deadlineNs());
        if (stoppedShort) {
            deadlineNs = nowNs;
        }
        return work;
    }

    private int takeHome() {
        for (FrameChannel channel : returns) {
            int back = channel.take();
            if (back > 0) {
                takeBack(channel.taken(), channel.takenFrom(), back);
                stoppedShort |= back == FrameChannel.BURST;
            }
        }
        int count = cameHome;
        cameHome = 0;
        return count;
    }

    /**
     * Owner only: frames come home, also where their charges cannot be given back. Then this half
     * fails, when it is called next, and not the one that sends them.
     */
    void takeBack(Frame[] frames, int from, int count) {
        try {
            if (flow == null) {
                accounts.release(frames, from, count);
            } else {
                flow.release(frames, from, count);
            }
        } catch (RuntimeException | Error failure) {
            noteFailure(failure);
            for (int i = from; i < from + count; i++) {
                frames[i].chargedBytes = 0;
            }
        }
        free.put(frames, from, count);
        cameHome += count;
    }

    /** Owner only: a frame comes home, as several do. */
    void takeBack(Frame frame) {
        release(frame);
        cameHome++;
    }

    private void noteFailure(Throwable failure) {
        if (ledgerFailure == null) {
            ledgerFailure = failure;
        }
    }

    private void release(Frame frame) {
        try {
            if (flow == null) {
                accounts.release(frame);
            } else {
                flow.release(frame);
            }
        } catch (RuntimeException | Error failure) {
            noteFailure(failure);
            frame.chargedBytes = 0;
        }
        free.put(frame);
    }

    private int receive(long nowNs) {
        PortDevice source = device;
        if (source == null) {
            return 0;
        }
        // Also while the link is down: what has arrived is there, and receiving is where a device
        // looks whether its link has come back.
        int count = source.receive(nowNs, free, batch, RECEIVE_BURST);
        if (count == 0) {
            return 0;
        }
        // Stage by stage over the whole batch, not frame by frame: each loop is compiled by itself,
        // small enough for everything in it to be inlined, and its cache misses overlap.
        parse(nowNs, count);
        if (classifier != null || flow != null) {
            sort(nowNs, count);
        }
        forwarding.decide(nowNs, batch, answers, count);
        dispatch(nowNs, count);
        return count;
    }

    private void parse(long nowNs, int count) {
        long bytes = 0;
        long packetId = nextPacketId;
        for (int i = 0; i < count; i++) {
            Frame frame = batch[i];
            assert region.contains(frame) && frame.storedBytes <= frame.lengthBytes : frame;
            assert frame.chargedBytes == 0 : frame;
            bytes += frame.lengthBytes;
            frame.place = SlotPlace.INGRESS;
            frame.packetId = ++packetId;
            DropReason bad = HeaderParser.parse(FrameRegion.MEMORY, frame);
            answers[i] = bad == null ? answerByHeader(frame) : Forwarding.drop(bad);
        }
        nextPacketId = packetId;
        counters.add(IngressCounter.FRAMES_RECEIVED, count);
        counters.add(IngressCounter.BYTES_RECEIVED, bytes);
        if (tap != null) {
            for (int i = 0; i < count; i++) {
                tap.received(port, batch[i], nowNs);
            }
        }
    }

    /** Gives frames their priorities, and link-control frames to whom they are for, in order. */
    private void sort(long nowNs, int count) {
        Frame[] frames = batch;
        int[] verdicts = answers;
        Classifier sorter = classifier;
        IngressFlow control = flow;
        // Frames in a row of one priority are counted together.
        int priority = 0;
        int blocks = 0;
        for (int i = 0; i < count; i++) {
            Frame frame = frames[i];
            int answer = verdicts[i];
            if (answer == Forwarding.UNDECIDED || isSortable(answer, frame)) {
                if (sorter != null) {
                    frame.priority = sorter.priorityOf(FrameRegion.MEMORY, frame);
                }
                if (control != null) {
                    if (frame.priority != priority) {
                        control.arrived(priority, blocks);
                        priority = frame.priority;
                        blocks = 0;
                    }
                    blocks += control.blocks(frame.lengthBytes);
                }
            } else if (control != null && answer == LINK_LOCAL) {
                control.arrived(priority, blocks);
                blocks = 0;
                int stored = Math.min(frame.storedBytes, frame.lengthBytes);
                control.control(nowNs, FrameRegion.MEMORY, frame.dataOffset, stored);
                verdicts[i] = CONSUMED;
            }
        }
        if (control != null) {
            control.arrived(priority, blocks);
        }
    }

    /** Whether a frame that will not be forwarded has a priority all the same. */
    private static boolean isSortable(int answer, Frame frame) {
        return answer == OVERSIZE || (answer == LINK_LOCAL && !isLinkControl(frame));
    }

    private static boolean isLinkControl(Frame frame) {
        return !frame.tagged
                && (frame.etherType == EtherType.MAC_CONTROL
                        || frame.etherType == EtherType.LINK_CONTROL);
    }

    /** What is decided before anybody asks where a frame goes. */
    private int answerByHeader(Frame frame) {
        // Reserved addresses end at the port, whatever is in them (IEEE 802.1Q 8.6.3).
        long destination = Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
        if (MacAddress.isLinkLocalReserved(destination)) {
            int answer = forwarding.reserved(frame);
            if (answer != LINK_LOCAL) {
                return answer;
            }
            if (isLinkControl(frame)) {
                counters.add(IngressCounter.LINK_CONTROL_RECEIVED, 1);
                return LINK_LOCAL;
            }
            return flow != null && destination == MacAddress.MAC_CONTROL
                    ? LINK_CONTROL_ASTRAY
                    : LINK_LOCAL;
        }
        if (flow != null && !frame.tagged && flow.isControl(frame.etherType)) {
            return LINK_CONTROL_ASTRAY;
        }
        return frame.lengthBytes > frame.etherTypeOffset + 2 + maxPayloadBytes
                ? OVERSIZE
                : Forwarding.UNDECIDED;
    }

    private void dispatch(long nowNs, int count) {
        // Fields in locals: the compiler must otherwise read them again for every frame.
        Frame[] frames = batch;
        int[] verdicts = answers;
        Accounts ledger = accounts;
        IngressFlow paced = flow;
        Outbox towards = outbox;
        int forwarded = 0;
        for (int i = 0; i < count; ) {
            int answer = verdicts[i];
            int end = i + 1;
            if (answer >= 0) {
                // Mostly several in a row go the same way: charged and sent at once.
                int priority = frames[i].priority;
                while (end < count && verdicts[end] == answer && frames[end].priority == priority) {
                    end++;
                }
                if (paced == null
                        ? ledger.charge(frames, i, end - i, priority)
                        : paced.charge(frames, i, end - i, priority)) {
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
        counters.add(IngressCounter.FRAMES_FORWARDED, forwarded);
    }

    /** Answers how many frames left for an egress half, copies included. */
    private int dispatch(long nowNs, Frame frame, int answer) {
        if (answer == CONSUMED) {
            free.put(frame);
            return 0;
        }
        if (answer < Forwarding.FLOOD) {
            drop(nowNs, frame, Forwarding.reason(answer));
            return 0;
        }
        if (flow == null
                ? !accounts.charge(frame, frame.priority)
                : !flow.charge(frame, frame.priority)) {
            drop(nowNs, frame, refusal(frame.priority));
            return 0;
        }
        if (answer == Forwarding.FLOOD) {
            return flood(nowNs, frame);
        }
        outbox.sendToEgress(answer, frame);
        return 1;
    }

    private DropReason refusal(int account) {
        return flow == null ? DropReason.ACCOUNT_AT_CAP : flow.refusal(account);
    }

    /** Answers how many frames left for an egress half, copies included. */
    private int flood(long nowNs, Frame frame) {
        if (!floodLimit.take(nowNs)) {
            drop(nowNs, frame, DropReason.FLOOD_LIMIT);
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
                } else if (copyTo(nowNs, frame, egress)) {
                    published++;
                }
            }
        }
        if (first < 0) {
            drop(nowNs, frame, DropReason.NO_DESTINATION);
            return 0;
        }
        counters.add(IngressCounter.FRAMES_FLOODED, 1);
        outbox.sendToEgress(first, frame);
        return published + 1;
    }

    private boolean copyTo(long nowNs, Frame frame, int egress) {
        counters.add(IngressCounter.FRAMES_COPIED, 1);
        Frame copy = free.take();
        if (copy == null) {
            countDrop(nowNs, frame, DropReason.NO_SLOT);
            return false;
        }
        copy.dataOffset = copy.slotOffset + (frame.dataOffset - frame.slotOffset);
        copy.lengthBytes = frame.lengthBytes;
        copy.storedBytes = frame.storedBytes;
        int account = flow == null ? frame.priority : flow.accountOfCopy(frame.priority);
        boolean charged =
                flow == null ? accounts.charge(copy, account) : flow.charge(copy, account);
        if (!charged) {
            free.put(copy);
            countDrop(nowNs, frame, refusal(account));
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
        copy.flowHash = frame.flowHash;
        copy.packetId = frame.packetId;
        outbox.sendToEgress(egress, copy);
        return true;
    }

    private void drop(long nowNs, Frame frame, DropReason reason) {
        countDrop(nowNs, frame, reason);
        release(frame);
    }

    private void countDrop(long nowNs, Frame frame, DropReason reason) {
        drops.add(reason, 1);
        if (tap != null) {
            tap.dropped(port, reason, frame, nowNs);
        }
    }

    private void publishGauges() {
        if (flowCounters != null && flow != null) {
            flowCounters.publish(flow);
            counters.set(IngressCounter.LINK_CONTROL_IGNORED, flow.ignoredControl());
            counters.set(IngressCounter.LINK_CONTROL_MISMATCHES, flow.mismatches());
        }
        counters.set(IngressCounter.SLOTS_FREE, free.size());
        counters.set(IngressCounter.OCCUPANCY_BYTES, accounts.totalBytes());
        counters.set(IngressCounter.OCCUPANCY_SLOTS, accounts.totalSlots());
        counters.raise(IngressCounter.OCCUPANCY_MAX_BYTES, accounts.totalBytes());
    }

    private void keepHouse(long nowNs) {
        housekeepingNs = nowNs - nowNs % housekeepingIntervalNs + housekeepingIntervalNs;
        PortDevice current = device;
        if (current != null) {
            noteLink(current.isUp());
            if (deviceDrops.isDue()) {
                readDeviceDrops(current);
            }
        }
    }

    private void noteLink(boolean up) {
        if (up != deviceUp) {
            deviceUp = up;
            registry.setUp(port, up);
            if (flow != null) {
                flow.linkChanged();
            }
            counters.set(IngressCounter.DEVICE_UP, up ? 1 : 0);
            counters.add(IngressCounter.DEVICE_CHANGES, 1);
        }
    }

    private void readDeviceDrops(PortDevice current) {
        current.readReceiveDrops(deviceDrops.totals);
        deviceDrops.publish();
    }

    /** Owner only: takes a device into use; the half must have none. */
    public void attach(PortDevice opened) {
        if (device != null) {
            throw new IllegalStateException(name + " has a device already");
        }
        device = opened;
        pollsDevice = opened.receiveFd() != PortDevice.FED_FROM_WITHIN;
        if (housekeepingIntervalNs > 0) {
            // The beginning of time; Long.MIN_VALUE would lie in the future, as differences wrap.
            housekeepingNs = 0;
        }
        noteLink(opened.isUp());
    }

    /**
     * Owner only: gives the device up, also where it throws. Its slots stay marked until {@link
     * #reclaim}.
     */
    public void detach() {
        PortDevice current = device;
        if (current == null) {
            return;
        }
        try {
            readDeviceDrops(current);
        } finally {
            deviceDrops.startAnew();
            device = null;
            pollsDevice = false;
            housekeepingNs = Long.MAX_VALUE;
            noteLink(false);
        }
    }

    /** Owner only: the link of the device went up or down (virtual links say so themselves). */
    public void linkChanged() {
        PortDevice current = device;
        if (current != null) {
            noteLink(current.isUp());
        }
    }

    /** Owner only: after the device was closed, takes back the slots that its rings held. */
    public int reclaim() {
        int count = 0;
        for (Frame frame : slots) {
            if (SlotPlace.kind(frame.place) == SlotPlace.DEVICE_RECEIVE) {
                frame.chargedBytes = 0;
                free.put(frame);
                count++;
            }
        }
        publishGauges();
        return count;
    }

    /** Owner only: starts, changes or (null) ends a capture here. */
    public void tap(@Nullable Tap newTap) {
        tap = newTap;
    }

    /** Owner only: forgets the largest occupancy seen. */
    public void clearWatermarks() {
        if (flow != null) {
            flow.accounts().clearWatermarks();
        }
        counters.set(IngressCounter.OCCUPANCY_MAX_BYTES, accounts.totalBytes());
    }

    public Accounts accounts() {
        return accounts;
    }

    /** Flow control here; null if the port has none. */
    public @Nullable IngressFlow flow() {
        return flow;
    }

    /** Slots free at home; exact only to the owner. */
    public int freeSlots() {
        return free.size();
    }

    /**
     * Owner only, once slots have come home: whether this half can do more than say so, which it
     * does whenever it is called.
     */
    public boolean awaitsReturns() {
        PortDevice current = device;
        return (flow != null && flow.awaitsReturns())
                || current == null
                || current.awaitsReturns()
                || ledgerFailure != null;
    }

    /**
     * Owner only: reads what the next call will need, so that the cache lines come many at a time,
     * where the call would wait for one after the other. For who runs many engines in turn: of all
     * of them what is near first, as it says where the rest is.
     *
     * @param distance how many references away from this half: 0, 1 or 2
     * @return a number without meaning, to be used, lest the compiler leave the reading out
     */
    public long touch(int distance) {
        return switch (distance) {
            // One field of each cache line: the first, one in the midst and the last.
            case 0 -> nextPacketId + cameHome + (slots == null ? 1 : 0) + (tap == null ? 1 : 0);
            case 1 ->
                    accounts.totalBytes()
                            + free.size()
                            + counters.touch()
                            + inbox.touch()
                            + batch.length
                            + answers.length;
            default -> accounts.touch();
        };
    }

    /**
     * Owner only: the frames of the slots that are taken next, in no order.
     *
     * @param into from {@code from} on; must have room
     * @return index behind the last
     */
    public int peekSlots(Frame[] into, int from, int count) {
        return free.peek(into, from, count);
    }

    /** Slots at home here, wherever they are. */
    public int homeSlots() {
        return slots.length;
    }

    /** Owner only: whether the device has to be looked at to know that a frame has come. */
    public boolean pollsDevice() {
        return pollsDevice;
    }

    /** Owner only: the device in use, null if there is none. */
    public @Nullable PortDevice device() {
        return device;
    }
}
