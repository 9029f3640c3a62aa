package io.headgate.testbed.swarm.check;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.link.LinkStatistics;
import java.util.List;

/**
 * Checks that every frame that was sent has been delivered, is still held, or was dropped for a
 * named reason: along every link, through every half, between the halves of every node, and for
 * every flow.
 */
public record Conservation(CaseNetwork built) {
    public void check() {
        List<Direction> wires = Direction.all(built);
        for (Direction wire : wires) {
            checkLink(wire);
        }
        for (VirtualNode node : built.nodes()) {
            checkNode(node, wires);
        }
        for (FlowGroup group : built.traffic().groups()) {
            checkGroup(group);
        }
    }

    private void checkLink(Direction wire) {
        LinkStatistics seen = wire.link().statistics(wire.fromEnd());
        equal(
                wire + ", frames sent and repeated against arrived, lost and in flight",
                seen.framesSent() + seen.framesRepeated(),
                seen.framesArrived() + seen.framesLost() + seen.framesInFlight());
        CounterDirectory sender = wire.sender().engine().counters();
        long handed =
                value(sender, Scope.EGRESS, wire.senderPort(), "frames.transmitted")
                        + value(
                                sender,
                                Scope.EGRESS,
                                wire.senderPort(),
                                "link.control.transmitted");
        // What the link has started and not completed is still the half's.
        int held = wire.sender().engine().egress(wire.senderPort()).heldFrames();
        equal(
                wire + ", frames transmitted against started",
                Math.clamp(seen.framesSent(), handed, handed + held),
                seen.framesSent());
        long received =
                value(
                        wire.receiver().engine().counters(),
                        Scope.INGRESS,
                        wire.receiverPort(),
                        "frames.received");
        equal(
                wire + ", frames arrived against received or without a slot",
                seen.framesArrived(),
                received + seen.noSlot() + seen.oversize());
    }

    private void checkNode(VirtualNode node, List<Direction> wires) {
        CounterDirectory counters = node.engine().counters();
        int ports = node instanceof SwitchNode switchNode ? switchNode.engine().ports() : 2;
        long forwarded = 0;
        long left = heldData(node);
        for (int port = 0; port < ports; port++) {
            String half = node + ", port " + port;
            long in =
                    value(counters, Scope.INGRESS, port, "frames.received")
                            + value(counters, Scope.INGRESS, port, "frames.copied")
                            + refused(node, port, wires);
            long ahead = value(counters, Scope.INGRESS, port, "frames.forwarded");
            boolean takesControl = node.engine().ingress(port).flow() != null;
            long taken =
                    takesControl
                            ? value(counters, Scope.INGRESS, port, "link.control.received")
                            : 0;
            if (port == HostCard.WIRE && !(node instanceof SwitchNode)) {
                taken += notices(counters);
            }
            equal(
                    half + ", frames received and copied against forwarded, consumed and dropped",
                    in,
                    ahead + taken + drops(counters, Scope.INGRESS, port));
            forwarded += ahead;
            left +=
                    value(counters, Scope.EGRESS, port, "frames.transmitted")
                            + drops(counters, Scope.EGRESS, port);
        }
        equal(node + ", frames forwarded against transmitted, dropped and held", forwarded, left);
    }

    /** Frames that came to a port and found no slot, or one too short: drops before receiving. */
    private static long refused(VirtualNode node, int port, List<Direction> wires) {
        return wires.stream()
                .filter(wire -> wire.receiver().equals(node) && wire.receiverPort() == port)
                .map(wire -> wire.link().statistics(wire.fromEnd()))
                .mapToLong(seen -> seen.noSlot() + seen.oversize())
                .sum();
    }

    /** Notices that a host's card has taken. */
    private static long notices(CounterDirectory counters) {
        long sum = 0;
        for (NoticeCounter counter : NoticeCounter.values()) {
            sum += value(counters, Scope.SWITCH, 0, counter.label());
        }
        return sum;
    }

    /** Frames that egress halves hold, their own for link control left out. */
    private static long heldData(VirtualNode node) {
        long count = 0;
        for (int slot = 0; slot < node.engine().region().slots(); slot++) {
            Frame frame = node.engine().region().made(slot);
            if (frame != null && (frame.home & 1) == 0) {
                count += SlotPlace.kind(frame.place) != SlotPlace.FREE ? 1 : 0;
            }
        }
        return count;
    }

    private void checkGroup(FlowGroup group) {
        boolean repeats =
                built.what().faults().stream()
                        .anyMatch(fault ->
                                fault instanceof Fault.OfLink of
                                        && of.faults().kind() != FrameKind.NOTICES
                                        && of.faults().repeatProbability() > 0);
        if (!repeats && group.framesReceived() > group.framesSent()) {
            throw new BrokenException(
                    "%s: %d frames sent, %d received"
                            .formatted(group.name(), group.framesSent(), group.framesReceived()));
        }
    }

    /**
     * A counter of one half.
     *
     * @throws IllegalArgumentException if no counter has that label
     */
    static long value(CounterDirectory counters, Scope scope, int port, String label) {
        return counters.sum(scope, port, label::equals);
    }

    private static long drops(CounterDirectory counters, Scope scope, int port) {
        return counters.sum(scope, port, label -> label.startsWith(DropCounters.LABEL_PREFIX));
    }

    private static void equal(String what, long one, long other) {
        if (one != other) {
            throw new BrokenException(
                    "frames are not conserved: %s: %d against %d".formatted(what, one, other));
        }
    }
}
