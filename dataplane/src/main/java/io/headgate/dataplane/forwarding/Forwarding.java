package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/** Decides where a received frame goes. One instance per ingress half, called by it alone. */
public interface Forwarding {
    /** The frame goes to every other port of its VLAN. */
    int FLOOD = -1;

    /** What an answer is before {@link #decide} has given it. */
    int UNDECIDED = Integer.MIN_VALUE;

    /** The frame is taken here: neither forwarded nor lost. */
    int CONSUMED = UNDECIDED + 1;

    /**
     * Decides on frames whose headers were found. May rewrite them (a router does). A whole batch
     * at a time, so that the loop is compiled with the one class that it is in.
     *
     * @param answers one a frame: those that are {@link #UNDECIDED} become the egress port, {@link
     *     #FLOOD}, {@link #CONSUMED} or {@link #drop}; the others stay
     */
    void decide(long nowNs, Frame[] batch, int[] answers, int count);

    /** Whether {@link #decide} leaves the lengths and priorities of frames as they are. */
    default boolean keepsFrames() {
        return true;
    }

    /**
     * Decides on a frame to a reserved address (IEEE 802.1Q 8.6.3): it ends at the port that it
     * came to, but the switch itself may send such ones.
     *
     * @return an answer as {@link #decide} gives them; an egress port is one that the frame leaves
     *     by untagged
     */
    default int reserved(Frame frame) {
        return Reasons.LINK_LOCAL;
    }

    /**
     * Ports that a flooded frame goes to, as words of bits; the ingress port is among them. Bits of
     * ports that are down may be set. None where nothing is flooded.
     */
    default long[] floodPorts(Frame frame) {
        return Reasons.NO_PORTS;
    }

    /** Learned addresses live as long as this from now on, where any are learned. */
    default void ageing(long ageingNs) {}

    /** The answer that means a drop. */
    static int drop(DropReason reason) {
        return -2 - reason.ordinal();
    }

    /** The reason in an answer below {@link #FLOOD}. */
    static DropReason reason(int answer) {
        return Reasons.ALL[-2 - answer];
    }

    /** Keeps one copy of what would otherwise be made each time. */
    final class Reasons {
        private static final DropReason[] ALL = DropReason.values();
        private static final int LINK_LOCAL = drop(DropReason.LINK_LOCAL);
        private static final long[] NO_PORTS = {};

        private Reasons() {}
    }
}
