package io.headgate.testbed.swarm;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.dataplane.flowcontrol.EgressFlow;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.testbed.virtual.SwitchNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which queues wait for which: a queue that is stopped waits for the queues in which the far end
 * holds what came from it. Where they wait in a circle, none will ever move: a deadlock.
 */
final class WaitGraph {
    /** A queue of a switch's port; the name orders them. */
    private record Queue(String node, int port, int priority) implements Comparable<Queue> {
        @Override
        public int compareTo(Queue other) {
            int byNode = node.compareTo(other.node);
            int byPort = Integer.compare(port, other.port);
            return byNode != 0
                    ? byNode
                    : byPort != 0 ? byPort : Integer.compare(priority, other.priority);
        }
    }

    private final Map<Queue, Set<Queue>> waitsFor = new HashMap<>();

    WaitGraph(CaseNetwork built, List<Direction> wires) {
        for (Direction wire : wires) {
            if (wire.isControlled()
                    && wire.sender() instanceof SwitchNode sender
                    && wire.receiver() instanceof SwitchNode receiver) {
                add(wire, sender, receiver, built.run().clock().ns());
            }
        }
    }

    private void add(Direction wire, SwitchNode sender, SwitchNode receiver, long nowNs) {
        EgressFlow flow = sender.egress(wire.senderPort()).flow();
        if (flow == null) {
            return;
        }
        for (int priority : queued(sender, wire.senderPort())) {
            boolean stopped =
                    flow.state() != null
                            ? (flow.state().paused(nowNs) >>> priority & 1) != 0
                            : flow.times() != null
                                    && (flow.times().stopped() >>> priority & 1) != 0;
            if (!stopped) {
                continue;
            }
            Set<Queue> behind = new TreeSet<>();
            for (Frame frame : frames(receiver)) {
                boolean fromHere =
                        frame.home >> 1 == wire.receiverPort()
                                && (frame.home & 1) == 0
                                && (wire.mode() == Mode.PAUSE || frame.account == priority);
                if (fromHere && SlotPlace.kind(frame.place) == SlotPlace.QUEUE) {
                    behind.add(new Queue(receiver.name(), frame.place >>> 9, frame.priority));
                }
            }
            waitsFor.put(new Queue(sender.name(), wire.senderPort(), priority), behind);
        }
    }

    private static Set<Integer> queued(SwitchNode node, int port) {
        Set<Integer> priorities = new TreeSet<>();
        for (Frame frame : frames(node)) {
            if (SlotPlace.kind(frame.place) == SlotPlace.QUEUE && frame.place >>> 9 == port) {
                priorities.add(frame.priority);
            }
        }
        return priorities;
    }

    private static List<Frame> frames(SwitchNode node) {
        return IntStream.range(0, node.region().slots()).mapToObj(node.region()::frame).toList();
    }

    /** Takes away what waits for nothing that is left; what then remains waits in circles. */
    boolean hasCycle() {
        Set<Queue> left = new HashSet<>(waitsFor.keySet());
        boolean changed = true;
        while (changed) {
            Set<Queue> before = Set.copyOf(left);
            changed =
                    left.removeIf(queue ->
                            waitsFor.getOrDefault(queue, Set.of()).stream()
                                    .noneMatch(before::contains));
        }
        return !left.isEmpty();
    }
}
