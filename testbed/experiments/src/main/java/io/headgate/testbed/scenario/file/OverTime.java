package io.headgate.testbed.scenario.file;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Defines how series of a scenario file are drawn over time: axis, style and limits. */
final class OverTime {
    private static final double PS_PER_US = 1e6;
    private static final double BYTES_PER_KB = 1e3;

    private OverTime() {}

    /** The time axis, up to the end of the longest run. */
    static Axis axis(Collection<Definition> definitions) {
        return Axis.time(
                definitions.stream()
                        .mapToDouble(one -> one.experiment().durationPs() / PS_PER_US)
                        .max()
                        .orElse(0));
    }

    /** The limits of a kind's lines, by the lines' subject, such as {@code s1/p4}. */
    static Function<String, List<Limit>> limits(
            String kind, CellResult result, Map<Cell, Definition> definitions) {
        Definition one = Objects.requireNonNull(definitions.get(result.cell()));
        Topology topology = one.experiment().topology();
        return switch (kind) {
            case "throughput", "carried" -> group -> fullLink(one, group);
            case "queue" -> _ -> queueLimit(topology);
            case "buffer" -> {
                Map<String, List<Limit>> thresholds = thresholds(topology);
                yield port -> thresholds.getOrDefault(port, List.of());
            }
            default -> _ -> List.of();
        };
    }

    /** What the receiver's link carries of frames, for traffic that one host receives. */
    private static List<Limit> fullLink(Definition one, String group) {
        Topology topology = one.experiment().topology();
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
        Set<Limit> limits = new LinkedHashSet<>();
        if (receivers.size() == 1) {
            String host = topology.hosts().get(receivers.iterator().next()).name();
            for (Topology.Link link : topology.links()) {
                if (link.isAt(host)) {
                    limits.add(Limit.fullLink(frameBytes, (double) link.spec().rateBps()));
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

    private static Map<String, List<Limit>> thresholds(Topology topology) {
        Map<String, List<Limit>> thresholds = new HashMap<>();
        for (SwitchConfig node : NetworkPlan.of(topology, PlanOptions.virtual(0)).switches()) {
            for (PortConfig port : node.ports()) {
                FlowControlConfig.Buffers buffers = port.flowControl().buffers();
                if (buffers != null && buffers.xoffBytes() > 0) {
                    thresholds.put(
                            node.name() + "/" + port.name(),
                            List.of(
                                    limit("xoff", buffers.xoffBytes()),
                                    limit("xon", buffers.xonBytes())));
                }
            }
        }
        return thresholds;
    }

    private static Limit limit(String name, long bytes) {
        return Limit.of(name, bytes / BYTES_PER_KB, "kB");
    }
}
