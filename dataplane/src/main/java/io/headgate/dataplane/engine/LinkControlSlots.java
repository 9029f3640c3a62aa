package io.headgate.dataplane.engine;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import org.jspecify.annotations.Nullable;

/**
 * Slots of an egress half for the link-control frames that it sends: each is free, or holds a frame
 * on its way out. Owned by that half. Bounded by the slots given: without a free slot no frame is
 * made until one is back.
 */
final class LinkControlSlots {
    private final int half;
    private final FreeList free;
    private long lastPacketId;
    private int out;

    /** Slots of a port's egress half; there may be none. */
    LinkControlSlots(int half, int port, Frame[] slots) {
        this.half = half;
        this.lastPacketId = FrameOutbox.packetIdBase(half);
        this.free = new FreeList(Math.max(1, slots.length), false);
        for (Frame frame : slots) {
            frame.home = half;
            frame.ingressPort = port;
            free.put(frame);
        }
    }

    long lastPacketId() {
        return lastPacketId;
    }

    /** Numbers the next frames from the one after {@code packetId}. */
    void numberAfter(long packetId) {
        lastPacketId = packetId;
    }

    /** Whether there are no slots at all, free or in use. */
    boolean isEmpty() {
        return free.size() + out == 0;
    }

    int free() {
        return free.size();
    }

    boolean own(Frame frame) {
        return frame.home == half;
    }

    /** Makes a link-control frame; null if no slot is free. */
    @Nullable Frame make(long nowNs, EgressFlowControl flow, LinkSender due, long sourceMac) {
        Frame frame = free.take();
        if (frame == null) {
            return null;
        }
        out++;
        frame.place = SlotPlace.heldBy(SlotPlace.QUEUE, half);
        frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
        long at = frame.dataOffset;
        int length = flow.writeControl(nowNs, due, FrameRegion.MEMORY, at, sourceMac);
        frame.lengthBytes = length;
        frame.storedBytes = length;
        frame.priority = PRIORITIES - 1;
        frame.tagged = false;
        frame.etherTypeOffset = Ethernet.ETHER_TYPE_OFFSET;
        frame.etherType = Ethernet.etherType(FrameRegion.MEMORY, frame.dataOffset);
        frame.ipOffset = Frame.ABSENT;
        frame.transportOffset = Frame.ABSENT;
        frame.packetId = ++lastPacketId;
        return frame;
    }

    void takeBack(Frame frame) {
        free.put(frame);
        out--;
    }

    /**
     * Takes its own frames out of an array of finished ones; the others move together, in order.
     *
     * @return the number of the others
     */
    int takeBack(Frame[] frames, int from, int count) {
        if (out == 0) {
            return count;
        }
        int others = from;
        for (int i = from; i < from + count; i++) {
            Frame frame = frames[i];
            if (own(frame)) {
                takeBack(frame);
            } else {
                frames[others++] = frame;
            }
        }
        return others - from;
    }
}
