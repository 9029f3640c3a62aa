package io.headgate.dataplane.device;

import io.headgate.dataplane.frame.TcpSegments;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a device that takes only single frames, in a switch where a frame may stand for several TCP
 * segments: cuts such a frame when it is transmitted, and passes its segments to the device. The
 * frame counts as taken when the device has taken all of them. Owned by the egress half's thread;
 * bounded by the segments of one call.
 */
public final class SegmentCutter extends DeviceDecorator {
    private static final int SEGMENTS = 64;

    private final PortDevice device;
    private final TransmitStatus deviceStatus;
    private final TransmitStatus status = new TransmitStatus();
    private final Frame[] segments = new Frame[SEGMENTS];

    // The frame that the device has taken in part, and how many of its segments.
    private @Nullable Frame partly;
    private long partlyId;
    private int partlyTaken;
    private boolean isPartlyRefused;

    private long passedRefused;
    private long passedRefusedBytes;
    private final DropTotals cut = new DropTotals();

    /**
     * @param device whose transmission copies, as segments are reused; closed with this one
     */
    public SegmentCutter(PortDevice device) {
        super(device);
        this.device = device;
        this.deviceStatus = device.transmitStatus();
        FrameRegion region = new FrameRegion(SEGMENTS, FrameRegion.LARGEST_SINGLE_BYTES);
        for (int i = 0; i < SEGMENTS; i++) {
            segments[i] = region.frame(i);
        }
    }

    @Override
    public boolean takesSegments() {
        return true;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        int taken = 0;
        while (taken < count) {
            Frame frame = batch[from + taken];
            if (frame.segmentBytes != 0) {
                if (!send(frame)) {
                    break;
                }
                taken++;
                continue;
            }
            int single = 1;
            while (taken + single < count && batch[from + taken + single].segmentBytes == 0) {
                single++;
            }
            int sent = device.transmit(batch, from + taken, single);
            status.refuse(
                    deviceStatus.refusedFrames() - passedRefused,
                    deviceStatus.refusedBytes() - passedRefusedBytes);
            noteRefused();
            taken += sent;
            if (sent < single) {
                break;
            }
        }
        passOn();
        return taken;
    }

    private void noteRefused() {
        passedRefused = deviceStatus.refusedFrames();
        passedRefusedBytes = deviceStatus.refusedBytes();
    }

    /** Whether the device has all of a frame's segments. */
    private boolean send(Frame whole) {
        if (partly != whole || partlyId != whole.packetId) {
            partly = whole;
            partlyId = whole.packetId;
            partlyTaken = 0;
            isPartlyRefused = false;
        }
        int count = TcpSegments.count(whole);
        while (partlyTaken < count) {
            int offered = Math.min(count - partlyTaken, SEGMENTS);
            for (int i = 0; i < offered; i++) {
                cut(whole, partlyTaken + i, segments[i]);
            }
            int sent = device.transmit(segments, 0, offered);
            isPartlyRefused |= deviceStatus.refusedFrames() != passedRefused;
            noteRefused();
            partlyTaken += sent;
            if (sent < offered) {
                return false;
            }
        }
        partly = null;
        if (isPartlyRefused) {
            // It counts as one frame: as lost, if any of it is.
            status.refuse(1, whole.lengthBytes);
        } else {
            cut.notePassed(whole);
        }
        return true;
    }

    private static void cut(Frame whole, int number, Frame into) {
        into.dataOffset = into.slotOffset + FrameRegion.HEADROOM_BYTES;
        TcpSegments.cut(whole, number, into);
        into.packetId = whole.packetId;
        into.priority = whole.priority;
        into.egressPort = whole.egressPort;
        into.ingressPort = whole.ingressPort;
    }

    @Override
    public int completed(Frame[] into, int limit) {
        int count = device.completed(into, limit);
        passOn();
        return count;
    }

    private void passOn() {
        status.setUnsent(deviceStatus.unsent(), deviceStatus.dueNs());
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        super.readTransmitDrops(totals);
        totals.add(cut);
    }
}
