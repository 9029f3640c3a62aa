package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;

/** Forwarding of a switch that listens to its neighbours: LLDP goes to its local port. */
public final class ListeningForwarding implements Forwarding {
    private static final int TAGGED = Forwarding.drop(DropReason.LLDP_TAGGED);
    private static final int OTHER_GROUP = Forwarding.drop(DropReason.LLDP_OTHER_GROUP);

    private final Forwarding forwarding;
    private final int localPort;

    public ListeningForwarding(Forwarding forwarding, int localPort) {
        this.forwarding = forwarding;
        this.localPort = localPort;
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        forwarding.decide(nowNs, batch, answers, count);
    }

    @Override
    public int reserved(Frame frame) {
        if (frame.etherType != EtherType.LLDP) {
            return forwarding.reserved(frame);
        }
        long group = Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
        if (group == MacAddress.NEAREST_BRIDGE) {
            return frame.tagged ? TAGGED : localPort;
        }
        return group == MacAddress.NEAREST_NON_TPMR_BRIDGE
                        || group == MacAddress.NEAREST_CUSTOMER_BRIDGE
                ? OTHER_GROUP
                : forwarding.reserved(frame);
    }

    @Override
    public long[] floodPorts(Frame frame) {
        return forwarding.floodPorts(frame);
    }

    @Override
    public void ageing(long ageingNs) {
        forwarding.ageing(ageingNs);
    }
}
