package example;

import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/** The side queue, the first frame first, and that nothing is said to the far end. */
abstract class OvertakeQueue implements FrameDetour {
    private Frame head;
    private Frame tail;
    private int frames;
    private long bytes;

    void append(Frame frame) {
        if (frames++ == 0) {
            head = frame;
        } else {
            tail.next = frame;
        }
        tail = frame;
        bytes += frame.lengthBytes;
    }

    /** Null if none waits. */
    @Override
    public Frame drain() {
        if (frames == 0) {
            return null;
        }
        Frame first = head;
        frames--;
        bytes -= first.lengthBytes;
        head = first.next;
        left(first);
        return first;
    }

    @Override
    public void left(Frame frame) {
        frame.detour = 0;
    }

    @Override
    public int frames() {
        return frames;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public boolean isDue(long nowNs) {
        return false;
    }

    @Override
    public long deadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public int write(long presentNs, MemorySegment memory, long frame, long source) {
        throw new IllegalStateException("none is ever due");
    }
}
