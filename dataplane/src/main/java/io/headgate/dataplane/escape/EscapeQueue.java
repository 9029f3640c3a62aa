package io.headgate.dataplane.escape;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/**
 * The escape queue of an egress port (section 4.3 of the dissertation): frames that escape by it,
 * in their order, until they start. Bounded by the token pools. Owned by the egress half.
 */
final class EscapeQueue {
    // The last one's link is stale.
    private @Nullable Frame head;
    private @Nullable Frame tail;
    private int frames;
    private long bytes;

    void append(Frame frame) {
        if (frames++ == 0 || tail == null) {
            head = frame;
        } else {
            tail.next = frame;
        }
        tail = frame;
        bytes += frame.lengthBytes;
    }

    /** The first frame, or null. */
    @Nullable Frame take() {
        Frame first = head;
        if (frames == 0 || first == null) {
            return null;
        }
        frames--;
        bytes -= first.lengthBytes;
        head = frames == 0 ? null : first.next;
        return first;
    }

    int frames() {
        return frames;
    }

    long bytes() {
        return bytes;
    }
}
