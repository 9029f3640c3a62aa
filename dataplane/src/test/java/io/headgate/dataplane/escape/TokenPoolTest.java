package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.FiveTuple;
import org.junit.jupiter.api.Test;

final class TokenPoolTest {
    private static final int PRIORITY = 3;
    private static final long RESERVE_NS = 1_000;
    private static final long RECLAIM_NS = 100;

    private static FiveTuple flow(int number) {
        FiveTuple flow = new FiveTuple();
        flow.word(0, number);
        return flow;
    }

    private static boolean takes(
            TokenPool pool, long nowNs, int priority, FiveTuple flow, long reserveNs) {
        boolean isTaken = pool.takeUnlessReserved(nowNs, priority, flow, reserveNs);
        if (isTaken) {
            pool.served(priority, flow);
        }
        return isTaken;
    }

    @Test
    void whoAsksAtTheSameTimesGetsOneInTurn() {
        TokenPool pool = new TokenPool(1, 1 << PRIORITY);
        int[] had = new int[3];
        for (long round = 1; round <= 30; round++) {
            long nowNs = round * 200;
            pool.reclaim(nowNs - RECLAIM_NS);
            for (int flow = 0; flow < had.length; flow++) {
                if (takes(pool, nowNs + flow, PRIORITY, flow(flow), RESERVE_NS)) {
                    had[flow]++;
                }
            }
        }
        assertThat(had).containsOnly(10);
    }

    @Test
    void oneIsReservedForAWhileOnly() {
        TokenPool pool = new TokenPool(1, 1 << PRIORITY);
        assertThat(takes(pool, 0, PRIORITY, flow(1), RESERVE_NS)).isTrue();
        assertThat(takes(pool, 1, PRIORITY, flow(2), RESERVE_NS)).isFalse();
        assertThat(pool.reclaim(0)).isEqualTo(1);
        assertThat(takes(pool, RESERVE_NS, PRIORITY, flow(1), RESERVE_NS)).isFalse();
        assertThat(takes(pool, RESERVE_NS + 1, PRIORITY, flow(1), RESERVE_NS)).isTrue();
    }

    @Test
    void othersGetWhatIsLeftBesideIt() {
        TokenPool pool = new TokenPool(2, 1 << PRIORITY);
        for (int flow = 1; flow <= 3; flow++) {
            assertThat(takes(pool, flow, PRIORITY, flow(flow), RESERVE_NS)).isEqualTo(flow < 3);
        }
        assertThat(pool.reclaim(10)).isEqualTo(2);
        assertThat(takes(pool, 11, PRIORITY, flow(1), RESERVE_NS)).isTrue();
        assertThat(takes(pool, 12, PRIORITY, flow(2), RESERVE_NS)).isFalse();
        assertThat(takes(pool, 13, PRIORITY, flow(3), RESERVE_NS)).isTrue();
    }

    @Test
    void whoCouldNotSendItHasItReservedStill() {
        TokenPool pool = new TokenPool(1, 1 << PRIORITY);
        assertThat(takes(pool, 0, PRIORITY, flow(1), RESERVE_NS)).isTrue();
        assertThat(takes(pool, 1, PRIORITY, flow(2), RESERVE_NS)).isFalse();
        assertThat(pool.reclaim(0)).isEqualTo(1);
        assertThat(pool.takeUnlessReserved(2, PRIORITY, flow(2), RESERVE_NS)).isTrue();
        pool.putBack();
        assertThat(takes(pool, 3, PRIORITY, flow(1), RESERVE_NS)).isFalse();
        assertThat(takes(pool, 4, PRIORITY, flow(2), RESERVE_NS)).isTrue();
    }
}
