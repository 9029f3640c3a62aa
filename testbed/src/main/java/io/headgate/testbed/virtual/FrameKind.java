package io.headgate.testbed.virtual;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Which frames a fault befalls. */
public enum FrameKind {
    ALL,

    /** MAC control frames: PAUSE, PFC, credits. */
    LINK_CONTROL,

    /** All but MAC control frames. */
    DATA;

    boolean covers(Frame frame) {
        return switch (this) {
            case ALL -> true;
            case LINK_CONTROL -> isLinkControl(frame);
            case DATA -> !isLinkControl(frame);
        };
    }

    private static boolean isLinkControl(Frame frame) {
        return frame.storedBytes >= Ethernet.HEADER_BYTES
                && Ethernet.etherType(FrameRegion.MEMORY, frame.dataOffset)
                        == EtherType.MAC_CONTROL;
    }
}
