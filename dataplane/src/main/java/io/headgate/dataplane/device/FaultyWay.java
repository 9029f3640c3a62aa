package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * One direction of a link with faults: draws what goes wrong with each frame, and keeps those under
 * way. Owned by the side of the device that the direction is of.
 */
final class FaultyWay {
    private final int limitFrames;
    private final NamedRandom loss;
    private final NamedRandom corruption;
    private final NamedRandom jitter;
    private final NamedRandom reordering;
    private final NamedRandom repetition;

    // Those that are held up come by a way of their own.
    private final Line direct;
    private final Line heldUp;
    private final DropTotals counted = new DropTotals();

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
     * @param owner of the generators: the port's name, and which direction
     * @param limitFrames that may be under way
     */
    FaultyWay(long seed, String owner, int limitFrames) {
        this.limitFrames = limitFrames;
        this.direct = new Line(limitFrames);
        this.heldUp = new Line(limitFrames);
        this.loss = NamedRandom.of(seed, owner, "loss");
        this.corruption = NamedRandom.of(seed, owner, "corruption");
        this.jitter = NamedRandom.of(seed, owner, "jitter");
        this.reordering = NamedRandom.of(seed, owner, "reordering");
        this.repetition = NamedRandom.of(seed, owner, "repetition");
    }

    /** How many more may be under way. */
    int room() {
        return limitFrames - direct.size - heldUp.size;
    }

    /** When the next frame arrives; MAX_VALUE: none is under way. */
    long nextNs() {
        return Math.min(direct.nextNs(), heldUp.nextNs());
    }

    /** Whether the next frame never arrives. */
    boolean isLost(DeviceConfig.OneWay faults) {
        return loss.happens(faults.lossProbability());
    }

    /**
     * Sends a frame on its way, for which there is room.
     *
     * @param toCome frames that follow this one at once, for which there must still be room
     * @param free of what a second one is made, if there is room for it, too
     */
    void add(
            DeviceConfig.OneWay faults,
            long nowNs,
            int toCome,
            FreeList free,
            Frame frame,
            int place) {
        if (corruption.happens(faults.corruptionProbability())) {
            BitErrors.flip(corruption, frame.dataOffset, frame.storedBytes);
            counted.addFaults(1, 0, 0);
        }
        long lateNs = faults.jitterNs() == 0 ? 0 : jitter.nextLong(faults.jitterNs() + 1);
        long atNs = nowNs + faults.delayNs() + lateNs;
        Line line = direct;
        if (reordering.happens(faults.reorderProbability())) {
            line = heldUp;
            atNs += faults.reorderDelayNs();
            counted.addFaults(0, 1, 0);
        }
        line.add(frame, atNs);
        frame.place = place;
        if (repetition.happens(faults.repeatProbability()) && room() > toCome) {
            Frame copy = free.take();
            if (copy != null) {
                copy(frame, copy);
                line.add(copy, line.lastNs);
                copy.place = place;
                counted.addFaults(0, 0, 1);
            }
        }
    }

    /** Copies a frame's bytes, to the same place within another slot. */
    static void copy(Frame from, Frame to) {
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

    /** Takes out the frames that have arrived, at most {@code limit}; returns how many. */
    int arrived(long nowNs, Frame[] batch, int limit) {
        int count = 0;
        while (count < limit) {
            Line next = heldUp.nextNs() < direct.nextNs() ? heldUp : direct;
            if (next.nextNs() > nowNs) {
                break;
            }
            batch[count++] = next.take();
        }
        return count;
    }

    /** A frame never arrives. */
    void lose(FreeList free, Frame frame) {
        free.put(frame);
        counted.add(DropReason.FAULT_INJECTED, 1);
    }

    /** One never arrives of which nothing is kept. */
    void lose() {
        counted.add(DropReason.FAULT_INJECTED, 1);
    }

    /** None that is under way arrives. */
    void loseAll(FreeList free) {
        while (direct.size > 0) {
            lose(free, direct.take());
        }
        while (heldUp.size > 0) {
            lose(free, heldUp.take());
        }
    }

    void addTo(DropTotals totals) {
        totals.add(counted);
    }
}
