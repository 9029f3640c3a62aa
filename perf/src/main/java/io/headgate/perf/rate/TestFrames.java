package io.headgate.perf.rate;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import io.headgate.dataplane.random.NamedRandom;

/** Frames of numbered flows, as they are once parsed; headers alone are stored. */
final class TestFrames {
    static final int FRAME_BYTES = 1_000;
    static final int PRIORITY = 3;

    private static final int STORED_BYTES = 64;
    private static final int SLOT_BYTES = 512;
    private static final int HOST = 0x0A00_0001;
    private static final int PORT_BITS = 15;

    private final FrameRegion region;

    TestFrames(int frames) {
        // As the engine lays them out where no AF_XDP asks for more.
        region = new FrameRegion(frames, SLOT_BYTES, false, SlotMemory.RESIDENT);
    }

    Frame of(int slot, int flow) {
        Frame frame = region.frame(slot);
        long at = frame.dataOffset;
        frame.lengthBytes = FRAME_BYTES;
        frame.storedBytes = STORED_BYTES;
        frame.priority = PRIORITY;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;
        frame.flowHash = (int) NamedRandom.mix(flow);
        Ethernet.etherType(FrameRegion.MEMORY, at, EtherType.IPV4);
        long ip = at + frame.ipOffset;
        int bytes = FRAME_BYTES - Ethernet.HEADER_BYTES;
        int peer = HOST + 1 + (flow >>> PORT_BITS);
        Ipv4.write(FrameRegion.MEMORY, ip, 0, bytes, 64, IpProtocol.UDP, HOST, peer);
        int port = 1024 + (flow & ((1 << PORT_BITS) - 1));
        Udp.write(FrameRegion.MEMORY, at + frame.transportOffset, port, 5201, bytes - 20);
        return frame;
    }
}
