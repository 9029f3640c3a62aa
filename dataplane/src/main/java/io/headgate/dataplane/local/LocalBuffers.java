package io.headgate.dataplane.local;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.ForwardingCounter;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Buffers, in their own small region, for frames that the switch itself handles: a received frame
 * is answered in place, and the answer waits here until a slot of the local port is free to send
 * it.
 */
final class LocalBuffers {
    static final int COUNT = 128;

    private final FrameRegion region;
    private final FreeList free;
    private final FrameList leaving = new FrameList();
    private final CounterBlock counters;

    LocalBuffers(int slotBytes, CounterBlock counters) {
        this.region = new FrameRegion(COUNT, Math.min(slotBytes, FrameRegion.LARGEST_SINGLE_BYTES));
        this.counters = counters;
        this.free = new FreeList(COUNT, false);
        for (int slot = 0; slot < COUNT; slot++) {
            free.put(region.frame(slot));
        }
    }

    MemorySegment segment() {
        return region.segment();
    }

    int maxFrameBytes() {
        return region.maxFrameBytes();
    }

    /** Takes a free buffer, with a frame of length 0; null if none is free. */
    @Nullable Frame take() {
        Frame frame = free.take();
        if (frame != null) {
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = 0;
            frame.storedBytes = 0;
        }
        return frame;
    }

    void release(Frame frame) {
        free.put(frame);
    }

    /** Sends a buffer's frame by a port, padded with zeros to the shortest frame. */
    void leave(Frame frame, int lengthBytes, int egressPort) {
        int padded = Math.max(lengthBytes, Ethernet.MIN_FRAME_BYTES);
        for (int at = lengthBytes; at < padded; at++) {
            region.segment().set(ValueLayout.JAVA_BYTE, frame.dataOffset + at, (byte) 0);
        }
        frame.lengthBytes = padded;
        frame.storedBytes = padded;
        frame.egressPort = egressPort;
        leaving.add(frame);
    }

    /** Takes a buffer for a frame that the switch creates; null, and counted, if none is free. */
    @Nullable Frame originate() {
        Frame frame = take();
        count(frame == null ? ForwardingCounter.LOCAL_REFUSED : ForwardingCounter.LOCAL_ORIGINATED);
        return frame;
    }

    FrameList leaving() {
        return leaving;
    }

    void count(ForwardingCounter counter) {
        counters.add(counter, 1);
    }

    /** Buffers that are not in use. */
    int free() {
        return free.size();
    }

    /** Buffers that are in use. */
    int used() {
        return COUNT - free.size();
    }
}
