package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.FiveTuple;
import org.junit.jupiter.api.Test;

final class TokenPoolTest {
    private static final int PRIORITY = 3;
    private static final long KEEP_NS = 1_000;
    private static final long RECLAIM_NS = 100;

    private static FiveTuple flow(int number) {
        FiveTuple flow = new FiveTuple();
        flow.word(0, number);
        return flow;
    }

    @Test
    void whoAsksAtTheSameTimesGetsOneInTurn() {
        TokenPool pool = new TokenPool(1, 1 << PRIORITY);
        int[] had = new int[3];
        for (long round = 1; round <= 30; round++) {
            long nowNs = round * 200;
            pool.reclaim(nowNs - RECLAIM_NS);
            for (int flow = 0; flow < had.length; flow++) {
                if (pool.takeInTurn(nowNs + flow, PRIORITY, flow(flow), KEEP_NS)) {
                    had[flow]++;
                }
            }
        }
        assertThat(had).containsOnly(10);
    }

    @Test
    void oneIsKeptForAWhileOnly() {
        TokenPool pool = new TokenPool(1, 1 << PRIORITY);
        assertThat(pool.takeInTurn(0, PRIORITY, flow(1), KEEP_NS)).isTrue();
        assertThat(pool.takeInTurn(1, PRIORITY, flow(2), KEEP_NS)).isFalse();
        assertThat(pool.reclaim(0)).isEqualTo(1);
        assertThat(pool.takeInTurn(KEEP_NS, PRIORITY, flow(1), KEEP_NS)).isFalse();
        assertThat(pool.takeInTurn(KEEP_NS + 1, PRIORITY, flow(1), KEEP_NS)).isTrue();
    }

    @Test
    void othersGetWhatIsLeftBesideIt() {
        TokenPool pool = new TokenPool(2, 1 << PRIORITY);
        for (int flow = 1; flow <= 3; flow++) {
            assertThat(pool.takeInTurn(flow, PRIORITY, flow(flow), KEEP_NS)).isEqualTo(flow < 3);
        }
        assertThat(pool.reclaim(10)).isEqualTo(2);
        assertThat(pool.takeInTurn(11, PRIORITY, flow(1), KEEP_NS)).isTrue();
        assertThat(pool.takeInTurn(12, PRIORITY, flow(2), KEEP_NS)).isFalse();
        assertThat(pool.takeInTurn(13, PRIORITY, flow(3), KEEP_NS)).isTrue();
    }
}
