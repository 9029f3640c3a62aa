package io.headgate.testbed.virtual;

import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.queue.WireFormat;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: when each frame starts, to the picosecond, the frames in flight in the
 * order of their arrival, and those that have arrived and wait to be received. Everything in flight
 * is one event, that of the first to arrive.
 *
 * <p>Bounded by what the wire holds: a frame is taken only when the wire is about to be free.
 */
final class LinkDirection {
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long PS_PER_NS = 1000;

    /** Preamble and the first 64 bytes: what has come in when a port could begin to send on. */
    private static final int HEADER_WIRE_BYTES = 8 + 64;

    private final VirtualRun run;
    private final VirtualClock clock;
    private final int number;
    private final @Nullable FaultSource faults;

    private final long rateBps;
    private final long psPerByte;
    private final long delayPs;
    private final int overheadBytes;
    private final int minFrameBytes;
    private final long gapPs;
    private final boolean byHeader;
    private final boolean holdsSlots;
    private final boolean credited;

    // Set once, when the run's events are numbered.
    private @Nullable NodeEvents receiver;
    private @Nullable NodeEvents sender;
    private int arrivalEvent = -1;
    private int senderEvent = -1;
    private int receiverDuty = -1;
    private int senderDuty = -1;
    private @Nullable EgressHalf egress;
    private @Nullable IngressHalf ingress;
    private @Nullable FlightPool pool;

    // Whether the slots of both ends are of one size, so that they can trade their memory.
    private boolean trades;

    private boolean up = true;
    private long freePs;
    private long remainder;
    private long lastArrivePs;

    private final Flights flights = new Flights();

    // Frames whose slots are held until their last bit has left. The wire takes one frame and, by
    // the slack, one more.
    private final Frame[] held = new Frame[4];
    private final long[] heldEndPs = new long[4];
    private int heldFrom;
    private int heldTo;

    // Credits: what the sender has, what is on its way to it, and what is promised in all.
    private int credits;
    private int promised;
    private @Nullable FreeList freeSlots;
    private long[] creditArrivePs = new long[8];
    private int creditFrom;
    private int creditTo;
    private boolean waits;

    private @Nullable OrderCheck order;

    private long framesSent;
    private long bytesSent;
    private long framesArrived;
    private long lost;
    private long corrupted;
    private long reordered;
    private long repeated;
    private long noSlot;
    private long oversize;
    private long sentPs;

    LinkDirection(VirtualRun run, int number, LinkSetup setup, String name) {
        this.run = run;
        this.clock = run.clock();
        this.number = number;
        WireFormat wire = run.options().wire();
        this.rateBps = setup.rateBps();
        this.psPerByte = 8 * PS_PER_S % rateBps == 0 ? 8 * PS_PER_S / rateBps : 0;
        this.delayPs = setup.delayPs();
        this.overheadBytes = wire.overheadBytes();
        this.minFrameBytes = wire.minFrameBytes();
        this.gapPs = wholePs(wire.gapBytes());
        this.byHeader = setup.deliverAt() == LinkSetup.Delivery.HEADER;
        this.holdsSlots = setup.release() == LinkSetup.Release.END;
        this.credited = setup.perSlotCredits();
        LinkFaults what = setup.faults();
        this.faults = what == null ? null : new FaultSource(what, run.seed(), name);
    }

    private long wholePs(int bytes) {
        return bytes * 8L * PS_PER_S / rateBps;
    }

    /** Says whose events these are; once, before the run starts. */
    void number(LinkEnd from, NodeEvents ofSender, LinkEnd to, NodeEvents ofReceiver) {
        sender = ofSender;
        receiver = ofReceiver;
        senderEvent = ofSender.departures(from.port(), this);
        arrivalEvent = ofReceiver.arrivals(to.port(), this);
        ingress = to.node().ingress(to.port());
        egress = from.node().egress(from.port());
        senderDuty = from.node().firstDuty() + 2 * from.port() + 1;
        receiverDuty = to.node().firstDuty() + 2 * to.port();
        int slotBytes = from.node().region().slotBytes();
        pool = run.pool(slotBytes);
        trades = slotBytes == to.node().region().slotBytes();
    }

    /** From now on, that frames leave in the order in which they came. */
    void check(OrderCheck newOrder) {
        order = newOrder;
    }

    boolean holdsSlots() {
        return holdsSlots;
    }

    /** Before the run starts: the sender may use all the slots that the far end has. */
    void promise(int slots) {
        if (credited) {
            credits = slots;
            promised = slots;
        }
    }

    /** Starts a frame, now or within the time that the wire is still busy; false if it cannot. */
    boolean transmit(Frame frame) {
        long nowPs = clock.ps();
        if (!up) {
            waits = true;
            return false;
        }
        if (nowPs < takesFromPs()) {
            waits = true;
            scheduleSender(takesFromPs());
            return false;
        }
        if (credited) {
            if (credits == 0) {
                waits = true;
                return false;
            }
            credits--;
        }
        long startPs = freePs;
        if (startPs < nowPs) {
            startPs = nowPs;
            remainder = 0;
        }
        if (order != null) {
            order.leaves(frame);
        }
        int lengthBytes = frame.lengthBytes;
        int wireBytes = Math.max(lengthBytes, minFrameBytes) + overheadBytes;
        long durationPs = durationPs(wireBytes);
        freePs = startPs + durationPs;
        framesSent++;
        bytesSent += lengthBytes;
        sentPs += durationPs;
        long takesPs = durationPs - gapPs;
        if (holdsSlots) {
            hold(frame, startPs + takesPs);
        }
        if (byHeader && wireBytes > HEADER_WIRE_BYTES) {
            takesPs = Math.min(takesPs, wholePs(HEADER_WIRE_BYTES));
        }
        send(frame, startPs, startPs + takesPs + delayPs);
        return true;
    }

    /**
     * From when the next frame is taken: the nanosecond before that in which the wire is free. A
     * pacer counts from the nanosecond in which a frame came and the wire from the picosecond, so
     * the pacer is less than one ahead.
     */
    private long takesFromPs() {
        return freePs - freePs % PS_PER_NS - PS_PER_NS;
    }

    private long durationPs(int wireBytes) {
        if (psPerByte != 0) {
            return wireBytes * psPerByte;
        }
        // Not a whole number of picoseconds a byte: carry the division's remainder, as the pacer.
        long numerator = wireBytes * 8L * PS_PER_S + remainder;
        long ps = numerator / rateBps;
        remainder = numerator - ps * rateBps;
        return ps;
    }

    private void send(Frame frame, long startPs, long arrivePs) {
        int lengthBytes = frame.lengthBytes;
        int storedBytes = frame.storedBytes;
        long slot = pool().take();
        long data;
        if (faults == null) {
            // Not copied: the frame's memory goes, and its slot gets other for it. What looks at
            // the frame still in this instant finds it where it was.
            data = frame.dataOffset;
            long left = frame.slotOffset;
            frame.slotOffset = slot;
            slot = left;
        } else {
            data = slot + FrameRegion.HEADROOM_BYTES;
            FlightPool.copy(frame.dataOffset, data, storedBytes);
        }
        long atPs = arrivePs;
        if (faults != null) {
            atPs = misfortune(frame, data, arrivePs);
        }
        run.transmitted(number, startPs, atPs, lengthBytes, data, storedBytes);
        if (atPs == LinkObserver.LOST) {
            pool().give(slot);
            if (credited) {
                // Promised all the while: to a frame, and now to the sender again.
                returnCredit(arrivePs + delayPs);
            }
            return;
        }
        add(atPs, data, slot, lengthBytes, storedBytes);
        if (faults != null && !credited && faults.befalls(frame) && faults.isRepeated()) {
            repeat(atPs, data, lengthBytes, storedBytes);
        }
    }

    /** Has the frame arrive once more, right behind itself. */
    private void repeat(long atPs, long first, int lengthBytes, int storedBytes) {
        repeated++;
        long slot = pool().take();
        long data = slot + FrameRegion.HEADROOM_BYTES;
        FlightPool.copy(first, data, storedBytes);
        add(atPs, data, slot, lengthBytes, storedBytes);
    }

    private void add(long atPs, long data, long slot, int lengthBytes, int storedBytes) {
        if (flights.add(atPs, data, slot, lengthBytes, storedBytes)) {
            receiver().schedule(arrivalEvent, atPs);
        }
    }

    private long misfortune(Frame frame, long data, long arrivePs) {
        FaultSource source = faults;
        if (source == null) {
            return arrivePs;
        }
        long atPs = arrivePs + source.jitterPs();
        if (source.befalls(frame)) {
            if (source.isLost()) {
                lost++;
                return LinkObserver.LOST;
            }
            if (source.isCorrupted()) {
                corrupted++;
                source.corrupt(data, frame.storedBytes);
            }
            if (source.isHeldUp()) {
                reordered++;
                return atPs + source.heldUpPs();
            }
        }
        atPs = Math.max(atPs, lastArrivePs);
        lastArrivePs = atPs;
        return atPs;
    }

    /** The event of the first in flight: it and what arrives with it is there. */
    void arrive() {
        framesArrived += flights.arrive(clock.ps());
        // Also where there is none: until then this event stays the next.
        receiver().schedule(arrivalEvent, flights.nextPs());
        run.duties().ready().set(receiverDuty);
    }

    /** Whether there is a frame on it that is still to arrive. */
    boolean isFlying() {
        return flights.flying() > 0;
    }

    /** Whether something has left within the link's delay before. */
    boolean isBusy(long nowPs) {
        return nowPs - freePs < delayPs;
    }

    /** As {@link IngressHalf#touch}: reads what the receiver will need, its half's included. */
    long touchReceiver(int distance) {
        long ofHalf = numbered(ingress).touch(distance);
        return switch (distance) {
            case 0 -> ofHalf + framesArrived + arrivalEvent + flights.flying();
            case 1 -> ofHalf + flights.touch();
            default -> ofHalf;
        };
    }

    /** As {@link IngressHalf#touch}: reads what the sender will need, its half's included. */
    long touchSender(int distance) {
        long ofHalf = numbered(egress).touch(distance);
        return switch (distance) {
            case 0 -> ofHalf + freePs + sentPs + senderEvent + flights.flying();
            case 1 -> ofHalf + flights.touch() + creditArrivePs.length;
            default -> ofHalf;
        };
    }

    /** As {@link Flights#peek}. */
    int peekArrivals(long[] into, int from, long untilPs) {
        return flights.peek(into, from, untilPs);
    }

    /** The slots that the receiver takes next, as {@link IngressHalf#peekSlots}. */
    int peekSlots(Frame[] into, int from, int count) {
        return numbered(ingress).peekSlots(into, from, count);
    }

    /** Of the sender, as {@link EgressHalf#firstFrame}. */
    @Nullable Frame firstFrame() {
        return numbered(egress).firstFrame();
    }

    /** Of the sender, as {@link EgressHalf#waitingFrames}. */
    int waitingFrames(int priority) {
        return numbered(egress).waitingFrames(priority);
    }

    /** Whether the receiving half must come: for what has arrived, or to give credits back. */
    boolean isReceiverDue() {
        // A frame that the half drops frees its slot when the half has already been here.
        return flights.hasArrived() || (freeSlots != null && promised < freeSlots.size());
    }

    /** With credits, each slot that becomes free is told to the sender. */
    boolean awaitsReturns() {
        return credited;
    }

    boolean hasArrived() {
        return flights.hasArrived();
    }

    /** The receiving half takes what has arrived; what finds no slot is dropped. */
    int receive(FreeList free, Frame[] batch, int limit, int slotFrameBytes) {
        int count = 0;
        while (flights.hasArrived() && count < limit) {
            Frame frame = take(free, slotFrameBytes);
            flights.remove();
            if (frame != null) {
                batch[count++] = frame;
            }
        }
        if (credited) {
            freeSlots = free;
            giveCredits(free.size());
        }
        return count;
    }

    private @Nullable Frame take(FreeList free, int slotFrameBytes) {
        if (credited) {
            promised--;
        }
        int storedBytes = flights.storedBytes();
        long slot = flights.slot();
        if (storedBytes > slotFrameBytes) {
            oversize++;
            pool().give(slot);
            return null;
        }
        Frame frame = free.take();
        if (frame == null) {
            noSlot++;
            pool().give(slot);
            return null;
        }
        frame.lengthBytes = flights.lengthBytes();
        frame.storedBytes = storedBytes;
        if (trades) {
            frame.dataOffset = flights.data();
            pool().give(frame.slotOffset);
            frame.slotOffset = slot;
        } else {
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            FlightPool.copy(flights.data(), frame.dataOffset, storedBytes);
            pool().give(slot);
        }
        return frame;
    }

    private void giveCredits(int freeSlots) {
        while (promised < freeSlots) {
            promised++;
            returnCredit(clock.ps() + delayPs);
        }
    }

    private void returnCredit(long atPs) {
        if (creditTo - creditFrom == creditArrivePs.length) {
            growCredits();
        }
        // In order: a credit for a lost frame is given at its arrival, as all the others are.
        int mask = creditArrivePs.length - 1;
        int at = creditTo++;
        while (at != creditFrom && creditArrivePs[(at - 1) & mask] > atPs) {
            creditArrivePs[at & mask] = creditArrivePs[(at - 1) & mask];
            at--;
        }
        creditArrivePs[at & mask] = atPs;
        scheduleSender(creditArrivePs[creditFrom & mask]);
    }

    private void growCredits() {
        long[] larger = new long[creditArrivePs.length * 2];
        for (int i = creditFrom; i != creditTo; i++) {
            larger[i & (larger.length - 1)] = creditArrivePs[i & (creditArrivePs.length - 1)];
        }
        creditArrivePs = larger;
    }

    private void hold(Frame frame, long endPs) {
        if (heldTo - heldFrom == held.length) {
            throw new IllegalStateException("link direction " + number + " holds too many frames");
        }
        held[heldTo & 3] = frame;
        heldEndPs[heldTo & 3] = endPs;
        heldTo++;
        // A sender that was held back finds the frame before this one long gone.
        scheduleSender(Math.max(clock.ps(), heldEndPs[heldFrom & 3]));
    }

    private NodeEvents receiver() {
        return numbered(receiver);
    }

    private NodeEvents sender() {
        return numbered(sender);
    }

    /** Where memory for what is in flight comes from; once numbered. */
    FlightPool pool() {
        return numbered(pool);
    }

    private static <T> T numbered(@Nullable T set) {
        if (set == null) {
            throw new IllegalStateException("the run has not started");
        }
        return set;
    }

    private void scheduleSender(long atPs) {
        NodeEvents events = sender();
        if (events.timeOf(senderEvent) > atPs) {
            events.schedule(senderEvent, atPs);
        }
    }

    /** The sender's event: a frame has left, credits have come, or the wire is free. */
    void atSender() {
        long nowPs = clock.ps();
        int mask = creditArrivePs.length - 1;
        while (creditFrom != creditTo && creditArrivePs[creditFrom & mask] <= nowPs) {
            creditFrom++;
            credits++;
        }
        if (creditFrom != creditTo) {
            scheduleSender(creditArrivePs[creditFrom & mask]);
        }
        boolean completes = heldFrom != heldTo && heldEndPs[heldFrom & 3] <= nowPs;
        for (int i = heldFrom; i != heldTo; i++) {
            if (heldEndPs[i & 3] > nowPs) {
                scheduleSender(heldEndPs[i & 3]);
                break;
            }
        }
        boolean goesOn = waits && up && (!credited || credits > 0);
        if (goesOn && nowPs < takesFromPs()) {
            scheduleSender(takesFromPs());
            goesOn = false;
        }
        if (goesOn || completes) {
            waits &= !goesOn;
            run.duties().ready().set(senderDuty);
        }
    }

    int completed(Frame[] into, int limit) {
        int count = 0;
        while (count < limit && heldFrom != heldTo && heldEndPs[heldFrom & 3] <= clock.ps()) {
            into[count++] = held[heldFrom & 3];
            heldFrom++;
        }
        return count;
    }

    /** The link was pulled: what is on it is gone. Or plugged in again. */
    void setUp(boolean nowUp) {
        up = nowUp;
        if (sender != null) {
            // There is an instant now, whoever called, and whoever waits for the link is called.
            scheduleSender(clock.ps());
        }
        if (nowUp) {
            return;
        }
        if (flights.flying() > 0) {
            receiver().cancel(arrivalEvent);
        }
        while (flights.flying() > 0) {
            pool().give(flights.removeLast());
            lost++;
            if (credited) {
                // Promised all the while: to a frame, and now to the sender again.
                returnCredit(clock.ps() + delayPs);
            }
        }
    }

    void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.NO_SLOT, noSlot);
        totals.add(DropReason.OVERSIZE, oversize);
    }

    LinkStatistics statistics() {
        return new LinkStatistics(
                framesSent,
                bytesSent,
                sentPs,
                framesArrived,
                lost,
                corrupted,
                reordered,
                repeated,
                flights.flying(),
                noSlot,
                oversize);
    }

    /** When the last bit of the last frame and its gap will have passed. */
    long freePs() {
        return freePs;
    }

    /** Frames on the wire or waiting to be received. */
    int frames() {
        return flights.size();
    }

    /** A number for all that may change here, for the checking mode. */
    long fingerprint() {
        long hash = VirtualRandom.mix(freePs ^ framesSent);
        hash = VirtualRandom.mix(hash ^ framesArrived ^ (noSlot << 32));
        hash = VirtualRandom.mix(hash ^ credits ^ ((long) promised << 20) ^ ((long) heldTo << 40));
        return VirtualRandom.mix(hash ^ heldFrom ^ frames() ^ (waits ? 1L << 60 : 0));
    }
}
