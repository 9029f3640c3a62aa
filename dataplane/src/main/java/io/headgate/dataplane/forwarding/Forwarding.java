package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/** Decides where a received frame goes. One instance per ingress half, called by it alone. */
public interface Forwarding {
    /** The frame goes to every other port of its VLAN. */
    int FLOOD = -1;

    /**
     * Decides on a frame whose headers were found. May rewrite it (a router does).
     *
     * @param region what the frame's {@code dataOffset} is an offset into
     * @return the egress port, {@link #FLOOD}, or {@link #drop}
     */
    int egress(long nowNs, Frame frame, MemorySegment region);

    /**
     * Ports that a flooded frame goes to, as words of bits; the ingress port is among them. Bits of
     * ports that are down may be set.
     */
    long[] floodPorts(Frame frame);

    /** The answer that means a drop. */
    static int drop(DropReason reason) {
        return -2 - reason.ordinal();
    }

    /** The reason in an answer below {@link #FLOOD}. */
    static DropReason reason(int answer) {
        return Reasons.ALL[-2 - answer];
    }

    /** Keeps one copy of the enum's values: {@code values()} makes a new array each time. */
    final class Reasons {
        private static final DropReason[] ALL = DropReason.values();

        private Reasons() {}
    }
}
