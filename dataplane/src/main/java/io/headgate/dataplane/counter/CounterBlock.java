package io.headgate.dataplane.counter;

import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.Prefetch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The counters of one duty: eight bytes each, written by that duty alone, readable by any thread or
 * process. Totals are added to once per burst, so that a reader is at most a burst behind.
 */
public final class CounterBlock implements Prefetch {
    private static final VarHandle VALUE = ValueLayout.JAVA_LONG.varHandle();

    /**
     * A mask that changes no address of a counter. It tells the compiler that a masked address is
     * aligned and within all memory, so that it leaves out these checks.
     */
    private static final long ADDRESS = (Long.MAX_VALUE >>> 1) & -Long.BYTES;

    // By address within the constant segment, as frames are: a quarter of what a segment of one's
    // own costs, and there are a dozen counters a burst.
    private final long first;

    /** Keeps the memory from being freed. */
    @SuppressWarnings("unused")
    private final MemorySegment values;

    CounterBlock(MemorySegment values, long offset) {
        long address = values.address() + offset;
        if ((address & ADDRESS) != address) {
            throw new IllegalArgumentException(
                    "counters at address " + address + ", which 8 does not divide");
        }
        this.values = values;
        this.first = address;
    }

    @Override
    public long prefetch(int distance) {
        // What a half counts with every burst is in its block's first cache line.
        return get(0);
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
     * Sets a counter by its place in the block, its {@link CounterId#ordinal}, for callers that
     * know only the place.
     */
    public void set(int index, long value) {
        VALUE.setOpaque(FrameRegion.MEMORY, address(index), value);
    }

    public long get(int index) {
        return (long) VALUE.getOpaque(FrameRegion.MEMORY, address(index));
    }

    private long address(int index) {
        return (first + (long) index * Long.BYTES) & ADDRESS;
    }
}
