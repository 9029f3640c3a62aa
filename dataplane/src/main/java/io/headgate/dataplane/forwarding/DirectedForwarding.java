package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;

/**
 * Forwarding of frames from a router's local port: its device has already chosen each frame's
 * egress port.
 */
public final class DirectedForwarding implements Forwarding {

    private final int vlan;

    /**
     * @param vlan the VLAN that every routing port carries untagged
     */
    public DirectedForwarding(int vlan) {
        this.vlan = vlan;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        for (int i = 0; i < count; i++) {
            if (answers[i] == UNDECIDED) {
                batch[i].vlan = vlan;
                answers[i] = batch[i].egressPort;
            }
        }
    }

    @Override
    public int reserved(Frame frame) {
        return frame.egressPort;
    }
}
