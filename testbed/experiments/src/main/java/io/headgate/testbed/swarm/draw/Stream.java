package io.headgate.testbed.swarm.draw;

import io.headgate.config.Mechanisms;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a case, or a source of flows. Hosts are given by name.
 *
 * @param name name such as {@code flow3}
 * @param to receivers: one for a single flow; for a source those from which it draws
 * @param sizeBytes size of a single flow, {@link FlowSpec#UNLIMITED} if it sends until it is
 *     stopped; for a source the largest size
 * @param process null for a single flow
 */
public record Stream(
        String name,
        String from,
        List<String> to,
        long startPs,
        long stopPs,
        long sizeBytes,
        SendPattern pattern,
        int windowFrames,
        FrameShape shape,
        @Nullable ArrivalProcess process) {

    /** Whether the topology has all hosts that it needs. */
    boolean isAmong(Topology topology) {
        List<String> hosts = topology.hosts().stream().map(Topology.Host::name).toList();
        return hosts.contains(from) && hosts.containsAll(to);
    }

    /** Whether it may itself cause its frames to arrive twice or out of order. */
    boolean isWindowed() {
        return windowFrames != FlowSpec.DATAGRAMS;
    }

    /** The stream with tagged frames; 0 for a tag that only carries a priority. */
    Stream withVlan(int vlan) {
        return withShape(shape.withVlan(vlan));
    }

    Stream withEcn(int codePoint) {
        return withShape(shape.withEcn(codePoint));
    }

    Stream withShape(FrameShape other) {
        return new Stream(
                name, from, to, startPs, stopPs, sizeBytes, pattern, windowFrames, other, process);
    }

    Stream withPattern(SendPattern other) {
        return new Stream(
                name, from, to, startPs, stopPs, sizeBytes, other, windowFrames, shape, process);
    }

    /**
     * The stream with a rate control and an ECN code point, if its pattern allows a rate control.
     */
    Stream controlled(Mechanisms.Use control, int codePoint) {
        return switch (pattern) {
            case SendPattern.Greedy _ ->
                    withEcn(codePoint).withPattern(new SendPattern.Controlled(control));
            case SendPattern.ConstantRate rate ->
                    withEcn(codePoint)
                            .withPattern(new SendPattern.Controlled(control, rate.rateBps()));
            default -> this;
        };
    }

    public void start(Traffic traffic, Topology topology) {
        int source = topology.host(from);
        ArrivalProcess arrivals = process;
        if (arrivals == null) {
            traffic.start(
                    new FlowSpec(
                            name,
                            source,
                            topology.host(to.getFirst()),
                            startPs,
                            stopPs,
                            sizeBytes,
                            pattern,
                            windowFrames,
                            shape,
                            List.of()));
            return;
        }
        traffic.start(
                new ArrivalSpec(
                        name,
                        source,
                        to.stream().map(topology::host).toList(),
                        arrivals,
                        SizeDistribution.uniform(1, sizeBytes),
                        startPs,
                        stopPs,
                        pattern,
                        windowFrames,
                        shape));
    }

    String describe() {
        return ("%s: %s to %s, %d to %d ps, %s, %s, window %d, priority %d, DSCP %d, %s, frames"
                        + " of %d bytes%s%s")
                .formatted(
                        name,
                        from,
                        to,
                        startPs,
                        stopPs,
                        sizeBytes == FlowSpec.UNLIMITED ? "endless" : sizeBytes + " bytes",
                        pattern,
                        windowFrames,
                        shape.priority(),
                        shape.dscp(),
                        shape.vlan() == FrameShape.UNTAGGED ? "untagged" : "tag " + shape.vlan(),
                        shape.frameLengthBytes(shape.segmentation().maxSegmentBytes()),
                        shape.isReliable() ? ", " + shape.messages() : "",
                        process == null ? "" : ", " + process);
    }
}
