package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/** Decides where a received frame goes. One instance per ingress half, called by it alone. */
public interface Forwarding {
    /** The frame goes to every other port of its VLAN. */
    int FLOOD = -1;

    /** The initial answer, before {@link #decide} sets it. */
    int UNDECIDED = Integer.MIN_VALUE;

    /** The frame ends here: neither forwarded nor lost. */
    int CONSUMED = UNDECIDED + 1;

    /**
     * Decides where parsed frames go. May rewrite them (a router does). Handles a whole batch, so
     * that the JIT compiles the loop for this class alone.
     *
     * @param answers one per frame: {@link #UNDECIDED} ones become the egress port, {@link #FLOOD},
     *     {@link #CONSUMED} or {@link #drop}; the others do not change
     */
    void decide(long nowNs, Frame[] batch, int[] answers, int count);

    /** Whether {@link #decide} leaves the lengths and priorities of frames as they are. */
    default boolean keepsFrames() {
        return true;
    }

    /**
     * Decides where a frame to a reserved address goes (IEEE 802.1Q 8.6.3): a received one ends at
     * its ingress port, but the switch itself may send such frames.
     *
     * @return an answer as in {@link #decide}; if it is an egress port, the frame leaves untagged
     */
    default int reserved(Frame frame) {
        return Reasons.LINK_LOCAL;
    }

    /**
     * Ports to which a frame is flooded, as words of bits, including the ingress port. Bits of
     * ports that are down may be set. Empty if nothing is ever flooded.
     */
    default long[] floodPorts(Frame frame) {
        return Reasons.NO_PORTS;
    }

    /** Sets the ageing time of learned addresses, if this forwarding learns any. */
    default void ageing(long ageingNs) {}

    /** The answer that means a drop. */
    static int drop(DropReason reason) {
        return -2 - reason.ordinal();
    }

    /** The reason in an answer below {@link #FLOOD}. */
    static DropReason reason(int answer) {
        return Reasons.ALL[-2 - answer];
    }

    /** Holds shared constants, so that they are not created in each call. */
    final class Reasons {
        private static final DropReason[] ALL = DropReason.values();
        private static final int LINK_LOCAL = drop(DropReason.LINK_LOCAL);
        private static final long[] NO_PORTS = {};

        private Reasons() {}
    }
}
