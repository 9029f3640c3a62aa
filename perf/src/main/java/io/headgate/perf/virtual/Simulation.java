package io.headgate.perf.virtual;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;

/** One run of a case in virtual time, from its set-up to its end. */
final class Simulation {
    private static final long PS_PER_NS = 1000;
    private static final double NS_PER_S = 1e9;

    /** The result; frames dropped are those of the switches. */
    record Outcome(
            double setUpSeconds,
            double runSeconds,
            long hops,
            long delivered,
            long dropped,
            long instants,
            long dutyCalls) {}

    private Simulation() {}

    static Outcome run(
            NetworkCase network, Queues queues, long durationNs, long seed, int threads) {
        long startNs = System.nanoTime();
        NetworkPlan plan = NetworkPlan.of(queues.in(network.topology()), PlanOptions.virtual(seed));
        VirtualRun run = new VirtualRun(RunOptions.of(seed).withDigest(false).withThreads(threads));
        VirtualNetwork built = VirtualNetwork.in(run, plan);
        Traffic traffic = built.traffic(Traffic.Options.DEFAULT);
        FrameShape shape = queues.shape(NetworkCase.FRAME_BYTES);
        for (PlannedFlow flow : network.flows(durationNs, seed)) {
            traffic.start(spec(flow, shape));
        }
        run.runUntil(0);
        long readyNs = System.nanoTime();
        run.runUntil(durationNs * PS_PER_NS);
        long endNs = System.nanoTime();
        long delivered = 0;
        for (TrafficDevice host : traffic.devices()) {
            delivered += host.framesReceived();
        }
        long dropped = 0;
        for (VirtualNode node : run.nodes()) {
            dropped += drops(node.engine().counters());
        }
        return new Outcome(
                (readyNs - startNs) / NS_PER_S,
                (endNs - readyNs) / NS_PER_S,
                run.frameHops(),
                delivered,
                dropped,
                run.instants(),
                run.dutyCalls());
    }

    private static FlowSpec spec(PlannedFlow flow, FrameShape shape) {
        FlowSpec spec =
                FlowSpec.greedy("flows", flow.source(), flow.destination(), shape)
                        .during(flow.startNs() * PS_PER_NS, Long.MAX_VALUE);
        return flow.frames() == PlannedFlow.ENDLESS
                ? spec
                : spec.withSizeBytes(flow.frames() * shape.segmentation().maxSegmentBytes());
    }

    private static long drops(CounterDirectory counters) {
        return CounterLookup.sum(
                counters.entries(),
                counters::value,
                "of drops",
                entry -> entry.label().startsWith(DropCounters.LABEL_PREFIX));
    }
}
