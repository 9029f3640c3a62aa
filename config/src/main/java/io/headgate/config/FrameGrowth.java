package io.headgate.config;

import io.headgate.config.key.Known;

/**
 * Computes by how many bytes frames at a port may exceed its MTU, because mechanisms add bytes on
 * the way. Lengths, headroom, credits, slots and devices all ask here.
 */
public final class FrameGrowth {
    /** A fact at a port: {@link #inQueues}. */
    static final String FACT = "frame-growth";

    private FrameGrowth() {}

    /**
     * A congestion point that adds bytes to frames on their way, as the configuration knows it. Its
     * keys may not depend on those of flow control, which depend on it.
     */
    public interface Grower<C extends Record> extends Mechanism<C> {

        /**
         * Maximum number of bytes by which frames at a port that has it may exceed the port's MTU:
         * the bytes that it adds there, and at the largest possible number of ports before.
         */
        int growsBytes(C configuration);

        default int growsBytesOf(Mechanisms.Use use) {
            return growsBytes(of(use));
        }
    }

    /**
     * Growth of frames in the queues of a port: the bytes that congestion points add there and
     * before.
     */
    public static int inQueues(Mechanisms mechanisms) {
        int bytes = 0;
        for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.CONGESTION_POINT)) {
            if (MechanismRegistry.find(use.kind(), use.name()) instanceof Grower<?> grower) {
                bytes += grower.growsBytesOf(use);
            }
        }
        return bytes;
    }

    /** Maximum payload of a frame in the queues of a port whose keys are being read. */
    static int grownMtuBytes(Known known) {
        return known.count("mtu") + (known.isDeclared(FACT) ? known.count(FACT) : 0);
    }

    /**
     * Maximum payload that one frame counts as in the queues of a port whose keys are being read:
     * more than {@link #grownMtuBytes} if frames of several segments pass.
     */
    static int countedPayloadBytes(Known known) {
        return countedPayloadBytes(passesSegments(known), grownMtuBytes(known));
    }

    /** Whether the device whose keys are being read passes frames of several segments. */
    static boolean passesSegments(Known known) {
        return known.isDeclared("device")
                && known.get("device", DeviceConfig.class).kind().passesSegments();
    }

    static int countedPayloadBytes(boolean whole, int grownMtuBytes) {
        int wholeBytes = ConfigDefaults.WHOLE_FRAME_BYTES - ConfigDefaults.OVERHEAD_BYTES;
        return whole ? Math.max(wholeBytes, grownMtuBytes) : grownMtuBytes;
    }

    /** Growth of frames in a slot and on the link: also the header of the port's detour. */
    public static int onLink(Mechanisms mechanisms) {
        return inQueues(mechanisms) + DetourNeeds.of(mechanisms).growsBytes();
    }
}
