package io.headgate.dataplane.forwarding;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.List;

/**
 * Forwards frames for a switch's services to its local port: those to reserved addresses in bridges
 * and routers, others only in routers, because a bridge's table has the switch's own address, and
 * frames to groups are flooded to its local port anyway.
 */
public final class ListeningForwarding implements Forwarding {
    private static final int TAGGED = Forwarding.drop(DropReason.SERVICE_TAGGED);
    private static final int OTHER_GROUP = Forwarding.drop(DropReason.SERVICE_OTHER_GROUP);

    private final Forwarding forwarding;
    private final int localPort;
    private final Listening[] reserved;
    private final Listening[] others;
    private final long mac;

    private ListeningForwarding(
            Forwarding forwarding,
            int localPort,
            List<Listening> reserved,
            List<Listening> others,
            long mac) {
        this.forwarding = forwarding;
        this.localPort = localPort;
        this.reserved = reserved.toArray(Listening[]::new);
        this.others = others.toArray(Listening[]::new);
        this.mac = mac;
    }

    /** Wraps a bridge's forwarding for the frames that its services receive. */
    public static Forwarding ofBridge(
            Forwarding bridge, List<Listening> listenings, int localPort) {
        List<Listening> reserved = listenings.stream().filter(Listening::isReserved).toList();
        return reserved.isEmpty()
                ? bridge
                : new ListeningForwarding(bridge, localPort, reserved, List.of(), 0);
    }

    /**
     * Wraps a router's forwarding for the frames that its services receive.
     *
     * @param mac the port's MAC address
     */
    public static Forwarding ofRouter(
            Forwarding router, List<Listening> listenings, int localPort, long mac) {
        return listenings.isEmpty()
                ? router
                : new ListeningForwarding(
                        router,
                        localPort,
                        listenings.stream().filter(Listening::isReserved).toList(),
                        listenings.stream().filter(each -> !each.isReserved()).toList(),
                        mac);
    }

    @Override
    public void decide(long nowNs, Frame[] batch, int[] answers, int count) {
        for (int i = 0; others.length > 0 && i < count; i++) {
            if (answers[i] == UNDECIDED && isListenedTo(batch[i])) {
                answers[i] = localPort;
            }
        }
        forwarding.decide(nowNs, batch, answers, count);
    }

    private boolean isListenedTo(Frame frame) {
        long destination = Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
        for (Listening each : others) {
            if (!frame.tagged && each.takes(frame.etherType, destination, mac)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int reserved(Frame frame) {
        long group = Ethernet.destination(FrameRegion.MEMORY, frame.dataOffset);
        boolean isAtOtherGroup = false;
        for (Listening each : reserved) {
            if (each.takes(frame.etherType, group, 0)) {
                return frame.tagged ? TAGGED : localPort;
            }
            isAtOtherGroup |= frame.etherType == each.etherType();
        }
        return isAtOtherGroup && isBridgeGroup(group) ? OTHER_GROUP : forwarding.reserved(frame);
    }

    /** The three groups by which a frame reaches bridges of different scopes. */
    private static boolean isBridgeGroup(long group) {
        return group == MacAddress.NEAREST_BRIDGE
                || group == MacAddress.NEAREST_NON_TPMR_BRIDGE
                || group == MacAddress.NEAREST_CUSTOMER_BRIDGE;
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
