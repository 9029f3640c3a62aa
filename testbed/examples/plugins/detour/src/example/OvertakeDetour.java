package example;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.lang.foreign.MemorySegment;

/** Takes frames aside as they come, and starts them first. */
final class OvertakeDetour extends OvertakeQueue {
    /** A code point that no frame has. */
    static final int NO_DSCP = -1;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int ASIDE = 1;

    private final int dscp;
    private long overtook;

    OvertakeDetour(int dscp) {
        this.dscp = dscp;
    }

    @Override
    public boolean arrived(Frame[] frames, int from, int to) {
        boolean any = false;
        for (int i = from; i < to; i++) {
            Frame frame = frames[i];
            if (frame.ipOffset != Frame.ABSENT
                    && frame.etherType == EtherType.IPV4
                    && Ipv4.dscp(MEMORY, frame.dataOffset + frame.ipOffset) == dscp) {
                frame.detour = ASIDE;
                any = true;
            }
        }
        return any;
    }

    @Override
    public boolean joinsQueues(long nowNs, Frame frame, Queues queues, CongestionPoint point) {
        append(frame);
        return false;
    }

    @Override
    public int run(long nowNs, Queues queues, int eligible, CongestionPoint point) {
        return 0;
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from) {
        int count = from;
        while (frames() > 0 && count < into.length && pacer.mayStart(nowNs)) {
            Frame frame = drain();
            pacer.start(frame.lengthBytes);
            into[count++] = frame;
            overtook++;
        }
        return count;
    }

    @Override
    public void started(Frame[] frames, int from, int to) {
        // It does not wait for them.
    }

    @Override
    public long counted(int counter) {
        return overtook;
    }
}
