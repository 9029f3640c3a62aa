package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.IngressAccounts;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.pause.PauseReceiver;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts and switches that keep each other from losing frames, in virtual time. */
class LosslessNetworkTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MS = 1_000_000_000L;
    private static final int FRAME_BYTES = 1514;
    private static final FrameShape LOSSLESS = FrameShape.udp(FRAME_BYTES).withPriority(3, 26);
    private static final FrameShape LOSSY = FrameShape.udp(FRAME_BYTES).withPriority(0, 0);

    /** The thresholds of the TCD test bed (Zhang et al., SIGCOMM 2021). */
    private static final String PFC =
            "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 800kB, xon: 770kB}}";

    private static final String CREDITS =
            "{flow-control: credits, classify: {trust: dscp},"
                    + " credits: {update: periodic, period: 60us, block-scale: 4, buffer: 800kB,"
                    + " buffer-slots: 800}}";

    private static final class Net {
        final VirtualRun run;
        final VirtualNetwork network;
        final Traffic traffic;
        final List<Flow> flows = new ArrayList<>();

        Net(String ports, int hosts, RunOptions options, UnaryOperator<CardSetup> cards) {
            Topology topology =
                    Topologies.singleSwitch(hosts, LinkSpec.of(RATE_BPS, 1_000))
                            .withMode(Mode.BRIDGE)
                            .withPorts(PortTrafficReader.read(ports));
            run = new VirtualRun(options);
            network =
                    VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)), cards);
            traffic = network.traffic(Traffic.Options.DEFAULT);
        }

        static Net of(String ports, int hosts) {
            return new Net(ports, hosts, RunOptions.of(1), UnaryOperator.identity());
        }

        Flow send(int from, int to, FrameShape shape) {
            Flow flow =
                    traffic.start(
                            FlowSpec.greedy("f" + flows.size(), from, to, shape)
                                    .during(0, 20 * MS));
            flows.add(flow);
            return flow;
        }

        long dropped() {
            long sum = 0;
            for (VirtualNode node : run.nodes()) {
                sum += total(node, "drop.");
            }
            return sum;
        }

        static long total(VirtualNode node, String prefix) {
            CounterDirectory counters = node.engine().counters();
            return CounterLookup.sum(
                    counters.entries(),
                    counters::value,
                    prefix + "* of " + node,
                    entry -> entry.label().startsWith(prefix));
        }

        /** The share of what one link can carry that flows have brought. */
        double utilisation(long timePs, Flow... counted) {
            long frames = 0;
            for (Flow flow : counted) {
                frames += flow.statistics().framesReceived();
            }
            return frames * (FRAME_BYTES + 24) * 8.0 / (RATE_BPS * (timePs / 1e12));
        }

        void allArrived() {
            run.runUntil(60 * MS);
            assertThat(dropped()).isZero();
            for (Flow flow : flows) {
                assertThat(flow.statistics().framesReceived())
                        .isPositive()
                        .isEqualTo(flow.statistics().framesSent());
                assertThat(flow.statistics().framesReordered()).isZero();
            }
        }

        IngressAccounts accounts(int switchPort) {
            return Objects.requireNonNull(network.switchNode(0).engine().ingress(switchPort).flow())
                    .accounts();
        }
    }

    @Test
    void pausesKeepAnIncastOfTwoWithoutLossAtTheFullRate() {
        Net net = Net.of(PFC, 3);
        Flow one = net.send(0, 2, LOSSLESS);
        Flow two = net.send(1, 2, LOSSLESS);
        net.run.runUntil(20 * MS);
        assertThat(net.utilisation(20 * MS, one, two)).isBetween(0.99, 1.0);
        assertThat(Net.total(net.network.switchNode(0), "pfc.xoff.sent.p3")).isGreaterThan(2);
        for (int port = 0; port < 2; port++) {
            long promised =
                    800_000
                            + Objects.requireNonNull(
                                            net.network
                                                    .plan()
                                                    .switches()
                                                    .getFirst()
                                                    .ports()
                                                    .getFirst()
                                                    .flowControl()
                                                    .buffers())
                                    .headroomBytes();
            assertThat(net.accounts(port).maxBytes(3)).isBetween(800_000L, promised);
        }
        net.allArrived();
    }

    /** What has not changed is not written again: this must never be what has. */
    @ParameterizedTest
    @ValueSource(strings = {PFC, CREDITS})
    void countersSayWhatFlowControlKnows(String ports) {
        Net net = Net.of(ports, 3);
        net.send(0, 2, LOSSLESS);
        net.send(1, 2, LOSSLESS);
        VirtualNode node = net.network.switchNode(0);
        VirtualNode host = net.network.host(0);
        for (long us = 0; us < 30_000; us += 13) {
            net.run.runUntil(us * MS / 1_000);
            for (VirtualNode one : List.of(node, host)) {
                if (ports.equals(PFC)) {
                    comparePauses(one);
                }
            }
        }
        assertThat(Net.total(host, "stopped.p3")).isGreaterThan(2);
        // All has been sent, so all halves have been called since their last stop was over.
        for (VirtualNode one : List.of(node, host)) {
            assertThat(Net.total(one, "stopped.now.ns.p3")).isZero();
            compareStops(one);
        }
    }

    private static void comparePauses(VirtualNode node) {
        long[] known = new long[5];
        for (int port = 0; port < node.engine().ports(); port++) {
            EgressFlowControl egress = node.engine().egress(port).flow();
            IngressFlowControl ingress = node.engine().ingress(port).flow();
            PauseSender sender = egress == null ? null : egress.sender();
            PauseReceiver receiver = ingress == null ? null : ingress.pauses();
            if (sender != null && receiver != null) {
                known[0] += sender.xoffs(3);
                known[1] += sender.refreshes(3);
                known[2] += sender.xons(3);
                known[3] += receiver.xoffs(3);
                known[4] += receiver.xons(3);
            }
        }
        assertThat(Net.total(node, "pfc.xoff.sent.p3")).isEqualTo(known[0]);
        assertThat(Net.total(node, "pfc.refresh.sent.p3")).isEqualTo(known[1]);
        assertThat(Net.total(node, "pfc.xon.sent.p3")).isEqualTo(known[2]);
        assertThat(Net.total(node, "pfc.xoff.received.p3")).isEqualTo(known[3]);
        assertThat(Net.total(node, "pfc.xon.received.p3")).isEqualTo(known[4]);
    }

    private static void compareStops(VirtualNode node) {
        long[] known = new long[3];
        for (int port = 0; port < node.engine().ports(); port++) {
            EgressFlowControl egress = node.engine().egress(port).flow();
            StopTimes times = egress == null ? null : egress.times();
            if (times != null) {
                known[0] += times.stops(3);
                known[1] += times.totalNs(3, 0);
                known[2] += times.longestNs(3, 0);
            }
        }
        assertThat(Net.total(node, "stopped.p3")).isEqualTo(known[0]);
        assertThat(Net.total(node, "stopped.ns.p3")).isEqualTo(known[1]);
        assertThat(Net.total(node, "stopped.max.ns.p3")).isEqualTo(known[2]);
    }

    @Test
    void creditsKeepAnIncastOfTwoWithoutLossAtTheFullRate() {
        Net net = Net.of(CREDITS, 3);
        Flow one = net.send(0, 2, LOSSLESS);
        Flow two = net.send(1, 2, LOSSLESS);
        net.run.runUntil(20 * MS);
        assertThat(net.utilisation(20 * MS, one, two)).isBetween(0.99, 1.0);
        for (int port = 0; port < 2; port++) {
            // 781 blocks of 1 KiB, of which a frame takes two: 390 frames at most.
            assertThat(net.accounts(port).maxBytes(3)).isBetween(500_000L, 390L * FRAME_BYTES);
        }
        net.allArrived();
    }

    @Test
    void withoutFlowControlTheSameIncastLoses() {
        Net net = Net.of("{classify: {trust: dscp}}", 3);
        net.send(0, 2, LOSSLESS);
        net.send(1, 2, LOSSLESS);
        net.run.runUntil(20 * MS);
        assertThat(net.dropped()).isGreaterThan(1_000);
    }

    @Test
    void aReceiverThatIsSlowPausesTheSwitchAndThatTheSender() {
        aSlowReceiverHoldsItsSenderBack(PFC);
    }

    @Test
    void aReceiverThatIsSlowGrantsTheSwitchNoMoreThanItTakes() {
        aSlowReceiverHoldsItsSenderBack(CREDITS);
    }

    private static void aSlowReceiverHoldsItsSenderBack(String ports) {
        Net net =
                new Net(
                        ports,
                        2,
                        RunOptions.of(1),
                        card ->
                                card.name().equals("h2")
                                        ? card.withAppRateBps(RATE_BPS / 4)
                                        : card);
        Flow flow = net.send(0, 1, LOSSLESS);
        net.run.runUntil(20 * MS);
        assertThat(net.utilisation(20 * MS, flow)).isBetween(0.24, 0.25);
        // The switch's port to the slow host was stopped, and so was the sender's card.
        assertThat(Net.total(net.network.switchNode(0), "stopped.p3")).isPositive();
        assertThat(Net.total(net.network.host(0), "stopped.p3")).isPositive();
        net.allArrived();
    }

    @Test
    void aPriorityThatIsNotPausedPassesAtAHostThatIs() {
        Net net =
                new Net(
                        PFC,
                        3,
                        RunOptions.of(1),
                        card ->
                                card.name().equals("h2")
                                        ? card.withAppRateBps(RATE_BPS / 10)
                                        : card);
        net.send(0, 1, LOSSLESS);
        Flow other = net.send(0, 2, LOSSY);
        net.run.runUntil(20 * MS);
        // The lossless flow first fills what the switch and the slow host hold for it.
        assertThat(net.utilisation(20 * MS, other)).isGreaterThan(0.8);
        net.allArrived();
    }

    @Test
    void aHostWhoseWatchdogDropsWhatItSendsComesToRestAndSendsNoMoreThanItsWireCarries() {
        String dog = "watchdog: {action: drop, detection: 500us, restoration: 500us, poll: 100us}";
        String small = PFC.replace("800kB", "80kB").replace("770kB", "70kB");
        PortTraffic watched = PortTrafficReader.read(small.replace("{flow", "{" + dog + ", flow"));
        Net net =
                new Net(
                        small,
                        2,
                        RunOptions.of(1).withChecking(true),
                        card ->
                                card.name().equals("h2")
                                        ? card.withAppRateBps(RATE_BPS / 1000)
                                        : card.withWire(watched.at(RATE_BPS, 1500, 1_000, 0)));
        Flow flow = net.send(0, 1, LOSSLESS);
        net.run.runUntil(20 * MS);
        long dropped = Net.total(net.network.host(0), "drop.WATCHDOG");
        assertThat(Net.total(net.network.host(0), "watchdog.storms.p3")).isPositive();
        // 20 ms at 10 Gb/s are 16,254 frames; the card holds a few more.
        assertThat(flow.statistics().framesSent()).isBetween(dropped, 16_254L + 64);
        assertThat(dropped).isGreaterThan(5_000);
        net.run.runUntil(500 * MS);
        FlowStatistics seen = flow.statistics();
        assertThat(seen.framesSent())
                .isEqualTo(seen.framesReceived() + Net.total(net.network.host(0), "drop.WATCHDOG"));
    }

    @Test
    void aHostWhoseLinkIsDownComesToRestToo() {
        LinkSpec flapping =
                LinkSpec.of(RATE_BPS, 1_000)
                        .withFaults(LinkFaults.NONE.withDownMeanPs(MS).withUpMeanPs(MS));
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        VirtualNetwork network =
                VirtualNetwork.in(
                        run,
                        NetworkPlan.of(
                                Topologies.singleSwitch(2, flapping), PlanOptions.virtual(1)));
        Flow flow =
                network.traffic(Traffic.Options.DEFAULT)
                        .start(FlowSpec.greedy("f", 0, 1, LOSSY).during(0, 20 * MS));
        run.runUntil(60 * MS);
        FlowStatistics seen = flow.statistics();
        assertThat(seen.framesReceived()).isPositive();
        assertThat(seen.framesSent()).isBetween(seen.framesReceived(), 16_254L + 64);
    }

    @Test
    void everyInvariantHoldsAfterEveryEvent() {
        for (String ports : List.of(PFC, CREDITS)) {
            String small = ports.replace("800kB", "80kB").replace("770kB", "70kB");
            Net net =
                    new Net(
                            small,
                            3,
                            RunOptions.of(7).withChecking(true).withExtraCallsMeanPs(20_000_000),
                            card -> card.withAppRateBps(RATE_BPS / 2));
            Flow one = net.send(0, 2, LOSSLESS);
            net.send(1, 2, LOSSLESS);
            net.send(2, 1, LOSSY);
            net.run.runUntil(MS);
            assertThat(one.statistics().framesReceived()).isGreaterThan(100);
            // The slow host may lose what is lossy, and only that.
            long lossy = 0;
            for (VirtualNode node : net.run.nodes()) {
                lossy += Net.total(node, "drop." + DropReason.ACCOUNT_AT_CAP.name());
            }
            assertThat(net.dropped()).isEqualTo(lossy);
            assertThat(one.statistics().framesMissing()).isZero();
        }
    }

    @Test
    void endsThatSortFramesDifferentlyAreReportedAndSendNothing() {
        Net net =
                new Net(
                        CREDITS,
                        2,
                        RunOptions.of(1),
                        card ->
                                card.name().equals("h1")
                                        ? card.withWire(
                                                PortTrafficReader.read(
                                                                CREDITS.replace(
                                                                        "{trust: dscp}",
                                                                        "{trust: dscp, dscp:"
                                                                                + " [{values: [8],"
                                                                                + " priority: 3}]}"))
                                                        .at(RATE_BPS, 1500, 1_000, 0))
                                        : card);
        Flow flow = net.send(0, 1, LOSSLESS);
        net.run.runUntil(20 * MS);
        assertThat(flow.statistics().framesReceived()).isZero();
        assertThat(
                        Objects.requireNonNull(
                                        Objects.requireNonNull(
                                                        net.network
                                                                .host(0)
                                                                .engine()
                                                                .ingress(HostCard.WIRE)
                                                                .flow())
                                                .credits())
                                .isMismatched())
                .isTrue();
    }
}
