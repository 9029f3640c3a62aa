package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A ring of frames that are sent in order, dropped by value, and taken out anywhere. */
class PushOutRingTest {
    private static final int FRAMES = 400;

    private final Random random = new Random(1);
    private final Pacer pacer = new Pacer(400_000_000_000L, 1_000_000, WireFormat.ETHERNET);
    private final Deque<Frame> idle = new ArrayDeque<>();
    private final Queues queues;
    private long timeNs;

    PushOutRingTest() throws Exception {
        Path file = Policies.FOLDER.resolve("push-out.oq");
        Policy policy = Policy.of(Policies.source(file), Policies.LIBRARY);
        PolicyPlan plan = PolicyPlan.of(policy, Binding.standard(1, false));
        assertThat(plan.needsOnlyLists()).isTrue();
        queues = new CompiledPolicy(plan).queues(NamedRandom.of(1, "p1", "policy"));
        PacketMaker maker = new PacketMaker(FRAMES);
        for (int i = 0; i < FRAMES; i++) {
            idle.add(maker.frame(random));
        }
    }

    @Test
    void isInTheOrderOfAListWhereverFramesAreTakenOut() {
        List<Frame> list = new ArrayList<>();
        Frame[] started = new Frame[8];
        for (int step = 0; step < 50_000; step++) {
            // Now it is rather full, now rather empty.
            boolean fills = step / 2000 % 2 == 0;
            if (!idle.isEmpty() && random.nextInt(100) < (fills ? 80 : 30)) {
                Frame frame = idle.remove();
                frame.priority = random.nextInt(8);
                list.add(frame);
                for (Frame lost = queues.enqueue(frame); lost != null; lost = queues.alsoLost()) {
                    Frame least = least(list);
                    assertThat(lost).isSameAs(least);
                    list.remove(least);
                    idle.add(least);
                }
            } else if (random.nextInt(4) == 0) {
                int priority = random.nextInt(8);
                int port = random.nextInt(4);
                Frame taken = queues.extract(priority, frame -> frame.ingressPort == port);
                Frame first =
                        list.stream()
                                .filter(f -> f.priority == priority && f.ingressPort == port)
                                .findFirst()
                                .orElse(null);
                assertThat(taken).isSameAs(first);
                if (first != null) {
                    list.remove(first);
                    idle.add(first);
                }
            } else {
                int count = dequeue(started);
                assertThat(Arrays.asList(started).subList(0, count))
                        .containsExactlyElementsOf(list.subList(0, Math.min(8, list.size())));
                idle.addAll(list.subList(0, count));
                list.subList(0, count).clear();
            }
            assertThat(queues.frames()).isEqualTo(list.size());
        }
    }

    private int dequeue(Frame[] into) {
        timeNs += 1_000_000;
        pacer.resume(timeNs, timeNs - 1_000_000);
        return queues.dequeue(timeNs, pacer, into);
    }

    /** The newest of the least value. */
    private static Frame least(List<Frame> list) {
        Frame least = list.getLast();
        for (Frame frame : list.reversed()) {
            least = frame.priority < least.priority ? frame : least;
        }
        return least;
    }

    @Test
    void aFullQueueInWhichFramesArePushedOutAllocatesNothing() {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Frame[] started = new Frame[1];
        long before = 0;
        for (int i = 0; i < 200_000; i++) {
            if (i == 100_000) {
                before = thread.getCurrentThreadAllocatedBytes();
            }
            Frame next = idle.remove();
            next.priority = i & 7;
            for (Frame lost = queues.enqueue(next); lost != null; lost = queues.alsoLost()) {
                idle.add(lost);
            }
            if (i % 4 == 0 && dequeue(started) == 1) {
                idle.add(started[0]);
            }
        }
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    }

    @Test
    void longerRunsThanThereIsRoomForAreTaken() throws Exception {
        PolicyPlan plan =
                PolicyPlan.of(
                        Policy.of(
                                Policies.source(Policies.FOLDER.resolve("tail-drop.oq")),
                                Policies.LIBRARY),
                        Binding.standard(1, false).countingPackets(true));
        Queues fifo = new CompiledPolicy(plan).queues(NamedRandom.of(1, "p1", "policy"));
        Frame[] run = idle.toArray(Frame[]::new);
        for (Frame frame : run) {
            frame.priority = 3;
        }
        assertThat(fifo.enqueue(run, 0, 10)).isEqualTo(10);
        assertThat(fifo.enqueue(run, 10, 75)).isEqualTo(75);
        assertThat(fifo.enqueue(run, 75, FRAMES)).isEqualTo(FRAMES);
        assertThat(fifo.waiting(3)).containsExactly(run);
    }
}
