package io.headgate.dataplane.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The free slots of one half, used only by that half. Bounded by the half's slots; taking from an
 * empty list returns null, which is an ordinary event.
 */
public final class FreeList {
    private static final int FEW = 16;

    private final int capacity;
    private final boolean fifo;
    private Frame[] frames;
    private int mask;
    private int head;
    private int size;

    // Slots from 0 up to this one were never taken.
    private final @Nullable IntFunction<Frame> slots;
    private int untouched;

    /**
     * @param capacity maximum number of slots
     * @param fifo whether the slot that has been free longest is taken first (cold in cache, useful
     *     only to measure that), rather than the last one returned
     */
    public FreeList(int capacity, boolean fifo) {
        this.capacity = capacity;
        this.fifo = fifo;
        this.slots = null;
        this.frames = new Frame[lengthFor(capacity)];
        this.mask = frames.length - 1;
    }

    /**
     * A list with all slots of a half free, as if put in in the order of their numbers; the last
     * one returned is taken first. Each frame is fetched from {@code slots} when it is first taken,
     * and has room here from then on.
     *
     * @param slots by number, from 0
     */
    public FreeList(int capacity, IntFunction<Frame> slots) {
        this.capacity = capacity;
        this.fifo = false;
        this.slots = slots;
        this.untouched = capacity;
        this.frames = new Frame[lengthFor(Math.min(FEW, capacity))];
        this.mask = frames.length - 1;
    }

    private static int lengthFor(int capacity) {
        return Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    }

    private void makeRoom(int count) {
        if (count > frames.length) {
            frames = Arrays.copyOf(frames, lengthFor(count));
            mask = frames.length - 1;
        }
    }

    /** Removes all slots; the caller then puts them in again. */
    public void clear() {
        untouched = 0;
        makeRoom(capacity);
        head = 0;
        size = 0;
    }

    /** Takes a free slot, or null if there is none. The caller records its new place. */
    public @Nullable Frame take() {
        if (size == 0) {
            return takeUntouched();
        }
        size--;
        int index;
        if (fifo) {
            index = head;
            head = (head + 1) & mask;
        } else {
            index = size;
        }
        return frames[index];
    }

    private @Nullable Frame takeUntouched() {
        if (untouched == 0 || slots == null) {
            return null;
        }
        makeRoom(capacity - untouched + 1);
        return slots.apply(--untouched);
    }

    /**
     * Takes several free slots at once, which is cheaper than one by one.
     *
     * @return how many there were, at most {@code limit}
     */
    public int take(Frame[] into, int limit) {
        int count = Math.min(limit, size);
        int first = fifo ? head : size - count;
        int straight = Math.min(count, frames.length - first);
        System.arraycopy(frames, first, into, 0, straight);
        if (straight < count) {
            System.arraycopy(frames, 0, into, straight, count - straight);
        }
        size -= count;
        if (fifo) {
            head = (head + count) & mask;
        }
        while (count < limit && untouched > 0) {
            into[count++] = Objects.requireNonNull(takeUntouched());
        }
        return count;
    }

    /** Puts slots back; the caller has set their place to {@link SlotPlace#FREE}. */
    public void put(Frame[] batch, int from, int count) {
        assert areFree(batch, from, count);
        int end = (head + size) & mask;
        int straight = Math.min(count, frames.length - end);
        System.arraycopy(batch, from, frames, end, straight);
        if (straight < count) {
            System.arraycopy(batch, from + straight, frames, 0, count - straight);
        }
        size += count;
    }

    private static boolean areFree(Frame[] batch, int from, int count) {
        int free = 0;
        while (free < count && batch[from + free].place == SlotPlace.FREE) {
            free++;
        }
        return free == count;
    }

    /** Puts a slot back; its place becomes {@link SlotPlace#FREE}. */
    public void put(Frame frame) {
        frame.place = SlotPlace.FREE;
        frames[(head + size) & mask] = frame;
        size++;
    }

    /**
     * Returns the slots that will be taken next, at most {@code limit}, without taking them; slots
     * that were never taken are left out.
     *
     * @param into filled at {@code from} and after it; must have room
     * @return index behind the last
     */
    public int peek(Frame[] into, int from, int limit) {
        int count = Math.min(limit, size);
        int first = fifo ? head : size - count;
        // Mostly one or two are asked for: then a loop costs less than a copy.
        for (int i = 0; i < count; i++) {
            into[from + i] = frames[(first + i) & mask];
        }
        return from + count;
    }

    public int size() {
        return size + untouched;
    }
}
