package io.headgate.dataplane.detour;

import io.headgate.config.DetourDeclaration;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.linkcontrol.LinkSpeaker;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that moves frames of a port past its queues. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code detour} of any port with a flow control that it works with.
 *
 * @param <C> its configuration
 */
public interface DetourMechanism<C extends Record> extends DetourDeclaration<C>, LinkSpeaker<C> {

    /** 0 by default: the detour sends no frames of its own to the far end. */
    @Override
    default int frames(C configuration) {
        return 0;
    }

    @Override
    default boolean isThereWhileOff() {
        return true;
    }

    @Override
    PortDetour protocol(C configuration, boolean isOn, LinkSetup setup);

    /**
     * Reads the flow of a frame that leaves a port, with the header or without; false if it has
     * none. For checks of order, which only frames of one flow keep.
     */
    default boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        return into.read(segment, frame);
    }

    /** The detour mechanism of a port, on or off; null if it has none. */
    static @Nullable DetourMechanism<?> of(Mechanisms mechanisms) {
        return MechanismRegistry.joined(mechanisms, Mechanism.Kind.DETOUR, DetourMechanism.class);
    }
}
