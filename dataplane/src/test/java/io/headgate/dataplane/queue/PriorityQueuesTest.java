package io.headgate.dataplane.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The data queues of a port, by hand and compared with a naive model. */
final class PriorityQueuesTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    @Test
    void highestPriorityIsServedFirstAndInOrder() {
        TestFrames frames = new TestFrames(8);
        PriorityQueues queues = new PriorityQueues(10_000);
        Frame low = frames.frame(1, 100, 0);
        assertThat(queues.first()).isNull();
        Frame first = frames.frame(6, 100, 0);
        Frame second = frames.frame(6, 100, 0);
        assertThat(queues.enqueue(low)).isNull();
        assertThat(queues.enqueue(first)).isNull();
        assertThat(queues.enqueue(second)).isNull();
        assertThat(queues.bytes()).isEqualTo(300);
        assertThat(queues.first()).isSameAs(first);
        assertThat(queues.dequeue()).isSameAs(first);
        assertThat(queues.dequeue()).isSameAs(second);
        assertThat(queues.dequeue()).isSameAs(low);
        assertThat(queues.dequeue()).isNull();
        assertThat(queues.isEmpty()).isTrue();
    }

    @Test
    void lossyQueueRefusesWhatItsLimitDoesNotHoldAndALosslessOneNothing() {
        TestFrames frames = new TestFrames(8);
        PriorityQueues queues = new PriorityQueues(200, 1 << 3, null, null);
        assertThat(queues.enqueue(frames.frame(2, 150, 0))).isNull();
        assertThat(queues.enqueue(frames.frame(2, 51, 0))).isNotNull();
        assertThat(queues.enqueue(frames.frame(2, 50, 0))).isNull();
        for (int i = 0; i < 5; i++) {
            assertThat(queues.enqueue(frames.frame(3, 150, 0))).isNull();
        }
        assertThat(queues.frames()).isEqualTo(7);
        assertThat(queues.limitBytes(3)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void admissionIsAskedForLossyQueuesAlone() {
        TestFrames frames = new TestFrames(8);
        PriorityQueues queues =
                new PriorityQueues(
                        10_000, 1 << 3, null, (view, queue, bytes) -> view.frames(queue) < 1);
        assertThat(queues.enqueue(frames.frame(2, 100, 0))).isNull();
        assertThat(queues.enqueue(frames.frame(2, 100, 0))).isNotNull();
        assertThat(queues.enqueue(frames.frame(3, 100, 0))).isNull();
        assertThat(queues.enqueue(frames.frame(3, 100, 0))).isNull();
    }

    @Test
    void stoppedQueueKeepsItsFramesWhileOthersAreServed() {
        TestFrames frames = new TestFrames(8);
        PriorityQueues queues = new PriorityQueues(10_000);
        Frame paused = frames.frame(5, 100, 0);
        Frame other = frames.frame(2, 100, 0);
        queues.enqueue(paused);
        queues.enqueue(other);
        queues.eligible(~(1 << 5));
        assertThat(queues.ready()).isEqualTo(1 << 2);
        assertThat(queues.dequeue()).isSameAs(other);
        assertThat(queues.dequeue()).isNull();
        assertThat(queues.isEmpty()).isFalse();
        queues.eligible(PriorityQueues.ALL);
        assertThat(queues.dequeue()).isSameAs(paused);
    }

    @Test
    void drainTakesFromStoppedQueuesToo() {
        TestFrames frames = new TestFrames(2);
        PriorityQueues queues = new PriorityQueues(10_000);
        Frame paused = frames.frame(5, 100, 0);
        queues.enqueue(paused);
        queues.eligible(0);
        assertThat(queues.drain()).isSameAs(paused);
        assertThat(queues.drain()).isNull();
    }

    @Test
    void takingFromAnEmptyQueueIsAMistake() {
        assertThatThrownBy(() -> new PriorityQueues(1).take(4)).hasMessageContaining("queue 4");
    }

    /** A gate that is shut for some queues, and remembers what passed. */
    private static final class TestGate implements Gate {
        private int shut;
        private final int[] passed = new int[8];

        @Override
        public int room(long nowNs, int queue, int headBytes) {
            return (shut >> queue & 1) == 0 ? 1 : 0;
        }

        @Override
        public void started(long nowNs, int queue, int frames, long bytes, int cost) {
            assertThat(cost).isEqualTo(frames).isEqualTo(1);
            passed[queue] += (int) bytes;
        }
    }

    @Test
    void gateHoldsItsQueueBackAndOthersGoOn() {
        TestFrames frames = new TestFrames(16);
        PriorityQueues queues = new PriorityQueues(100_000);
        for (int i = 0; i < 8; i++) {
            queues.enqueue(frames.frame(i, 100, 0));
        }
        TestGate gate = new TestGate();
        gate.shut = 1 << 7 | 1 << 2;
        Frame[] into = new Frame[16];
        Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
        pacer.resume(1_000, 0);
        assertThat(queues.dequeue(1_000, pacer, into, 3, gate)).isEqualTo(9);
        int[] order = new int[6];
        for (int i = 0; i < 6; i++) {
            order[i] = into[3 + i].priority;
        }
        assertThat(order).containsExactly(6, 5, 4, 3, 1, 0);
        assertThat(gate.passed).containsExactly(100, 100, 0, 100, 100, 100, 100, 0);
        assertThat(queues.ready()).isEqualTo(1 << 7 | 1 << 2);
    }

    /**
     * Runs, single frames, schedule or none: the pacer allows the same frames in the same order.
     */
    @Test
    void batchesTakeWhatFramesOneByOneWould() {
        Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            TestFrames first = new TestFrames(120);
            TestFrames second = new TestFrames(120);
            PriorityQueues batches = new PriorityQueues(1 << 20);
            PriorityQueues single = new PriorityQueues(1 << 20, 0, new StrictPriority(), null);
            Pacer paceBatches = new Pacer(10_000_000_000L, 0, WireFormat.ETHERNET);
            Pacer paceSingle = new Pacer(10_000_000_000L, 0, WireFormat.ETHERNET);
            Frame[] into = new Frame[1 + random.nextInt(16)];
            Frame[] other = new Frame[into.length];
            int made = 0;
            for (long nowNs = 0; nowNs < 100_000; nowNs += 1 + random.nextInt(3_000)) {
                for (int n = random.nextInt(5); n > 0 && made < 120; n--, made++) {
                    int priority = random.nextInt(8);
                    int length = 60 + random.nextInt(1459);
                    batches.enqueue(first.frame(priority, length, 0));
                    single.enqueue(second.frame(priority, length, 0));
                }
                int mask = random.nextInt(4) == 0 ? random.nextInt(256) : PriorityQueues.ALL;
                batches.eligible(mask);
                single.eligible(mask);
                paceBatches.resume(nowNs, nowNs);
                paceSingle.resume(nowNs, nowNs);
                int count = batches.dequeue(nowNs, paceBatches, into);
                assertThat(single.dequeue(nowNs, paceSingle, other)).isEqualTo(count);
                for (int i = 0; i < count; i++) {
                    assertThat(into[i].packetId)
                            .as("seed %d, run %d, at %d", SEED, run, nowNs)
                            .isEqualTo(other[i].packetId);
                }
                assertThat(paceBatches.nextStartNs()).isEqualTo(paceSingle.nextStartNs());
                assertThat(batches.bytes()).isEqualTo(single.bytes());
            }
        }
    }

    /**
     * Queues with credits of 64 bytes each; in runs as long as there is room, or frame by frame.
     */
    private static final class Credits implements Gate {
        private final int[] left = new int[8];
        private final boolean oneByOne;

        private Credits(boolean oneByOne) {
            this.oneByOne = oneByOne;
        }

        @Override
        public int room(long nowNs, int queue, int headBytes) {
            int needed = cost(headBytes);
            return needed > left[queue] ? 0 : oneByOne ? needed : left[queue];
        }

        @Override
        public int blockShift() {
            return 6;
        }

        @Override
        public void started(long nowNs, int queue, int frames, long bytes, int cost) {
            left[queue] -= cost;
        }
    }

    @Test
    void frameTakesTheBlocksThatItBeginsAndOneWhereFramesAreCounted() {
        for (int bytes : new int[] {1, 63, 64, 65, 1518, 131_072}) {
            assertThat(Gate.blocks(bytes, 6)).isEqualTo(Math.ceilDiv(bytes, 64));
            assertThat(Gate.blocks(bytes, Gate.WHOLE_FRAMES)).isEqualTo(1);
        }
    }

    /** Asks which queue is next for every single frame. */
    private record AskedEachTime(Schedule schedule) implements Schedule {
        @Override
        public int select(QueueFields queues, int candidates) {
            return schedule.select(queues, candidates);
        }

        @Override
        public int cost(int frameBytes) {
            return schedule.cost(frameBytes);
        }

        @Override
        public void started(int queue, long cost, boolean empty) {
            schedule.started(queue, cost, empty);
        }
    }

    private static Schedule weighted() {
        return new TransmissionSelection(
                new int[] {1, 3, 2, 0, 1, 7, 2, 0}, 1514, WireFormat.ETHERNET);
    }

    @Test
    void queueAloneHasItsTurnsInOneRunAndKeepsWhatTheLastOneLeft() {
        for (int alone = 1; alone <= 40; alone++) {
            assertThat(orderAfterOneWasAlone(weighted(), alone))
                    .as("%d frames", alone)
                    .isEqualTo(orderAfterOneWasAlone(new AskedEachTime(weighted()), alone))
                    .contains(0, 1);
        }
    }

    private static List<Integer> orderAfterOneWasAlone(Schedule schedule, int alone) {
        TestFrames frames = new TestFrames(90);
        PriorityQueues queues = new PriorityQueues(1 << 20, 0, schedule, null);
        for (int i = 0; i < 60; i++) {
            queues.enqueue(frames.frame(0, 100 + 37 * (i % 7), 0));
        }
        Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
        pacer.resume(1_000_000, 0);
        assertThat(queues.dequeue(1_000_000, pacer, new Frame[alone], 0, Gate.OPEN))
                .isEqualTo(alone);
        for (int i = 0; i < 30; i++) {
            queues.enqueue(frames.frame(1, 300, 0));
        }
        Frame[] into = new Frame[45];
        int count = queues.dequeue(1_000_000, pacer, into, 0, Gate.OPEN);
        return Arrays.stream(into, 0, count).map(frame -> frame.priority).toList();
    }

    /** One frame of each queue in turn; frames cost nothing. */
    private static final class RoundRobin implements Schedule {
        private int last = -1;

        @Override
        public int select(QueueFields queues, int candidates) {
            int behind = candidates & (-2 << last);
            last = Integer.numberOfTrailingZeros(behind != 0 ? behind : candidates);
            return last;
        }

        @Override
        public int cost(int frameBytes) {
            return 0;
        }

        @Override
        public void started(int queue, long cost, boolean empty) {
            // Nothing is remembered.
        }
    }

    @Test
    void scheduleThatSaysNothingOfRoomIsAskedForEveryFrame() {
        TestFrames frames = new TestFrames(6);
        PriorityQueues queues = new PriorityQueues(100_000, 0, new RoundRobin(), null);
        for (int i = 0; i < 6; i++) {
            queues.enqueue(frames.frame(i < 3 ? 2 : 4, 100, 0));
        }
        Frame[] into = new Frame[6];
        Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
        pacer.resume(1_000, 0);
        assertThat(queues.dequeue(1_000, pacer, into)).isEqualTo(6);
        assertThat(Arrays.stream(into).map(frame -> frame.priority))
                .containsExactly(2, 4, 2, 4, 2, 4);
    }

    @Test
    void runsThroughAGateTakeWhatFramesOneByOneWould() {
        Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            TestFrames first = new TestFrames(200);
            TestFrames second = new TestFrames(200);
            PriorityQueues runs = new PriorityQueues(1 << 20, 0, weighted(), null);
            PriorityQueues single =
                    new PriorityQueues(1 << 20, 0, new AskedEachTime(weighted()), null);
            Credits ofRuns = new Credits(false);
            Credits ofSingle = new Credits(true);
            Pacer paceRuns = new Pacer(40_000_000_000L, 0, WireFormat.ETHERNET);
            Pacer paceSingle = new Pacer(40_000_000_000L, 0, WireFormat.ETHERNET);
            Frame[] into = new Frame[1 + random.nextInt(32)];
            Frame[] other = new Frame[into.length];
            int made = 0;
            for (long nowNs = 0; nowNs < 100_000; nowNs += 1 + random.nextInt(3_000)) {
                for (int n = random.nextInt(20); n > 0 && made < 200; n--, made++) {
                    int priority = random.nextInt(8);
                    int length = random.nextBoolean() ? 60 : 60 + random.nextInt(1455);
                    runs.enqueue(first.frame(priority, length, 0));
                    single.enqueue(second.frame(priority, length, 0));
                }
                for (int queue = 0; queue < 8; queue++) {
                    int credits = random.nextInt(20);
                    ofRuns.left[queue] += credits;
                    ofSingle.left[queue] += credits;
                }
                paceRuns.resume(nowNs, nowNs);
                paceSingle.resume(nowNs, nowNs);
                int count = runs.dequeue(nowNs, paceRuns, into, 0, ofRuns);
                assertThat(single.dequeue(nowNs, paceSingle, other, 0, ofSingle)).isEqualTo(count);
                for (int i = 0; i < count; i++) {
                    assertThat(into[i].packetId)
                            .as("seed %d, run %d, at %d", SEED, run, nowNs)
                            .isEqualTo(other[i].packetId);
                }
                assertThat(ofRuns.left).isEqualTo(ofSingle.left);
                assertThat(paceRuns.nextStartNs()).isEqualTo(paceSingle.nextStartNs());
                assertThat(runs.bytes()).isEqualTo(single.bytes());
            }
        }
    }

    /** Throws at one of all calls of a schedule and a gate. */
    private static final class OneFailure implements Gate {
        private final Schedule served = weighted();
        private int callsLeft;

        OneFailure(int callsBefore) {
            this.callsLeft = callsBefore;
        }

        private void call() {
            if (callsLeft-- == 0) {
                throw new IllegalStateException("made to fail");
            }
        }

        Schedule schedule() {
            return new Schedule() {
                @Override
                public int select(QueueFields queues, int candidates) {
                    call();
                    return served.select(queues, candidates);
                }

                @Override
                public int cost(int frameBytes) {
                    call();
                    return served.cost(frameBytes);
                }

                @Override
                public long room(int queue, int candidates) {
                    call();
                    return served.room(queue, candidates);
                }

                @Override
                public void started(int queue, long cost, boolean empty) {
                    call();
                    served.started(queue, cost, empty);
                }
            };
        }

        @Override
        public int room(long nowNs, int queue, int headBytes) {
            call();
            return 3;
        }

        @Override
        public int blockShift() {
            call();
            return WHOLE_FRAMES;
        }

        @Override
        public void started(long nowNs, int queue, int frames, long bytes, int cost) {
            call();
        }
    }

    @Test
    void whereAScheduleOrAGateThrowsEveryFrameIsWithTheCallerOrInItsQueue() {
        int failures = 0;
        for (boolean threw = true; threw; ) {
            threw = takeWithAFailureAfter(failures);
            failures += threw ? 1 : 0;
        }
        assertThat(failures).isGreaterThan(40);
    }

    private static boolean takeWithAFailureAfter(int calls) {
        OneFailure failure = new OneFailure(calls);
        PriorityQueues queues = new PriorityQueues(1 << 20, 0, failure.schedule(), null);
        TestFrames frames = new TestFrames(40);
        for (int i = 0; i < 40; i++) {
            queues.enqueue(frames.frame(i % 8, 100, 0));
        }
        Frame[] into = new Frame[40];
        Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
        pacer.resume(1_000_000, 0);
        boolean threw = false;
        List<Frame> all = new ArrayList<>();
        try {
            // The first place is the caller's own.
            queues.dequeue(1_000_000, pacer, into, 1, failure);
            all.add(queues.take(queues.select()));
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("made to fail");
            threw = true;
        }
        all.addAll(Arrays.asList(into).subList(1, queues.dequeued()));
        assertThat(queues.frames()).as("after %d calls", calls).isEqualTo(40 - all.size());
        assertThat(queues.bytes()).as("after %d calls", calls).isEqualTo(100L * queues.frames());
        for (Frame left = queues.drain(); left != null; left = queues.drain()) {
            all.add(left);
        }
        assertThat(all).as("after %d calls", calls).hasSize(40).doesNotHaveDuplicates();
        assertThat(queues.isEmpty()).isTrue();
        return threw;
    }

    @Test
    void countsAsManyFramesAsARegionHasSlotsAndTheirBytes() {
        Frame frame = new TestFrames(1).frame(3, 65_535, 0);
        PriorityQueues queues = new PriorityQueues(1, 1 << 3, null, null);
        for (int i = 0; i < FrameRegion.MAX_SLOTS; i++) {
            queues.enqueue(frame);
        }
        assertThat(queues.frames()).isEqualTo(FrameRegion.MAX_SLOTS);
        assertThat(queues.bytes()).isEqualTo(65_535L * FrameRegion.MAX_SLOTS);
        assertThat(queues.frames(3)).isEqualTo(FrameRegion.MAX_SLOTS);
        assertThatThrownBy(() -> new FrameRegion(FrameRegion.MAX_SLOTS + 1, 512))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Runs of any priorities, against queues that are full now and then. */
    @Test
    void appendsManyAsOneByOne() {
        Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            TestFrames first = new TestFrames(120);
            TestFrames second = new TestFrames(120);
            PriorityQueues batches = new PriorityQueues(3_000);
            PriorityQueues single = new PriorityQueues(3_000);
            for (int made = 0; made < 120; ) {
                int count = Math.min(120 - made, 1 + random.nextInt(20));
                Frame[] batch = new Frame[count];
                List<Long> refused = new ArrayList<>();
                int priority = 0;
                for (int i = 0; i < count; i++, made++) {
                    priority = random.nextInt(3) == 0 ? random.nextInt(8) : priority;
                    int length = 60 + random.nextInt(900);
                    batch[i] = first.frame(priority, length, 0);
                    Frame frame = second.frame(priority, length, 0);
                    if (single.enqueue(frame) != null) {
                        refused.add(frame.packetId);
                    }
                }
                List<Long> alsoRefused = new ArrayList<>();
                for (int i = 0; i < count; ) {
                    int next = batches.enqueue(batch, i, count);
                    if (next == i) {
                        alsoRefused.add(batch[next++].packetId);
                    }
                    i = next;
                }
                assertThat(alsoRefused).as("seed %d, run %d", SEED, run).isEqualTo(refused);
                assertThat(batches.bytes()).isEqualTo(single.bytes());
                assertThat(batches.frames()).isEqualTo(single.frames());
                for (int taken = random.nextInt(15); taken > 0; taken--) {
                    Frame expected = single.dequeue();
                    Frame frame = batches.dequeue();
                    assertThat(frame == null ? 0 : frame.packetId)
                            .isEqualTo(expected == null ? 0 : expected.packetId);
                }
            }
        }
    }

    /** Every frame of every queue of up to five frames of two flows, extracted once. */
    @Test
    void extractionTakesTheFirstOfItsFlowAndLeavesTheOrder() {
        for (int length = 1; length <= 5; length++) {
            for (int flows = 0; flows < 1 << length; flows++) {
                for (int wanted = 0; wanted <= 1; wanted++) {
                    extractFirst(length, flows, wanted);
                }
            }
        }
    }

    private static void extractFirst(int length, int flows, int wanted) {
        TestFrames frames = new TestFrames(8);
        PriorityQueues queues = new PriorityQueues(10_000);
        List<Frame> expected = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            Frame frame = frames.frame(3, 100 + i, flows >> i & 1);
            queues.enqueue(frame);
            expected.add(frame);
        }
        Frame taken = queues.extract(3, frame -> frame.flowHash == wanted);
        Frame first = expected.stream().filter(f -> f.flowHash == wanted).findFirst().orElse(null);
        assertThat(taken)
                .as("flows %s, wanted %d", Integer.toBinaryString(flows), wanted)
                .isSameAs(first);
        expected.remove(first);
        Frame later = frames.frame(3, 100, 7);
        queues.enqueue(later);
        expected.add(later);
        assertThat(queues.bytes()).isEqualTo(expected.stream().mapToInt(f -> f.lengthBytes).sum());
        for (Frame frame : expected) {
            assertThat(queues.dequeue()).isSameAs(frame);
        }
        assertThat(queues.isEmpty()).isTrue();
    }

    @Test
    void behavesAsALinkedListForEachPriorityWould() {
        Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            Model model = new Model();
            TestFrames frames = new TestFrames(400);
            PriorityQueues queues = new PriorityQueues(5_000, 0b1001_0000, null, null);
            int made = 0;
            for (int step = 0; step < 800; step++) {
                String where = "seed " + SEED + ", run " + run + ", step " + step;
                int action = random.nextInt(10);
                if (action < 5 && made < 400) {
                    made++;
                    Frame frame =
                            frames.frame(
                                    random.nextInt(8),
                                    60 + random.nextInt(1459),
                                    random.nextInt(3));
                    assertThat(queues.enqueue(frame) == null)
                            .as(where)
                            .isEqualTo(model.enqueue(frame));
                } else if (action < 8) {
                    assertThat(queues.dequeue()).as(where).isSameAs(model.dequeue());
                } else if (action == 8) {
                    int queue = random.nextInt(8);
                    int flow = random.nextInt(3);
                    assertThat(queues.extract(queue, frame -> frame.flowHash == flow))
                            .as(where)
                            .isSameAs(model.extract(queue, flow));
                } else {
                    model.eligible = random.nextInt(256);
                    queues.eligible(model.eligible);
                }
                model.check(queues, where);
            }
        }
    }

    /** The same with lists and searches. */
    private static final class Model {
        private final List<Deque<Frame>> queues = new ArrayList<>();
        private int eligible = 0xFF;

        Model() {
            for (int i = 0; i < 8; i++) {
                queues.add(new ArrayDeque<>());
            }
        }

        boolean enqueue(Frame frame) {
            Deque<Frame> queue = queues.get(frame.priority);
            boolean lossless = (0b1001_0000 >> frame.priority & 1) != 0;
            long bytes = queue.stream().mapToLong(f -> f.lengthBytes).sum();
            return (lossless || bytes + frame.lengthBytes <= 5_000) && queue.add(frame);
        }

        @Nullable Frame dequeue() {
            for (int queue = 7; queue >= 0; queue--) {
                if ((eligible >> queue & 1) != 0 && !queues.get(queue).isEmpty()) {
                    return queues.get(queue).poll();
                }
            }
            return null;
        }

        @Nullable Frame extract(int queue, int flow) {
            Iterator<Frame> frames = queues.get(queue).iterator();
            while (frames.hasNext()) {
                Frame frame = frames.next();
                if (frame.flowHash == flow) {
                    frames.remove();
                    return frame;
                }
            }
            return null;
        }

        void check(PriorityQueues real, String where) {
            long bytes = 0;
            int count = 0;
            int ready = 0;
            for (int queue = 0; queue < 8; queue++) {
                Deque<Frame> frames = queues.get(queue);
                long inQueue = frames.stream().mapToLong(f -> f.lengthBytes).sum();
                bytes += inQueue;
                count += frames.size();
                ready |= frames.isEmpty() ? 0 : eligible & 1 << queue;
                assertThat(real.bytes(queue)).as(where).isEqualTo(inQueue);
                assertThat(real.frames(queue)).as(where).isEqualTo(frames.size());
                assertThat(real.head(queue)).as(where).isSameAs(frames.peek());
                assertThat(real.headBytes(queue))
                        .as(where)
                        .isEqualTo(frames.isEmpty() ? 0 : frames.element().lengthBytes);
            }
            assertThat(real.bytes()).as(where).isEqualTo(bytes);
            assertThat(real.frames()).as(where).isEqualTo(count);
            assertThat(real.ready()).as(where).isEqualTo(ready);
        }
    }
}
