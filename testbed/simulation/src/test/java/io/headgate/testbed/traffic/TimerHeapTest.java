package io.headgate.testbed.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class TimerHeapTest {

    @Test
    void answersInOrderOfTimeThenOfOrder() {
        long seed = 3;
        NamedRandom random = NamedRandom.of(seed, "heap", "test");
        HandDriven bed = new HandDriven(2, 1);
        TimerHeap heap = new TimerHeap();
        PriorityQueue<Flow> expected =
                new PriorityQueue<>(
                        Comparator.<Flow>comparingLong(flow -> flow.duePs)
                                .thenComparingInt(flow -> flow.order));
        for (int step = 0; step < 100_000; step++) {
            if (expected.isEmpty() || random.nextInt(100) < 51) {
                Flow flow =
                        new Flow(
                                bed.host(0).device.scheduler(),
                                0,
                                step,
                                bed.traffic.group("g"),
                                FrameShape.udp(60));
                flow.duePs = random.nextInt(1000);
                heap.add(flow);
                expected.add(flow);
            } else {
                Flow next = expected.remove();
                assertThat(heap.nextPs()).as("seed %d", seed).isEqualTo(next.duePs);
                assertThat(heap.poll()).as("seed %d", seed).isSameAs(next);
                assertThat(next.heapIndex).isEqualTo(Timed.NOT_WAITING);
            }
            assertThat(heap.size()).isEqualTo(expected.size());
        }
    }
}
