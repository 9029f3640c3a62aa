package io.headgate.hostagent.card;

import io.headgate.config.DeviceConfig;
import io.headgate.config.FrameGrowth;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortTraffic;

/**
 * The settings that a {@link HostCard} is built from.
 *
 * @param name the host's name, in counters and duties
 * @param rateBps line rate of the wire side in bits per second, 1 Mb/s to 400 Gb/s
 * @param appRateBps rate at which the application takes frames, within the same bounds; below the
 *     line rate for a slow receiver
 * @param mtuBytes largest layer-3 payload in bytes
 * @param wire how both sides sort frames into priorities, and the flow control of the wire side
 * @param codePoint ECN code point that the application's frames leave with; 0: unchanged
 */
public record CardSetup(
        String name,
        long rateBps,
        long appRateBps,
        int mtuBytes,
        Slots slots,
        PortTraffic.End wire,
        int codePoint,
        DeviceConfig appDevice,
        DeviceConfig wireDevice) {

    private static final int MTU_BYTES = 1500;
    private static final long MAX_RATE_BPS = 400_000_000_000L;

    /**
     * The slots of a card.
     *
     * @param app slots for frames from the application
     * @param wire slots for frames from the wire, without those that flow control needs
     * @param bytesEach size of each slot, as {@link io.headgate.dataplane.memory.FrameRegion} takes
     *     it
     */
    public record Slots(int app, int wire, int bytesEach) {
        /** 32 slots of 512 bytes a side: for frames with elided payload. */
        public static final Slots SMALL = new Slots(32, 32, 512);

        public Slots {
            if (app < 1 || wire < 1) {
                throw new IllegalArgumentException(app + " app slots, " + wire + " wire slots");
            }
        }
    }

    /**
     * A small card of the virtual bed: MTU 1,500 bytes, few slots, an application that is never
     * slow, no flow control.
     */
    public static CardSetup of(String name, long rateBps) {
        return new CardSetup(
                name,
                rateBps,
                MAX_RATE_BPS,
                MTU_BYTES,
                Slots.SMALL,
                PortTraffic.End.PLAIN,
                0,
                new DeviceConfig.Virtual(application(name)),
                new DeviceConfig.Virtual(name + ".wire"));
    }

    /** The name of a card's port towards its applications. */
    public static String application(String card) {
        return card + ".app";
    }

    public CardSetup withAppRateBps(long bps) {
        return new CardSetup(
                name, rateBps, bps, mtuBytes, slots, wire, codePoint, appDevice, wireDevice);
    }

    public CardSetup withMtuBytes(int bytes) {
        return new CardSetup(
                name, rateBps, appRateBps, bytes, slots, wire, codePoint, appDevice, wireDevice);
    }

    public CardSetup withSlots(int forApp, int forWire, int bytesEach) {
        Slots other = new Slots(forApp, forWire, bytesEach);
        return new CardSetup(
                name, rateBps, appRateBps, mtuBytes, other, wire, codePoint, appDevice, wireDevice);
    }

    /**
     * A copy with room for whole frames, including the bytes that the mechanisms on its link add.
     */
    public CardSetup storing() {
        int payloadBytes = mtuBytes + FrameGrowth.onLink(wire.mechanisms());
        return withSlots(slots.app(), slots.wire(), MemoryConfig.slotBytesFor(payloadBytes));
    }

    /** A copy with the priorities and flow control of the far end of the link on the wire side. */
    public CardSetup withWire(PortTraffic.End end) {
        return new CardSetup(
                name, rateBps, appRateBps, mtuBytes, slots, end, codePoint, appDevice, wireDevice);
    }

    /**
     * A copy in which packets of applications leave with this ECN code point; 0: with their own.
     */
    public CardSetup withCodePoint(int ecn) {
        return new CardSetup(
                name, rateBps, appRateBps, mtuBytes, slots, wire, ecn, appDevice, wireDevice);
    }

    /** A copy on devices that a {@link io.headgate.dataplane.runner.DeviceFactory} opens. */
    public CardSetup withDevices(DeviceConfig app, DeviceConfig onWire) {
        return new CardSetup(
                name, rateBps, appRateBps, mtuBytes, slots, wire, codePoint, app, onWire);
    }
}
