package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;

/**
 * What a bridge's local port sends: goes where a frame from any port would go, but to a reserved
 * address (LLDP) by the one port that its device has chosen.
 */
public final class SwitchForwarding implements Forwarding {
    private final Forwarding bridge;

    public SwitchForwarding(Forwarding bridge) {
        this.bridge = bridge;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        bridge.decide(nowNs, batch, answers, count);
    }

    @Override
    public int reserved(Frame frame) {
        return frame.egressPort;
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return bridge.floodPorts(frame);
    }

    @Override
    public void ageing(long ageingNs) {
        bridge.ageing(ageingNs);
    }
}
