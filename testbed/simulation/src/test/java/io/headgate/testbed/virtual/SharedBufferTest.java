package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.flowcontrol.IngressAccounts;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A buffer that all ports of a switch share, with dynamic thresholds over what is left of it. */
class SharedBufferTest {
    private static final long MS = 1_000_000_000L;
    private static final long SHARED_BYTES = 400_000;
    private static final int FRAME_BYTES = 1000;
    private static final int LOSSLESS = 3;

    /**
     * Choudhury and Hahne: n queues that want all they can get stop at alpha B / (1 + n alpha). The
     * slots of a port that shares nothing, 64 in addition to a burst, would be too few for each of
     * these.
     */
    @ParameterizedTest
    @CsvSource({
        "1/4, 0.25, 1, 0",
        "1/4, 0.25, 1, 3",
        "1, 1, 1, 0",
        "1, 1, 2, 3",
        "1, 1, 4, 0",
        "4, 4, 3, 3"
    })
    void eachOfSeveralPortsHoldsItsShareOfIt(String alpha, double factor, int ports, int priority) {
        Topology topology =
                TopologyReader.read(
                        """
                        name: shared
                        mode: bridge
                        mtu: 1000
                        slots-per-port: 128
                        memory: {shared: %dB}
                        ports: {flow-control: pfc, classify: {trust: dscp}, buffers: {alpha: %s}}
                        link: {rate: 10Gbps, delay: 1us}
                        builder: {single-switch: {hosts: %d}}
                        """
                                .formatted(SHARED_BYTES, alpha, 2 * ports),
                        "shared.yaml");
        FrameShape shape = FrameShape.udp(FRAME_BYTES).withPriority(priority, 8 * priority);
        PlanOptions options = PlanOptions.virtual(1);
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        VirtualNetwork network = VirtualNetwork.in(run, NetworkPlan.of(topology, options));
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        SwitchNode node = network.switchNode(0);
        List<String> slow = new ArrayList<>();
        for (int port = 0; port < ports; port++) {
            traffic.start(FlowSpec.greedy("f" + port, port, ports + port, shape).during(0, 2 * MS));
            slow.add("p" + (ports + port + 1) + ".rate=1Mbps");
        }
        SwitchConfig slowed = SwitchPatch.apply(node.engine().config(), slow).config();
        run.addTimer((_, _) -> node.change(0, slowed)).schedule(0);
        run.runUntil(3 * MS);
        double share = factor * SHARED_BYTES / (1 + ports * factor);
        FlowControlConfig.Buffers buffers =
                Objects.requireNonNull(slowed.ports().getFirst().flowControl().buffers());
        // In addition to its share a lossless priority has its reserve, and what arrives after a
        // pause.
        long own = priority == LOSSLESS ? buffers.reservedBytes() : 0;
        long late = priority == LOSSLESS ? buffers.headroomBytes() : 0;
        for (int port = 0; port < ports; port++) {
            IngressAccounts accounts =
                    Objects.requireNonNull(node.engine().ingress(port).flow()).accounts();
            assertThat((double) accounts.bytes(priority))
                    .as("port %d of %d, alpha %s", port + 1, ports, alpha)
                    .isBetween(share + own - 2 * FRAME_BYTES, share + own + late + 2 * FRAME_BYTES);
        }
    }
}
