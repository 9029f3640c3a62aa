package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;

/**
 * One direction of a link with faults: draws the faults of each frame at random, and holds the
 * frames under way. Owned by the side of the device for this direction.
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

        /**
         * Adds a frame that arrives at {@code atNs}, or right after the previous one if that is
         * later.
         */
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
     * @param owner name of the random generators: the port's name and the direction
     * @param limitFrames maximum number of frames under way
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

    /** How many more frames may be added. */
    int room() {
        return limitFrames - direct.size - heldUp.size;
    }

    /** Arrival time of the next frame; MAX_VALUE if none is under way. */
    long nextNs() {
        return Math.min(direct.nextNs(), heldUp.nextNs());
    }

    /** Draws whether the next frame is lost. */
    boolean isLost(DeviceConfig.OneWay faults) {
        return loss.happens(faults.lossProbability());
    }

    /**
     * Adds a frame, for which there must be room.
     *
     * @param toCome frames that follow this one at once; room is kept for them
     * @param free source of the slot for a repeated frame, which is made only if there is room for
     *     it
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

    /** Copies a frame's bytes to the same offset in another slot. */
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

    /** Loses a frame: counts it and frees its slot. */
    void lose(FreeList free, Frame frame) {
        free.put(frame);
        counted.add(DropReason.FAULT_INJECTED, 1);
    }

    /** Counts a lost frame that has no slot here. */
    void lose() {
        counted.add(DropReason.FAULT_INJECTED, 1);
    }

    /** Loses all frames under way. */
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
