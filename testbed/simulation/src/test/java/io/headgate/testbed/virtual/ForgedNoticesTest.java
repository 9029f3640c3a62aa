package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.DcqcnConfig;
import io.headgate.hostagent.rate.RoccReactionConfig;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two hosts send to a third over links on which notices are lost, come twice and are forged, all
 * with right checksums.
 */
class ForgedNoticesTest {
    private static final int SENDERS = 2;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long PS_PER_MS = 1_000_000_000L;
    private static final long FRAMES_PER_MS = 1_200;
    private static final LinkFaults FAULTS =
            LinkFaults.NONE
                    .withKind(FrameKind.NOTICES)
                    .withLossProbability(0.2)
                    .withRepeatProbability(0.2)
                    .withForgeProbability(0.8);

    private final Map<NoticeCounter, Long> counted = new EnumMap<>(NoticeCounter.class);
    private final VirtualRun run = new VirtualRun(RunOptions.of(1).withDigest(false));
    private long delivered;

    private void run(long ms, String congestion, SendPattern pattern) {
        PortTraffic ports =
                PortTrafficReader.read(
                        "{flow-control: pfc, classify: {trust: dscp}, congestion: {"
                                + congestion
                                + "}}");
        VirtualNetwork network =
                VirtualNetwork.in(
                        run,
                        NetworkPlan.of(
                                Topologies.singleSwitch(
                                                SENDERS + 1,
                                                LinkSpec.of(RATE_BPS, 1_000).withFaults(FAULTS))
                                        .withMode(Mode.BRIDGE)
                                        .withPorts(ports),
                                PlanOptions.virtual(1)));
        Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
        FrameShape shape = FrameShape.udp(1014).withPriority(3, 26).withEcn(FrameShape.ECT_0);
        for (int sender = 0; sender < SENDERS; sender++) {
            traffic.start(
                    FlowSpec.greedy("f" + sender, sender, SENDERS, shape)
                            .during(0, 2 * ms * PS_PER_MS)
                            .withPattern(pattern));
        }
        run.runUntil(ms * PS_PER_MS);
        for (int sender = 0; sender < SENDERS; sender++) {
            for (NoticeCounter counter : NoticeCounter.values()) {
                long value = network.host(sender).engine().noticeCounters().get(counter);
                counted.merge(counter, value, Long::sum);
            }
        }
        for (Flow flow : traffic.flows()) {
            delivered += flow.statistics().framesReceived();
            assertThat(flow.isHeldForGood(RATE_BPS)).isFalse();
        }
        assertThat(delivered).as("at least half").isGreaterThan(ms * FRAMES_PER_MS / 2);
    }

    private long of(NoticeCounter counter) {
        return counted.getOrDefault(counter, 0L);
    }

    @Test
    void fairRatesThatAreForgedAreCountedAndHoldNoFlowForGood() {
        run(
                1,
                "rocc: {priorities: [3]}",
                new SendPattern.Controlled(
                        new RoccReactionMechanism()
                                .use(new RoccReactionConfig(0, 40_000, 55_000))));
        assertThat(of(NoticeCounter.OBEYED)).isPositive();
        assertThat(of(NoticeCounter.UNKNOWN_FLOW)).isPositive();
        assertThat(of(NoticeCounter.IGNORED)).as("a rate of 0").isPositive();
        assertThat(of(NoticeCounter.EXCESS)).as("repeated").isPositive();
        assertThat(of(NoticeCounter.CHECKSUM) + of(NoticeCounter.MALFORMED)).isZero();
    }

    @Test
    void packetsOfReceiversThatAreForgedAreCountedAndHoldNoFlowForGood() {
        run(
                5,
                "red: {kmin: 5kB, kmax: 200kB, pmax: 0.5, priorities: [3]}",
                new SendPattern.Controlled(
                        new Dcqcn().use(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED))));
        assertThat(of(NoticeCounter.OBEYED)).isPositive();
        assertThat(of(NoticeCounter.UNKNOWN_FLOW)).isPositive();
        assertThat(of(NoticeCounter.IGNORED)).as("which says nothing").isPositive();
        assertThat(of(NoticeCounter.CHECKSUM) + of(NoticeCounter.MALFORMED)).isZero();
    }
}
