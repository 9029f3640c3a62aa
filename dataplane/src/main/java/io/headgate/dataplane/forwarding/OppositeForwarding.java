package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/**
 * A card with two sides: what comes in by one leaves by the other, tags and all, whatever it is.
 */
public final class OppositeForwarding implements Forwarding {
    private static final long[] NOBODY = {};

    private final int opposite;

    /**
     * @param opposite the port on the other side
     */
    public OppositeForwarding(int opposite) {
        this.opposite = opposite;
    }

    @Override
    public int egress(long nowNs, Frame frame, MemorySegment region) {
        // To the egress half no frame here has a tag that it could have to edit.
        frame.tagged = false;
        frame.vlan = 0;
        return opposite;
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return NOBODY;
    }
}
