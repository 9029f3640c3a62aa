package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.testbed.RandomPatches;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.Flow;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch in virtual time whose configuration is changed while it carries traffic. */
class ChangesWhileRunningTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long US = 1_000_000L;
    private static final long MS = 1_000 * US;
    private static final int FRAME_BYTES = 1514;
    private static final FrameShape LOSSLESS = FrameShape.udp(FRAME_BYTES).withPriority(3, 26);

    private static final class Net {
        final VirtualRun run;
        final VirtualNetwork network;
        final SwitchNode node;
        final List<Flow> flows = new ArrayList<>();
        private final Traffic traffic;

        Net(String ports, int hosts, RunOptions options) {
            Topology topology =
                    Topologies.singleSwitch(hosts, LinkSpec.of(RATE_BPS, 1_000))
                            .withMode(SwitchConfig.Mode.BRIDGE)
                            .withPorts(PortTrafficReader.read(ports));
            run = new VirtualRun(options);
            network = VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
            traffic = network.traffic(Traffic.Options.DEFAULT);
            node = network.switchNode(0);
        }

        void send(int from, int to, long untilPs) {
            flows.add(
                    traffic.start(
                            FlowSpec.greedy("f" + flows.size(), from, to, LOSSLESS)
                                    .during(0, untilPs)));
        }

        /** As {@code headgate set} does at a time. */
        void set(long atPs, String... assignments) {
            run.addTimer((_, nowPs) -> set(nowPs / 1000, List.of(assignments))).schedule(atPs);
        }

        void set(long nowNs, List<String> assignments) {
            node.change(nowNs, SwitchPatch.apply(node.engine().config(), assignments).config());
        }

        long total(String prefix) {
            long sum = 0;
            for (VirtualNode one : run.nodes()) {
                CounterDirectory counters = one.engine().counters();
                sum +=
                        CounterLookup.sum(
                                counters.entries(),
                                counters::value,
                                prefix + "* of " + one,
                                entry -> entry.label().startsWith(prefix));
            }
            return sum;
        }
    }

    @Test
    void aRateHoldsFromItsTimeOnAndWhatIsOnTheWireEndsAsItBegan() {
        Net net = new Net("{flow-control: none}", 2, RunOptions.of(1));
        net.send(0, 1, 3 * MS);
        net.set(MS, "p2.rate=5Gbps");
        net.set(2 * MS, "p2.rate=8Gbps");
        List<Long> starts = new ArrayList<>();
        int link = net.network.link(1).number();
        net.run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> {
            if (direction / 2 == link && lengthBytes == FRAME_BYTES) {
                starts.add(startPs);
            }
        });
        net.run.runUntil(3 * MS);
        long endsPs = 0;
        int slow = 0;
        int middle = 0;
        for (long startPs : starts) {
            // A transmitter that stands idle starts in the nanosecond in which it may.
            if (endsPs > 0) {
                assertThat(startPs).isBetween(endsPs - 999, endsPs);
            }
            slow += startPs >= MS && startPs < 2 * MS ? 1 : 0;
            middle += startPs >= 2 * MS ? 1 : 0;
            long tookPs = startPs < MS ? 1_230_400 : startPs < 2 * MS ? 2_460_800 : 1_538_000;
            boolean isExact = endsPs > 0 && startPs < MS;
            endsPs = (isExact || endsPs == 0 ? startPs : endsPs) + tookPs;
        }
        assertThat(slow).isBetween(406, 407);
        assertThat(middle).isBetween(649, 651);
    }

    @Test
    void aMechanismThatIsTurnedOnMarksFromThenOnAndNoLongerWhenItIsOff() {
        Net net =
                new Net(
                        "{flow-control: pfc, classify: {trust: dscp}, congestion: {red: {enabled:"
                                + " false, kmin: 1kB, kmax: 2kB}}}",
                        3,
                        RunOptions.of(1));
        net.send(0, 2, 3 * MS);
        net.send(1, 2, 3 * MS);
        net.set(MS, "p3.congestion.red.enabled=true");
        net.set(2 * MS, "p3.congestion.red.enabled=false");
        net.run.runUntil(MS - 1);
        assertThat(net.total("red.")).isZero();
        net.run.runUntil(2 * MS - 1);
        long seen = net.total("red.");
        assertThat(seen).isBetween(810L, 815L);
        net.run.runUntil(3 * MS);
        assertThat(net.total("red.") - seen).isBetween(0L, 1L);
    }

    /** What waits to be written when the change comes is not lost with it. */
    @Test
    void whatWasCountedOfAQueueThatIsWatchedNoMoreStaysWhetherOrNotSomebodyLooked() {
        long marked = markedUntilRedLeavesTheQueue(RunOptions.of(1).withChecking(true));
        assertThat(marked).isGreaterThan(800);
        assertThat(markedUntilRedLeavesTheQueue(RunOptions.of(1))).isEqualTo(marked);
    }

    private static long markedUntilRedLeavesTheQueue(RunOptions options) {
        Net net =
                new Net(
                        "{flow-control: pfc, classify: {trust: dscp}, congestion: {red: {kmin: 1kB,"
                                + " kmax: 2kB, priorities: [3]}}}",
                        3,
                        options);
        net.send(0, 2, 3 * MS);
        net.send(1, 2, 3 * MS);
        net.set(MS, "p3.congestion.red.priorities=[0]");
        net.run.runUntil(3 * MS);
        return net.total("red.");
    }

    /** A frame of data takes the lowered port for 1.2 ms, its headroom holds some microseconds. */
    @ParameterizedTest
    @ValueSource(strings = {"pfc", "pfc, pause: {quanta: 1000}", "pause", "credits"})
    void aPortAtALowerRateStopsItsSenderAsSoonAsBefore(String mode) {
        Net net =
                new Net(
                        "{classify: {trust: dscp}, flow-control: " + mode + "}",
                        3,
                        RunOptions.of(1).withChecking(true));
        net.send(0, 2, 5 * MS);
        net.send(1, 2, 5 * MS);
        net.send(2, 0, 5 * MS);
        net.set(MS, "p1.rate=10Mbps");
        net.run.runUntil(MS);
        long before = net.flows.get(0).statistics().framesReceived();
        net.run.runUntil(5 * MS);
        assertThat(net.total("drop.")).isZero();
        // Half of 10 Gb/s as before, also where credits are what p1 has to send.
        assertThat(net.flows.get(0).statistics().framesReceived() - before)
                .isBetween(4 * before - 100, 4 * before + 100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flow-control: pfc, buffers: {xoff: 100kB, xon: 90kB}",
                "flow-control: pfc, buffers: {alpha: 1/2}",
                "flow-control: pause",
                "flow-control: credits"
            })
    void nothingIsLostWhateverIsChanged(String ports) {
        Net net =
                new Net(
                        "{classify: {trust: dscp}, congestion: {red: {enabled: false}}, "
                                + ports
                                + "}",
                        4,
                        RunOptions.of(SEED).withChecking(true));
        for (int from = 0; from < 3; from++) {
            net.send(from, 3, 2 * MS);
        }
        net.send(3, 0, 2 * MS);
        RandomPatches patches = new RandomPatches(SEED, net.node.engine().config(), RATE_BPS);
        List<String> made = new ArrayList<>();
        VirtualTimer timer =
                net.run.addTimer((self, nowPs) -> {
                    String patch = patches.next(net.node.engine().config());
                    made.add(patch);
                    net.set(nowPs / 1000, List.of(patch));
                    if (made.size() < 120) {
                        self.schedule(nowPs + 13 * US);
                    }
                });
        timer.schedule(10 * US);
        net.run.runUntil(20 * MS);
        assertThat(made).hasSize(120);
        assertThat(net.total("drop.")).as("seed %d, after %s", SEED, made).isZero();
        for (Flow flow : net.flows) {
            assertThat(flow.statistics().framesReceived())
                    .as("seed %d, after %s", SEED, made)
                    .isPositive()
                    .isEqualTo(flow.statistics().framesSent());
            assertThat(flow.statistics().framesReordered()).isZero();
        }
    }
}
