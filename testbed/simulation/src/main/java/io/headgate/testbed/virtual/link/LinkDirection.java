package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.detour.DetourMechanism;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.time.NodeEvents;
import io.headgate.testbed.virtual.time.ReadySet;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link. Decides when each frame starts, to the picosecond, and holds the frames
 * in flight in the order of their arrival, and those that have arrived and wait to be received. All
 * frames in flight share one event, the arrival of the first.
 *
 * <p>Bounded by what the wire holds: a frame is taken only when the wire is about to be free.
 */
public final class LinkDirection {
    static final long PS_PER_S = 1_000_000_000_000L;
    private static final long PS_PER_NS = 1000;

    /** Preamble and the first 64 bytes: what has come in when a port could begin to send on. */
    private static final int HEADER_WIRE_BYTES = 8 + 64;

    private final WireLog log;
    private final int number;
    private final @Nullable FaultSource faults;

    private final long rateBps;
    private final long psPerByte;
    private final long delayPs;
    private final int overheadBytes;
    private final int minFrameBytes;
    private final long gapPs;
    private final boolean byHeader;
    private final long headerPs;

    private final EgressHalf egress;
    private final IngressHalf ingress;
    private final int slotBytes;

    // Whether the slots of both ends are of one size, so that they can trade their memory.
    private final boolean trades;

    // Set once, when the run's nodes have been parted: until then as of its first part.
    private VirtualClock senderClock;
    private ReadySet senderReady;
    private FlightPool senderPool;
    private VirtualClock receiverClock;
    private ReadySet receiverReady;
    private FlightPool receiverPool;
    private @Nullable NodeEvents receiver;
    private @Nullable NodeEvents sender;
    private int arrivalEvent = -1;
    private int senderEvent = -1;
    private int receiverDuty = -1;
    private int senderDuty = -1;

    // The crossings of the parts that its ends are in; null if both are in one part.
    private @Nullable List<Runnable> senderCrossings;
    private @Nullable List<Runnable> receiverCrossings;
    private final Runnable crossing = this::handOver;

    private boolean up = true;
    private long freePs;
    private long remainder;
    private long lastArrivePs;

    private final Flights flights = new Flights();

    // Null where a slot is free as soon as its frame starts, and where there are no credits.
    private final @Nullable LeavingFrames leaving;
    private final @Nullable SlotCredits credits;

    // Whether the sender waits for the wire, for a credit, or for the link to come up.
    private boolean waits;

    private @Nullable OrderCheck order;

    private long framesSent;
    private long bytesSent;
    private long framesArrived;
    private long sentPs;
    private final LinkFaultCounts faultCounts = new LinkFaultCounts();

    LinkDirection(LinkContext run, int number, LinkSpec setup, LinkPort from, LinkPort to) {
        this.log = run.log();
        this.number = number;
        WireFormat wire = run.wire();
        this.rateBps = setup.rateBps();
        this.psPerByte = 8 * PS_PER_S % rateBps == 0 ? 8 * PS_PER_S / rateBps : 0;
        this.delayPs = setup.delayPs();
        this.overheadBytes = wire.overheadBytes();
        this.minFrameBytes = wire.minFrameBytes();
        this.gapPs = wholePs(wire.gapBytes());
        this.byHeader = setup.deliverAt() == LinkSpec.Delivery.HEADER;
        this.headerPs = setup.headerPs() == 0 ? wholePs(HEADER_WIRE_BYTES) : setup.headerPs();
        this.egress = from.egress();
        this.ingress = to.ingress();
        this.slotBytes = from.region().slotBytes();
        this.senderClock = run.first().clock();
        this.senderReady = run.first().ready();
        this.senderPool = run.first().pools().of(slotBytes);
        this.receiverClock = senderClock;
        this.receiverReady = senderReady;
        this.receiverPool = senderPool;
        this.trades = slotBytes == to.region().slotBytes();
        String name = from + ">" + to;
        this.leaving = setup.release() == LinkSpec.Release.END ? new LeavingFrames(name) : null;
        this.credits = setup.slotCredits() ? new SlotCredits() : null;
        LinkFaults what = setup.faults();
        this.faults = what == null ? null : new FaultSource(what, run.seed(), name);
    }

    private long wholePs(int bytes) {
        return bytes * 8L * PS_PER_S / rateBps;
    }

    /**
     * Sets the places that drive its ends; once, before the run starts.
     *
     * @param atSender its event: a frame has left, credits have come, or the wire is free
     * @param atReceiver its event: the first in flight arrives
     */
    public void place(LinkPlace atSender, LinkPlace atReceiver) {
        PartContext from = atSender.part();
        senderClock = from.clock();
        senderReady = from.ready();
        senderPool = from.pools().of(slotBytes);
        sender = atSender.events();
        senderEvent = atSender.event();
        senderDuty = atSender.duty();
        PartContext to = atReceiver.part();
        receiverClock = to.clock();
        receiverReady = to.ready();
        receiverPool = to.pools().of(slotBytes);
        receiver = atReceiver.events();
        arrivalEvent = atReceiver.event();
        receiverDuty = atReceiver.duty();
        if (!from.equals(to)) {
            senderCrossings = from.crossings();
            receiverCrossings = to.crossings();
        }
    }

    /**
     * Checks from now on that frames leave in the order in which they came.
     *
     * @param where the sending port, for messages
     * @param detour detour after which only frames of one flow keep their order; null: all frames
     *     of a queue do
     */
    public void checkOrder(String where, @Nullable DetourMechanism<?> detour) {
        order = new OrderCheck(where, detour);
    }

    boolean isUp() {
        return up;
    }

    boolean holdsSlots() {
        return leaving != null;
    }

    /** Before the run starts: the sender may use all the slots that the far end has. */
    public void promise(int slots) {
        if (credits != null) {
            credits.promise(slots);
        }
    }

    /** Starts a frame, now or when the wire becomes free; returns false if it cannot. */
    boolean transmit(Frame frame) {
        long nowPs = senderClock.ps();
        if (!up) {
            waits = true;
            return false;
        }
        if (nowPs < takesFromPs()) {
            waits = true;
            scheduleSender(takesFromPs());
            return false;
        }
        if (credits != null) {
            if (!credits.areAvailable()) {
                waits = true;
                return false;
            }
            credits.use();
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
        if (leaving != null) {
            leaving.add(frame, startPs + takesPs);
            // A sender that was kept back finds the frame before this one long gone.
            scheduleSender(Math.max(nowPs, leaving.firstPs()));
        }
        if (byHeader) {
            takesPs = Math.min(takesPs, headerPs);
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
        long slot = senderPool.take();
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
            atPs = applyFaults(frame, data, arrivePs);
        }
        log.started(number, startPs, atPs, lengthBytes, data, storedBytes);
        if (atPs == LinkObserver.LOST) {
            senderPool.give(slot);
            giveBackCredit(arrivePs + delayPs);
            return;
        }
        add(atPs, data, slot, lengthBytes, storedBytes);
        if (faults != null && credits == null && faults.appliesTo(frame)) {
            if (faults.isRepeated()) {
                repeat(atPs, data, lengthBytes, storedBytes);
            }
            if (faults.isForged(frame)) {
                faults.forge(frame, repeat(atPs, data, lengthBytes, storedBytes));
            }
        }
    }

    /** Has the frame arrive once more, right behind itself; answers where its bytes are. */
    private long repeat(long atPs, long first, int lengthBytes, int storedBytes) {
        faultCounts.repeated++;
        long slot = senderPool.take();
        long data = slot + FrameRegion.HEADROOM_BYTES;
        FlightPool.copy(first, data, storedBytes);
        add(atPs, data, slot, lengthBytes, storedBytes);
        return data;
    }

    private void add(long atPs, long data, long slot, int lengthBytes, int storedBytes) {
        if (flights.add(atPs, data, slot, lengthBytes, storedBytes)) {
            if (senderCrossings == null) {
                receiver().schedule(arrivalEvent, atPs);
            } else {
                senderCrossings.add(crossing);
            }
        }
    }

    private long applyFaults(Frame frame, long data, long arrivePs) {
        FaultSource source = faults;
        if (source == null) {
            return arrivePs;
        }
        long atPs = arrivePs + source.jitterPs();
        if (source.appliesTo(frame)) {
            if (source.isLost()) {
                faultCounts.lost++;
                return LinkObserver.LOST;
            }
            if (source.isCorrupted()) {
                faultCounts.corrupted++;
                source.corrupt(data, frame.storedBytes);
            }
            if (source.isDelayed()) {
                faultCounts.reordered++;
                return atPs + source.delayPs();
            }
        }
        atPs = Math.max(atPs, lastArrivePs);
        lastArrivePs = atPs;
        return atPs;
    }

    /**
     * Handles the event of the first frame in flight: it and all that arrive at the same time have
     * arrived.
     */
    public void arrive() {
        framesArrived += flights.arrive(receiverClock.ps());
        // Also if nothing is in flight (NEVER): without it this event would stay the next.
        receiver().schedule(arrivalEvent, flights.nextPs());
        receiverReady.set(receiverDuty);
    }

    /** Notifies the nodes at both ends of what the other has done, which is in another part. */
    private void handOver() {
        if (flights.flying() > 0) {
            receiver().schedule(arrivalEvent, flights.nextPs());
        }
        if (credits != null) {
            scheduleSender(credits.nextPs());
        }
    }

    /** Whether it has a frame that has not arrived. */
    public boolean isFlying() {
        return flights.flying() > 0;
    }

    /** Frames put on it so far. */
    public long framesSent() {
        return framesSent;
    }

    /** Whether a frame has left within the link's delay before now. */
    public boolean isBusy(long nowPs) {
        return nowPs - freePs < delayPs;
    }

    /** As {@link Prefetch#prefetch}: reads what the receiver will need, its half's included. */
    public long touchReceiver(int distance) {
        long ofHalf = ingress.prefetch(distance);
        return switch (distance) {
            case 0 -> ofHalf + framesArrived + arrivalEvent + flights.flying();
            case 1 -> ofHalf + flights.prefetch(1);
            default -> ofHalf;
        };
    }

    /** As {@link Prefetch#prefetch}: reads what the sender will need, its half's included. */
    public long touchSender(int distance) {
        long ofHalf = egress.prefetch(distance);
        return switch (distance) {
            case 0 -> ofHalf + freePs + sentPs + senderEvent + flights.flying();
            case 1 -> ofHalf + flights.prefetch(1);
            default -> ofHalf;
        };
    }

    /** As {@link Flights#peek}. */
    public int peekArrivals(long[] into, int from, long untilPs) {
        return flights.peek(into, from, untilPs);
    }

    /** The slots that the receiver takes next, as {@link IngressHalf#peekSlots}. */
    public int peekSlots(Frame[] into, int from, int count) {
        return ingress.peekSlots(into, from, count);
    }

    /** The sender's {@link EgressHalf#firstFrame}. */
    public @Nullable Frame firstFrame() {
        return egress.firstFrame();
    }

    /** The sender's {@link EgressHalf#waitingFrames}. */
    public int waitingFrames(int priority) {
        return egress.waitingFrames(priority);
    }

    /** Whether the receiving half must be called: for arrived frames, or to give credits back. */
    boolean isReceiverDue() {
        return flights.hasArrived() || (credits != null && credits.areDue());
    }

    /** Whether the sender is notified of each slot that becomes free: with credits. */
    boolean awaitsReturns() {
        return credits != null;
    }

    boolean hasArrived() {
        return flights.hasArrived();
    }

    /** Gives the receiving half the arrived frames; drops those without a free slot. */
    int receive(FreeList free, Frame[] batch, int limit, int slotFrameBytes) {
        int count = 0;
        while (flights.hasArrived() && count < limit) {
            Frame frame = take(free, slotFrameBytes);
            flights.remove();
            if (frame != null) {
                batch[count++] = frame;
            }
        }
        if (credits != null) {
            credits.give(free, receiverClock.ps() + delayPs);
            if (receiverCrossings == null) {
                scheduleSender(credits.nextPs());
            } else {
                receiverCrossings.add(crossing);
            }
        }
        return count;
    }

    private @Nullable Frame take(FreeList free, int slotFrameBytes) {
        if (credits != null) {
            credits.redeem();
        }
        int storedBytes = flights.storedBytes();
        long slot = flights.slot();
        if (storedBytes > slotFrameBytes) {
            faultCounts.oversize++;
            receiverPool.give(slot);
            return null;
        }
        Frame frame = free.take();
        if (frame == null) {
            faultCounts.noSlot++;
            receiverPool.give(slot);
            return null;
        }
        frame.lengthBytes = flights.lengthBytes();
        frame.storedBytes = storedBytes;
        if (trades) {
            frame.dataOffset = flights.data();
            receiverPool.give(frame.slotOffset);
            frame.slotOffset = slot;
        } else {
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            FlightPool.copy(flights.data(), frame.dataOffset, storedBytes);
            receiverPool.give(slot);
        }
        return frame;
    }

    /** With credits, one that was promised to a frame that is lost is the sender's again. */
    private void giveBackCredit(long atPs) {
        if (credits != null) {
            credits.giveBack(atPs);
            scheduleSender(credits.nextPs());
        }
    }

    private NodeEvents receiver() {
        return numbered(receiver);
    }

    private NodeEvents sender() {
        return numbered(sender);
    }

    /** The pool of memory for frames in flight. */
    public FlightPool pool() {
        return senderPool;
    }

    private static NodeEvents numbered(@Nullable NodeEvents set) {
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

    /** Handles the sender's event: a frame has left, credits have come, or the wire is free. */
    public void atSender() {
        long nowPs = senderClock.ps();
        boolean goesOn = waits && up;
        if (credits != null) {
            credits.arrive(nowPs);
            scheduleSender(credits.nextPs());
            goesOn &= credits.areAvailable();
        }
        boolean completes = false;
        if (leaving != null) {
            completes = leaving.haveLeft(nowPs);
            scheduleSender(leaving.nextPs(nowPs));
        }
        if (goesOn && nowPs < takesFromPs()) {
            scheduleSender(takesFromPs());
            goesOn = false;
        }
        if (goesOn || completes) {
            waits &= !goesOn;
            senderReady.set(senderDuty);
        }
    }

    int completed(Frame[] into, int limit) {
        return leaving == null ? 0 : leaving.take(senderClock.ps(), into, limit);
    }

    /** Sets the link state: when the link is pulled, the frames on it are lost. */
    void setUp(boolean nowUp) {
        up = nowUp;
        if (sender != null) {
            // The sender's node has an instant now, so that a duty that waits for the link is
            // called.
            scheduleSender(senderClock.ps());
        }
        if (nowUp) {
            return;
        }
        if (flights.flying() > 0) {
            receiver().cancel(arrivalEvent);
        }
        while (flights.flying() > 0) {
            senderPool.give(flights.removeLast());
            faultCounts.lost++;
            giveBackCredit(senderClock.ps() + delayPs);
        }
    }

    void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.NO_SLOT, faultCounts.noSlot);
        totals.add(DropReason.OVERSIZE, faultCounts.oversize);
    }

    LinkStatistics statistics() {
        return new LinkStatistics(
                framesSent,
                bytesSent,
                sentPs,
                framesArrived,
                faultCounts.lost,
                faultCounts.corrupted,
                faultCounts.reordered,
                faultCounts.repeated,
                flights.flying(),
                faultCounts.noSlot,
                faultCounts.oversize);
    }

    /** Time at which the last bit of the last frame and its gap have passed. */
    long freePs() {
        return freePs;
    }

    /** Frames on the wire or waiting to be received. */
    public int frames() {
        return flights.size();
    }

    /** A fingerprint of the state, for the checking mode. */
    public long fingerprint() {
        long hash = NamedRandom.mix(freePs ^ framesSent);
        hash = NamedRandom.mix(hash ^ framesArrived ^ (faultCounts.noSlot << 32));
        hash = NamedRandom.mix(hash ^ (credits == null ? 0 : credits.fingerprint()));
        hash = NamedRandom.mix(hash ^ (leaving == null ? 0 : leaving.fingerprint()));
        return NamedRandom.mix(hash ^ frames() ^ (waits ? 1L << 60 : 0));
    }
}
