package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * Forwarding of frames from a bridge's local port: like frames from any port, except those to a
 * reserved address (LLDP) or with a VLAN in their tag (a notice about a frame of that VLAN), which
 * leave by the port that the local device has chosen.
 */
public final class SwitchForwarding implements Forwarding {
    private final Forwarding bridge;
    private final VlanTable vlans;

    public SwitchForwarding(Forwarding bridge, VlanTable vlans) {
        this.bridge = bridge;
        this.vlans = vlans;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        for (int i = 0; i < count; i++) {
            Frame frame = batch[i];
            if (answers[i] == UNDECIDED
                    && frame.tagged
                    && frame.vlan != Vlan.PRIORITY_ONLY
                    && vlans.carries(frame.egressPort, frame.vlan)) {
                answers[i] = frame.egressPort;
                if (!vlans.leavesTagged(frame.egressPort, frame.vlan)) {
                    // There the VLAN is that of frames without one.
                    long tag = frame.dataOffset + Ethernet.ETHER_TYPE_OFFSET;
                    int priority = Vlan.priority(Vlan.tci(FrameRegion.MEMORY, tag));
                    int tci = Vlan.tci(priority, false, Vlan.PRIORITY_ONLY);
                    Vlan.tci(FrameRegion.MEMORY, tag, tci);
                }
            }
        }
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
