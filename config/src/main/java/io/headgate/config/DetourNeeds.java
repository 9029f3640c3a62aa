package io.headgate.config;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.key.Known;
import java.util.List;

/**
 * What the detour of a port needs from the parts that lay out and check the port. These parts ask
 * here, so that none of them depends on one kind of detour.
 *
 * @param growsBytes bytes that its header adds to a frame on the detour: the MTU of devices, and
 *     slots, have room for them
 * @param reservedSlots slots per lossless priority for frames that the far end's detour sends to
 *     the port; they do not count toward a pause
 * @param broughtFrames per lossless priority, the maximum number of frames that this port may have
 *     asked for; they come in at any other port, so each of those has a slot for each frame
 * @param modes modes of flow control that it works with
 * @param keepsFlowOrderOnly whether only frames of one flow keep their order, and not all frames of
 *     a queue
 */
public record DetourNeeds(
        int growsBytes,
        int reservedSlots,
        int broughtFrames,
        List<Mode> modes,
        boolean keepsFlowOrderOnly) {

    /** A fact at a port: {@link #reservedSlots}. */
    static final String SLOTS = "detour-slots";

    /** The needs of a port without a detour. */
    public static final DetourNeeds NONE = new DetourNeeds(0, 0, 0, List.of(Mode.values()), false);

    public DetourNeeds {
        modes = List.copyOf(modes);
    }

    /** The reserved slots of each lossless priority, while the keys of a port are being read. */
    static int reservedSlots(Known known) {
        return known.isDeclared(SLOTS) ? known.count(SLOTS) : 0;
    }

    /** The needs of a port's detour, on or off; {@link #NONE} if it has no detour. */
    public static DetourNeeds of(Mechanisms mechanisms) {
        DetourDeclaration<?> detour =
                MechanismRegistry.joined(
                        mechanisms, Mechanism.Kind.DETOUR, DetourDeclaration.class);
        Mechanisms.Use use = detour == null ? null : mechanisms.use(detour.configuration());
        return detour == null || use == null ? NONE : detour.needsOf(use);
    }
}
