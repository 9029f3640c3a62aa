package io.headgate.dataplane.engine.counter;

import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The counters of one duty: eight bytes each, written by that duty alone, readable by any thread or
 * process. Totals are added to once per burst, so that a reader is at most a burst behind.
 */
public final class CounterBlock {
    private static final VarHandle VALUE = ValueLayout.JAVA_LONG.varHandle();
    private static final int WORD_SHIFT = 3;

    // By address within the constant segment, as frames are: a quarter of what a segment of one's
    // own costs, and there are a dozen counters a burst. In words, so that the compiler knows that
    // an address made of it is aligned, and does not have that looked at each time.
    private final long firstWord;

    /** What keeps the memory from being given back. */
    @SuppressWarnings("unused")
    private final MemorySegment values;

    CounterBlock(MemorySegment values, long offset) {
        long address = values.address() + offset;
        if ((address & 7) != 0) {
            throw new IllegalArgumentException(
                    "counters at address " + address + ", which 8 does not divide");
        }
        this.values = values;
        this.firstWord = address >>> WORD_SHIFT;
    }

    /**
     * Reads two counters a cache line apart, for who wants their neighbours in cache: of a block of
     * nine or more, such as a half's.
     */
    public long touch() {
        return get(0) + get(8);
    }

    public void add(CounterId id, long amount) {
        add(id.ordinal(), amount);
    }

    public void set(CounterId id, long value) {
        set(id.ordinal(), value);
    }

    public long get(CounterId id) {
        return get(id.ordinal());
    }

    /** Raises a maximum; a value not above it changes nothing. */
    public void raise(CounterId id, long value) {
        if (value > get(id)) {
            set(id, value);
        }
    }

    void add(int index, long amount) {
        set(index, get(index) + amount);
    }

    /**
     * Sets a counter by its place in the block, which is its {@link CounterId#ordinal}: where that
     * is known and the counter is not.
     */
    public void set(int index, long value) {
        VALUE.setOpaque(FrameRegion.MEMORY, address(index), value);
    }

    long get(int index) {
        return (long) VALUE.getOpaque(FrameRegion.MEMORY, address(index));
    }

    private long address(int index) {
        return (firstWord + index) << WORD_SHIFT;
    }
}
