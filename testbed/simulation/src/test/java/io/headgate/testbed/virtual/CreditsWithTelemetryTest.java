package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.credit.CreditRegister;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameShape.Messages;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Credits over a link on which frames are longer than their host's card passes them on. */
class CreditsWithTelemetryTest {
    private static final long US = 1_000_000;
    private static final int PRIORITY = 3;

    @Test
    void blocksAreCountedAsFramesCameAndNoneIsTakenForLost() {
        LinkSpec link = LinkSpec.of(10_000_000_000L, 1_000);
        Topology topology =
                Topologies.dumbbell(1, 1, link, link)
                        .withPorts(
                                PortTrafficReader.read(
                                        "{flow-control: credits, classify: {trust: dscp},"
                                                + " congestion: {telemetry: {}}}"));
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        VirtualNetwork network =
                VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
        Traffic traffic = network.traffic(new Traffic.Options(200 * US, false));
        FrameShape writes =
                FrameShape.messages(1082, new Messages(Verb.WRITE, 10_000, false, 0))
                        .withPriority(PRIORITY, 26);
        traffic.start(
                FlowSpec.greedy("f", 0, 1, FrameShape.udp(1000))
                        .withWindowFrames(32)
                        .withShape(writes));
        run.runUntil(500 * US);

        assertThat(traffic.group("f").framesReceived()).isGreaterThan(100);
        CreditReceiver credits =
                Objects.requireNonNull(
                        Objects.requireNonNull(
                                        network.host(1).engine().ingress(HostCard.WIRE).flow())
                                .credits());
        assertThat(credits.state()).isEqualTo(CreditRegister.UP);
        assertThat(credits.lostBlocks(PRIORITY)).isZero();
    }
}
