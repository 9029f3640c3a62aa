package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Selects the packets in which telemetry may begin. */
final class RocePacket {
    private RocePacket() {}

    /** Whether a frame is a RoCEv2 packet. */
    static boolean is(Frame frame) {
        return FrameRoom.isTo(FrameRegion.MEMORY, frame, Bth.UDP_PORT, Udp.HEADER_BYTES);
    }

    /**
     * Whether a frame is a RoCEv2 packet whose UDP checksum need not cover the bytes inserted
     * behind the UDP header.
     */
    static boolean isWithoutChecksum(Frame frame) {
        return is(frame)
                && Udp.checksum(FrameRegion.MEMORY, frame.dataOffset + frame.transportOffset) == 0;
    }
}
