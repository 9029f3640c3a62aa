package io.headgate.config;

import java.util.List;

/**
 * What a configuration means where it says nothing. The published schema states the same values,
 * which a test holds against these.
 */
public final class ConfigDefaults {
    public static final long RATE_BPS = 1_000_000_000L;
    public static final int MTU_BYTES = 1500;
    public static final long QUEUE_LIMIT_BYTES = 500_000;
    public static final int AF_PACKET_RING_FRAMES = 2048;
    public static final int AF_XDP_RING_FRAMES = 1024;
    public static final long SEED = 1;
    public static final int SLOTS_PER_PORT = 4096;

    /** Bytes that a frame may have above the MTU: Ethernet header and two tags. */
    public static final int OVERHEAD_BYTES = 14 + 8;

    public static final long XOFF_BYTES = 100_000;
    public static final int PAUSE_QUANTA = 65_535;
    public static final int BLOCK_SCALE = 2;
    public static final long CREDIT_BUFFER_BYTES = 500_000;

    public static final FlowControlConfig.Watchdog WATCHDOG =
            new FlowControlConfig.Watchdog(
                    FlowControlConfig.Watchdog.Action.DROP, 200_000_000, 200_000_000, 100_000_000);

    /** Accounts that each may hold a cap's worth of slots: one for each priority. */
    public static final int ACCOUNTS = 8;

    /** The largest ring that a device may have in each direction. */
    public static final int MAX_RING_FRAMES = 32_768;

    /** What {@link #ringFrames} answers for devices without a ring of a configured size. */
    public static final int RING_NOT_KNOWN = Integer.MAX_VALUE;

    /** Slots that a device which copies needs free: one burst. */
    public static final int COPY_BURST_SLOTS = 64;

    public static final BridgeConfig BRIDGE =
            new BridgeConfig(300_000_000_000L, 16_384, 10_000, 5, List.of());

    public static final RoutedConfig ROUTED = new RoutedConfig(List.of(), 60_000_000_000L);

    public static final MemoryConfig MEMORY =
            new MemoryConfig(2048, SLOTS_PER_PORT, MemoryConfig.SlotReuse.LIFO);

    public static final WorkerConfig WORKERS =
            new WorkerConfig(
                    WorkerConfig.Layout.AUTO, 0, WorkerConfig.Idle.BACKOFF, List.of(), 1_000_000);

    private ConfigDefaults() {}

    /** Slots that a device's receive side must find free beside the accounts. */
    public static int ringSlots(DeviceConfig device) {
        return device instanceof DeviceConfig.AfXdp xdp ? xdp.ringFrames() : COPY_BURST_SLOTS;
    }

    /**
     * Frames of any length that a device holds until its port looks; {@link #RING_NOT_KNOWN} where
     * nobody has said how many.
     */
    public static int ringFrames(DeviceConfig device) {
        return switch (device) {
            case DeviceConfig.AfPacket packet -> packet.ringFrames();
            case DeviceConfig.AfXdp xdp -> xdp.ringFrames();
            default -> RING_NOT_KNOWN;
        };
    }

    /** The account cap that fills a port's slots: an eighth of what the ring leaves, at least 1. */
    public static int accountCapSlots(int slotsPerPort, DeviceConfig device) {
        return accountCapSlots(slotsPerPort - ringSlots(device), ACCOUNTS);
    }

    /** An equal share of the slots that are left to the lossy priorities, at least 1. */
    static int accountCapSlots(int slots, int lossyPriorities) {
        return Math.max(1, slots / Math.max(1, lossyPriorities));
    }

    /** Largest frame of a port, in bytes. */
    public static int maxFrameBytes(int mtuBytes) {
        return mtuBytes + OVERHEAD_BYTES;
    }

    /** Slots for a size in bytes: four times what frames of the largest size would take. */
    static int slotsFor(long bytes, int mtuBytes) {
        long slots = Math.ceilDiv(4 * bytes, maxFrameBytes(mtuBytes));
        return Math.clamp(slots, 8, 1 << 20);
    }

    /** How long a pause of so many quanta lasts, in ns: 512 bit times each. */
    public static long pauseNs(int quanta, long rateBps) {
        return Math.ceilDiv(quanta * 512L * 1_000_000_000L, rateBps);
    }

    /** A port with defaults for all but its name and device, for {@link #MEMORY}'s slots. */
    public static PortConfig port(String name, DeviceConfig device) {
        int capSlots = accountCapSlots(SLOTS_PER_PORT, device);
        return new PortConfig(
                name,
                device,
                RATE_BPS,
                MTU_BYTES,
                PortConfig.VlanConfig.DEFAULT,
                QUEUE_LIMIT_BYTES,
                (long) capSlots * (MTU_BYTES + OVERHEAD_BYTES),
                capSlots,
                List.of());
    }

    /** A bridging switch with defaults for all but its name and ports. */
    public static SwitchConfig bridge(String name, List<PortConfig> ports) {
        return new SwitchConfig(
                name, SwitchConfig.Mode.BRIDGE, null, ports, BRIDGE, ROUTED, MEMORY, WORKERS, SEED);
    }
}
