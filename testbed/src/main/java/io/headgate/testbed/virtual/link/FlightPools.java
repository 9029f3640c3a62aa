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

    /** Memory in place of that of slots of a size. */
    FlightPool of(int slotBytes) {
        return bySlotBytes.computeIfAbsent(slotBytes, bytes -> new FlightPool(bytes, overwrites));
    }
}
