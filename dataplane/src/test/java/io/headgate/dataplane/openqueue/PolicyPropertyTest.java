package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each shipped policy, compiled, compared with the reference, which does what it says in the
 * simplest way.
 */
final class PolicyPropertyTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final int STEPS = 2_500;
    private static final int STEP_NS = 1_000;
    private static final int MOST_AT_ONCE = 4;
    private static final int ALL = Binding.ALL;

    static Stream<Path> runnable() throws IOException, PolicyException {
        List<Path> files = new ArrayList<>(Policies.files(Policies.FOLDER));
        files.addAll(Policies.files(Policies.FOLDER.resolve("listings")));
        List<Path> runnable = new ArrayList<>();
        for (Path file : files) {
            if (Policy.of(Policies.source(file), Policies.LIBRARY).notices().isEmpty()) {
                runnable.add(file);
            }
        }
        return runnable.stream();
    }

    @ParameterizedTest
    @MethodSource("runnable")
    void admitsDropsOrdersAndSchedulesAsTheReferenceDoes(Path file) throws PolicyException {
        Policy policy = Policy.of(Policies.source(file), Policies.LIBRARY);
        int count = policy.queues().size();
        boolean selects = policy.ports().getFirst().selection() != null;
        Binding standard = Binding.standard(count, selects);
        compare(policy, standard, SEED);
        compare(
                policy,
                new Binding(
                        Binding.spread(count, selects),
                        FrameValue.LENGTH,
                        FrameValue.INGRESS,
                        FrameValue.TTL,
                        FrameValue.SOURCE,
                        true,
                        true),
                SEED + 1);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void keepsToOrdersOfEveryKind(String order) throws PolicyException {
        String text =
                """
                import "standard.oq"
                by(a, b) = %s
                full(q) = (q.currSize > 0.8 * q.size, drop(0.3).notify).(q.currSize > 9000, mark)
                q1 = Queue(30000); q2 = Queue(20000); q3 = Queue(40000);
                q1.procPrio = by; q2.procPrio = by; q3.procPrio = srpt;
                q1.admPrio = fifo; q2.admPrio = by; q3.admPrio = by;
                q1.congestion = full; q2.congestion = tailDrop;
                b = Buffer(50000, q1, q3);
                b.queuePrio = longer;
                longer(x, y) = x.currSize > y.currSize
                b.congestion = over;
                over(b) = (b.currSize + Packet.size > b.size || Queue.currSize > 30000, drop(0.9))
                out = Port(q3, q1, q2);
                out.schedPrio = heads;
                heads(x, y) = x.getHOL().arrival < y.getHOL().arrival && x.schedState <= y.schedState
                out.postSchedAct = count;
                count(q) = (q.schedState > 5, modify(schedState := 0).mark).
                    (true, modify(schedState := q.schedState + 1))
                """
                        .formatted(order);
        Policy policy = Policies.of(text);
        compare(policy, Binding.standard(3, false), SEED + 2);
    }

    /** Sizes and conditions of queues and of their buffer that say almost the same. */
    @ParameterizedTest
    @MethodSource("full")
    void dropsOnceIfAConditionHitAndAsLongAsSizesAreExceeded(String queue, String buffer)
            throws PolicyException {
        String text =
                """
                import "standard.oq"
                ofQueue(q) = (%s, drop(1))
                ofBuffer(b) = (%s, drop(1))
                q1 = Queue(9000); q2 = Queue(20000.5);
                q1.procPrio = fifo; q2.procPrio = srpt;
                q1.admPrio = most_valuable; q2.admPrio = fifo;
                q1.congestion = ofQueue; q2.congestion = ofQueue;
                b = Buffer(10000, q1, q2);
                b.queuePrio = longer;
                longer(x, y) = x.currSize > y.currSize
                b.congestion = ofBuffer;
                out = Port(q1, q2);
                out.schedPrio = lqf;
                """
                        .formatted(queue, buffer);
        Policy policy = Policies.of(text);
        compare(policy, Binding.standard(2, false), SEED + 3);
        compare(policy, Binding.standard(2, false).countingPackets(true), SEED + 4);
    }

    static Stream<Arguments> full() {
        return Stream.of(
                Arguments.of("q.currSize >= q.size", "b.currSize >= b.size"),
                Arguments.of("Buffer.currSize >= Buffer.size", "Queue.currSize >= Queue.size"),
                Arguments.of("q.currSize > q.size", "b.currSize > 0.9 * b.size"));
    }

    static Stream<String> orders() {
        return Stream.of(
                "a.arrival < b.arrival",
                "a.arrival > b.arrival",
                "b.arrival >= a.arrival",
                "a.value < b.value",
                "a.tos >= b.tos",
                "a.size > b.size",
                "b.size > a.size",
                "a.size * 2 - a.arrival / 100 < b.size * 2 - b.arrival / 100",
                "a.value > b.value || a.value == b.value && !(a.ttl >= b.ttl)",
                "a.queue < b.queue",
                "a.flow / a.size < b.flow / b.size",
                "true",
                "a.policyId != b.policyId");
    }

    private static long counted(Queues queues, PolicyCounter counter) {
        return IntStream.range(0, queues.countedQueues())
                .mapToLong(queue -> queues.counted(counter.ordinal(), queue))
                .sum();
    }

    /** Frames come as they do to a port: many at once, as far as queues take them so. */
    private static List<Frame> lostOf(Queues queues, Frame[] batch) {
        List<Frame> all = new ArrayList<>();
        for (int at = 0; at < batch.length; ) {
            int next = queues.enqueue(batch, at, batch.length);
            for (int i = at; i < next; i++) {
                assertThat(batch[i].priority).isEqualTo(batch[at].priority);
            }
            if (next == at) {
                Frame lost = queues.enqueue(batch[at]);
                for (; lost != null; lost = queues.alsoLost()) {
                    all.add(lost);
                }
                next++;
            }
            at = next;
        }
        return all;
    }

    private static void compare(Policy policy, Binding binding, long seed) {
        PolicyPlan plan = PolicyPlan.of(policy, binding);
        Queues queues = new CompiledPolicy(plan).queues(NamedRandom.of(seed, "p1", "policy"));
        ReferencePolicy reference =
                new ReferencePolicy(policy, binding, NamedRandom.of(seed, "p1", "policy"));
        Random random = new Random(seed);
        PacketMaker maker = new PacketMaker(STEPS * MOST_AT_ONCE);
        Pacer pacer = new Pacer(400_000_000_000L, STEP_NS, WireFormat.ETHERNET);
        for (int step = 0; step < STEPS; step++) {
            long nowNs = (long) step * STEP_NS;
            // Some time of filling, some of emptying.
            boolean comes = random.nextInt(100) < (step / 500 % 2 == 0 ? 60 : 20);
            if (comes) {
                Frame[] batch = new Frame[1 + random.nextInt(MOST_AT_ONCE)];
                Arrays.setAll(batch, _ -> maker.frame(random));
                List<Frame> expected = new ArrayList<>();
                for (Frame frame : batch) {
                    expected.addAll(reference.enqueue(frame, nowNs));
                }
                queues.arriving(nowNs);
                assertThat(lostOf(queues, batch)).as("lost at step %d", step).isEqualTo(expected);
            } else {
                int eligible = random.nextInt(4) > 0 ? ALL : random.nextInt(256);
                queues.eligible(eligible);
                Frame[] started = new Frame[1 + random.nextInt(MOST_AT_ONCE)];
                pacer.resume(nowNs, nowNs - STEP_NS);
                int count =
                        random.nextBoolean()
                                ? queues.dequeue(nowNs, pacer, started)
                                : queues.dequeue(nowNs, pacer, started, 0, Gate.OPEN);
                for (int i = 0; i < count; i++) {
                    assertThat(started[i])
                            .as("started at step %d", step)
                            .isSameAs(reference.dequeue(eligible));
                }
                if (count < started.length && pacer.mayStart(nowNs)) {
                    assertThat(reference.dequeue(eligible)).as("at step %d", step).isNull();
                }
            }
            assertThat(queues.frames()).isEqualTo(reference.waiting());
        }
        assertThat(
                        counted(queues, PolicyCounter.MARKED)
                                + counted(queues, PolicyCounter.CAME_MARKED)
                                + counted(queues, PolicyCounter.INCAPABLE))
                .isEqualTo(reference.marks);
        assertThat(counted(queues, PolicyCounter.EVENTS)).isEqualTo(reference.notices);
        for (int queue = 0; queue < queues.countedQueues(); queue++) {
            reference.check(queues, queue);
        }
        assertThat(queues.bytes()).isEqualTo(reference.waitingBytes());
    }
}
