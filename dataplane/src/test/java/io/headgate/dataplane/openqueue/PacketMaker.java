package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotMemory;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;

/** Frames of an own region, as they come out of the parser. */
final class PacketMaker {
    private static final int SLOT_BYTES = 2048;
    private static final int IP_AT = 14;
    private static final int ECT0 = 2;

    /** Types of service at the ends of words of 64 bits. */
    private static final int[] EDGES = {0, 63, 64, 127, 128, 191, 192, 255};

    private final FrameRegion region;
    private int made;

    PacketMaker(int count) {
        // As many as may come, of which most tests make few.
        SlotMemory memory = ReservedMemory.beyondWhatThereIs();
        region = new FrameRegion(count, SLOT_BYTES, true, memory, true);
    }

    /** A frame of IPv4 with what policies look at drawn. */
    Frame frame(RandomGenerator random) {
        Frame frame = region.frame(made++);
        frame.priority = random.nextInt(8);
        frame.lengthBytes = 60 + random.nextInt(1455);
        frame.storedBytes = frame.lengthBytes;
        frame.ingressPort = random.nextInt(4);
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = IP_AT;
        frame.transportOffset = Frame.ABSENT;
        long ip = frame.dataOffset + IP_AT;
        set(ip, 0x45);
        boolean isPlain = random.nextBoolean();
        set(ip + 1, isPlain ? random.nextInt(64) << 2 | ECT0 : EDGES[random.nextInt(EDGES.length)]);
        set(ip + 5, random.nextInt(256));
        set(ip + 8, 1 + random.nextInt(255));
        set(ip + 9, random.nextInt(256));
        for (int i = 12; i < 20; i++) {
            set(ip + i, 1 + random.nextInt(4));
        }
        frame.arrival = made;
        frame.packetId = made;
        return frame;
    }

    private static void set(long at, int value) {
        FrameRegion.MEMORY.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }
}
