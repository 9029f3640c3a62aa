package io.headgate.testbed.swarm.check;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.flowcontrol.LosslessMargin;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.virtual.VirtualNode;
import java.util.List;

/**
 * Checks that a lossless priority loses no frame through lack of buffer, if that is promised. It is
 * not promised if frames come that the sender was paused for, or that it does not know of.
 */
public record LosslessPromise(CaseNetwork built) {
    private static final long PS_PER_NS = 1000;
    private static final long NS_PER_S = 1_000_000_000;

    /** A pause that is due waits for one; two more are for the rounding of times. */
    private static final long FRAMES_BEFORE_A_PAUSE = 3;

    public void check() {
        List<Direction> wires = Direction.all(built);
        for (FrameLog.Drops drops : built.log().drops()) {
            PortConfig port = drops.node().config(drops.port());
            boolean lossless = (port.traffic().losslessMask() >>> drops.priority() & 1) != 0;
            boolean forWantOfBuffer =
                    switch (drops.reason()) {
                        case ACCOUNT_AT_CAP, QUEUE_FULL, PUSHED_OUT -> true;
                        case HEADROOM_EXHAUSTED ->
                                port.flowControl().mode() == Mode.NONE
                                        || isPromised(into(wires, drops));
                        default -> false;
                    };
            if (lossless && forWantOfBuffer) {
                throw new BrokenException(
                        "lossless priority %d lost %d frames at %s port %d (%s): %s"
                                .formatted(
                                        drops.priority(),
                                        drops.frames(),
                                        drops.node(),
                                        drops.port(),
                                        port.flowControl().mode(),
                                        drops.reason()));
            }
        }
        for (Direction wire : wires) {
            long noSlot = wire.link().statistics(wire.fromEnd()).noSlot();
            boolean promised = wire.isControlled() || wire.link().setup().slotCredits();
            if (promised && noSlot > 0) {
                throw new BrokenException(
                        "%s: %d frames found no slot, although slots were guaranteed"
                                .formatted(wire, noSlot));
            }
        }
    }

    private static Direction into(List<Direction> wires, FrameLog.Drops drops) {
        return wires.stream()
                .filter(w -> w.receiver().equals(drops.node()) && w.receiverPort() == drops.port())
                .findFirst()
                .orElseThrow();
    }

    private boolean isPromised(Direction wire) {
        if (!wire.isControlled()) {
            return false;
        }
        List<LinkFaults> faults = built.what().faultsOf(wire.name());
        return wire.mode() == Mode.CREDITS
                ? faults.stream().noneMatch(LosslessPromise::spoilsCredits)
                : faults.stream().noneMatch(LosslessPromise::spoilsPauses)
                        && !flaps(wire)
                        && configs(wire).stream()
                                .allMatch(port -> hasMargin(port) && pausesHold(wire, port))
                        && !ignoresPauses(wire);
    }

    /** The receiver's configurations at all times, with the rate of the wire. */
    private List<PortConfig> configs(Direction wire) {
        List<PortConfig> all = built.configs(wire.receiver(), wire.receiverPort());
        return all.stream().map(port -> port.withRateBps(all.getFirst().rateBps())).toList();
    }

    /**
     * Faults by which frames change their priority, come twice, or overtake control frames about
     * them.
     */
    private static boolean spoilsCredits(LinkFaults faults) {
        return faults.kind() != FrameKind.LINK_CONTROL
                && (faults.corruptionProbability() > 0
                        || faults.repeatProbability() > 0
                        || faults.forgeProbability() > 0
                        || faults.reorderProbability() > 0);
    }

    private static boolean spoilsPauses(LinkFaults faults) {
        boolean control = faults.kind() != FrameKind.DATA;
        return spoilsCredits(faults)
                || (control
                        && (faults.lossProbability() > 0
                                || faults.corruptionProbability() > 0
                                || faults.reorderProbability() > 0));
    }

    private boolean flaps(Direction wire) {
        return built.what().faults().stream()
                .anyMatch(f -> f instanceof Fault.Flap flap && flap.where().equals(wire.name()));
    }

    /** In virtual time a switch reacts at once, unless it is stalled. */
    private boolean hasMargin(PortConfig port) {
        return new LosslessMargin(port).isAsPlanned();
    }

    /**
     * Whether neither end is stalled longer than planned for, nor long enough for a pause to run
     * out.
     */
    private boolean pausesHold(Direction wire, PortConfig port) {
        FlowControlConfig.Pause pause = port.flowControl().pause();
        if (pause == null) {
            return false;
        }
        long stalledNs = 0;
        for (VirtualNode end : List.of(wire.sender(), wire.receiver())) {
            stalledNs += stalledNs(end);
        }
        long frameBytes = ConfigDefaults.maxFrameBytes(port.mtuBytes());
        frameBytes += Ethernet.WIRE_OVERHEAD_BYTES;
        long framesNs = FRAMES_BEFORE_A_PAUSE * frameBytes * 8 * NS_PER_S / port.rateBps();
        long lastsNs = ConfigDefaults.pauseNs(pause.quanta(), port.rateBps());
        return stalledNs <= port.flowControl().link().ownReactionNs()
                && pause.refreshNs()
                                + stalledNs
                                + framesNs
                                + 2 * port.flowControl().link().delayNs()
                        < lastsNs;
    }

    /** All stalls of a node together: several may fall in one. */
    private long stalledNs(VirtualNode node) {
        long totalNs = 0;
        for (Fault fault : built.what().faults()) {
            if (fault instanceof Fault.Stall stall && stall.where().equals(node.name())) {
                totalNs += Math.ceilDiv(stall.forPs(), PS_PER_NS);
            }
        }
        return totalNs;
    }

    private static boolean ignoresPauses(Direction wire) {
        var flow = wire.sender().engine().egress(wire.senderPort()).flow();
        PfcWatchdog dog = flow == null ? null : flow.watchdog();
        if (dog == null) {
            return false;
        }
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if (dog.detected(priority) > 0) {
                return true;
            }
        }
        return false;
    }
}
