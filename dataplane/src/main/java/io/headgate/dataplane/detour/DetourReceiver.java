package io.headgate.dataplane.detour;

import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.memory.Frame;

/**
 * The receiving end of a detour at a port: removes the header of frames that came by the detour, so
 * that all later steps see them as their hosts sent them. Owned by the ingress half.
 */
public interface DetourReceiver extends LinkReceiver {
    /** Result of {@link #unwrap}: the frame has no header and is unchanged. */
    int ORDINARY = 0;

    /** Result of {@link #unwrap}: the header was removed. */
    int UNWRAPPED = 1;

    /** Result of {@link #unwrap}: the frame is malformed without the header. */
    int MALFORMED = 2;

    /** Whether frames with the header may come here; asked once. */
    default boolean unwraps() {
        return false;
    }

    /**
     * Removes the header from a frame that has it, finds the frame's other headers again, and
     * stores the header's value in {@link Frame#detour}, which was 0. If it is not 0 afterwards,
     * the frame came by a detour and is charged to the slots reserved for such frames, while any
     * are left.
     *
     * @param frame a parsed frame
     */
    default int unwrap(Frame frame) {
        return ORDINARY;
    }
}
