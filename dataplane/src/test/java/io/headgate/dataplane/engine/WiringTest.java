package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Channels hold what can be in them, and no more than the next power of two. */
class WiringTest {
    /** Three ports, and the local one. */
    private static final int[] SLOTS = {100, 200, 300, 16};

    private static final EngineHost HOST = new PolledHost(0, 0);

    private static List<Integer> rings(Wiring wiring, int half) {
        List<Integer> capacities = new ArrayList<>();
        for (FrameChannel channel : wiring.towards(half)) {
            if (channel instanceof FrameChannel.Ring ring) {
                capacities.add(ring.capacity());
            }
        }
        return capacities;
    }

    private static Wiring wiring(WorkerPlan plan) {
        return new Wiring(plan, new DutyNumbers(SLOTS.length, false), HOST, SLOTS);
    }

    @Test
    void withAWorkerForEachHalfRingsHoldOnePortsSlots() {
        WorkerPlan plan = new WorkerPlan(7, List.of(0, 1, 2, 3, 4, 5, 6, 6, 6));
        Wiring wiring = wiring(plan);
        for (int port = 0; port < 3; port++) {
            // From the three ingress halves' workers and the local port's; none from egress halves.
            assertThat(rings(wiring, FrameOutbox.egressHalf(port)))
                    .containsExactly(128, 256, 512, 16);
        }
        // Slots come home from the three egress halves' workers, and the local port's.
        assertThat(rings(wiring, FrameOutbox.ingressHalf(0))).containsExactly(128, 128, 128, 128);
        assertThat(rings(wiring, FrameOutbox.ingressHalf(2))).containsExactly(512, 512, 512, 512);
        assertThat(rings(wiring, FrameOutbox.ingressHalf(3))).containsExactly(16, 16, 16);
        assertThat(rings(wiring, FrameOutbox.egressHalf(3))).containsExactly(128, 256, 512);
    }

    @Test
    void withAWorkerForSeveralPortsAForwardRingHoldsTheSlotsOfAllOfThem() {
        WorkerPlan plan = new WorkerPlan(2, List.of(0, 0, 1, 1, 0, 0, 0, 0, 0));
        Wiring wiring = wiring(plan);
        // 100, 300 and 16 on the one, 200 on the other.
        assertThat(rings(wiring, FrameOutbox.egressHalf(1))).containsExactly(512);
        assertThat(rings(wiring, FrameOutbox.egressHalf(0))).containsExactly(256);
        assertThat(rings(wiring, FrameOutbox.ingressHalf(0))).containsExactly(128);
        assertThat(rings(wiring, FrameOutbox.ingressHalf(1))).containsExactly(256);
        assertThat(wiring.towards(FrameOutbox.egressHalf(0))).hasSize(2);
        assertThat(wiring.towards(FrameOutbox.ingressHalf(0))).hasSize(1);
    }

    @Test
    void aSingleWorkerNeedsNoRing() {
        Wiring wiring = wiring(WorkerPlan.single(3));
        for (int port = 0; port < SLOTS.length; port++) {
            assertThat(wiring.towards(FrameOutbox.ingressHalf(port))).isEmpty();
            assertThat(wiring.towards(FrameOutbox.egressHalf(port)))
                    .singleElement()
                    .isInstanceOf(FrameChannel.Local.class);
        }
    }
}
