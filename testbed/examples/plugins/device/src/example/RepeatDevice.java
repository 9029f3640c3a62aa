package example;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.DropTotals;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;

/** Has a frame to receive each time that is due; takes what is transmitted, and drops it. */
final class RepeatDevice implements PortDevice {
    private final DeviceInfo info;
    private final MemorySegment bytes;
    private final long everyNs;
    private long nextNs;
    private boolean begun;

    RepeatDevice(String port, byte[] bytes, long everyNs, int maxFrameBytes) {
        this.info = new DeviceInfo("repeat", port, 0, maxFrameBytes, "one frame", false);
        this.bytes = MemorySegment.ofArray(bytes);
        this.everyNs = everyNs;
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        if (!begun) {
            begun = true;
            nextNs = nowNs;
        }
        int count = 0;
        while (count < limit && nextNs - nowNs <= 0 && free.size() > 0) {
            Frame frame = free.take();
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = (int) bytes.byteSize();
            frame.storedBytes = frame.lengthBytes;
            MemorySegment.copy(bytes, 0, FrameRegion.MEMORY, frame.dataOffset, bytes.byteSize());
            batch[count++] = frame;
            nextNs += everyNs;
        }
        return count;
    }

    @Override
    public long deadlineNs() {
        return nextNs;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        return count;
    }

    @Override
    public boolean isUp() {
        return true;
    }

    @Override
    public boolean armReceive() {
        return false;
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {}

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    @Override
    public void close() {}
}
