package io.headgate.config;

/**
 * The frame region.
 *
 * @param slotBytes size of a slot: 2,048, 4,096 or 16,384
 * @param slotsPerPort slots at home in each port's ingress half; must cover the account caps and
 *     the device's receive ring
 */
public record MemoryConfig(int slotBytes, int slotsPerPort, SlotReuse slotReuse) {

    /** Which free slot is taken next: the last one returned (warm in cache) or the first. */
    public enum SlotReuse {
        LIFO,
        FIFO
    }
}
