package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Loses, delays, repeats and reorders frames that another device receives, and takes its link down,
 * as {@link DeviceConfig.Faults} say: the same port, seed and arrivals have the same faults. What
 * is transmitted passes untouched while the link is up.
 *
 * <p>Frames under way stay in their slots, which are this device's until then ({@link
 * SlotPlace#DEVICE_RECEIVE}); there are at most {@link DeviceConfig.Faults#limitFrames}. While so
 * many are, the other device is not read, and what it drops then it counts itself.
 */
public final class FaultInjector extends DeviceDecorator {
    private static final int BURST = 64;

    // Of what came while the link was down, lost before it comes up: frames of the largest ring in
    // all, and a few bursts a call.
    private static final int MOST_LOST = 32_768;
    private static final int BURSTS_PER_CALL = 4;

    private volatile DeviceConfig.Faults faults;
    private final int limitFrames;
    private final LongUnaryOperator time;
    private final NamedRandom loss;
    private final NamedRandom jitter;
    private final NamedRandom reordering;
    private final NamedRandom repetition;
    private final NamedRandom flaps;

    // Receive side's own. Those that are held up come by a way of their own.
    private final Frame[] arrivals = new Frame[BURST];
    private final Line direct;
    private final Line heldUp;
    private long lost;
    private long flipNs = Long.MAX_VALUE;
    private boolean begun;
    private int lostForUp;
    private boolean lacksSlots;

    /** No slot was left when it was last read. */
    private boolean starved;

    /** Written by the receive side. */
    private volatile boolean down;

    /** Frames under way, in the order in which they arrive. */
    private static final class Line {
        private final Frame[] frames;
        private final long[] dueNs;
        private final int mask;
        private int head;
        private int size;
        private long lastNs = Long.MIN_VALUE;

        Line(int limit) {
            int length = Integer.highestOneBit(Math.max(1, limit - 1)) << 1;
            frames = new Frame[length];
            dueNs = new long[length];
            mask = length - 1;
        }

        /** A frame arrives at a time, or right behind the one before it. */
        void add(Frame frame, long atNs) {
            lastNs = size == 0 ? atNs : Math.max(lastNs, atNs);
            int at = head + size++ & mask;
            frames[at] = frame;
            dueNs[at] = lastNs;
            frame.place = SlotPlace.DEVICE_RECEIVE;
        }

        long nextNs() {
            return size == 0 ? Long.MAX_VALUE : dueNs[head];
        }

        Frame take() {
            Frame frame = frames[head];
            head = head + 1 & mask;
            size--;
            return frame;
        }
    }

    /**
     * @param owner of the generators: the port's name
     * @param time which it is now, by when the duty was called; frames are delayed from then: a
     *     worker that was held up before it read them was called earlier than they came
     */
    public FaultInjector(
            PortDevice inner, DeviceConfig.Faults faults, String owner, LongUnaryOperator time) {
        super(inner);
        this.time = time;
        this.faults = faults;
        this.limitFrames = faults.limitFrames();
        this.direct = new Line(faults.limitFrames());
        this.heldUp = new Line(faults.limitFrames());
        this.loss = NamedRandom.of(faults.seed(), owner, "loss");
        this.jitter = NamedRandom.of(faults.seed(), owner, "jitter");
        this.reordering = NamedRandom.of(faults.seed(), owner, "reordering");
        this.repetition = NamedRandom.of(faults.seed(), owner, "repetition");
        this.flaps = NamedRandom.of(faults.seed(), owner, "flaps");
    }

    @Override
    public void change(PortConfig port) {
        super.change(port);
        if (port.device() instanceof DeviceConfig.Faulty changed) {
            faults = changed.faults();
        }
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        flap(nowNs, free);
        int most = Math.min(Math.min(BURST, limit), room());
        int came = most == 0 ? 0 : super.receive(nowNs, free, arrivals, most);
        long cameNs = came > 0 && faults.holdsFrames() ? time.applyAsLong(nowNs) : nowNs;
        for (int i = 0; i < came; i++) {
            take(cameNs, free, arrivals[i]);
        }
        int count = 0;
        while (count < limit) {
            Line next = heldUp.nextNs() < direct.nextNs() ? heldUp : direct;
            if (next.nextNs() > nowNs) {
                break;
            }
            batch[count++] = next.take();
        }
        starved = free.size() == 0;
        return count;
    }

    private int room() {
        return limitFrames - direct.size - heldUp.size;
    }

    private void take(long cameNs, FreeList free, Frame frame) {
        if (down || loss.happens(faults.lossProbability())) {
            lose(free, frame);
            return;
        }
        long lateNs = faults.jitterNs() == 0 ? 0 : jitter.nextLong(faults.jitterNs() + 1);
        long atNs = cameNs + faults.delayNs() + lateNs;
        boolean isHeldUp = reordering.happens(faults.reorderProbability());
        Line line = isHeldUp ? heldUp : direct;
        line.add(frame, isHeldUp ? atNs + faults.reorderDelayNs() : atNs);
        if (repetition.happens(faults.repeatProbability()) && room() > 0) {
            Frame copy = free.take();
            if (copy != null) {
                copy(frame, copy);
                line.add(copy, line.lastNs);
            }
        }
    }

    private static void copy(Frame from, Frame to) {
        to.dataOffset = to.slotOffset + (from.dataOffset - from.slotOffset);
        to.lengthBytes = from.lengthBytes;
        to.storedBytes = from.storedBytes;
        MemorySegment.copy(
                FrameRegion.MEMORY,
                from.dataOffset,
                FrameRegion.MEMORY,
                to.dataOffset,
                from.storedBytes);
    }

    private void lose(FreeList free, Frame frame) {
        free.put(frame);
        lost++;
    }

    /** The link goes down or up when it is time; what is under way when it goes down is lost. */
    private void flap(long nowNs, FreeList free) {
        if (faults.upMeanNs() == 0) {
            // Down, and told not to go down any more.
            flipNs = nowNs;
            if (!down || hasLostAll(nowNs, free)) {
                down = false;
                begun = false;
                flipNs = Long.MAX_VALUE;
            }
            return;
        }
        if (!begun) {
            begun = true;
            flipNs = nowNs + lasts(faults.upMeanNs());
        }
        while (flipNs <= nowNs) {
            boolean nowDown = !down;
            if (!nowDown && !hasLostAll(nowNs, free)) {
                return;
            }
            down = nowDown;
            flipNs += lasts(nowDown ? faults.downMeanNs() : faults.upMeanNs());
            while (nowDown && direct.size > 0) {
                lose(free, direct.take());
            }
            while (nowDown && heldUp.size > 0) {
                lose(free, heldUp.take());
            }
        }
    }

    /**
     * Loses a piece of what came while the link was down; answers whether that was all. A link that
     * is down is not read at once, and frames of that time must not arrive later: it comes up once
     * they are gone. Without a free slot none can be read.
     */
    private boolean hasLostAll(long nowNs, FreeList free) {
        lacksSlots = free.size() == 0;
        for (int burst = 0; burst < BURSTS_PER_CALL && !lacksSlots; burst++) {
            int came = super.receive(nowNs, free, arrivals, BURST);
            for (int i = 0; i < came; i++) {
                lose(free, arrivals[i]);
            }
            lostForUp += came;
            if (came == 0 || lostForUp >= MOST_LOST) {
                lostForUp = 0;
                return true;
            }
        }
        return false;
    }

    private long lasts(long meanNs) {
        return Math.max(1, (long) flaps.nextExponential((double) meanNs));
    }

    /** Not while frames are held: when they came to the other device says nothing of here. */
    @Override
    public boolean showAges(long @Nullable [] agesNs) {
        super.showAges(null);
        return false;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return down ? 0 : super.transmit(batch, from, count);
    }

    @Override
    public boolean isUp() {
        return !down && super.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        super.readReceiveDrops(totals);
        totals.add(DropReason.FAULT_INJECTED, lost);
    }

    @Override
    public int receiveFd() {
        // What is not read must not wake the worker: it would spin. Frames that are due have a
        // deadline, and slots that come home ring.
        return starved || room() == 0 ? POLLED : super.receiveFd();
    }

    @Override
    public boolean armReceive() {
        return !starved && room() > 0 && super.armReceive();
    }

    @Override
    public long deadlineNs() {
        // A slot that comes home rings.
        long nextFlipNs = lacksSlots ? Long.MAX_VALUE : flipNs;
        long ownNs = Math.min(nextFlipNs, Math.min(direct.nextNs(), heldUp.nextNs()));
        return Math.min(ownNs, super.deadlineNs());
    }
}
