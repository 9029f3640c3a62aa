package io.headgate.dataplane.engine;

import io.headgate.dataplane.capture.Tap;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.detour.DetourReceiver;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.forwarding.Forwarding;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.Gate;
import org.jspecify.annotations.Nullable;

/**
 * Receives frames from a port's device: takes them into free slots, finds their headers and
 * priorities, passes link-control frames to flow control, and looks up the egress ports of the
 * others. Also attaches and detaches the device, and reads its link state and its drops. Owned by
 * the ingress half, like the receiving side of the device.
 *
 * <p>Bounded by one burst.
 */
final class Arrivals implements Prefetch {
    static final int RECEIVE_BURST = 64;

    private static final int LINK_LOCAL = Forwarding.drop(DropReason.LINK_LOCAL);
    private static final int SERVICE_TAGGED = Forwarding.drop(DropReason.SERVICE_TAGGED);
    private static final int SERVICE_OTHER_GROUP = Forwarding.drop(DropReason.SERVICE_OTHER_GROUP);

    /**
     * A frame to the address of link control, without its EtherType or with a tag. Senders do not
     * count control frames against credits, so a damaged one that is treated as data would take
     * another frame's room.
     */
    private static final int LINK_CONTROL_MALFORMED =
            Forwarding.drop(DropReason.LINK_CONTROL_MALFORMED);

    /**
     * A frame with the EtherType of link control, also behind tags, to another address: an access
     * port would remove the tag.
     */
    private static final int LINK_CONTROL_MISADDRESSED =
            Forwarding.drop(DropReason.LINK_CONTROL_MISADDRESSED);

    static final int OVERSIZE = Forwarding.drop(DropReason.OVERSIZE);

    /**
     * Provisional answer of the header stage: a reserved address, for {@link #answerReserved} to
     * decide.
     */
    private static final int RESERVED = Forwarding.CONSUMED + 1;

    private final int port;
    private final FrameRegion region;
    private final Forwarding forwarding;

    // Null where tags are priorities, and where there is no flow control: what most ports have.
    private final @Nullable Classifier classifier;
    private final @Nullable IngressFlowControl flow;
    private final PortRegistry registry;
    private final PresentTime time;

    // Null unless frames may come with the header of a detour; how many of the last batch did.
    private final @Nullable HeaderRemoval removal;
    private int detoured;
    private final CounterBlock counters;
    private final int maxPayloadBytes;
    private final long housekeepingIntervalNs;

    private final Frame[] batch = new Frame[RECEIVE_BURST];

    // What becomes of each frame of the batch: UNDECIDED, or as Forwarding answers.
    private final int[] answers = new int[RECEIVE_BURST];
    private final DeviceDrops deviceDrops;

    // Whether a frame of the batch is to a reserved address, as all link control is.
    private boolean hasReserved;

    // Whether what is counted may wait: frames are charged as they came.
    private final boolean mayCountLater;

    // Whether all frames of the batch may be forwarded, by their headers.
    private boolean allUndecided;

    private @Nullable PortDevice device;
    private boolean deviceUp;
    private boolean pollsDevice;
    private @Nullable Tap tap;

    // While a tap is on: how old frames are, if the device knows; when it had no more of them at
    // last; and when the frame came that was shown last.
    private long @Nullable [] agesNs;
    private long emptyNs = Long.MIN_VALUE / 2;
    private long shownNs = Long.MIN_VALUE / 2;
    private long nextPacketId;
    private long housekeepingNs = Long.MAX_VALUE;

    Arrivals(
            HalfSetup setup,
            Classifier classifier,
            @Nullable IngressFlowControl flow,
            Forwarding forwarding) {
        this.port = setup.port();
        this.region = setup.shared().region();
        this.forwarding = forwarding;
        this.classifier = classifier.isPlain() ? null : classifier;
        this.flow = flow;
        this.registry = setup.shared().registry();
        this.time = setup.host().presentTime();
        DetourReceiver detour = flow == null ? null : flow.detour();
        this.removal = detour == null || !detour.unwraps() ? null : new HeaderRemoval(detour, this);
        this.mayCountLater = removal == null && forwarding.keepsFrames();
        this.counters = setup.counts().half();
        this.maxPayloadBytes = setup.config().grownMtuBytes();
        this.housekeepingIntervalNs = setup.host().housekeepingIntervalNs();
        this.deviceDrops =
                new DeviceDrops(
                        setup.counts().drops(),
                        FrameOutbox.ingressHalf(port),
                        setup.counts().half(),
                        IngressCounter.FAULTS_CORRUPTED,
                        IngressCounter.FAULTS_LATE,
                        IngressCounter.FAULTS_REPEATED,
                        IngressCounter.WHOLE_FRAMES,
                        IngressCounter.WHOLE_SEGMENTS);
        this.nextPacketId = FrameOutbox.packetIdBase(FrameOutbox.ingressHalf(port));
    }

    long lastPacketId() {
        return nextPacketId;
    }

    /** Numbers the next frames from the one after {@code packetId}. */
    void numberAfter(long packetId) {
        nextPacketId = packetId;
    }

    // ---- frames

    /**
     * Receives a batch into free slots and returns the number of frames. The frames are in {@link
     * #frames()}, the decision about each in {@link #answers()}.
     */
    int receive(long nowNs, FreeList free) {
        PortDevice source = device;
        if (source == null) {
            return 0;
        }
        // Also while the link is down: what has arrived is there, and receiving is where a device
        // looks whether its link has come back.
        int count = source.receive(nowNs, free, batch, RECEIVE_BURST);
        if (count == 0) {
            if (tap != null) {
                noteEmpty(nowNs, 0, free);
            }
            return 0;
        }
        // Stage by stage over the whole batch, not frame by frame: each loop is compiled by itself,
        // small enough for everything in it to be inlined, and its cache misses overlap.
        hasReserved = false;
        if (count == 1) {
            // Most often, in virtual time and where there is little traffic.
            parseOne(source, batch[0]);
        } else {
            parseAll(source, count);
        }
        if (tap != null) {
            showReceived(tap, nowNs, count);
            noteEmpty(nowNs, count, free);
        }
        if (removal != null) {
            detoured = removal.remove(batch, answers, count);
        }
        if (classifier != null || flow != null) {
            classify(nowNs, count);
        }
        forwarding.decide(nowNs, batch, answers, count);
        return count;
    }

    /** Number of frames in the last batch that came by a detour. */
    int detoured() {
        return detoured;
    }

    Frame[] frames() {
        return batch;
    }

    int[] answers() {
        return answers;
    }

    private void parseOne(PortDevice source, Frame frame) {
        if (!region.holds(frame)) {
            throw outsideSlot(source, frame, 1);
        }
        int answer = parse(frame, ++nextPacketId);
        allUndecided = answer == Forwarding.UNDECIDED;
        answers[0] = answer == RESERVED ? answerReserved(frame) : answer;
        counters.add(IngressCounter.FRAMES_RECEIVED, 1);
        counters.add(IngressCounter.BYTES_RECEIVED, frame.lengthBytes);
    }

    private void parseAll(PortDevice source, int count) {
        Frame[] frames = batch;
        int[] verdicts = answers;
        long bytes = 0;
        long packetId = nextPacketId;
        int others = 0;
        for (int i = 0; i < count; i++) {
            Frame frame = frames[i];
            if (!region.holds(frame)) {
                throw outsideSlot(source, frame, count);
            }
            bytes += frame.lengthBytes;
            int answer = parse(frame, ++packetId);
            others |= answer ^ Forwarding.UNDECIDED;
            verdicts[i] = answer;
        }
        allUndecided = others == 0;
        // Behind the loop: a seldom call within it would cost every frame.
        for (int i = 0; others != 0 && i < count; i++) {
            if (verdicts[i] == RESERVED) {
                verdicts[i] = answerReserved(frames[i]);
            }
        }
        nextPacketId = packetId;
        counters.add(IngressCounter.FRAMES_RECEIVED, count);
        counters.add(IngressCounter.BYTES_RECEIVED, bytes);
    }

    /**
     * Everything from here on trusts a frame's offset and lengths. A device that hands over wrong
     * ones has a defect and may have written there, too. Therefore the half fails, which stops the
     * port: dropping the frame would keep a device in use that damages other frames.
     */
    private IllegalStateException outsideSlot(PortDevice source, Frame outside, int count) {
        for (int i = 0; i < count; i++) {
            if (batch[i].home == FrameOutbox.ingressHalf(port)) {
                // As if its rings still had them: they come home when it is closed.
                batch[i].place = SlotPlace.DEVICE_RECEIVE;
            }
        }
        String said = "device %s %s delivered a frame that is not within its slot of %d bytes:";
        return new IllegalStateException(
                (said + " %d bytes, %d of them stored, from byte %d on")
                        .formatted(
                                source.info().kind(),
                                source.info().name(),
                                region.slotBytes(),
                                outside.lengthBytes,
                                outside.storedBytes,
                                outside.dataOffset - outside.slotOffset));
    }

    /** Finds a frame's headers and returns the decision that they allow. */
    private int parse(Frame frame, long packetId) {
        assert frame.chargedBytes == 0 : frame;
        frame.place = SlotPlace.INGRESS;
        frame.packetId = packetId;
        DropReason bad = HeaderParser.parse(FrameRegion.MEMORY, frame);
        return bad == null ? answerUnlessReserved(frame) : Forwarding.drop(bad);
    }

    /**
     * Shows a batch with the arrival times of its frames: the device's, or now. They are clamped,
     * because a device whose clock was set may report a time before its ring was last empty, or a
     * future one.
     */
    private void showReceived(Tap to, long nowNs, int count) {
        long takenNs = time.presentNs(nowNs);
        for (int i = 0; i < count; i++) {
            long cameNs = agesNs == null ? takenNs : takenNs - agesNs[i];
            shownNs = Math.max(shownNs, Math.clamp(cameNs, emptyNs, takenNs));
            to.received(port, batch[i], shownNs);
        }
    }

    /**
     * Notes that the device is empty: what it delivers next arrives later. Not if the batch ended
     * at its limit or for lack of free slots.
     */
    private void noteEmpty(long nowNs, int count, FreeList free) {
        if (count < RECEIVE_BURST && free.size() > 0) {
            emptyNs = nowNs;
        }
    }

    /**
     * While a tap is on: arrival time of the frame that was shown last. The decisions about a batch
     * are shown with it: its frames came no later, the next batch's no earlier.
     */
    long shownNs() {
        return shownNs;
    }

    /** Gives frames their priorities, and hands link-control frames to flow control, in order. */
    private void classify(long nowNs, int count) {
        IngressFlowControl control = flow;
        // Data alone is counted as it is charged: nothing asks for the count before.
        boolean countsLater = allUndecided && mayCountLater;
        if (control != null) {
            control.countsLater(countsLater);
        }
        if (control == null || countsLater || !(hasReserved || control.countsBlocks())) {
            prioritise(count);
            return;
        }
        for (int i = classifyData(control, 0, count);
                i < count;
                i = classifyData(control, i + 1, count)) {
            Frame frame = batch[i];
            int stored = Math.min(frame.storedBytes, frame.lengthBytes);
            control.control(nowNs, FrameRegion.MEMORY, frame.dataOffset, stored);
            answers[i] = Forwarding.CONSUMED;
        }
    }

    /** The common case: a batch without link control, whose frames need not be counted here. */
    private void prioritise(int count) {
        Frame[] frames = batch;
        int[] verdicts = answers;
        Classifier byPriority = classifier;
        for (int i = 0; byPriority != null && i < count; i++) {
            Frame frame = frames[i];
            if (isClassified(verdicts[i], frame)) {
                frame.priority = byPriority.priorityOf(FrameRegion.MEMORY, frame);
            }
        }
    }

    /**
     * Classifies frames up to the next one of link control and returns its index. Nothing in this
     * loop may change the fields it has read: the compiler would otherwise read them again for
     * every frame.
     */
    private int classifyData(IngressFlowControl control, int from, int count) {
        Frame[] frames = batch;
        int[] verdicts = answers;
        Classifier byPriority = classifier;
        int shift = control.blockShift();
        // Frames in a row of one priority are counted together.
        int priority = 0;
        int blocks = 0;
        int i = from;
        for (; i < count; i++) {
            Frame frame = frames[i];
            int answer = verdicts[i];
            if (!isClassified(answer, frame)) {
                if (answer == LINK_LOCAL) {
                    break;
                }
                continue;
            }
            if (byPriority != null) {
                frame.priority = byPriority.priorityOf(FrameRegion.MEMORY, frame);
            }
            if (frame.priority != priority) {
                control.arrived(priority, blocks);
                priority = frame.priority;
                blocks = 0;
            }
            blocks += Gate.blocks(frame.lengthBytes, shift);
        }
        control.arrived(priority, blocks);
        return i;
    }

    /** Whether a frame gets a priority, also if it will not be forwarded. */
    private static boolean isClassified(int answer, Frame frame) {
        return answer == Forwarding.UNDECIDED
                || answer == OVERSIZE
                // For the switch itself, by a reserved address.
                || answer >= 0
                || answer == SERVICE_TAGGED
                || answer == SERVICE_OTHER_GROUP
                || (answer == LINK_LOCAL && !isLinkControl(frame))
                // Link control has no tag: a switch on the way that adds one has counted the frame
                // as data.
                || (answer == LINK_CONTROL_MISADDRESSED && frame.tagged);
    }

    private static boolean isLinkControl(Frame frame) {
        return !frame.tagged && EtherType.isLinkControl(frame.etherType);
    }

    /** The decision by a frame's headers, before the forwarding lookup. */
    int answerByHeader(Frame frame) {
        int answer = answerUnlessReserved(frame);
        return answer == RESERVED ? answerReserved(frame) : answer;
    }

    /** Reserved addresses end at the port, whatever is in them (IEEE 802.1Q 8.6.3). */
    private int answerReserved(Frame frame) {
        hasReserved = true;
        int answer = forwarding.reserved(frame);
        if (answer != LINK_LOCAL) {
            return answer;
        }
        if (isLinkControl(frame)) {
            counters.add(IngressCounter.LINK_CONTROL_RECEIVED, 1);
            return LINK_LOCAL;
        }
        return flow != null && destination(frame) == MacAddress.MAC_CONTROL
                ? LINK_CONTROL_MALFORMED
                : LINK_LOCAL;
    }

    private static long destination(Frame frame) {
        return Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
    }

    private int answerUnlessReserved(Frame frame) {
        if (MacAddress.isLinkLocalReserved(destination(frame))) {
            return RESERVED;
        }
        if (EtherType.isLinkControl(frame.etherType)) {
            return LINK_CONTROL_MISADDRESSED;
        }
        return HeaderParser.isWithin(maxPayloadBytes, frame) ? Forwarding.UNDECIDED : OVERSIZE;
    }

    // ---- the device

    @Nullable PortDevice device() {
        return device;
    }

    /** Whether the device must be polled to know that a frame has come. */
    boolean pollsDevice() {
        return pollsDevice;
    }

    /** Starts to use a device; the half must have none. */
    void attach(PortDevice opened) {
        device = opened;
        askForAges();
        pollsDevice = opened.receiveFd() != PortDevice.FED_FROM_WITHIN;
        if (housekeepingIntervalNs > 0) {
            // The beginning of time; Long.MIN_VALUE would lie in the future, as differences wrap.
            housekeepingNs = 0;
        }
        noteLink(opened.isUp());
    }

    /** Stops using the device, even if it throws. Slots in its rings stay marked. */
    void detach() {
        PortDevice current = device;
        if (current == null) {
            return;
        }
        try {
            readDrops(current);
        } finally {
            deviceDrops.startAnew();
            device = null;
            agesNs = null;
            pollsDevice = false;
            housekeepingNs = Long.MAX_VALUE;
            noteLink(false);
        }
    }

    /** The link of the device went up or down (virtual links say so themselves). */
    void linkChanged() {
        PortDevice current = device;
        if (current != null) {
            noteLink(current.isUp());
        }
    }

    /** If it is due, asks the device for its link state, and every few times for its drops. */
    boolean housekeep(long nowNs) {
        if (housekeepingNs - nowNs > 0) {
            return false;
        }
        housekeepingNs = nowNs - nowNs % housekeepingIntervalNs + housekeepingIntervalNs;
        PortDevice current = device;
        if (current != null) {
            noteLink(current.isUp());
            if (deviceDrops.isDue()) {
                readDrops(current);
            }
        }
        return true;
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

    /** Counts the device's drops until now, if no housekeeping reads them. */
    void publishDrops() {
        PortDevice current = device;
        if (current != null) {
            readDrops(current);
        }
    }

    private void readDrops(PortDevice current) {
        current.readReceiveDrops(deviceDrops.totals);
        long unhandled = deviceDrops.publish();
        if (unhandled != 0) {
            counters.add(IngressCounter.KERNEL_UNHANDLED, unhandled);
        }
    }

    /** The time of the next look at the device; {@link Long#MAX_VALUE} for never. */
    long deadlineNs() {
        PortDevice current = device;
        return current == null ? housekeepingNs : Math.min(housekeepingNs, current.deadlineNs());
    }

    void tap(@Nullable Tap newTap) {
        tap = newTap;
        askForAges();
    }

    private void askForAges() {
        PortDevice current = device;
        long @Nullable [] wanted = tap == null ? null : new long[RECEIVE_BURST];
        agesNs = current != null && current.showAges(wanted) ? wanted : null;
    }

    @Override
    public long prefetch(int distance) {
        return distance == 1 ? nextPacketId + (tap == null ? 1 : 0) : batch.length + answers.length;
    }
}
