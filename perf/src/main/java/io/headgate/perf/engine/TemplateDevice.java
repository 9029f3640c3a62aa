package io.headgate.perf.engine;

import io.headgate.dataplane.device.DeviceInfo;
import io.headgate.dataplane.device.InternalDevice;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An in-memory port without a far end for data: receives the same few frames over and over, copied
 * into fresh slots as from a card's ring, and copies what it transmits into a buffer. Frames are of
 * one block of credits each; credit frames are answered. Used by one thread.
 */
final class TemplateDevice implements InternalDevice {
    private static final int SINK_FRAMES = 64;

    /**
     * What is copied of a frame, which has room for more: from this length on the JVM always copies
     * by its own code, in wide words. Below it copies by a loop of eight bytes each where that is
     * compiled by itself, and then the parser waits 15 ns for stores that its loads straddle, as it
     * never does for frames of a card.
     */
    private static final long COPIED_BYTES = 64;

    private final MemorySegment templates;
    private final MemorySegment sink;
    private final long templatesAddress;
    private final long sinkAddress;
    private final int frameBytes;
    private final int templateCount;
    private int nextTemplate;
    private int nextSink;
    private final CreditFarEnd farEnd = new CreditFarEnd();
    private long sentToEngine;
    private long receivedFromEngine;

    /** Frames to hand out; refilled by the benchmark. */
    int pending;

    /** Data frames transmitted since the benchmark last looked. */
    long transmitted;

    /** Link-control frames transmitted since the benchmark last looked. */
    long controlTransmitted;

    TemplateDevice(byte[][] frames) {
        this.frameBytes = frames[0].length;
        this.templateCount = frames.length;
        this.templates = Arena.ofAuto().allocate(frames.length * COPIED_BYTES, COPIED_BYTES);
        for (int i = 0; i < frames.length; i++) {
            MemorySegment.copy(
                    MemorySegment.ofArray(frames[i]), 0, templates, i * COPIED_BYTES, frameBytes);
        }
        this.sink = Arena.ofAuto().allocate(SINK_FRAMES * COPIED_BYTES, COPIED_BYTES);
        this.templatesAddress = templates.address();
        this.sinkAddress = sink.address();
    }

    @Override
    public DeviceInfo info() {
        return new DeviceInfo("memory", "template", 0, frameBytes, "benchmark", true);
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        int answers = farEnd.answerWaits() ? 1 : 0;
        int all = free.take(batch, Math.min(limit, pending + answers));
        int first = Math.min(answers, all);
        if (first > 0) {
            answer(batch[0]);
        }
        for (int i = first; i < all; i++) {
            Frame frame = batch[i];
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = frameBytes;
            frame.storedBytes = frameBytes;
            MemorySegment.copy(
                    FrameRegion.MEMORY,
                    templatesAddress + nextTemplate * COPIED_BYTES,
                    FrameRegion.MEMORY,
                    frame.dataOffset,
                    COPIED_BYTES);
            nextTemplate = nextTemplate + 1 == templateCount ? 0 : nextTemplate + 1;
        }
        int count = all - first;
        pending -= count;
        sentToEngine += count;
        return all;
    }

    private void answer(Frame frame) {
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        frame.lengthBytes =
                farEnd.answer(
                        FrameRegion.MEMORY, frame.dataOffset, sentToEngine, receivedFromEngine);
        frame.storedBytes = frame.lengthBytes;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        // Link control goes ahead of all data, one frame at a time.
        boolean control = count > 0 && isControl(batch[from]);
        int first = from;
        if (control) {
            first++;
            controlTransmitted++;
        }
        for (int i = first; i < from + count; i++) {
            Frame frame = batch[i];
            MemorySegment.copy(
                    FrameRegion.MEMORY,
                    frame.dataOffset,
                    FrameRegion.MEMORY,
                    sinkAddress + nextSink * COPIED_BYTES,
                    COPIED_BYTES);
            nextSink = (nextSink + 1) % SINK_FRAMES;
        }
        int data = from + count - first;
        transmitted += data;
        receivedFromEngine += data;
        return count;
    }

    private boolean isControl(Frame frame) {
        if (frame.etherType == EtherType.LINK_CONTROL) {
            farEnd.take(FrameRegion.MEMORY, frame.dataOffset, frame.lengthBytes);
            return true;
        }
        return frame.etherType == EtherType.MAC_CONTROL;
    }

    @Override
    public boolean armReceive() {
        return pending > 0;
    }

    @Override
    public void close() {}
}
