package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortTraffic;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.testbed.RandomPatches;
import io.headgate.testbed.RandomPatches.Change;
import io.headgate.testbed.RandomPatches.Patch;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch in virtual time whose configuration is changed while it carries traffic. */
class ChangesWhileRunningTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long US = 1_000_000L;
    private static final long MS = 1_000 * US;
    private static final int FRAME_BYTES = 1514;
    private static final LinkSpec LINK = LinkSpec.of(RATE_BPS, 1_000);

    /** Enough that each key of each switch comes, most of them several times. */
    private static final int CHANGES = 240;

    /** Before the first of them buffers have filled. */
    private static final long FIRST = 300 * US;

    private static final long EVERY = 13 * US;

    private static final FrameShape LOSSLESS = FrameShape.udp(FRAME_BYTES).withPriority(3, 26);

    private static final class Net {
        final VirtualRun run;
        final VirtualNetwork network;
        final List<SwitchNode> nodes = new ArrayList<>();
        final List<Flow> flows = new ArrayList<>();
        private final Traffic traffic;

        Net(String ports, int hosts, RunOptions options) {
            this(
                    NetworkPlan.of(
                            Topologies.singleSwitch(hosts, LINK)
                                    .withPorts(PortTrafficReader.read(ports)),
                            PlanOptions.virtual(1)),
                    options);
        }

        Net(NetworkPlan plan, RunOptions options) {
            run = new VirtualRun(options);
            network = VirtualNetwork.in(run, plan);
            traffic = network.traffic(Traffic.Options.DEFAULT);
            for (int number = 0; number < plan.switches().size(); number++) {
                nodes.add(network.switchNode(number));
            }
        }

        void send(int from, int to, long untilPs) {
            flows.add(
                    traffic.start(
                            FlowSpec.greedy("f" + flows.size(), from, to, LOSSLESS)
                                    .during(0, untilPs)));
        }

        /** As {@code headgate set} does at a time. */
        void set(long atPs, String... assignments) {
            run.addTimer((_, nowPs) -> set(nodes.getFirst(), nowPs / 1000, List.of(assignments)))
                    .schedule(atPs);
        }

        static void set(SwitchNode node, long nowNs, List<String> assignments) {
            node.change(nowNs, SwitchPatch.apply(node.engine().config(), assignments).config());
        }

        long total(String prefix) {
            return total(prefix, run.nodes());
        }

        static long total(String prefix, List<? extends VirtualNode> nodes) {
            long sum = 0;
            for (VirtualNode one : nodes) {
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

    record Way(int from, int to) {}

    /**
     * A network whose switches are changed. The star is congested at one host; one of the two
     * switches stops the other, where frames for another host then wait as well.
     *
     * @param counted prefixes of labels; some counter of a switch with each of them is not 0 at the
     *     end; a policy's counters start again at 0 each time one is loaded
     */
    record Changed(String name, Topology topology, List<Way> ways, List<String> counted) {
        static Changed star(String name, String ports, String... counted) {
            return new Changed(
                    name,
                    Topologies.singleSwitch(4, LINK).withPorts(read(ports)),
                    List.of(new Way(0, 3), new Way(1, 3), new Way(2, 3), new Way(3, 0)),
                    List.of(counted));
        }

        static Changed twoSwitches(String name, String ports, String... counted) {
            return new Changed(
                    name,
                    Topologies.dumbbell(2, 2, LINK, LINK)
                            .withMode(SwitchConfig.Mode.ROUTED)
                            .withPorts(read(ports)),
                    List.of(new Way(0, 2), new Way(1, 3), new Way(3, 2), new Way(2, 0)),
                    List.of(counted));
        }

        private static PortTraffic read(String ports) {
            return PortTrafficReader.read("{classify: {trust: dscp}, " + ports + "}");
        }

        NetworkPlan plan() {
            return NetworkPlan.of(topology, PlanOptions.virtual(1));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Between them they have every key that can be set; each mechanism is on at first. */
    private static Stream<Changed> changed() {
        String marks = "congestion: {red: {kmin: 20kB}, tcd: {kmin: 20kB}}";
        return Stream.of(
                Changed.star(
                        "pfc",
                        "flow-control: pfc, buffers: {xoff: 100kB, xon: 90kB}, " + marks,
                        "red.",
                        "tcd."),
                Changed.star(
                        "alpha",
                        "flow-control: pfc, buffers: {alpha: 1/2}, " + marks,
                        "red.",
                        "tcd."),
                Changed.star("pause", "flow-control: pause, " + marks, "red.", "tcd."),
                Changed.star(
                        "pi",
                        "flow-control: pfc, congestion: {pi: {reference: 20kB}, pcn: {threshold:"
                                + " 20kB}, qcn: {set-point: 20kB}}",
                        "pi.",
                        "pcn.",
                        "qcn."),
                Changed.star(
                        "credits",
                        "flow-control: credits, congestion: {red: {kmin: 20kB}, tcd: {kmin: 20kB},"
                                + " fecn: {threshold: 20kB}}",
                        "red.",
                        "tcd.",
                        "fecn."),
                Changed.star(
                        "policy",
                        "flow-control: pfc, lossless: [0, 1, 2, 3, 4, 5, 6, 7], queues: {policy:"
                                + " {file: lossless.oq}}"),
                Changed.star("rocc", "flow-control: pfc, congestion: {rocc: {}}", "rocc."),
                Changed.star("icc", "flow-control: pfc, congestion: {icc: {}}", "icc."),
                Changed.star(
                        "gfc",
                        "flow-control: pfc, buffers: {xoff: 60kB}, link-control: {gfc: {b1: 20kB,"
                                + " b0: 20kB}}",
                        "gfc.asked"),
                Changed.twoSwitches(
                        "escape",
                        "flow-control: pfc, buffers: {xoff: 30kB}, detour: {escape: {period: 2us,"
                                + " reclaim: 100us}}",
                        "escape.escaped"));
    }

    @Test
    void everyKeyThatCanBeSetIsSetInOneOfThem() {
        Set<String> keys = new TreeSet<>();
        changed()
                .flatMap(one -> one.plan().switches().stream())
                .forEach(config -> keys.addAll(patches(0, config).keys()));
        assertThat(keys).containsExactlyInAnyOrderElementsOf(RandomPatches.allKeys());
    }

    private static RandomPatches patches(int number, SwitchConfig config) {
        return new RandomPatches(SEED + number, config, RATE_BPS);
    }

    /** What was set: each switch in its turn. */
    private static final class Changes {
        final List<Patch> made = new ArrayList<>();
        private final Net net;
        private final List<RandomPatches> patches = new ArrayList<>();

        Changes(Net net) {
            this.net = net;
            for (SwitchNode node : net.nodes) {
                patches.add(patches(patches.size(), node.engine().config()));
            }
        }

        void start() {
            net.run
                    .addTimer((timer, nowPs) -> {
                        int number = made.size() % patches.size();
                        SwitchNode node = net.nodes.get(number);
                        Change change = patches.get(number).next(node.engine().config());
                        made.add(change.patch());
                        node.change(nowPs / 1000, change.after());
                        if (made.size() < CHANGES) {
                            timer.schedule(nowPs + EVERY);
                        }
                    })
                    .schedule(FIRST);
        }

        Set<String> keys() {
            Set<String> keys = new TreeSet<>();
            patches.forEach(one -> keys.addAll(one.keys()));
            return keys;
        }
    }

    @ParameterizedTest
    @MethodSource("changed")
    void nothingIsLostWhateverIsChanged(Changed changed) {
        Net net = new Net(changed.plan(), RunOptions.of(SEED).withChecking(true));
        for (Way way : changed.ways) {
            net.send(way.from, way.to, FIRST + CHANGES * EVERY);
        }
        Changes changes = new Changes(net);
        changes.start();
        net.run.runUntil(20 * MS);
        List<Patch> made = changes.made;
        assertThat(made).hasSize(CHANGES);
        assertThat(made).extracting(Patch::key).containsAll(changes.keys());
        assertThat(net.total("drop.")).as("seed %d, after %s", SEED, made).isZero();
        for (Flow flow : net.flows) {
            assertThat(flow.statistics().framesReceived())
                    .as("seed %d, after %s", SEED, made)
                    .isPositive()
                    .isEqualTo(flow.statistics().framesSent());
            assertThat(flow.statistics().framesReordered()).isZero();
        }
        for (String label : changed.counted) {
            assertThat(Net.total(label, net.nodes)).as(label).isPositive();
        }
    }
}
