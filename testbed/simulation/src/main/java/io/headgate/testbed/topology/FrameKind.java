package io.headgate.testbed.topology;

import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** The kind of frames that a fault applies to. */
public enum FrameKind {
    ALL,

    /** Link-control frames: PAUSE, PFC, credits. */
    LINK_CONTROL,

    /** All but link-control frames. */
    DATA,

    /**
     * Notifications from congestion points and receivers to senders: {@link Notice}, {@link Cnp}.
     */
    NOTICES;

    public boolean covers(Frame frame) {
        return switch (this) {
            case ALL -> true;
            case LINK_CONTROL -> isLinkControl(frame);
            case DATA -> !isLinkControl(frame);
            case NOTICES -> isNotice(frame);
        };
    }

    public static boolean isNotice(Frame frame) {
        return Notice.is(FrameRegion.MEMORY, frame) || Cnp.is(FrameRegion.MEMORY, frame);
    }

    private static boolean isLinkControl(Frame frame) {
        if (frame.storedBytes < Ethernet.HEADER_BYTES) {
            return false;
        }
        int type = Ethernet.etherType(FrameRegion.MEMORY, frame.dataOffset);
        return (type == EtherType.MAC_CONTROL || type == EtherType.LINK_CONTROL)
                && MacAddress.isLinkLocalReserved(
                        Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset));
    }
}
