package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;

/**
 * A port's end of a {@link MemoryWire}. Its receive ring acts as a network card's: arrived frames
 * stay there until a slot is free, and while it is full, the far end's frames are refused, not
 * lost.
 */
public final class MemoryDevice implements PortDevice {
    private final MemoryWire wire;
    private final long mac;
    private final int slotFrameBytes;
    private final ByteRing arriving;
    private final ByteRing leaving;

    // Receive side's own.
    private long oversize;

    // Transmit side's own.
    private final TransmitStatus status = new TransmitStatus();

    MemoryDevice(
            MemoryWire wire, long mac, FrameRegion region, ByteRing arriving, ByteRing leaving) {
        this.wire = wire;
        this.mac = mac;
        this.slotFrameBytes = region.maxFrameBytes();
        this.arriving = arriving;
        this.leaving = leaving;
    }

    @Override
    public DeviceInfo info() {
        int maxFrameBytes = Math.min(slotFrameBytes, leaving.maxFrameBytes());
        return new DeviceInfo(
                "memory", wire.name(), mac, maxFrameBytes, "in memory, copying", false);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        int available = arriving.consumerAvailable(limit);
        if (available == 0) {
            return 0;
        }
        int received = 0;
        for (int i = 0; i < available; i++) {
            if (arriving.consumerStoredBytes() > slotFrameBytes) {
                oversize++;
                arriving.consumerSkip();
                continue;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            arriving.consumerCopyTo(frame, FrameRegion.MEMORY);
            arriving.consumerSkip();
            batch[received++] = frame;
        }
        arriving.consumerRelease();
        return received;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (!wire.isUp()) {
            return 0;
        }
        int room = leaving.producerRoom(count);
        for (int i = 0; i < room; i++) {
            Frame frame = batch[from + i];
            if (frame.storedBytes > leaving.maxFrameBytes()) {
                status.refuse(1, frame.lengthBytes);
                continue;
            }
            leaving.producerWrite(
                    FrameRegion.MEMORY, frame.dataOffset, frame.lengthBytes, frame.storedBytes);
        }
        leaving.producerPublish();
        return room;
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public boolean isUp() {
        return wire.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.OVERSIZE, oversize);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    @Override
    public boolean armReceive() {
        return arriving.consumerAvailable(1) != 0;
    }

    @Override
    public void close() {
        wire.close();
    }
}
