package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/** Adds, removes or corrects the outer 802.1Q tag of a frame, in the room before the frame. */
public final class TagEditor {
    private TagEditor() {}

    /** Makes a frame leave with a tag for its VLAN and priority, or without a tag. */
    public static void adapt(MemorySegment segment, Frame frame, boolean leavesTagged) {
        if (!leavesTagged) {
            pop(segment, frame);
            return;
        }
        if (frame.tagged) {
            long tag = frame.dataOffset + Ethernet.ETHER_TYPE_OFFSET;
            boolean dropEligible = Vlan.dropEligible(Vlan.tci(segment, tag));
            Vlan.tci(segment, tag, Vlan.tci(frame.priority, dropEligible, frame.vlan));
        } else {
            int tci = Vlan.tci(frame.priority, false, frame.vlan);
            frame.dataOffset = Vlan.push(segment, frame.dataOffset, EtherType.VLAN, tci);
            resize(frame, Vlan.TAG_BYTES);
            frame.tagged = true;
        }
    }

    private static void pop(MemorySegment segment, Frame frame) {
        frame.dataOffset = Vlan.pop(segment, frame.dataOffset);
        resize(frame, -Vlan.TAG_BYTES);
        frame.tagged = false;
        int missing = Ethernet.MIN_FRAME_BYTES - frame.lengthBytes;
        if (missing > 0) {
            segment.asSlice(frame.dataOffset + frame.storedBytes, missing).fill((byte) 0);
            frame.lengthBytes += missing;
            frame.storedBytes += missing;
        }
    }

    private static void resize(Frame frame, int bytes) {
        frame.storedBytes += bytes;
        frame.etherTypeOffset += bytes;
        if (frame.ipOffset != Frame.ABSENT) {
            frame.ipOffset += bytes;
        }
        if (frame.transportOffset != Frame.ABSENT) {
            frame.transportOffset += bytes;
        }
        // Behind the offsets, by which the headers are found.
        frame.lengthBytes += frame.segmentBytes == 0 ? bytes : bytes * TcpSegments.count(frame);
    }
}
