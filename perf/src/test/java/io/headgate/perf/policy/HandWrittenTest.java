package io.headgate.perf.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is written by hand must do what the compiled policy does: else to compare them says nothing.
 */
class HandWrittenTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_126L);
    private static final int STEPS = 4_000;
    private static final int STEP_NS = 1_000;
    private static final int MOST_AT_ONCE = 24;

    /** Queues with frames of their own, identified by their numbers. */
    private static final class Port {
        private final Queues queues;
        private final Random random = new Random(SEED);
        private final FrameRegion region = new FrameRegion(STEPS * MOST_AT_ONCE, 512);
        private final Pacer pacer = new Pacer(400_000_000_000L, STEP_NS, WireFormat.ETHERNET);
        private final List<String> said = new ArrayList<>();
        private int made;

        Port(String name) {
            queues = PolicyPort.queues(name, 0);
        }

        private Frame frame() {
            Frame frame = region.frame(made++);
            frame.arrival = made;
            frame.lengthBytes = 60 + random.nextInt(1_455);
            frame.priority = random.nextInt(8);
            frame.etherType = EtherType.IPV4;
            frame.ipOffset = Ethernet.HEADER_BYTES;
            long service = frame.dataOffset + frame.ipOffset + Ipv4.TRAFFIC_CLASS_OFFSET;
            Wire.put8(FrameRegion.MEMORY, service, random.nextInt(256));
            return frame;
        }

        void step(int step) {
            long nowNs = (long) step * STEP_NS;
            // Some time of filling, some of emptying.
            if (random.nextInt(100) < (step / 500 % 2 == 0 ? 60 : 20)) {
                Frame[] batch = new Frame[1 + random.nextInt(MOST_AT_ONCE)];
                for (int i = 0; i < batch.length; i++) {
                    batch[i] = frame();
                }
                queues.arriving(nowNs);
                come(batch);
            } else {
                int eligible = random.nextInt(4) > 0 ? 0xFF : random.nextInt(256);
                queues.eligible(eligible);
                said.add("ready " + queues.ready());
                go(nowNs);
            }
            for (int priority = 0; priority < 8; priority++) {
                said.add(queues.frames(priority) + " " + queues.bytes(priority));
            }
            said.add(queues.frames() + " " + queues.bytes() + " " + queues.occupied());
        }

        private void come(Frame[] batch) {
            for (int at = 0; at < batch.length; ) {
                int next = queues.enqueue(batch, at, batch.length);
                if (next == at) {
                    Frame lost = queues.enqueue(batch[at]);
                    for (; lost != null; lost = queues.alsoLost()) {
                        said.add("lost " + lost.slot);
                    }
                    next++;
                }
                said.add("next " + next);
                at = next;
            }
        }

        private void go(long nowNs) {
            Frame[] started = new Frame[1 + random.nextInt(MOST_AT_ONCE)];
            pacer.resume(nowNs, nowNs - STEP_NS);
            int count =
                    random.nextBoolean()
                            ? queues.dequeue(nowNs, pacer, started)
                            : queues.dequeue(nowNs, pacer, started, 0, Gate.OPEN);
            for (int i = 0; i < count; i++) {
                said.add("started " + started[i].slot);
            }
        }

        List<String> counts() {
            List<String> counts = new ArrayList<>();
            for (int queue = 0; queue < queues.countedQueues(); queue++) {
                for (PolicyCounter counter : PolicyCounter.values()) {
                    counts.add(counter + " " + queues.counted(counter.ordinal(), queue));
                }
            }
            return counts;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"push-out", "lqd", "algorithm-c"})
    void doesWhatTheCompiledPolicyDoes(String policy) {
        Port compiled = new Port(policy);
        Port byHand = new Port(policy + PolicyPort.BY_HAND);
        for (int step = 0; step < STEPS; step++) {
            compiled.step(step);
            byHand.step(step);
            assertThat(byHand.said).as("step %d", step).isEqualTo(compiled.said);
            compiled.said.clear();
            byHand.said.clear();
        }
        assertThat(byHand.counts()).isEqualTo(compiled.counts());
        assertThat(compiled.counts().toString())
                .doesNotContain("PUSHED_OUT 0, MARKED 0, CAME_MARKED 0, INCAPABLE 0, EVENTS 0]");
    }
}
