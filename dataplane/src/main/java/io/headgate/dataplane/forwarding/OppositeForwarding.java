package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;

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
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        for (int i = 0; i < count; i++) {
            if (answers[i] == UNDECIDED) {
                // To the egress half no frame here has a tag that it could have to edit.
                batch[i].tagged = false;
                batch[i].vlan = 0;
                answers[i] = opposite;
            }
        }
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return NOBODY;
    }
}
