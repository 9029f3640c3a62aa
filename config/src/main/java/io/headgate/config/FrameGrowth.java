package io.headgate.config;

import io.headgate.config.key.Known;

/**
 * By how much frames at a port may be longer than its MTU allows: what mechanisms add on their way.
 * The one place that knows; lengths, headroom, credits, slots and devices ask here.
 */
public final class FrameGrowth {
    /** A fact at a port: {@link #inQueues}. */
    static final String FACT = "frame-growth";

    private FrameGrowth() {}

    /**
     * A congestion point that adds to frames on their way, as far as the configuration knows it.
     * Its keys may not follow from those of flow control, which follow from it.
     */
    public interface Grower<C extends Record> extends Mechanism<C> {

        /**
         * Most bytes by which frames at a port that has it may be longer than the port's MTU
         * allows: by what it adds to them there, and at as many ports before as there may be.
         */
        int growsBytes(C configuration);

        default int growsBytesOf(Mechanisms.Use use) {
            return growsBytes(of(use));
        }
    }

    /** Of frames in the queues of a port: by what congestion points there and before add. */
    public static int inQueues(Mechanisms mechanisms) {
        int bytes = 0;
        for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.CONGESTION_POINT)) {
            if (MechanismRegistry.find(use.kind(), use.name()) instanceof Grower<?> grower) {
                bytes += grower.growsBytesOf(use);
            }
        }
        return bytes;
    }

    /** Most payload of a frame in the queues of a port that is being read. */
    static int grownMtuBytes(Known known) {
        return known.count("mtu") + (known.isDeclared(FACT) ? known.count(FACT) : 0);
    }

    /**
     * Most payload that one frame counts as in the queues of a port that is being read: more than
     * {@link #grownMtuBytes} where frames of several segments pass.
     */
    static int countedPayloadBytes(Known known) {
        return countedPayloadBytes(passesSegments(known), grownMtuBytes(known));
    }

    /** Whether the device of what is being read brings and takes frames of several segments. */
    static boolean passesSegments(Known known) {
        return known.isDeclared("device")
                && known.get("device", DeviceConfig.class).kind().passesSegments();
    }

    static int countedPayloadBytes(boolean whole, int grownMtuBytes) {
        int wholeBytes = ConfigDefaults.WHOLE_FRAME_BYTES - ConfigDefaults.OVERHEAD_BYTES;
        return whole ? Math.max(wholeBytes, grownMtuBytes) : grownMtuBytes;
    }

    /** Of frames in a slot and on the link: with the header of the port's detour. */
    public static int onLink(Mechanisms mechanisms) {
        return inQueues(mechanisms) + DetourNeeds.of(mechanisms).growsBytes();
    }
}
