package io.headgate.testbed.virtual.link;

import org.agrona.collections.Int2ObjectHashMap;

/** The memory pools of a part's links, one for each size of slots. */
public final class FlightPools {
    private final boolean overwrites;
    private final Int2ObjectHashMap<FlightPool> bySlotBytes = new Int2ObjectHashMap<>();

    /**
     * @param overwrites as in {@link FlightPool}
     */
    public FlightPools(boolean overwrites) {
        this.overwrites = overwrites;
    }

    /**
     * Gives another part half of the free memory that this one has more. Dropped frames leave their
     * memory in the part that received them, and senders need it.
     */
    public void share(FlightPools other) {
        bySlotBytes.forEachInt((slotBytes, pool) -> pool.share(other.of(slotBytes)));
    }

    /** The pool for slots of a size. */
    FlightPool of(int slotBytes) {
        return bySlotBytes.computeIfAbsent(slotBytes, bytes -> new FlightPool(bytes, overwrites));
    }
}
