package io.headgate.testbed.scenario.shipped;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Beds;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.Recording;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.List;

/** What several scenarios have in common. */
final class Common {
    static final long PS_PER_NS = 1000;
    static final int PRIORITY = 3;
    static final int DSCP = 26;

    static final Parameter RATE =
            Parameter.rate("rate", "10Gbps", "10Mbps", "400Gbps", "rate of every link");
    static final Parameter DELAY =
            Parameter.duration("delay", "1us", "0ns", "10ms", "propagation delay of every link");

    private Common() {}

    static LinkSpec link(Values values) {
        return LinkSpec.of(values.whole("rate"), values.whole("delay"));
    }

    /** Refuses a threshold at which a pause ends that is not below the one at which it begins. */
    static void checkXon(Values values) throws ScenarioException {
        if (values.whole("xon") >= values.whole("xoff")) {
            throw new ScenarioException(
                    "parameter xon cannot be "
                            + values.text("xon")
                            + ": allowed is less than xoff, which is "
                            + values.text("xoff"));
        }
    }

    /** How long a frame takes a wire, with preamble, FCS and gap, in microseconds. */
    static double wireUs(double frameBytes, double rateBps) {
        return (frameBytes + Ethernet.WIRE_OVERHEAD_BYTES) * 8e6 / rateBps;
    }

    /** Ports with one lossless priority, by DSCP. */
    static PortTraffic lossless() {
        return PortTraffic.NONE
                .with("classify.trust", TrafficConfig.Trust.DSCP)
                .with("lossless", List.of(PRIORITY));
    }

    /** The same with pauses from a length on, until it is down to another. */
    static PortTraffic pauses(long xoffBytes, long xonBytes) {
        return lossless()
                .with("flow-control", FlowControlConfig.Mode.PFC)
                .with("buffers.xoff", xoffBytes)
                .with("buffers.xon", xonBytes);
    }

    /** Frames of that priority, which ports find by their DSCP; they have no tag. */
    static FrameShape losslessFrames(int bytes) {
        return FrameShape.udp(bytes).withPriority(0, DSCP);
    }

    /** Runs flows where a cell says. */
    static Observation run(
            Topology topology,
            List<FlowSpec> flows,
            long durationPs,
            Recording recording,
            Cell cell,
            RunContext context)
            throws ScenarioException {
        return Beds.run(
                new Experiment(topology, flows, List.of(), durationPs, recording), cell, context);
    }
}
