package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.FlowLog;
import io.headgate.testbed.traffic.FlowStatistics;
import io.headgate.testbed.traffic.ThroughputSeries;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SendPattern.Lateness;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import io.headgate.testbed.traffic.spec.Workloads;
import io.headgate.testbed.virtual.link.IdlePath;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts on the real engine in virtual time. */
class VirtualHostsTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long US = 1_000_000;
    private static final long MS = 1_000 * US;
    private static final FrameShape UDP_1000 = FrameShape.udp(1000);

    /** Four hosts on a switch. */
    private static final class Bed {
        final VirtualRun run;
        final Star star;
        final Traffic traffic;

        Bed(RunOptions options) {
            this(options, new LinkSpec(RATE_BPS, US), new Traffic.Options(MS, false));
        }

        Bed(RunOptions options, LinkSpec links, Traffic.Options hosts) {
            run = new VirtualRun(options);
            star = new Star(run, 4, links);
            traffic = VirtualTraffic.of(run, hosts);
            for (int host = 0; host < 4; host++) {
                VirtualTraffic.addHost(
                        traffic,
                        star.host(host),
                        HostAddress.onOneNetwork("h" + host, Star.mac(host), 0x0A00_0001 + host));
            }
        }

        /** All that hosts can do, at once. */
        Bed withEverything() {
            SizeDistribution web = Workloads.named("websearch_hpcc");
            SizeDistribution rpc = Workloads.named("googlerpc2008_hpcc");
            List<Integer> all = List.of(0, 1, 2, 3);
            for (int host : all) {
                traffic.start(
                        ArrivalSpec.of(
                                        "web",
                                        host,
                                        all,
                                        ArrivalProcess.Poisson.forLoad(web, RATE_BPS, 0.3),
                                        web,
                                        UDP_1000.withEcn(FrameShape.ECT_0))
                                .withWindowFrames(20));
                traffic.start(
                        ArrivalSpec.of(
                                "loop",
                                host,
                                all,
                                new ArrivalProcess.ClosedLoop(20 * US),
                                rpc,
                                FrameShape.rocev2(1082)));
            }
            ArrivalSpec.incast("in", List.of(0, 1, 2), 3, 20_000, 500 * US, US, UDP_1000)
                    .forEach(traffic::start);
            traffic.start(
                    FlowSpec.greedy("onoff", 1, 0, UDP_1000)
                            .withPattern(
                                    new SendPattern.OnOff(
                                            5_000_000_000L,
                                            20 * US,
                                            30 * US,
                                            true,
                                            Lateness.FORGONE)));
            return this;
        }
    }

    private final Bed bed = new Bed(RunOptions.of(1));
    private final VirtualRun run = bed.run;
    private final Traffic traffic = bed.traffic;

    @Test
    void aConstantRateArrivesAtThatRateOverASecond() {
        // 8,192 bits on the wire a frame, at 1 Gb/s.
        Flow flow =
                traffic.start(
                        FlowSpec.greedy("f", 0, 1, UDP_1000)
                                .withPattern(
                                        new SendPattern.ConstantRate(
                                                1_000_000_000, Lateness.MADE_UP)));
        ThroughputSeries series = traffic.group("f").recordThroughput(100 * MS);
        run.runUntil(1_000 * MS);
        // Frame n is due at n * 8,192 ns, and on its way for 2 us and twice its length on the wire,
        // 1,012 bytes at 0.8 ns.
        long onTheWayNs = 2_000 + 2 * 1012 * 8 / 10;
        long expected = (1_000_000_000L - onTheWayNs) / 8_192 + 1;
        FlowStatistics statistics = flow.statistics();
        assertThat(statistics.framesReceived()).isEqualTo(expected);
        assertThat(statistics.framesNotArrived()).isLessThan(3);
        assertThat(statistics.framesReordered()).isZero();
        assertThat(statistics.framesMissing()).isZero();
        assertThat(statistics.delayMaxPs()).isBetween(onTheWayNs * 1000, onTheWayNs * 1000 + 2000);
        for (int interval = 1; interval < 10; interval++) {
            // A hundred million nanoseconds hold 12,207.03 frames.
            assertThat(series.bytes(interval) / 1000).isBetween(12_207L, 12_208L);
        }
    }

    @Test
    void twoGreedyFlowsShareThePortThatTheyMeetAt() {
        Flow one = traffic.start(FlowSpec.greedy("a", 0, 2, UDP_1000).withWindowFrames(64));
        Flow two = traffic.start(FlowSpec.greedy("b", 1, 2, UDP_1000).withWindowFrames(64));
        SampledSeries queue =
                SampledSeries.recordCounter(
                        run,
                        bed.star.switchNode(),
                        Scope.EGRESS,
                        2,
                        EgressCounter.QUEUE_BYTES,
                        10 * US,
                        10 * MS);
        run.runUntil(10 * MS);
        double frames = one.statistics().framesReceived() + two.statistics().framesReceived();
        double possible = 10e-3 * RATE_BPS / 8192;
        assertThat(frames / possible).isBetween(0.99, 1.0);
        assertThat(one.statistics().framesReceived() / frames).isBetween(0.45, 0.55);
        assertThat(one.statistics().timeouts() + two.statistics().timeouts()).isZero();
        // Two windows less what is on the wires and in the cards.
        assertThat(queue.size()).isEqualTo(1001);
        assertThat(queue.unit()).isEqualTo("bytes");
        assertThat(queue.mean(500, 1000)).isBetween(60_000.0, 128_000.0);
    }

    @Test
    void aSlowWindowedFlowOverAQuietNetworkTakesItsIdealTime() {
        traffic.measureAgainst((flow, frames, lastFrameBytes) ->
                new IdlePath(
                                run.options().wire(),
                                new long[] {RATE_BPS, RATE_BPS},
                                new long[] {US, US})
                        .arrivalPs(frames, flow.fullFrameBytes(), lastFrameBytes));
        for (int size : new int[] {1, 100, 958, 959, 5_000, 100_000, 1_000_000}) {
            traffic.start(
                    FlowSpec.greedy("f", 0, 1, UDP_1000)
                            .withSizeBytes(size)
                            .during(size * 10L * US, Long.MAX_VALUE));
        }
        run.runUntil(20_000 * MS);
        assertThat(traffic.log().entries()).hasSize(7);
        for (FlowLog.Entry entry : traffic.log().entries()) {
            assertThat(entry.completionPs() - entry.idealPs())
                    .as("%d bytes", entry.sizeBytes())
                    .isBetween(0L, 2_000L);
        }
    }

    @Test
    void theDigestIsTheSameUnderChecksExtraCallsAndObservation() {
        Bed plain = new Bed(RunOptions.of(3)).withEverything();
        plain.run.runUntil(MS);
        long digest = plain.run.digest();
        assertThat(plain.traffic.group("loop").framesReceived()).isGreaterThan(100);
        assertThat(plain.traffic.group("in").flowsFinished()).isGreaterThan(4);

        Bed again = new Bed(RunOptions.of(3)).withEverything();
        again.run.runUntil(MS);
        assertThat(again.run.digest()).isEqualTo(digest);

        Bed checked = new Bed(RunOptions.of(3).withChecking(true)).withEverything();
        checked.run.runUntil(MS);
        assertThat(checked.run.digest()).as("with checking").isEqualTo(digest);

        Bed called = new Bed(RunOptions.of(3).withExtraCallsMeanPs(500_000)).withEverything();
        called.run.runUntil(MS);
        assertThat(called.run.digest()).as("with extra calls").isEqualTo(digest);

        Bed watched = new Bed(RunOptions.of(3)).withEverything();
        watched.traffic.group("web").recordThroughput(US);
        SampledSeries.recordCounter(
                watched.run,
                watched.star.switchNode(),
                Scope.EGRESS,
                0,
                EgressCounter.QUEUE_BYTES,
                777_777,
                MS);
        watched.run.runUntil(MS);
        assertThat(watched.run.digest()).as("observed").isEqualTo(digest);

        Bed other = new Bed(RunOptions.of(4)).withEverything();
        other.run.runUntil(MS);
        assertThat(other.run.digest()).as("another seed").isNotEqualTo(digest);
    }

    @Test
    void windowedFlowsArriveWholeOverLinksThatLoseCorruptAndReorder() {
        LinkFaults faults =
                LinkFaults.NONE
                        .withLossProbability(0.01)
                        .withCorruptionProbability(0.01)
                        .withReorderProbability(0.01)
                        .withReorderDelayPs(5 * US)
                        .withJitterPs(100_000);
        Bed bad =
                new Bed(
                        RunOptions.of(6).withChecking(true),
                        new LinkSpec(RATE_BPS, US).withFaults(faults),
                        new Traffic.Options(200 * US, true));
        List<Flow> flows = new ArrayList<>();
        for (int host = 0; host < 4; host++) {
            FlowSpec spec = FlowSpec.greedy("f" + host, host, (host + 1) % 4, UDP_1000);
            flows.add(bad.traffic.start(spec.withWindowFrames(16).withSizeBytes(300 * 958L)));
        }
        bad.run.runUntil(100 * MS);
        for (Flow flow : flows) {
            FlowStatistics statistics = flow.statistics();
            assertThat(statistics.acknowledgedPs()).as("%s", statistics).isPositive();
            assertThat(statistics.framesReceived()).isEqualTo(300);
            assertThat(statistics.framesSent()).isGreaterThan(300);
        }
        assertThat(bad.traffic.devices().stream().mapToLong(TrafficDevice::framesUnsound).sum())
                .isPositive();
    }

    @Test
    void datagramsTooManyForASlowReceiverAreLostAndCounted() {
        VirtualRun slow = new VirtualRun(RunOptions.of(1).withChecking(true));
        HostNode client = slow.addHost(CardSetup.of("h0", RATE_BPS));
        HostNode server = slow.addHost(CardSetup.of("h1", RATE_BPS).withAppRateBps(RATE_BPS / 4));
        VirtualLink link =
                slow.connect(
                        client, HostCard.WIRE, server, HostCard.WIRE, new LinkSpec(RATE_BPS, US));
        Traffic between = VirtualTraffic.of(slow, Traffic.Options.DEFAULT);
        VirtualTraffic.addHost(
                between, client, HostAddress.onOneNetwork("h0", 0x0200_0000_0001L, 1));
        VirtualTraffic.addHost(
                between, server, HostAddress.onOneNetwork("h1", 0x0200_0000_0002L, 2));
        Flow flow = between.start(FlowSpec.greedy("f", 0, 1, UDP_1000).withSizeBytes(1000 * 958L));
        slow.runUntil(10 * MS);
        FlowStatistics statistics = flow.statistics();
        assertThat(statistics.framesSent()).isEqualTo(1000);
        assertThat(statistics.framesReceived()).isBetween(250L, 300L);
        assertThat(statistics.framesNotArrived()).isEqualTo(link.statistics(0).noSlot());
        assertThat(flow.finishedPs()).isEqualTo(Flow.NOT_YET);
    }
}
