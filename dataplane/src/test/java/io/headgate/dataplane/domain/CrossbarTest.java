package io.headgate.dataplane.domain;

import static io.headgate.config.TrafficConfig.PRIORITIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.domain.CrossbarConfig.InputQueues;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CrossbarTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final int FRAME_BYTES = 1226;

    /** What a frame takes on the wire: 1,250 bytes with preamble, FCS and gap. */
    private static final long FRAME_NS = 1_000;

    /** A crossbar whose ports all have frames of one length, and what it has sent. */
    private static final class Bench {
        final int ports;
        final Crossbar crossbar;
        final List<Queues> egresses = new ArrayList<>();
        final List<Pacer> pacers = new ArrayList<>();
        final Deque<Frame> free = new ArrayDeque<>();
        final long[] packets;
        final Frame[] burst = new Frame[64];

        Bench(int ports, InputQueues inputQueues, int speedup, int slots) {
            this(ports, inputQueues, speedup, slots, 0);
        }

        Bench(int ports, InputQueues inputQueues, int speedup, int slots, long maxCatchUpNs) {
            this.ports = ports;
            this.packets = new long[ports];
            crossbar =
                    new Crossbar(
                            new CrossbarConfig(inputQueues, speedup),
                            new DomainSetup(
                                    Collections.nCopies(ports, port()),
                                    Collections.nCopies(ports, WireFormat.ETHERNET),
                                    maxCatchUpNs));
            for (int port = 0; port < ports; port++) {
                egresses.add(crossbar.queues(port, port(), null));
                pacers.add(new Pacer(RATE_BPS, 0, WireFormat.ETHERNET));
            }
            FrameRegion region = new FrameRegion(slots, 512);
            for (int slot = 0; slot < slots; slot++) {
                free.add(region.frame(slot));
            }
        }

        static PortConfig port() {
            return ConfigDefaults.port("p", new DeviceConfig.Memory("m"))
                    .withRateBps(RATE_BPS)
                    .withQueueLimitBytes(1_000_000_000L);
        }

        Frame frame(int input, int priority) {
            Frame frame = free.remove();
            frame.ingressPort = input;
            frame.priority = priority;
            frame.lengthBytes = FRAME_BYTES;
            frame.packetId = ++packets[input];
            return frame;
        }

        void come(int input, int egress, int priority) {
            assertThat(egresses.get(egress).enqueue(frame(input, priority))).isNull();
        }

        /** What an egress starts now. */
        List<Frame> start(int egress, long nowNs) {
            pacers.get(egress).resume(nowNs, nowNs);
            int count = egresses.get(egress).dequeue(nowNs, pacers.get(egress), burst);
            List<Frame> started = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                started.add(burst[i]);
                free.add(burst[i]);
            }
            return started;
        }
    }

    /**
     * The share of the time that egresses send, with inputs that always have frames, each to any
     * egress with the same likelihood.
     */
    private static double saturated(int ports, InputQueues inputQueues, int waiting, int times) {
        Bench bench = new Bench(ports, inputQueues, 1, ports * waiting);
        SplittableRandom random = new SplittableRandom(1987);
        for (int input = 0; input < ports; input++) {
            for (int i = 0; i < waiting; i++) {
                bench.come(input, random.nextInt(ports), 0);
            }
        }
        long sent = 0;
        for (int time = 0; time < times; time++) {
            long nowNs = time * FRAME_NS;
            bench.crossbar.begin(nowNs);
            List<Frame> started = new ArrayList<>();
            for (int i = 0; i < ports; i++) {
                started.addAll(bench.start((time + i) % ports, nowNs));
            }
            sent += started.size();
            started.forEach(frame -> bench.come(frame.ingressPort, random.nextInt(ports), 0));
        }
        return (double) sent / ports / times;
    }

    /** Karol, Hluchyj and Morgan (1987), table I. */
    @ParameterizedTest
    @CsvSource({"2, 0.7500", "3, 0.6825", "4, 0.6553", "5, 0.6399", "8, 0.6184"})
    void saturatedFifoInputsLoseWhatHeadOfLineBlockingCosts(int ports, double throughput) {
        assertThat(saturated(ports, InputQueues.FIFO, 8, 30_000))
                .isCloseTo(throughput, within(0.008));
    }

    @ParameterizedTest
    @CsvSource({"2, 0.98", "4, 0.98", "8, 0.98"})
    void saturatedVirtualOutputQueuesLoseNextToNothing(int ports, double atLeast) {
        assertThat(saturated(ports, InputQueues.VIRTUAL_OUTPUT, 200, 10_000))
                .isGreaterThan(atLeast);
    }

    @Test
    void inputsAreServedInTurnWhoeverHasMore() {
        Bench bench = new Bench(4, InputQueues.VIRTUAL_OUTPUT, 1, 100);
        for (int i = 0; i < 6; i++) {
            bench.come(0, 3, 5);
            if (i < 3) {
                bench.come(2, 3, 5);
            }
            if (i < 2) {
                bench.come(1, 3, 5);
            }
        }
        List<Integer> served = new ArrayList<>();
        for (long nowNs = 0; nowNs < 11 * FRAME_NS; nowNs += FRAME_NS) {
            bench.crossbar.begin(nowNs);
            bench.start(3, nowNs).forEach(frame -> served.add(frame.ingressPort));
        }
        assertThat(served).containsExactly(0, 1, 2, 0, 1, 2, 0, 2, 0, 0, 0);
    }

    @Test
    void anInputSendsOneFrameAtATimeAndSaysWhenTheNextMayStart() {
        Bench bench = new Bench(3, InputQueues.VIRTUAL_OUTPUT, 1, 10);
        bench.come(0, 1, 0);
        bench.come(0, 2, 0);
        bench.crossbar.begin(500);
        assertThat(bench.start(1, 500)).hasSize(1);
        assertThat(bench.start(2, 500)).isEmpty();
        assertThat(bench.crossbar.deadlineNs()).isEqualTo(500 + FRAME_NS);
        bench.crossbar.begin(500 + FRAME_NS);
        assertThat(bench.start(2, 500 + FRAME_NS)).hasSize(1);
        assertThat(bench.crossbar.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void withASpeedupOfTwoAnInputServesTwoEgressesAtOnce() {
        Bench bench = new Bench(3, InputQueues.VIRTUAL_OUTPUT, 2, 20);
        for (int i = 0; i < 4; i++) {
            bench.come(0, 1, 0);
            bench.come(0, 2, 0);
        }
        int sent = 0;
        for (long nowNs = 0; nowNs < 4 * FRAME_NS; nowNs += FRAME_NS / 2) {
            bench.crossbar.begin(nowNs);
            sent += bench.start(1, nowNs).size() + bench.start(2, nowNs).size();
        }
        assertThat(sent).isEqualTo(8);
    }

    @Test
    void anInputMakesUpForALateCallButNotForATimeInWhichNoEgressTookItsFrames() {
        Bench bench = new Bench(3, InputQueues.VIRTUAL_OUTPUT, 1, 20, 1_000_000);
        for (int i = 0; i < 6; i++) {
            bench.come(0, 1, 0);
            bench.come(0, 2, 0);
        }
        assertThat(bothStart(bench, 0)).as("one line").isOne();
        assertThat(bothStart(bench, 10 * FRAME_NS)).as("late by nine frames").isEqualTo(2);
        bench.crossbar.begin(20 * FRAME_NS);
        // Calls in which the egresses are stopped.
        bench.crossbar.begin(30 * FRAME_NS);
        assertThat(bothStart(bench, 30 * FRAME_NS)).isOne();
    }

    private static int bothStart(Bench bench, long nowNs) {
        bench.crossbar.begin(nowNs);
        return bench.start(1, nowNs).size() + bench.start(2, nowNs).size();
    }

    @Test
    void thePortsOfTheHighestRateMayHaveTheHighestSpeedup() {
        CrossbarConfig fastest = new CrossbarConfig(InputQueues.FIFO, 16);
        PortConfig port = Bench.port().withRateBps(400_000_000_000L);
        DomainSetup setup = new DomainSetup(List.of(port), List.of(WireFormat.ETHERNET), 0);
        Crossbar crossbar = new Crossbar(fastest, setup);
        crossbar.change(0, port.withRateBps(1_000_000));
        crossbar.change(0, port);
    }

    @Test
    void aFrameOfAnotherPriorityIsNoHeadOfTheLine() {
        Bench bench = new Bench(3, InputQueues.FIFO, 1, 10);
        bench.come(0, 1, 2);
        bench.come(0, 2, 2);
        bench.come(0, 2, 6);
        bench.egresses.get(1).eligible(0);
        bench.crossbar.begin(0);
        assertThat(bench.start(1, 0)).isEmpty();
        assertThat(bench.start(2, 0)).extracting(frame -> frame.priority).containsExactly(6);
        bench.crossbar.begin(5 * FRAME_NS);
        assertThat(bench.start(2, 5 * FRAME_NS)).as("behind one that is stopped").isEmpty();
        // Dropped, not started: who was asked before is asked again at once.
        assertThat(bench.egresses.get(1).drain()).isNotNull();
        assertThat(bench.crossbar.deadlineNs()).isEqualTo(5 * FRAME_NS);
        assertThat(bench.start(2, 5 * FRAME_NS)).hasSize(1);
    }

    /** Against lists of what is in each queue, whatever is done. */
    @Test
    void whateverIsDoneFramesOfOneInputAndPriorityKeepTheirOrderAndNoneIsLost() {
        int ports = 5;
        Bench bench = new Bench(ports, InputQueues.VIRTUAL_OUTPUT, 1, 400);
        SplittableRandom random = new SplittableRandom(42);
        List<List<Frame>> model = new ArrayList<>();
        for (int i = 0; i < ports * ports * PRIORITIES; i++) {
            model.add(new ArrayList<>());
        }
        for (int step = 0; step < 60_000; step++) {
            int egress = random.nextInt(ports);
            Queues queues = bench.egresses.get(egress);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (!bench.free.isEmpty()) {
                        int input = random.nextInt(ports);
                        Frame frame = bench.frame(input, random.nextInt(PRIORITIES));
                        assertThat(queues.enqueue(frame)).isNull();
                        model.get(at(egress, frame)).add(frame);
                    }
                }
                case 3, 4, 5 -> {
                    long nowNs = step * 100L;
                    bench.crossbar.begin(nowNs);
                    queues.eligible(random.nextInt(256));
                    int eligible = queues.ready();
                    for (Frame frame : bench.start(egress, nowNs)) {
                        assertThat(eligible >>> frame.priority & 1).isOne();
                        assertThat(model.get(at(egress, frame)).removeFirst()).isSameAs(frame);
                    }
                }
                case 6 -> {
                    long packet = 1 + random.nextLong(50_000);
                    int priority = random.nextInt(PRIORITIES);
                    Frame frame = queues.extract(priority, other -> other.packetId > packet);
                    if (frame != null) {
                        assertThat(model.get(at(egress, frame)).remove(frame)).isTrue();
                        bench.free.add(frame);
                    }
                }
                default -> {
                    if (random.nextInt(50) == 0) {
                        Queues next =
                                bench.crossbar.queues(
                                        egress,
                                        Bench.port().withTraffic(TrafficConfig.DEFAULT),
                                        null);
                        queues.handOver(next);
                        bench.egresses.set(egress, next);
                        assertThat(queues.isEmpty()).isTrue();
                    }
                }
            }
            if (step % 97 == 0) {
                compare(bench, model);
            }
        }
        compare(bench, model);
    }

    private static int at(int egress, Frame frame) {
        return (egress * 5 + frame.ingressPort) * PRIORITIES + frame.priority;
    }

    private static void compare(Bench bench, List<List<Frame>> model) {
        for (int egress = 0; egress < bench.ports; egress++) {
            Queues queues = bench.egresses.get(egress);
            int all = 0;
            for (int priority = 0; priority < PRIORITIES; priority++) {
                List<Frame> expected = new ArrayList<>();
                for (int input = 0; input < bench.ports; input++) {
                    expected.addAll(
                            model.get((egress * bench.ports + input) * PRIORITIES + priority));
                }
                assertThat(queues.waiting(priority)).containsExactlyElementsOf(expected);
                assertThat(queues.frames(priority)).isEqualTo(expected.size());
                assertThat(queues.bytes(priority)).isEqualTo((long) expected.size() * FRAME_BYTES);
                assertThat(queues.occupied() >>> priority & 1)
                        .isEqualTo(expected.isEmpty() ? 0 : 1);
                all += expected.size();
            }
            assertThat(queues.frames()).isEqualTo(all);
            assertThat(queues.bytes()).isEqualTo((long) all * FRAME_BYTES);
        }
    }
}
