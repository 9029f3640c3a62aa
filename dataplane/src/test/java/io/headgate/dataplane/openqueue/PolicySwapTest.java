package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Queues of policies in the place of others, and frames taken out of their midst. */
final class PolicySwapTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final int SWAPS = 600;
    private static final int FRAMES_BETWEEN = 40;
    private static final int PRIORITIES = 8;

    /** Those that keep the order of each priority. */
    private static final List<String> POLICIES =
            List.of(
                    "tail-drop",
                    "lqd",
                    "push-out",
                    "strict",
                    "drr",
                    "crr",
                    "wrr",
                    "lqf",
                    "sqf",
                    "ecn",
                    "fifo",
                    "fifo-by-number");

    private final Random random = new Random(SEED);
    private final Pacer pacer = new Pacer(400_000_000_000L, 0, WireFormat.ETHERNET);
    private long timeNs;

    private static Queues queues(String name) throws IOException, PolicyException {
        Policy policy =
                Policy.of(Policies.source(Policies.FOLDER.resolve(name + ".oq")), Policies.LIBRARY);
        Binding binding = Binding.standard(policy.queues().size(), false).countingPackets(true);
        return new CompiledPolicy(PolicyPlan.of(policy, binding))
                .queues(NamedRandom.of(SEED, "p1", "policy"));
    }

    private Frame start(Queues queues) {
        timeNs += 1_000;
        Frame[] started = new Frame[1];
        pacer.resume(timeNs, timeNs);
        assertThat(queues.dequeue(timeNs, pacer, started, 0, Gate.OPEN)).isEqualTo(1);
        return started[0];
    }

    @Test
    void nothingIsLostOrOvertakenWhilePoliciesTakeTurns() throws Exception {
        PacketMaker maker = new PacketMaker(SWAPS * FRAMES_BETWEEN);
        long[] latest = new long[PRIORITIES];
        Queues queues = queues("tail-drop");
        int came = 0;
        int left = 0;
        for (int swap = 0; swap < SWAPS; swap++) {
            for (int i = 0; i < FRAMES_BETWEEN; i++) {
                Frame frame = maker.frame(random);
                queues.arriving(timeNs);
                assertThat(queues.enqueue(frame)).isNull();
                came++;
                // Nearly as many leave as come, so that many wait at each swap.
                if (random.nextInt(100) < 98) {
                    Frame started = start(queues);
                    assertThat(started.packetId).isGreaterThan(latest[started.priority]);
                    latest[started.priority] = started.packetId;
                    left++;
                }
            }
            assertThat(queues.frames()).isEqualTo(came - left);
            // Now and then the built-in queues, from which policies also take over.
            Queues next =
                    swap % 17 == 0
                            ? new PriorityQueues(1_000_000_000)
                            : queues(POLICIES.get(random.nextInt(POLICIES.size())));
            queues.handOver(next);
            assertThat(queues.isEmpty()).isTrue();
            queues = next;
        }
        assertThat(came - left).isGreaterThan(100);
        while (!queues.isEmpty()) {
            Frame started = start(queues);
            assertThat(started.packetId).isGreaterThan(latest[started.priority]);
            latest[started.priority] = started.packetId;
            left++;
        }
        assertThat(left).isEqualTo(came);
    }

    @Test
    void theFirstFrameOfAFlowIsTakenOutAndTheOthersKeepTheirOrder() throws Exception {
        for (String name : POLICIES) {
            Queues queues = queues(name);
            PacketMaker maker = new PacketMaker(400);
            List<Frame> waiting = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                Frame frame = maker.frame(random);
                queues.arriving(timeNs);
                assertThat(queues.enqueue(frame)).isNull();
                waiting.add(frame);
            }
            for (int i = 0; i < 100; i++) {
                int priority = random.nextInt(PRIORITIES);
                int port = random.nextInt(4);
                FrameFilter filter = frame -> frame.ingressPort == port;
                Frame expected =
                        waiting.stream()
                                .filter(f -> f.priority == priority && f.ingressPort == port)
                                .findFirst()
                                .orElse(null);
                assertThat(queues.extract(priority, filter)).as(name).isSameAs(expected);
                waiting.remove(expected);
                assertThat(queues.frames()).isEqualTo(waiting.size());
            }
            for (int priority = 0; priority < PRIORITIES; priority++) {
                int own = priority;
                assertThat(queues.waiting(priority))
                        .as(name)
                        .containsExactly(
                                waiting.stream()
                                        .filter(frame -> frame.priority == own)
                                        .toArray(Frame[]::new));
            }
            long[] latest = new long[PRIORITIES];
            Arrays.fill(latest, -1);
            for (int count = waiting.size(); count > 0; count--) {
                Frame started = start(queues);
                assertThat(started.arrival).as(name).isGreaterThan(latest[started.priority]);
                latest[started.priority] = started.arrival;
            }
            assertThat(queues.isEmpty()).isTrue();
            assertThat(queues.bytes()).isZero();
        }
    }
}
