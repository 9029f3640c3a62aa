package io.headgate.dataplane.detour;

import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.memory.Frame;

/**
 * The receiving end of a detour at a port: takes the header off frames that came by it, so that all
 * that follows sees them as their hosts sent them. Owned by the ingress half.
 */
public interface DetourReceiver extends LinkReceiver {
    /** What {@link #unwrap} answers of a frame without the header, which stays as it is. */
    int ORDINARY = 0;

    /** The header is off. */
    int UNWRAPPED = 1;

    /** Without the header the frame is malformed. */
    int MALFORMED = 2;

    /** Whether frames with the header may come here; asked once. */
    default boolean unwraps() {
        return false;
    }

    /**
     * Takes the header off a frame that has it, finds the frame's other headers again, and notes
     * what the header said in {@link Frame#detour}, which is 0 before: if it is not 0 afterwards,
     * the frame came by a detour and is charged to the slots reserved for such frames, while any
     * are left.
     *
     * @param frame whose headers were found
     */
    default int unwrap(Frame frame) {
        return ORDINARY;
    }
}
