package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.flows.FrameQuotes;
import io.headgate.dataplane.congestion.flows.QueuedFlowsTest;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.RoccNotice;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom RoCC's congestion point tells, when, and what; at 40 Gb/s. */
class RoccPointTest {
    private static final int PORT = 5;
    private static final int PRIORITY = 3;
    private static final long RATE_BPS = 40_000_000_000L;
    private static final long PERIOD_NS = 40_000;
    private static final int FRAME_BYTES = 1_500;
    private static final int RATE = 0;
    private static final int QUEUE = 1;
    private static final int FLOWS = 2;
    private static final int NOTICES = 3;

    private record Told(@Nullable Frame frame, long first, long second, List<Long> details) {}

    private static final StopView NEVER =
            new StopView() {
                @Override
                public int stopped() {
                    return 0;
                }

                @Override
                public long endedNs(int queue) {
                    return 0;
                }

                @Override
                public long creditBytes(int queue) {
                    return Long.MAX_VALUE;
                }
            };

    private final FrameRegion region = new FrameRegion(512, 2048);
    private final PriorityQueues queues = new PriorityQueues(1_000_000);
    private final List<Told> told = new ArrayList<>();
    private final Frame[] one = new Frame[1];
    private RoccPoint point = point("");
    private int slots;

    static RoccConfig config(String rate, String keys) {
        return Objects.requireNonNull(
                SwitchConfigReader.read(
                                """
                                name: s1
                                address: 10.0.0.1/24
                                ports:
                                  - {name: p1, device: {tap: t1}, rate: %s, congestion: {rocc: {%s}}}
                                """
                                        .formatted(rate, keys),
                                "test.yaml")
                        .ports()
                        .getFirst()
                        .mechanisms()
                        .get(RoccConfig.class));
    }

    /** Keeps the notices sent. */
    private final class Heard implements Notices {
        @Override
        public boolean send(Frame frame, long first, long second) {
            return send(frame, first, second, new long[0]);
        }

        @Override
        public boolean send(Frame frame, long first, long second, long[] details) {
            return told.add(
                    new Told(frame, first, second, Arrays.stream(details).boxed().toList()));
        }

        @Override
        public boolean send(
                FrameQuotes quotes, int place, long first, long second, long[] details) {
            return told.add(new Told(null, first, second, Arrays.stream(details).boxed().toList()));
        }
    }

    private CongestionSetup setup(Notices notices) {
        return new CongestionSetup(
                new CongestionSetup.Node("s1", false),
                PORT,
                RATE_BPS,
                1500,
                queues,
                NEVER,
                notices,
                PortBoard.NONE,
                NamedRandom.of(1, "p", "rocc"));
    }

    private RoccPoint point(String keys) {
        return new RoccPoint(config("40Gbps", keys), setup(new Heard()));
    }

    private void joins(long nowNs, int flow, int frames) {
        for (int i = 0; i < frames; i++) {
            Frame frame = QueuedFlowsTest.datagram(region, slots++, flow, PRIORITY, flow);
            frame.lengthBytes = FRAME_BYTES;
            queues.enqueue(frame);
            one[0] = frame;
            point.enqueued(nowNs, PRIORITY, one, 0, 1);
        }
    }

    @Test
    void eachFlowInTheQueueIsToldOnceInAPeriod() {
        assertThat(point.deadlineNs()).as("nothing is queued").isEqualTo(Long.MAX_VALUE);
        joins(1_000, 1, 60);
        joins(2_000, 2, 50);
        assertThat(point.deadlineNs()).isEqualTo(PERIOD_NS);
        assertThat(point.tick(PERIOD_NS - 1)).isZero();
        point.tick(PERIOD_NS);
        // 165,000 bytes are 275 steps; 25 above the reference, and all of them new.
        long steps = Math.round(4_000 - 0.3 * 25 - 1.5 * 275);
        assertThat(told).hasSize(2);
        assertThat(told.get(0).frame()).isNotSameAs(told.get(1).frame());
        for (int i = 0; i < 2; i++) {
            long first = told.get(i).first();
            assertThat(first >>> 48).as("version 1, priority").isEqualTo(0x1003);
            assertThat(first >>> 32 & 0xFFFF).as("kb/s in a step").isEqualTo(10_000);
            assertThat(first & 0xFFFF_FFFFL).isEqualTo(steps);
            assertThat(told.get(i).second()).isEqualTo(Notice.second(0x603, i));
            assertThat(RoccNotice.rateBps(first & -1L >>> 16)).isEqualTo(steps * 10_000_000);
        }
        assertThat(point.counted(RATE, PRIORITY)).isEqualTo(steps * 10_000);
        assertThat(point.counted(QUEUE, PRIORITY)).isEqualTo(165_000);
        assertThat(point.counted(FLOWS, PRIORITY)).isEqualTo(2);
        assertThat(point.counted(NOTICES, PRIORITY)).isEqualTo(2);
        assertThat(point.deadlineNs()).isEqualTo(2 * PERIOD_NS);
    }

    @Test
    void aLateTimerIsOneStepAndPeriodsStayWhereTheyWere() {
        joins(1_000, 1, 10);
        point.tick(5 * PERIOD_NS + 7);
        assertThat(told).hasSize(1);
        assertThat(point.deadlineNs()).isEqualTo(6 * PERIOD_NS);
    }

    @Test
    void withoutFramesTheRateRisesUntilThereIsNothingToDo() {
        joins(1_000, 1, 400);
        point.tick(PERIOD_NS);
        assertThat(point.counted(RATE, PRIORITY)).as("Qmax").isEqualTo(100_000);
        for (Frame frame = queues.drain(); frame != null; frame = queues.drain()) {
            one[0] = frame;
            point.started(PERIOD_NS, one, 0, 1);
        }
        told.clear();
        long nowNs = PERIOD_NS;
        while (point.deadlineNs() != Long.MAX_VALUE) {
            nowNs += PERIOD_NS;
            assertThat(point.deadlineNs()).isEqualTo(nowNs);
            point.tick(nowNs);
        }
        assertThat(told).as("no flow gets a notice").isEmpty();
        assertThat(point.counted(RATE, PRIORITY)).isEqualTo(40_000_000);
        assertThat(nowNs).isLessThan(200 * PERIOD_NS);
    }

    @Test
    void everyNoticeSaysWhatItTakesToComeToTheSwitchesRate() {
        point = point("computed-by: host");
        Random random = new Random(1);
        MemorySegment wire = MemorySegment.ofArray(new byte[Notice.DETAIL_BYTES]);
        int notices = 0;
        for (long nowNs = PERIOD_NS; nowNs < 200 * PERIOD_NS; nowNs += PERIOD_NS) {
            int frames = random.nextInt(1, 120);
            for (int i = 0; i < frames; i++) {
                slots %= 512;
                joins(nowNs - 1, random.nextInt(20), 1);
            }
            told.clear();
            point.tick(nowNs);
            notices += told.size();
            for (Told one : told) {
                assertThat(one.first() >>> 48).isEqualTo(0x1103);
                assertThat(one.first() & 0xFFFF_FFFFL).as("steps").isZero();
                for (int word = 0; word < one.details().size(); word++) {
                    Wire.put64(wire, word * 8L, one.details().get(word));
                }
                assertThat(FairRate.stepsAtHost(wire, 0) * 10_000)
                        .isEqualTo(point.counted(RATE, PRIORITY));
            }
            // Some stay for the next period.
            for (int left = random.nextInt(20, 130); left > 0; left--) {
                leaves(nowNs);
            }
        }
        assertThat(notices).isGreaterThan(1_000);
    }

    private void leaves(long nowNs) {
        Frame frame = queues.drain();
        if (frame != null) {
            one[0] = frame;
            point.started(nowNs, one, 0, 1);
        }
    }

    @Test
    void aTableThatRemembersTellsFlowsWhoseFramesHaveLeft() {
        point = point("flow-table: aged, age: 80us");
        joins(1_000, 1, 3);
        joins(2_000, 2, 2);
        for (int i = 0; i < 5; i++) {
            leaves(3_000);
        }
        point.tick(PERIOD_NS);
        assertThat(told).hasSize(2).allMatch(one -> one.frame() == null);
        assertThat(point.counted(FLOWS, PRIORITY)).isEqualTo(2);
        joins(3 * PERIOD_NS - 1, 2, 1);
        told.clear();
        point.tick(3 * PERIOD_NS);
        assertThat(told).as("the other is older than its age").hasSize(1);
    }

    @Test
    void whatWasChangedGoesOnFromWhereItWas() {
        joins(1_000, 1, 110);
        point.tick(PERIOD_NS);
        long kbps = point.counted(RATE, PRIORITY);
        RoccPoint next = point("rate-step: 5Mbps, fmin: 100Mbps");
        next.goOnFrom(point);
        assertThat(next.counted(RATE, PRIORITY)).isCloseTo(kbps, within(5_000L));
        assertThat(next.deadlineNs()).as("no step more for it").isEqualTo(2 * PERIOD_NS);
        RoccPoint slower = point("period: 100us");
        slower.goOnFrom(next);
        assertThat(slower.deadlineNs()).isEqualTo(100_000);
        RoccPoint faster = point("period: 10us");
        faster.goOnFrom(next);
        assertThat(faster.deadlineNs()).isEqualTo(PERIOD_NS + 10_000);
        // There and back again: the last step counts, not what the period was in between.
        faster.tick(PERIOD_NS + 55_000);
        RoccPoint back = point("period: 100us");
        back.goOnFrom(faster);
        RoccPoint again = point("period: 10us");
        again.goOnFrom(back);
        assertThat(again.deadlineNs()).isEqualTo(PERIOD_NS + 60_000);
    }

    @Test
    void afterAResetItBeginsAtItsStartRate() {
        joins(1_000, 1, 400);
        point.tick(PERIOD_NS);
        assertThat(point.counted(RATE, PRIORITY)).as("Qmax").isEqualTo(100_000);
        while (queues.drain() != null) {
            // The port has emptied its queues.
        }
        point.reset(2 * PERIOD_NS);
        assertThat(point.counted(RATE, PRIORITY)).isEqualTo(40_000_000);
        assertThat(point.counted(FLOWS, PRIORITY)).isZero();
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        told.clear();
        slots = 0;
        joins(5 * PERIOD_NS, 1, 60);
        point.tick(6 * PERIOD_NS);
        // 150 steps of 600 bytes, all of them new, and 100 below the reference.
        assertThat(point.counted(RATE, PRIORITY))
                .isEqualTo(10_000 * Math.round(4_000 + 0.3 * 100 - 1.5 * 150));
        assertThat(told).hasSize(1);
    }

    @Test
    void whereNobodyCanBeToldNothingIsWatched() {
        RoccPoint card = new RoccPoint(config("40Gbps", ""), setup(Notices.NONE));
        assertThat(card.queues()).isZero();
        one[0] = QueuedFlowsTest.datagram(region, slots++, 1, PRIORITY, 1);
        card.enqueued(0, PRIORITY, one, 0, 1);
        card.started(0, one, 0, 1);
        assertThat(card.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }
}
