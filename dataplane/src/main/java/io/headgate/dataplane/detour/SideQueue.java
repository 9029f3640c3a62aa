package io.headgate.dataplane.detour;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * A queue for frames that wait outside the queues of a port, in their order: linked by {@link
 * Frame#next}, so that it allocates nothing. The detour that fills it bounds it. Owned by the
 * egress half.
 */
public final class SideQueue {
    // The last one's link is stale.
    private @Nullable Frame head;
    private @Nullable Frame tail;
    private int frames;
    private long bytes;

    public void append(Frame frame) {
        if (frames++ == 0 || tail == null) {
            head = frame;
        } else {
            tail.next = frame;
        }
        tail = frame;
        bytes += frame.lengthBytes;
    }

    public @Nullable Frame take() {
        Frame first = head;
        if (frames == 0 || first == null) {
            return null;
        }
        frames--;
        bytes -= first.lengthBytes;
        head = frames == 0 ? null : first.next;
        return first;
    }

    public int frames() {
        return frames;
    }

    public long bytes() {
        return bytes;
    }
}
