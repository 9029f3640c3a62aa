package io.headgate.testbed.virtual.link;

import java.util.HashMap;
import java.util.Map;

/** The memory of a run's links, by the size of the slots that it stands for. */
public final class FlightPools {
    private final boolean overwrites;
    private final Map<Integer, FlightPool> bySlotBytes = new HashMap<>();

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
