package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/**
 * That frames which came in by one port with one priority leave a port in the order in which they
 * came: more than is promised for flows, and true of every queue that is first in, first out.
 */
final class OrderCheck {
    private static final int PRIORITIES = 8;

    private final String where;
    private long[] last = new long[PRIORITIES];

    OrderCheck(String where) {
        this.where = where;
    }

    void leaves(Frame frame) {
        // What an egress half has made itself is link control, and goes before all else.
        if ((frame.home & 1) != 0) {
            return;
        }
        int at = frame.ingressPort * PRIORITIES + frame.priority;
        if (at >= last.length) {
            last = Arrays.copyOf(last, at + PRIORITIES);
        }
        if (frame.packetId <= last[at]) {
            throw new IllegalStateException(
                    "%s: %s (packet %x) leaves after packet %x of the same port and priority"
                            .formatted(where, frame, frame.packetId, last[at]));
        }
        last[at] = frame.packetId;
    }
}
