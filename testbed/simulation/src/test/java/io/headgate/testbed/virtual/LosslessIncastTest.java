package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.credit.CreditTransmitter;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.IngressFlowControl;
import io.headgate.hostagent.card.HostCard;
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
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many send to one as fast as they can, at all rates, with the shortest and the longest frames: no
 * frame is lost, no buffer takes more than was promised, and the one link is busy.
 */
class LosslessIncastTest {
    private static final int PRIORITY = 3;
    private static final int WIRE_OVERHEAD_BYTES = 24;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final long DELAY_NS = 1_000;
    private static final int STEPS = 100;

    private static final String PFC =
            "{flow-control: pfc, classify: {trust: dscp}, buffers: {xoff: 100kB}}";

    private static String credits(int scale) {
        return "{flow-control: credits, classify: {trust: dscp}, credits: {update: on-change,"
                + " min-gap: 1us, period: 20us, buffer: 200kB, block-scale: "
                + scale
                + "}}";
    }

    static List<Arguments> few() {
        return cases(List.of(2, 10));
    }

    static List<Arguments> aHundred() {
        return cases(List.of(100));
    }

    private static List<Arguments> cases(List<Integer> senders) {
        List<Arguments> cases = new ArrayList<>();
        for (int count : senders) {
            for (long gigabits : new long[] {10, 40, 100}) {
                for (int frameBytes : new int[] {60, 1514}) {
                    for (String ports : List.of(PFC, credits(2), credits(0))) {
                        cases.add(Arguments.of(count, gigabits, frameBytes, ports));
                    }
                }
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("few")
    void aFewLoseNothing(int senders, long gigabits, int frameBytes, String ports) {
        new Incast(senders, gigabits * 1_000_000_000L, frameBytes, ports).check();
    }

    @ParameterizedTest
    @MethodSource("aHundred")
    @Tag("long")
    void aHundredLoseNothing(int senders, long gigabits, int frameBytes, String ports) {
        new Incast(senders, gigabits * 1_000_000_000L, frameBytes, ports).check();
    }

    private static final class Incast {
        private final int senders;
        private final long rateBps;
        private final int frameBytes;
        private final VirtualRun run = new VirtualRun(RunOptions.of(1).withDigest(false));
        private final VirtualNetwork network;
        private final List<Flow> flows = new ArrayList<>();

        Incast(int senders, long rateBps, int frameBytes, String ports) {
            this.senders = senders;
            this.rateBps = rateBps;
            this.frameBytes = frameBytes;
            Topology topology =
                    Topologies.singleSwitch(senders + 1, LinkSpec.of(rateBps, DELAY_NS))
                            .withMode(Mode.BRIDGE)
                            .withPorts(PortTrafficReader.read(ports));
            network = VirtualNetwork.in(run, NetworkPlan.of(topology, PlanOptions.virtual(1)));
            Traffic traffic = network.traffic(Traffic.Options.DEFAULT);
            FrameShape shape = FrameShape.udp(frameBytes).withPriority(PRIORITY, 26);
            for (int sender = 0; sender < senders; sender++) {
                flows.add(
                        traffic.start(
                                FlowSpec.greedy("f" + sender, sender, senders, shape)
                                        .during(0, fillPs())));
            }
        }

        /** Time in which every sender could send a megabyte, or 100 kB with frames of 60 bytes. */
        private long fillPs() {
            long bytes = frameBytes < 100 ? 100_000 : 1_000_000;
            return bytes * 8 * (PS_PER_S / 1_000_000_000) * 1_000 / (rateBps / 1_000_000);
        }

        void check() {
            long fromPs = fillPs() / 4;
            run.runUntil(fromPs);
            long before = received();
            long windowBytes = 0;
            for (int step = 1; step <= STEPS; step++) {
                run.runUntil(fromPs + (fillPs() - fromPs) * step / STEPS);
                windowBytes = Math.max(windowBytes, windowBytes());
            }
            long bits = (received() - before) * 8 * (frameBytes + WIRE_OVERHEAD_BYTES);
            double utilisation =
                    bits * (double) PS_PER_S / (rateBps * (double) (fillPs() - fromPs));
            if (frameBytes > 1500) {
                assertThat(utilisation).as("utilisation").isBetween(0.99, 1.005);
            }
            // A sender is held up for as long as all the others' frames take.
            run.runUntil(fillPs() * (senders + 2));
            for (VirtualNode node : run.nodes()) {
                assertThat(dropped(node)).as("drops at %s", node).isZero();
            }
            for (Flow flow : flows) {
                FlowStatistics seen = flow.statistics();
                assertThat(seen.framesReceived()).isPositive().isEqualTo(seen.framesSent());
                assertThat(seen.framesReordered()).isZero();
            }
            checkBuffers(utilisation, windowBytes);
        }

        /** The most that any sender may send before it receives further credits. */
        private long windowBytes() {
            long most = 0;
            for (int sender = 0; sender < senders; sender++) {
                EgressFlowControl flow =
                        Objects.requireNonNull(
                                network.host(sender).engine().egress(HostCard.WIRE).flow());
                CreditTransmitter credits = flow.credits();
                FlowControlConfig.Credits given = config().flowControl().credits();
                if (credits != null && given != null) {
                    most = Math.max(most, (long) credits.credits(PRIORITY) * given.blockBytes());
                }
            }
            return most;
        }

        private PortConfig config() {
            return network.plan().switches().getFirst().ports().getFirst();
        }

        private long received() {
            return flows.stream().mapToLong(flow -> flow.statistics().framesReceived()).sum();
        }

        private static long dropped(VirtualNode node) {
            CounterDirectory counters = node.engine().counters();
            return CounterLookup.sum(
                    counters.entries(),
                    counters::value,
                    "of drops at " + node,
                    entry -> entry.label().startsWith(DropCounters.LABEL_PREFIX));
        }

        private void checkBuffers(double utilisation, long windowBytes) {
            long mostBytes = 0;
            int mostSlots = 0;
            for (int port = 0; port < senders; port++) {
                IngressFlowControl flow =
                        Objects.requireNonNull(network.switchNode(0).engine().ingress(port).flow());
                mostBytes = Math.max(mostBytes, flow.accounts().maxBytes(PRIORITY));
                mostSlots = Math.max(mostSlots, flow.accounts().maxSlots(PRIORITY));
            }
            FlowControlConfig.Buffers buffers = config().flowControl().buffers();
            FlowControlConfig.Credits credits = config().flowControl().credits();
            long promisedBytes;
            int promisedSlots;
            String kind;
            if (buffers != null) {
                kind = "pauses";
                promisedBytes = buffers.xoffBytes() + buffers.headroomBytes();
                promisedSlots = buffers.promisedSlots();
            } else {
                FlowControlConfig.Credits given = Objects.requireNonNull(credits);
                long mostBytesUnderWay = CreditTransmitter.windowBytes(given.blockScale());
                kind =
                        String.format(
                                Locale.ROOT,
                                "credits of %d bytes, a window of at most %,d bytes (seen: %,d)",
                                given.blockBytes(),
                                mostBytesUnderWay,
                                windowBytes);
                assertThat(windowBytes).isBetween(1L, mostBytesUnderWay);
                promisedBytes = given.bufferBytes();
                promisedSlots = given.bufferSlots();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d:1 at %d Gb/s, %d bytes, %s: %.2f %% of the link; at most %,d of %,d bytes"
                            + " and %,d of %,d slots a port%n",
                    senders,
                    rateBps / 1_000_000_000,
                    frameBytes,
                    kind,
                    100 * utilisation,
                    mostBytes,
                    promisedBytes,
                    mostSlots,
                    promisedSlots);
            assertThat(mostBytes).isBetween(promisedBytes / 100, promisedBytes);
            assertThat(mostSlots).isBetween(1, promisedSlots);
        }
    }
}
