package io.headgate.testbed.scenario.file;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** How series of a scenario file are drawn over time: their axis, their manner, their limits. */
final class OverTime {
    /** More of them hide what they are limits of. */
    private static final int MOST_LIMITS = 3;

    private static final double PS_PER_US = 1e6;
    private static final double BYTES_PER_KB = 1e3;

    /** What is a mean over each interval, or a share of it. */
    private static final Set<String> MEANS = Set.of("throughput", "stopped");

    private OverTime() {}

    /** Up to the end of the longest run. */
    static Axis axis(Collection<Definition> definitions) {
        return Axis.time(
                definitions.stream()
                        .mapToDouble(one -> one.experiment().durationPs() / PS_PER_US)
                        .max()
                        .orElse(0));
    }

    /** Dots for real frames, steps for means over intervals. */
    static Style style(CellResult result, String kind) {
        return result.cell().bed() == BedKind.NETNS
                ? Style.POINTS
                : MEANS.contains(kind) ? Style.STEP : Style.LINE;
    }

    /**
     * What some series of a kind keep to; none if that is not the same in all runs, or too many.
     *
     * @param of which of them are drawn, such as {@code s1/p4} of {@code queue s1/p4}
     */
    static List<Limit> limits(
            String kind, Predicate<String> of, Collection<Definition> definitions) {
        Set<List<Limit>> all = new LinkedHashSet<>();
        for (Definition one : definitions) {
            Topology topology = one.experiment().topology();
            all.add(
                    switch (kind) {
                        case "throughput" -> fullLinks(one, of);
                        case "queue" -> queueLimit(topology);
                        case "buffer" -> thresholds(topology, of);
                        default -> List.of();
                    });
        }
        List<Limit> first = all.isEmpty() ? List.of() : all.iterator().next();
        return all.size() == 1 && first.size() <= MOST_LIMITS ? first : List.of();
    }

    /** What the receiver's link carries of frames, for traffic that one host receives. */
    private static List<Limit> fullLinks(Definition one, Predicate<String> of) {
        Topology topology = one.experiment().topology();
        Set<Limit> limits = new LinkedHashSet<>();
        for (String group : one.experiment().recording().throughputOf()) {
            Set<Integer> receivers = new LinkedHashSet<>();
            int frameBytes = 0;
            for (FlowSpec flow : one.experiment().flows()) {
                if (flow.name().equals(group)) {
                    receivers.add(flow.destination());
                    frameBytes = Math.max(frameBytes, largest(flow.shape()));
                }
            }
            for (ArrivalSpec source : one.experiment().arrivals()) {
                if (source.name().equals(group)) {
                    receivers.addAll(source.destinations());
                    frameBytes = Math.max(frameBytes, largest(source.shape()));
                }
            }
            if (of.test(group) && receivers.size() == 1) {
                String host = topology.hosts().get(receivers.iterator().next()).name();
                for (Topology.Link link : topology.links()) {
                    if (link.a().equals(host) || link.b().equals(host)) {
                        limits.add(Limit.fullLink(frameBytes, (double) link.spec().rateBps()));
                    }
                }
            }
        }
        return List.copyOf(limits);
    }

    private static int largest(FrameShape shape) {
        return shape.frameLengthBytes(shape.segmentation().maxSegmentBytes());
    }

    /** Where lossless frames may wait, queues have none. */
    private static List<Limit> queueLimit(Topology topology) {
        long bytes = topology.sizes().queueLimitBytes();
        return topology.losslessPriorities().isEmpty() ? List.of(limit("limit", bytes)) : List.of();
    }

    private static List<Limit> thresholds(Topology topology, Predicate<String> of) {
        Set<Limit> limits = new LinkedHashSet<>();
        for (SwitchConfig node : NetworkPlan.of(topology, PlanOptions.virtual(0)).switches()) {
            for (PortConfig port : node.ports()) {
                FlowControlConfig.Buffers buffers = port.flowControl().buffers();
                String name = node.name() + "/" + port.name();
                if (buffers != null && buffers.xoffBytes() > 0 && of.test(name)) {
                    limits.add(limit("xoff", buffers.xoffBytes()));
                    limits.add(limit("xon", buffers.xonBytes()));
                }
            }
        }
        return new ArrayList<>(limits);
    }

    private static Limit limit(String name, long bytes) {
        return Limit.of(name, bytes / BYTES_PER_KB, "kB");
    }
}
