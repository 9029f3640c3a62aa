package io.headgate.testbed.datacenter;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.netns.BedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Sends an exact number of copies of a frame from an interface. Owned by one thread. */
final class FrameSource implements AutoCloseable {
    private static final int RING_FRAMES = 256;
    private static final int SLOT_BYTES = 2048;
    private static final int BURST = 64;

    private final FrameRegion region = new FrameRegion(1, SLOT_BYTES);
    private final Frame[] burst = new Frame[BURST];
    private final AfPacketDevice device;
    private final String name;

    FrameSource(String netns, String interfaceName) throws BedException {
        name = netns + "/" + interfaceName;
        try {
            device = AfPacketDevice.open(netns, interfaceName, region, RING_FRAMES);
        } catch (DeviceException failure) {
            throw new BedException(failure);
        }
        // Every copy is taken from the one slot.
        Arrays.fill(burst, region.frame(0));
    }

    /** Sends; returns when the kernel has taken all of them. */
    void send(byte[] bytes, int count) throws BedException {
        Frame frame = region.frame(0);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        MemorySegment.copy(
                bytes,
                0,
                FrameRegion.MEMORY,
                ValueLayout.JAVA_BYTE,
                frame.dataOffset,
                bytes.length);
        int left = count;
        while (left > 0) {
            int offered = Math.min(left, BURST);
            int[] taken = {0};
            SwitchBed.await(
                    () -> {
                        taken[0] = device.transmit(burst, 0, offered);
                        return taken[0] > 0;
                    },
                    name + " takes no frames");
            left -= taken[0];
        }
    }

    @Override
    public void close() {
        device.close();
    }
}
