package io.headgate.config;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.key.Known;
import java.util.List;

/**
 * What the detour of a port needs of those who lay out and check the port: each asks here, and
 * nobody knows which detour it is.
 *
 * @param growsBytes that its header adds to a frame that takes it: the MTU of devices, and slots,
 *     have room for them
 * @param reservedSlots of each lossless priority, for frames that come in at the port by the far
 *     end's detour; they count for no pause
 * @param broughtFrames of each lossless priority: the most that this port may have asked for, and
 *     which come in at each other port, which has a slot for each
 * @param modes of flow control that it works with
 * @param keepsFlowOrderOnly whether frames of one flow alone keep their order, and not all of a
 *     queue
 */
public record DetourNeeds(
        int growsBytes,
        int reservedSlots,
        int broughtFrames,
        List<Mode> modes,
        boolean keepsFlowOrderOnly) {

    /** A fact at a port: {@link #reservedSlots}. */
    static final String SLOTS = "detour-slots";

    /** Of a port without one. */
    public static final DetourNeeds NONE = new DetourNeeds(0, 0, 0, List.of(Mode.values()), false);

    public DetourNeeds {
        modes = List.copyOf(modes);
    }

    /** The slots of each lossless priority, for who asks what is said at a port. */
    static int reservedSlots(Known known) {
        return known.isDeclared(SLOTS) ? known.count(SLOTS) : 0;
    }

    /** Of the detour of a port, on or off; {@link #NONE} where there is none. */
    public static DetourNeeds of(Mechanisms mechanisms) {
        DetourDeclaration<?> detour =
                MechanismRegistry.joined(
                        mechanisms, Mechanism.Kind.DETOUR, DetourDeclaration.class);
        Mechanisms.Use use = detour == null ? null : mechanisms.use(detour.configuration());
        return detour == null || use == null ? NONE : detour.needsOf(use);
    }
}
