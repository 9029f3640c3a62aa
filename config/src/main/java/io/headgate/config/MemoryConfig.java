package io.headgate.config;

/**
 * The frame region.
 *
 * @param slotBytes size of a slot: 2,048, 4,096 or 16,384; also 512 or 1,024 where payload is
 *     elided
 * @param slotsPerPort slots at home in each port's ingress half; must cover the account caps and
 *     the device's receive ring
 * @param payload whether frames are stored whole
 */
public record MemoryConfig(int slotBytes, int slotsPerPort, SlotReuse slotReuse, Payload payload) {

    /** Frames stored whole. */
    public MemoryConfig(int slotBytes, int slotsPerPort, SlotReuse slotReuse) {
        this(slotBytes, slotsPerPort, slotReuse, Payload.STORED);
    }

    /** Which free slot is taken next: the last one returned (warm in cache) or the first. */
    public enum SlotReuse {
        LIFO,
        FIFO
    }

    /**
     * What of a frame is stored: all of it, or only its first bytes, the rest being zero by
     * definition. Only the links of the virtual test bed carry frames without their payload.
     */
    public enum Payload {
        STORED,
        ELIDED
    }
}
