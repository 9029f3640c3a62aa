package io.headgate.dataplane.engine;

/**
 * What a {@link NicEngine} is built from.
 *
 * @param name the host's name, in counters and duties
 * @param rateBps line rate of the wire side in bits per second, 1 Mb/s to 400 Gb/s
 * @param appRateBps rate at which the application takes frames, within the same bounds; below the
 *     line rate for a receiver that is slow
 * @param mtuBytes largest layer-3 payload in bytes
 * @param appSlots slots for what the application sends: frames that may wait in the card
 * @param wireSlots slots for what arrives from the wire
 * @param slotBytes size of a slot, as {@link io.headgate.dataplane.memory.FrameRegion} takes it
 */
public record NicSetup(
        String name,
        long rateBps,
        long appRateBps,
        int mtuBytes,
        int appSlots,
        int wireSlots,
        int slotBytes) {

    private static final int MTU_BYTES = 1500;
    private static final int APP_SLOTS = 32;
    private static final int WIRE_SLOTS = 32;
    private static final int SLOT_BYTES = 512;
    private static final long MAX_RATE_BPS = 400_000_000_000L;

    public NicSetup {
        if (appSlots < 1 || wireSlots < 1) {
            throw new IllegalArgumentException(
                    name + ": " + appSlots + " app slots, " + wireSlots + " wire slots");
        }
    }

    /**
     * A small card for frames with elided payload: MTU 1,500 bytes, 32 slots of 512 bytes a side,
     * an application that is never slow.
     */
    public static NicSetup of(String name, long rateBps) {
        return new NicSetup(
                name, rateBps, MAX_RATE_BPS, MTU_BYTES, APP_SLOTS, WIRE_SLOTS, SLOT_BYTES);
    }

    public NicSetup withAppRateBps(long bps) {
        return new NicSetup(name, rateBps, bps, mtuBytes, appSlots, wireSlots, slotBytes);
    }

    public NicSetup withMtuBytes(int bytes) {
        return new NicSetup(name, rateBps, appRateBps, bytes, appSlots, wireSlots, slotBytes);
    }

    public NicSetup withSlots(int forApp, int forWire, int bytesEach) {
        return new NicSetup(name, rateBps, appRateBps, mtuBytes, forApp, forWire, bytesEach);
    }
}
