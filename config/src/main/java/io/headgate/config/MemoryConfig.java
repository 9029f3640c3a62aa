package io.headgate.config;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import java.util.Map;

/** The memory of a switch for frames: size and number of its slots. */
@Withers
public record MemoryConfig(
        @Key(
                        quantity = SIZE,
                        values = {"512B", "1KiB", "2KiB", "4KiB", "16KiB", "68KiB"})
                @Says(
                        "Size of a slot. A frame may have the slot's size minus 320 bytes: an MTU"
                                + " above 1706 needs 4KiB, an MTU above 3754 needs 16KiB, a device"
                                + " with gso: pass needs 68KiB.")
                @Allowed("2KiB, 4KiB, 16KiB or 68KiB; also 512B or 1KiB with payload: elided")
                @Otherwise("2KiB; 68KiB where a device has gso: pass")
                int slotBytes,
        @Key(unit = "slots", min = "128", max = "1048576", example = "4096")
                @Says(
                        "Number of slots of each port's ingress half. They must cover eight account"
                                + " caps and the device's ring (64 if the device copies); at most"
                                + " 16,000,000 slots and 64 GiB in all ports.")
                @Otherwise("4096, or the next power of two that covers the given account caps")
                int slotsPerPort,
        @Key(name = "reuse", absent = "lifo")
                @Says(
                        "Which free slot is taken next: the last one returned, still warm in"
                                + " the cache, or the first.")
                SlotReuse slotReuse,
        @Key(quantity = SIZE, min = "0B", max = "16GB", absent = "0B")
                @Says(
                        "Size of a buffer that all ports with alpha share, like the ports of a"
                                + " switch chip: their thresholds depend on its free part. 0B: no"
                                + " shared buffer; each of these ports has its own pool.")
                long sharedBytes,
        @Key(absent = "stored")
                @Says(
                        "Whether whole frames are stored (stored), or only their first bytes"
                                + " (elided); then the other bytes are defined as zeros, which only"
                                + " virtual links support.")
                Payload payload)
        implements MemoryConfigBuilder.With {
    /** Bytes of a slot that a frame cannot use: 256 before it and 64 behind it. */
    public static final int SLOT_ROOM_BYTES = 256 + 64;

    /** A slot that holds whole segments: 64 KiB and headers, in whole pages. */
    public static final int WHOLE_SLOT_BYTES = 68 << 10;

    /** Facts of ports that follow from the memory, for computing the memory from the ports. */
    private static final Map<String, Object> OF_PORTS =
            Map.of("free-slots", 0, "segments-come", false);

    private static final int MOST_SLOTS = 1 << 20;
    private static final int SMALL_SLOT_BYTES = 2048;
    private static final int MIDDLE_SLOT_BYTES = 4096;
    private static final int LARGE_SLOT_BYTES = 16_384;

    /** The smallest slot that holds whole frames with a payload of this size. */
    public static int slotBytesFor(int payloadBytes) {
        int neededBytes = ConfigDefaults.maxFrameBytes(payloadBytes) + SLOT_ROOM_BYTES;
        if (neededBytes <= SMALL_SLOT_BYTES) {
            return SMALL_SLOT_BYTES;
        }
        return neededBytes <= MIDDLE_SLOT_BYTES ? MIDDLE_SLOT_BYTES : LARGE_SLOT_BYTES;
    }

    /**
     * Whether a slot has room for a frame of several TCP segments; only then may such frames come.
     */
    public boolean holdsSegments() {
        return slotBytes == WHOLE_SLOT_BYTES;
    }

    static int slotBytes(Known known) {
        boolean whole =
                known.assuming(OF_PORTS).list("ports", PortConfig.class).stream()
                        .anyMatch(port -> port.device().kind().passesSegments());
        return whole ? WHOLE_SLOT_BYTES : SMALL_SLOT_BYTES;
    }

    /**
     * Slots per port that cover each port's demand, which is computed without free slots, so that
     * its pool has the minimum size.
     */
    static int slotsPerPort(Known known) {
        int slots = ConfigDefaults.SLOTS_PER_PORT;
        for (PortConfig port : known.assuming(OF_PORTS).list("ports", PortConfig.class)) {
            while (slots < port.neededSlots() && slots < MOST_SLOTS) {
                slots *= 2;
            }
        }
        return slots;
    }

    /** Which free slot is taken next: the last one returned (warm in cache) or the first. */
    public enum SlotReuse {
        LIFO,
        FIFO
    }

    /**
     * The part of a frame that is stored: all of it, or only its first bytes, with the rest zero by
     * definition. Only the links of the virtual test bed carry frames without their payload.
     */
    public enum Payload {
        STORED,
        ELIDED
    }
}
