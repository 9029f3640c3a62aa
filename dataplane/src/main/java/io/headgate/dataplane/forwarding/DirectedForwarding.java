package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;

/** What a router's local port sends: its device has chosen the egress port of each frame. */
public final class DirectedForwarding implements Forwarding {
    private static final long[] NOBODY = {};

    private final int vlan;

    /**
     * @param vlan the VLAN that every routing port carries untagged
     */
    public DirectedForwarding(int vlan) {
        this.vlan = vlan;
    }

    @Override
    public int egress(long nowNs, Frame frame, MemorySegment region) {
        frame.vlan = vlan;
        return frame.egressPort;
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return NOBODY;
    }
}
