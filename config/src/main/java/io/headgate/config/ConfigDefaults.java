package io.headgate.config;

import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import java.util.List;
import java.util.Map;

/**
 * The defaults of a configuration, and configurations made of them, for code that builds its own.
 */
public final class ConfigDefaults {
    /** Length of a pause quantum, in bit times (IEEE 802.3, annex 31B). */
    public static final int QUANTUM_BITS = 512;

    public static final int MTU_BYTES = (int) number(PortConfig.class, "mtu");
    public static final int AF_PACKET_RING_FRAMES =
            (int) number(DeviceConfig.AfPacket.class, "ring");
    public static final int AF_XDP_RING_FRAMES = (int) number(DeviceConfig.AfXdp.class, "ring");
    public static final long SEED = number(SwitchConfig.class, "seed");

    /** Default slots of a port, if these cover its needs. */
    static final int SLOTS_PER_PORT = 4096;

    /** Bytes by which a frame may exceed the MTU: Ethernet header and two tags. */
    public static final int OVERHEAD_BYTES = 14 + 8;

    public static final FlowControlConfig.Watchdog WATCHDOG =
            Section.of(FlowControlConfig.Watchdog.class).standard(Known.NOTHING);

    /** Number of accounts, one per priority; each may hold as many slots as its cap. */
    public static final int ACCOUNTS = 8;

    /** The largest ring that a device may have in each direction. */
    public static final int MAX_RING_FRAMES = 32_768;

    /** {@link DeviceConfig#ringFrames} of devices without a ring of a configured size. */
    public static final int RING_NOT_KNOWN = Integer.MAX_VALUE;

    /** Slots that a device which copies needs free: one burst. */
    public static final int COPY_BURST_SLOTS = 64;

    public static final BridgeConfig BRIDGE =
            Section.of(BridgeConfig.class).standard(Known.NOTHING);

    public static final RoutedConfig ROUTED =
            Section.of(RoutedConfig.class).standard(Known.NOTHING);

    public static final MemoryConfig MEMORY =
            Section.of(MemoryConfig.class).standard(Known.of(Map.of("ports", List.of())));

    public static final WorkerConfig WORKERS =
            Section.of(WorkerConfig.class).standard(Known.NOTHING);

    private static final PortConfig PORT =
            Section.of(PortConfig.class).standard(Known.of(Map.of("memory", MEMORY)));

    private ConfigDefaults() {}

    private static long number(Class<? extends Record> type, String key) {
        return ((Number) Section.of(type).standard(key)).longValue();
    }

    /** The account cap that fills a port's slots: an eighth of what the ring leaves, at least 1. */
    public static int accountCapSlots(int slotsPerPort, DeviceConfig device) {
        return accountCapSlots(slotsPerPort - device.receiveSlots(), ACCOUNTS);
    }

    /** An equal share of the slots that are left to the lossy priorities, at least 1. */
    static int accountCapSlots(int slots, int lossyPriorities) {
        return Math.max(1, slots / Math.max(1, lossyPriorities));
    }

    /**
     * Maximum number of bytes that a frame of several TCP segments counts as: its segments, the
     * overhead of a wire between them, and a tag for each. A frame of 64 KB stays below it if its
     * segments' payload is 28 bytes longer than their headers.
     */
    public static final int WHOLE_FRAME_BYTES = 128 << 10;

    public static int maxFrameBytes(int mtuBytes) {
        return mtuBytes + OVERHEAD_BYTES;
    }

    /** Slots for a size in bytes: four times what frames of the largest size would take. */
    static int slotsFor(long bytes, int mtuBytes) {
        long slots = Math.ceilDiv(4 * bytes, maxFrameBytes(mtuBytes));
        return Math.clamp(slots, 8, 1 << 20);
    }

    /**
     * Duration of a pause of {@code quanta} quanta, in ns, rounded up: the far end counts on that.
     */
    public static long pauseNs(int quanta, long rateBps) {
        return Math.ceilDiv((long) quanta * QUANTUM_BITS * 1_000_000_000L, rateBps);
    }

    /** Duration of one pause quantum, in whole ps. */
    public static long quantumPs(long rateBps) {
        return QUANTUM_BITS * 1_000_000_000_000L / rateBps;
    }

    /** A port with defaults for all but its name and device, for {@link #MEMORY}'s slots. */
    public static PortConfig port(String name, DeviceConfig device) {
        int capSlots = accountCapSlots(MEMORY.slotsPerPort(), device);
        return PORT.withName(name)
                .withDevice(device)
                .withAccountCapSlots(capSlots)
                .withAccountCapBytes((long) capSlots * maxFrameBytes(MTU_BYTES));
    }

    /** A bridging switch with defaults for all but its name and ports. */
    public static SwitchConfig bridge(String name, List<PortConfig> ports) {
        return new SwitchConfig(
                name,
                SwitchConfig.Mode.BRIDGE,
                null,
                ports,
                BRIDGE,
                ROUTED,
                MEMORY,
                WORKERS,
                Mechanisms.NONE,
                SEED);
    }
}
