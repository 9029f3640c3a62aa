package io.headgate.testbed.scenario.explain;

import io.headgate.config.TrafficConfig;
import io.headgate.control.pauses.PauseView;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNetwork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A snapshot of all switches' queues at an instant, with the flows of the waiting frames. */
final class QueueSnapshot implements PauseTree.Queues {
    /** Frames of one flow that came in by a port, and wait in a queue. */
    private record Waiting(int in, int account, int out, int priority, String flow) {}

    private final NetworkPlan plan;
    private final List<Map<Waiting, Long>> bySwitch = new ArrayList<>();
    private final List<PauseView> views = new ArrayList<>();

    /** Takes the snapshot; called between two instants. */
    QueueSnapshot(VirtualNetwork network, FrameNames names) {
        plan = network.plan();
        long nowNs = network.run().clock().ns();
        for (int number = 0; number < plan.switches().size(); number++) {
            SwitchNode node = network.switchNode(number);
            views.add(PauseView.of(node.engine(), nowNs, Map.of()));
            Map<Waiting, Long> waiting = new LinkedHashMap<>();
            FrameRegion region = node.engine().region();
            for (int slot = 0; slot < region.slots(); slot++) {
                Frame frame = region.made(slot);
                if (frame != null
                        && SlotPlace.kind(frame.place) == SlotPlace.QUEUE
                        && (frame.home & 1) == 0) {
                    waiting.merge(
                            new Waiting(
                                    frame.home >> 1,
                                    frame.account,
                                    SlotPlace.half(frame.place) >> 1,
                                    frame.priority,
                                    names.of(frame)),
                            (long) frame.lengthBytes,
                            Long::sum);
                }
            }
            bySwitch.add(waiting);
        }
    }

    @Override
    public NetworkPlan plan() {
        return plan;
    }

    @Override
    public boolean isStopped(LinkPlan.End queue, int priority) {
        String port = plan.switches().get(queue.node()).ports().get(queue.port()).name();
        PauseView.Queue view = views.get(queue.node()).queue(port, priority);
        return view != null && view.stoppedNs() > 0;
    }

    /** The queues of hosts are not known. */
    @Override
    public Map<String, Long> waiting(LinkPlan.End queue, int priority) {
        Map<String, Long> found = new HashMap<>();
        if (!queue.isHost()) {
            bySwitch.get(queue.node())
                    .forEach((each, bytes) -> {
                        if (each.out == queue.port() && each.priority == priority) {
                            found.merge(each.flow, bytes, Long::sum);
                        }
                    });
        }
        return found;
    }

    @Override
    public Map<LinkPlan.End, Map<String, Long>> heldFrom(LinkPlan.End port, int priority) {
        Map<LinkPlan.End, Map<String, Long>> found = new LinkedHashMap<>();
        bySwitch.get(port.node())
                .forEach((each, bytes) -> {
                    if (each.in == port.port()
                            && each.account == priority
                            && each.account < TrafficConfig.PRIORITIES
                            && each.out < plan.switches().get(port.node()).ports().size()) {
                        found.computeIfAbsent(
                                        new LinkPlan.End(false, port.node(), each.out),
                                        _ -> new HashMap<>())
                                .merge(each.flow, bytes, Long::sum);
                    }
                });
        return found;
    }
}
