package io.headgate.dataplane.deadlockbreaker;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.deadlock.LoopCounter;
import io.headgate.dataplane.deadlock.LoopDetour;
import io.headgate.dataplane.deadlock.LoopWords;
import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.detour.SideQueue;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames for Deadlock Breaker at an egress port: begins moves if this port has found a loop,
 * and takes part in passing ones. Owned by the egress half.
 *
 * <p>A <i>guest</i> is a frame that was moved to here and waits in a queue of this port, charged to
 * a slot that its ingress port reserves for moved frames. When the next frame of that ingress port
 * is moved from here, the two frames exchange their charges, and the guest is an ordinary frame
 * from then on.
 *
 * <p>The far end reports its free slots after the last frame that had arrived there. Frames moved
 * since then may still take some of these slots, and are subtracted. A lost frame would be
 * subtracted forever; so a report that comes a detection time after the last move counts as it is.
 */
final class DeadlockBreakerDetour extends LoopDetour {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int FIRST = LoopCounter.values().length;
    private static final int NUMBER_MASK = 0xFFFF;

    private final SlotWords slots;
    private final SideQueue moving = new SideQueue();

    // As many as there are slots at the port's other ports, which charge them, or fewer.
    private final Frame[] guests;
    private int guestCount;

    // The report of its own slots that this port owes, and the last one sent.
    private long toReport;
    private long reported;

    // What the far end has said, and the last frame moved there: its number, and when.
    private long peer;
    private int free;
    private int number;
    private long movedNs;

    // For each queue: the last move that began here, and when; 0 once it is back.
    private final int[] moves = new int[PRIORITIES];
    private final long[] movesNs = new long[PRIORITIES];
    private int underWay;

    private final long[] counted = new long[MoveCounter.values().length];

    DeadlockBreakerDetour(
            DeadlockBreakerConfig config,
            boolean isOn,
            LinkSetup setup,
            LoopWords words,
            SlotWords slots,
            int all) {
        super(isOn, config.detectionNs(), setup, words);
        this.slots = slots;
        this.guests = new Frame[all * setup.board().ports()];
    }

    @Override
    public void change(PortConfig port) {
        Mechanisms.Use use = port.mechanisms().use(DeadlockBreakerConfig.class);
        if (use != null && use.configuration() instanceof DeadlockBreakerConfig config) {
            take(use.isEnabled(), config.detectionNs());
        }
    }

    @Override
    public void look(long nowNs, QueueFields queues) {
        super.look(nowNs, queues);
        toReport = slots.own().loadAcquire(0);
        long said = slots.peer().loadAcquire(0);
        if (said != peer) {
            peer = said;
            int onTheWay = (number - SlotWords.last(said)) & NUMBER_MASK;
            boolean isSettled = nowNs - movedNs >= detectionNs();
            free = SlotWords.free(said) - (isSettled ? 0 : onTheWay);
            count(MoveCounter.SLOTS_PEER, 0);
        }
    }

    // ---- moves

    @Override
    protected void found(long nowNs, int queue) {
        underWay &= ~(1 << queue);
    }

    @Override
    protected void ended(int queue) {
        underWay &= ~(1 << queue);
    }

    /** Begins a round when the one before has returned or timed out. */
    @Override
    protected int act(long nowNs, int queue, Queues queues, @Nullable CongestionPoint point) {
        boolean isUnderWay = (underWay >>> queue & 1) != 0;
        if (isUnderWay && nowNs - movesNs[queue] < detectionNs()) {
            return 0;
        }
        underWay &= ~(1 << queue);
        if (free <= 0 || !move(nowNs, queue, loopPort(queue), queues, point)) {
            return 0;
        }
        movesNs[queue] = nowNs;
        underWay |= 1 << queue;
        beginMove(queue, ++moves[queue]);
        count(MoveCounter.ROUNDS, 1);
        return 1;
    }

    @Override
    protected long actNs() {
        long next = Long.MAX_VALUE;
        for (int rest = underWay; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            next = Math.min(next, movesNs[queue] + detectionNs());
        }
        return next;
    }

    @Override
    protected void moveReturned(long nowNs, int queue, int sequence) {
        if (sequence == moves[queue] && (underWay >>> queue & 1) != 0) {
            underWay &= ~(1 << queue);
            count(MoveCounter.RETURNED, 1);
        }
    }

    @Override
    protected void moves(
            long nowNs, int queue, int fromPort, Queues queues, @Nullable CongestionPoint point) {
        if (free <= 0 || !move(nowNs, queue, fromPort, queues, point)) {
            count(MoveCounter.UNMOVED, 1);
        }
    }

    /**
     * The move token leaves after the frame that was moved here, so that the frame is there first.
     */
    @Override
    protected boolean holdsMoves() {
        return moving.frames() > 0;
    }

    private boolean move(
            long nowNs, int queue, int fromPort, Queues queues, @Nullable CongestionPoint point) {
        Frame frame = extract(nowNs, queues, queue, fromPort, point);
        if (frame == null) {
            return false;
        }
        if (frame.detour != 0) {
            forget(frame);
        } else {
            relieve(queue, frame);
        }
        number = (number + 1) & NUMBER_MASK;
        movedNs = nowNs;
        free--;
        DetourTag.insert(MEMORY, frame, number);
        moving.append(frame);
        count(MoveCounter.MOVED, 1);
        return true;
    }

    /** Exchanges charges with a guest from the same port. */
    private void relieve(int queue, Frame frame) {
        for (int i = 0; i < guestCount; i++) {
            Frame guest = guests[i];
            if (guest.home == frame.home && guest.priority == queue) {
                int account = guest.account;
                int chargedBytes = guest.chargedBytes;
                guest.account = frame.account;
                guest.chargedBytes = frame.chargedBytes;
                frame.account = account;
                frame.chargedBytes = chargedBytes;
                forget(guest);
                return;
            }
        }
    }

    private void forget(Frame guest) {
        guest.detour = 0;
        for (int i = 0; i < guestCount; i++) {
            if (guests[i] == guest) {
                guests[i] = guests[--guestCount];
                return;
            }
        }
    }

    // ---- frames come

    @Override
    public boolean arrived(Frame[] frames, int from, int to) {
        int moved = 0;
        for (int i = from; i < to; i++) {
            moved |= frames[i].detour;
        }
        return moved != 0;
    }

    @Override
    public boolean joinsQueues(
            long nowNs, Frame frame, Queues queues, @Nullable CongestionPoint point) {
        if (frame.account != Accounts.DETOUR || guestCount == guests.length) {
            frame.detour = 0;
            count(MoveCounter.UNEXPECTED, 1);
        } else {
            guests[guestCount++] = frame;
            count(MoveCounter.ARRIVED, 1);
        }
        return true;
    }

    // ---- frames leave

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from) {
        int count = from;
        while (moving.frames() > 0 && count < into.length && pacer.mayStart(nowNs)) {
            Frame frame = moving.take();
            if (frame != null) {
                pacer.start(frame.lengthBytes);
                into[count++] = frame;
                countsAgain();
            }
        }
        return count;
    }

    @Override
    public void started(Frame[] frames, int from, int to) {
        for (int i = from; i < to && guestCount > 0; i++) {
            if (frames[i].detour != 0) {
                forget(frames[i]);
            }
        }
    }

    @Override
    public void left(Frame frame) {
        if (frame.detour != 0) {
            forget(frame);
        }
    }

    @Override
    public @Nullable Frame drain() {
        countsAgain();
        return moving.take();
    }

    @Override
    public int frames() {
        return moving.frames();
    }

    @Override
    public long bytes() {
        return moving.bytes();
    }

    // ---- reports

    @Override
    public boolean isDue(long nowNs) {
        return toReport != reported || super.isDue(nowNs);
    }

    @Override
    public int write(long presentNs, MemorySegment memory, long frame, long source) {
        if (toReport == reported) {
            return super.write(presentNs, memory, frame, source);
        }
        reported = toReport;
        SlotReport.write(memory, frame, source, SlotWords.last(reported), SlotWords.free(reported));
        count(MoveCounter.REPORTED, 1);
        return SlotReport.FRAME_BYTES;
    }

    @Override
    public void linkChanged() {
        super.linkChanged();
        underWay = 0;
        free = 0;
        peer = slots.peer().loadAcquire(0);
        reported = slots.own().loadAcquire(0);
        toReport = reported;
    }

    // ---- what a person may ask

    private void count(MoveCounter counter, int more) {
        counted[counter.ordinal()] += more;
        countsAgain();
    }

    @Override
    public long counted(int counter) {
        if (counter < FIRST) {
            return super.counted(counter);
        }
        int own = counter - FIRST;
        if (own == MoveCounter.SLOTS_PEER.ordinal()) {
            return Math.max(0, free);
        }
        return own == MoveCounter.QUEUE_FRAMES.ordinal() ? moving.frames() : counted[own];
    }
}
