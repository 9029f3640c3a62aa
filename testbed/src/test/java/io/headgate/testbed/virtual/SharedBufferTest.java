package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.flowcontrol.IngressAccounts;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
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
    private static final FrameShape LOSSY = FrameShape.udp(FRAME_BYTES).withPriority(0, 0);

    /** Choudhury and Hahne: n queues that want all they can get stop at alpha B / (1 + n alpha). */
    @ParameterizedTest
    @CsvSource({"1/4, 0.25, 1", "1/4, 0.25, 3", "1, 1, 1", "1, 1, 2", "1, 1, 4", "4, 4, 3"})
    void eachOfSeveralPortsHoldsItsShareOfIt(String alpha, double factor, int ports) {
        Topology topology =
                Topologies.singleSwitch(2 * ports, LinkSpec.of(10_000_000_000L, 1_000))
                        .withMode(SwitchConfig.Mode.BRIDGE)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: pfc, classify: {trust: dscp}, buffers:"
                                                + " {alpha: "
                                                + alpha
                                                + "}}"));
        PlanOptions options =
                PlanOptions.virtual(1)
                        .withAdjust(config ->
                                config.withMemory(config.memory().withSharedBytes(SHARED_BYTES)));
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        VirtualNetwork network = VirtualNetwork.in(run, NetworkPlan.of(topology, options));
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        SwitchNode node = network.switchNode(0);
        List<String> slow = new ArrayList<>();
        for (int port = 0; port < ports; port++) {
            traffic.start(FlowSpec.greedy("f" + port, port, ports + port, LOSSY).during(0, 2 * MS));
            slow.add("p" + (ports + port + 1) + ".rate=1Mbps");
        }
        SwitchConfig slowed = SwitchPatch.apply(node.engine().config(), slow).config();
        run.addTimer((_, _) -> node.change(0, slowed)).schedule(0);
        run.runUntil(3 * MS);
        double share = factor * SHARED_BYTES / (1 + ports * factor);
        long sum = 0;
        for (int port = 0; port < ports; port++) {
            IngressAccounts accounts =
                    Objects.requireNonNull(node.engine().ingress(port).flow()).accounts();
            assertThat((double) accounts.bytes(0))
                    .as("port %d of %d, alpha %s", port + 1, ports, alpha)
                    .isBetween(share - 2 * FRAME_BYTES, share + 2 * FRAME_BYTES);
            sum += accounts.bytes(0);
        }
        assertThat(sum).isLessThanOrEqualTo(SHARED_BYTES);
    }
}
