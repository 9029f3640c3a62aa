package io.headgate.testbed.swarm.check;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.credit.CreditRegister;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.dataplane.pause.PauseState;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.deadlock.StoppedQueue;
import io.headgate.testbed.virtual.deadlock.WaitGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a network has come to rest after the last new frame: every slot is free in its
 * pool, no port is paused, every credit has been given back, every token is in its pool. A network
 * that does not come to rest must be in a cyclic wait.
 */
public final class Rest {
    /** Credit frames, which never end: one on its way in each direction, and one just sent. */
    private static final int CONTROL_FRAMES = 2;

    private final CaseNetwork built;
    private final List<Direction> wires;

    public Rest(CaseNetwork built) {
        this.built = built;
        this.wires = Direction.all(built);
    }

    public boolean isThere() {
        return built.isAwake() && whoHolds() == null && notRecovered() == null;
    }

    /** The place that still holds a frame; null if none does. */
    private @Nullable String whoHolds() {
        for (VirtualNode node : built.nodes()) {
            int ports = node instanceof SwitchNode switchNode ? switchNode.engine().ports() : 2;
            for (int port = 0; port < ports; port++) {
                int missing =
                        node.engine().ingress(port).homeSlots()
                                - node.engine().ingress(port).freeSlots();
                if (missing != 0) {
                    return "%s: %d slots of port %d have not been returned"
                            .formatted(node, missing, port);
                }
            }
        }
        for (Direction wire : wires) {
            long flying = wire.link().statistics(wire.fromEnd()).framesInFlight();
            if (flying > (wire.isControlled() ? CONTROL_FRAMES : 0)) {
                return wire + ": " + flying + " frames in flight";
            }
        }
        return null;
    }

    /** A part that is not as it was in the beginning; null if all are. */
    private @Nullable String notRecovered() {
        for (VirtualNode node : built.nodes()) {
            String tokens = TokenEnds.notFull(node);
            if (!tokens.isEmpty()) {
                return tokens;
            }
        }
        for (Direction wire : wires) {
            EgressFlowControl sends = wire.sender().engine().egress(wire.senderPort()).flow();
            IngressFlowControl receives =
                    wire.receiver().engine().ingress(wire.receiverPort()).flow();
            if (!wire.isControlled() || sends == null || receives == null) {
                continue;
            }
            String wrong = notRecovered(wire, sends, receives);
            if (wrong != null) {
                return wire + ": " + wrong;
            }
        }
        return null;
    }

    private @Nullable String notRecovered(
            Direction wire, EgressFlowControl sends, IngressFlowControl receives) {
        long nowNs = built.run().clock().ns();
        EgressFlowControl asks = wire.receiver().engine().egress(wire.receiverPort()).flow();
        PauseSender asking = asks == null ? null : asks.sender();
        PauseState state = sends.state();
        PfcWatchdog dog = sends.watchdog();
        if (receives.accounts().pauseWanted() != 0) {
            return "empty accounts want pauses for " + mask(receives.accounts().pauseWanted());
        }
        if (asking != null && asking.told() != 0) {
            return "the far end received a pause for " + mask(asking.told()) + " and no resumption";
        }
        if (state != null && state.paused(nowNs) != 0) {
            return "paused for " + mask(state.paused(nowNs)) + " without a pause from the far end";
        }
        if (dog != null && dog.stormed() != 0) {
            return "the watchdog does not restore " + mask(dog.stormed());
        }
        CreditReceiver credits = receives.credits();
        return credits == null ? null : creditsMissing(wire, sends, credits);
    }

    private static @Nullable String creditsMissing(
            Direction wire, EgressFlowControl sends, CreditReceiver receiver) {
        if (sends.credits() == null || sends.credits().state() != CreditRegister.UP) {
            return "credits are not up";
        }
        PortConfig port = wire.receiver().config(wire.receiverPort());
        FlowControlConfig.Credits config = port.flowControl().credits();
        if (config == null) {
            return null;
        }
        long blocks = config.bufferBytes() / (64L << receiver.scale());
        int all = (int) Math.min(2048, Math.min(blocks, config.bufferSlots()));
        for (int lane : port.traffic().lossless()) {
            int has = sends.credits().credits(lane);
            if (has != all) {
                return "lane %d has %d credits of %d".formatted(lane, has, all);
            }
        }
        return null;
    }

    private static String mask(int priorities) {
        return "priorities " + Integer.toBinaryString(priorities);
    }

    /** Whether there is a cyclic wait now, after the last new frame. */
    public boolean isStuck() {
        return !WaitGraph.ofRest(built.run()).circles().isEmpty();
    }

    /**
     * The cyclic waits that keep the network from rest.
     *
     * @throws BrokenException if there is no rest for anything else
     */
    public List<List<StoppedQueue>> explain() {
        List<List<StoppedQueue>> circles = WaitGraph.ofRest(built.run()).circles();
        if (!circles.isEmpty()) {
            return circles;
        }
        String holds = whoHolds();
        throw new BrokenException(
                "the network does not come to rest, and there is no cyclic wait: "
                        + (holds == null ? notRecovered() : holds));
    }

    public void checkRecovered() {
        String wrong = notRecovered();
        if (wrong != null) {
            throw new BrokenException("not recovered: " + wrong);
        }
    }
}
