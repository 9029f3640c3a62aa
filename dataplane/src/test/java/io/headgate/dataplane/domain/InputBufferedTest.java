package io.headgate.dataplane.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.domain.InputBufferedConfig.Marking;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which packet an output takes, and which are marked; inputs hold four packets. */
final class InputBufferedTest {
    private static final int PORTS = 4;
    private static final int FRAME_BYTES = 1226;
    private static final long RATE_BPS = 10_000_000_000L;

    /** What a packet takes on the wire: 1,250 bytes. */
    private static final long PACKET_NS = 1_000;

    private static final int ECT_1 = 1;
    private static final int CE = 3;

    private static final String PORT =
            """
            name: s1
            defaults: {flow-control: credits,
                       credits: {block-scale: 7, buffer: 32768B, min-gap: 0ns}}
            ports:
              - {name: p1, device: {afpacket: p1}, rate: 10Gbps}
            """;

    /** No credits. */
    private static final Gate CLOSED =
            new Gate() {
                @Override
                public int room(long nowNs, int queue, int headBytes) {
                    return 0;
                }

                @Override
                public void started(long nowNs, int queue, int frames, long bytes, int cost) {
                    throw new IllegalStateException("a frame has passed");
                }
            };

    private static final class Bench {
        final FrameRegion region = new FrameRegion(256, 512);
        final InputBuffered domain;
        final List<Queues> outputs = new ArrayList<>();
        final List<Pacer> pacers = new ArrayList<>();
        final Frame[] burst = new Frame[8];
        final PortConfig port = SwitchConfigReader.read(PORT, "test").ports().getFirst();
        long nowNs;
        int slots;

        /** An output whose far end refuses all; -1: none. */
        int withoutCredits = -1;

        Bench(int bypass, Marking marking, int threshold) {
            domain =
                    new InputBuffered(
                            new InputBufferedConfig(bypass, marking, threshold, Mark.Field.ECN),
                            new DomainSetup(
                                    Collections.nCopies(PORTS, port),
                                    Collections.nCopies(PORTS, WireFormat.ETHERNET),
                                    0));
            for (int output = 0; output < PORTS; output++) {
                outputs.add(domain.queues(output, port, null));
                pacers.add(new Pacer(RATE_BPS, 0, WireFormat.ETHERNET));
            }
        }

        Frame come(int input, int output) {
            Frame frame = region.frame(slots++);
            frame.ingressPort = input;
            frame.lengthBytes = FRAME_BYTES;
            frame.storedBytes = 64;
            frame.etherType = EtherType.IPV4;
            frame.ipOffset = Ethernet.HEADER_BYTES;
            Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset, ECT_1);
            assertThat(outputs.get(output).enqueue(frame)).isNull();
            return frame;
        }

        /** A call at a time: outputs are asked in an order, again while that is worth it. */
        List<Frame> call(int... order) {
            List<Frame> started = new ArrayList<>();
            do {
                started.addAll(round(order));
            } while (domain.deadlineNs() <= nowNs);
            return started;
        }

        /** Outputs are asked once, in an order. */
        List<Frame> round(int... order) {
            List<Frame> started = new ArrayList<>();
            domain.begin(nowNs);
            for (int output : order) {
                Pacer pacer = pacers.get(output);
                pacer.resume(nowNs, nowNs);
                Gate gate = output == withoutCredits ? CLOSED : Gate.OPEN;
                int count = outputs.get(output).dequeue(nowNs, pacer, burst, 0, gate);
                started.addAll(Arrays.asList(burst).subList(0, count));
            }
            domain.end(nowNs);
            return started;
        }

        List<Frame> callAfterAPacket(int... order) {
            nowNs += PACKET_NS;
            return call(order);
        }

        static int mark(Frame frame) {
            return Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset);
        }
    }

    @Test
    void anOutputTakesTheOldestPacketOfAnyInput() {
        Bench bench = new Bench(4, Marking.NONE, 1);
        bench.call(0, 1, 2, 3);
        Frame first = bench.come(2, 0);
        Frame second = bench.come(0, 0);
        Frame third = bench.come(2, 0);
        assertThat(bench.call(0, 1, 2, 3)).containsExactly(first);
        assertThat(bench.callAfterAPacket(0, 1, 2, 3)).containsExactly(second);
        assertThat(bench.callAfterAPacket(0, 1, 2, 3)).containsExactly(third);
    }

    @Test
    void anInputIsReadByOneOutputAtATime() {
        Bench bench = new Bench(4, Marking.NONE, 1);
        bench.call(0, 1, 2, 3);
        Frame first = bench.come(2, 0);
        Frame toAnother = bench.come(2, 1);
        Frame ofAnother = bench.come(3, 1);
        assertThat(bench.call(0, 1, 2, 3)).containsExactly(first, ofAnother);
        assertThat(bench.callAfterAPacket(0, 1, 2, 3)).containsExactly(toAnother);
    }

    @Test
    void theOlderPacketOfAnInputIsReadFirstWhicheverOutputIsAskedFirst() {
        for (int[] order : new int[][] {{0, 1, 2, 3}, {1, 0, 2, 3}}) {
            Bench bench = new Bench(4, Marking.NONE, 1);
            bench.call(0, 1, 2, 3);
            Frame older = bench.come(2, 0);
            bench.come(2, 1);
            assertThat(bench.call(order)).containsExactly(older);
        }
    }

    /** A packet held at an instant lets no packet of another input overtake at the same instant. */
    @Test
    void theOlderPacketIsReadFirstThoughOneOfAnotherInputWasHeldInVain() {
        Bench bench = new Bench(4, Marking.NONE, 1);
        bench.call(0, 1, 2, 3);
        Frame withoutCredits = bench.come(2, 0);
        Frame held = bench.come(2, 1);
        bench.withoutCredits = 0;
        assertThat(bench.round(1, 0)).isEmpty();
        Frame older = bench.come(3, 2);
        Frame younger = bench.come(3, 3);
        assertThat(bench.round(3, 2, 1, 0)).containsExactly(older, held);
        bench.withoutCredits = -1;
        assertThat(bench.callAfterAPacket(0, 1, 2, 3)).containsExactly(withoutCredits, younger);
    }

    @Test
    void anOutputsNewQueuesKeepWhatWaitsAsOldAsItIs() {
        Bench bench = new Bench(4, Marking.INPUT_OUTPUT_TRIGGERED, 2);
        bench.call(0, 1, 2, 3);
        Frame older = bench.come(2, 0);
        Frame younger = bench.come(2, 1);
        Queues next = bench.domain.queues(0, bench.port, null);
        bench.outputs.get(0).handOver(next);
        assertThat(bench.outputs.set(0, next).isEmpty()).isTrue();
        assertThat(next.bytes()).isEqualTo(FRAME_BYTES);
        assertThat(bench.call(1, 0, 2, 3)).containsExactly(older);
        assertThat(bench.callAfterAPacket(1, 0, 2, 3)).containsExactly(younger);
    }

    /** Two are the threshold: one that waited before, and one that has come since. */
    @Test
    void anOutputsNewQueuesAreCountedInPlaceOfTheOldOnes() {
        Bench bench = new Bench(4, Marking.INPUT_OUTPUT_TRIGGERED, 2);
        bench.call(0, 1, 2, 3);
        Frame before = bench.come(2, 0);
        Queues next = bench.domain.queues(0, bench.port, null);
        bench.outputs.get(0).handOver(next);
        bench.outputs.set(0, next);
        Frame since = bench.come(3, 0);
        assertThat(bench.call(0, 1, 2, 3)).containsExactly(before);
        assertThat(bench.callAfterAPacket(0, 1, 2, 3)).containsExactly(since);
        assertThat(List.of(before, since)).allMatch(frame -> Bench.mark(frame) == CE);
    }

    /** Outputs of several workers are asked at times of their own; one has no credits for long. */
    @Test
    void anOutputWithoutCreditsHoldsNobodyWhenItIsAskedAtOtherTimes() {
        Bench bench = new Bench(4, Marking.NONE, 1);
        bench.call(0, 1, 2, 3);
        bench.withoutCredits = 0;
        bench.come(2, 0);
        for (int packet = 0; packet < 10; packet++) {
            Frame held = bench.come(2, 1);
            List<Frame> started = new ArrayList<>();
            for (int round = 0; round < 3 && started.isEmpty(); round++) {
                bench.nowNs += 7;
                started.addAll(bench.round(1, 0));
            }
            assertThat(started).as("packet %d", packet).containsExactly(held);
            bench.nowNs += PACKET_NS;
        }
    }

    @Test
    void aPacketOvertakesNoMoreOlderOnesOfItsInputThanItMay() {
        for (int bypass = 0; bypass < 3; bypass++) {
            Bench bench = new Bench(bypass, Marking.NONE, 1);
            bench.call(0, 1, 2, 3);
            Frame busy = bench.come(3, 0);
            assertThat(bench.call(0, 1, 2, 3)).containsExactly(busy);
            // Two wait for the output that is busy, the third for one that is free.
            bench.come(2, 0);
            bench.come(2, 0);
            Frame third = bench.come(2, 1);
            assertThat(bench.call(0, 1, 2, 3)).isEqualTo(bypass < 2 ? List.of() : List.of(third));
        }
    }

    @Test
    void naiveMarkingMarksWhatWaitsInTheFullBufferAndNothingElse() {
        Bench bench = new Bench(4, Marking.NAIVE, 1);
        bench.call(0, 1, 2, 3);
        bench.come(3, 0);
        bench.call(0, 1, 2, 3);
        Frame elsewhere = bench.come(0, 0);
        List<Frame> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(bench.come(2, 0));
            bench.call(0, 1, 2, 3);
        }
        assertThat(waiting).allMatch(frame -> Bench.mark(frame) == ECT_1);
        waiting.add(bench.come(2, 0));
        bench.call(0, 1, 2, 3);
        assertThat(waiting).allMatch(frame -> Bench.mark(frame) == CE);
        assertThat(Bench.mark(elsewhere)).isEqualTo(ECT_1);
    }

    @Test
    void aFullBufferHasAsManyMarkedAtItsOutputAsWaitForIt() {
        Bench bench = new Bench(4, Marking.INPUT_TRIGGERED, 1);
        bench.call(0, 1, 2, 3);
        bench.come(3, 0);
        bench.call(0, 1, 2, 3);
        bench.come(0, 0);
        for (int i = 0; i < 4; i++) {
            bench.come(2, 0);
            bench.call(0, 1, 2, 3);
        }
        bench.come(1, 0);
        // Five waited when it became full; what has come since is marked no more.
        List<Integer> marks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            marks.add(Bench.mark(bench.callAfterAPacket(0, 1, 2, 3).getFirst()));
        }
        assertThat(marks).containsExactly(CE, CE, CE, CE, CE, ECT_1);
    }

    @Test
    void anOutputWithAsManyPacketsAsTheThresholdHasThemMarked() {
        Bench bench = new Bench(4, Marking.INPUT_OUTPUT_TRIGGERED, 3);
        bench.call(0, 1, 2, 3);
        bench.come(3, 0);
        bench.call(0, 1, 2, 3);
        bench.come(0, 0);
        bench.come(1, 0);
        assertThat(Bench.mark(bench.callAfterAPacket(0, 1, 2, 3).getFirst())).isEqualTo(ECT_1);
        bench.come(2, 0);
        bench.come(3, 0);
        List<Integer> marks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            marks.add(Bench.mark(bench.callAfterAPacket(0, 1, 2, 3).getFirst()));
        }
        assertThat(marks).containsExactly(CE, CE, CE);
        bench.come(2, 0);
        assertThat(Bench.mark(bench.callAfterAPacket(0, 1, 2, 3).getFirst())).isEqualTo(ECT_1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "threshold: 4 | threshold: found marking: none; allowed: marking:"
                        + " input-output-triggered",
                "marking: input-triggered, threshold: 4 | threshold: found marking:"
                        + " input-triggered; allowed: marking: input-output-triggered",
                "mark: bth | mark: found marking: none; allowed: marking: naive, input-triggered or"
            })
    void whatOnlySomeMarkingReadsIsRefusedWithoutIt(String keys, String refusal) {
        String yaml = PORT + "domain: {input-buffered: {" + keys + "}}\n";
        assertThatThrownBy(() -> SwitchConfigReader.read(yaml, "s1.yaml"))
                .hasMessageContaining(refusal);
    }
}
