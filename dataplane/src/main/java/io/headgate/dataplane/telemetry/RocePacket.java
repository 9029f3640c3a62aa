package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Packets that telemetry may begin in. */
final class RocePacket {
    private RocePacket() {}

    /** Whether it is one of RoCEv2. */
    static boolean is(Frame frame) {
        return FrameRoom.isTo(FrameRegion.MEMORY, frame, Bth.UDP_PORT, Udp.HEADER_BYTES);
    }

    /** Whether it is one whose UDP checksum need not cover what is put behind UDP's header. */
    static boolean isWithoutChecksum(Frame frame) {
        return is(frame)
                && Udp.checksum(FrameRegion.MEMORY, frame.dataOffset + frame.transportOffset) == 0;
    }
}
