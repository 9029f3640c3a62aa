package io.headgate.testbed.virtual.link;

import org.agrona.collections.Int2ObjectHashMap;

/** The memory of a run's links, by the size of the slots that it stands for. */
public final class FlightPools {
    private final boolean overwrites;
    private final Int2ObjectHashMap<FlightPool> bySlotBytes = new Int2ObjectHashMap<>();

    /**
     * @param overwrites as {@link FlightPool} has it
     */
    public FlightPools(boolean overwrites) {
        this.overwrites = overwrites;
    }

    /**
     * Gives half of what is free here in excess of another part's memory to that. Frames that are
     * dropped leave their memory where they were received, and what sends needs it.
     */
    public void share(FlightPools other) {
        bySlotBytes.forEachInt((slotBytes, pool) -> pool.share(other.of(slotBytes)));
    }

    /** Memory in place of that of slots of a size. */
    FlightPool of(int slotBytes) {
        return bySlotBytes.computeIfAbsent(slotBytes, bytes -> new FlightPool(bytes, overwrites));
    }
}
