package io.headgate.dataplane.icc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.random.NamedRandom;
import org.junit.jupiter.api.Test;

/** Flows by the hashes of their frames, with windows of 50 us. */
class FlowCountTest {
    private static final long WINDOW_NS = 50_000;

    private final FlowCount flows = new FlowCount(WINDOW_NS);

    private static int hash(long flow) {
        return (int) NamedRandom.mix(flow);
    }

    private void come(long nowNs, int from, int to) {
        for (int flow = from; flow < to; flow++) {
            flows.arrived(nowNs, hash(flow));
            flows.arrived(nowNs, hash(flow));
        }
    }

    @Test
    void aFlowCountsOnceHoweverManyFramesItHas() {
        assertThat(flows.flows(0)).isZero();
        come(0, 0, 1);
        assertThat(flows.flows(0)).isEqualTo(1);
        come(10_000, 0, 10);
        assertThat(flows.flows(10_000)).isEqualTo(10);
    }

    @Test
    void aFlowIsForgottenBetweenOneAndTwoWindowsAfterItsLastFrame() {
        come(10_000, 0, 10);
        come(60_000, 5, 15);
        assertThat(flows.flows(60_000)).isEqualTo(15);
        assertThat(flows.flows(99_000)).isEqualTo(15);
        assertThat(flows.flows(100_000)).isEqualTo(10);
        assertThat(flows.flows(150_000)).isZero();
        come(500_000, 0, 3);
        assertThat(flows.flows(500_000)).isEqualTo(3);
        flows.clear();
        assertThat(flows.flows(500_000)).isZero();
    }

    @Test
    void manyAreCountedWithinThreePercent() {
        for (int many : new int[] {100, 1_000, 4_000}) {
            flows.clear();
            come(0, 0, many);
            assertThat((double) flows.flows(0)).isCloseTo(many, within(many * 0.03));
        }
        come(0, 0, 100_000);
        assertThat(flows.flows(0)).as("more than it can tell").isGreaterThan(10_000);
    }
}
