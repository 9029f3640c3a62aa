package io.headgate.dataplane.local;

import io.headgate.dataplane.memory.Frame;
import org.jspecify.annotations.Nullable;

/** A list of frames in order, linked through the frames themselves. */
final class FrameList {
    private @Nullable Frame head;
    private @Nullable Frame tail;

    void add(Frame frame) {
        frame.next = null;
        Frame last = tail;
        if (last == null) {
            head = frame;
        } else {
            last.next = frame;
        }
        tail = frame;
    }

    @Nullable Frame poll() {
        Frame first = head;
        if (first != null) {
            head = first.next;
            first.next = null;
            if (head == null) {
                tail = null;
            }
        }
        return first;
    }

    boolean isEmpty() {
        return head == null;
    }
}
