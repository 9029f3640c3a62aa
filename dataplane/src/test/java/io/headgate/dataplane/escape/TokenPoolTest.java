package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.FiveTuple;
import org.junit.jupiter.api.Test;

/** How the flows of a port share its tokens. */
final class TokenPoolTest {
    private static final int PRIORITY = 3;
    private static final int TOKENS = 6;
    private static final long HELD_NS = 100;

    private final TokenPool pool = new TokenPool(TOKENS, 1 << PRIORITY, 8);

    private static FiveTuple flow(int number) {
        FiveTuple flow = new FiveTuple();
        flow.word(0, number);
        return flow;
    }

    /** Tokens that a flow gets when it may have all that it is allowed; they stay under way. */
    private int takeAll(long nowNs, int flow) {
        int taken = 0;
        while (pool.take(nowNs, PRIORITY, flow(flow), flow)) {
            taken++;
        }
        return taken;
    }

    private void framesCome(int count, int flow) {
        for (int i = 0; i < count; i++) {
            assertThat(pool.arrived(PRIORITY, flow(flow))).isTrue();
            pool.gone(PRIORITY);
        }
    }

    @Test
    void aFlowWithNothingToSendHoldsOneToken() {
        assertThat(takeAll(0, 0)).isEqualTo(1);
        assertThat(pool.reclaim(-1)).isZero();
        assertThat(takeAll(HELD_NS - 1, 0)).isZero();
        assertThat(pool.reclaim(0)).isEqualTo(1);
        assertThat(takeAll(HELD_NS, 0)).isEqualTo(1);
    }

    @Test
    void whoseTokensFindFramesHasMoreEachTime() {
        for (int round : new int[] {1, 2, 4, TOKENS, TOKENS}) {
            assertThat(takeAll(0, 0)).isEqualTo(round);
            framesCome(round, 0);
        }
        assertThat(pool.isFull()).isTrue();
    }

    /** Four flows have ended, and one is blocked: it has all but their four. */
    @Test
    void aBlockedFlowHasWhatFlowsThatEndedLeave() {
        int found = 0;
        for (long nowNs = 0; nowNs < 100 * HELD_NS; nowNs += HELD_NS / 10) {
            pool.reclaim(nowNs - HELD_NS);
            for (int flow = 1; flow <= 4; flow++) {
                assertThat(takeAll(nowNs, flow)).isLessThanOrEqualTo(1);
            }
            int taken = takeAll(nowNs, 0);
            framesCome(taken, 0);
            found += taken;
        }
        assertThat(found).isBetween(2 * 990, 2 * 1100);
    }

    @Test
    void afterATokenInVainItBeginsWithOneAgain() {
        framesCome(takeAll(0, 0), 0);
        framesCome(takeAll(0, 0), 0);
        assertThat(takeAll(0, 0)).isEqualTo(4);
        framesCome(3, 0);
        assertThat(pool.reclaim(0)).isEqualTo(1);
        assertThat(takeAll(HELD_NS, 0)).isEqualTo(1);
    }

    @Test
    void whatIsUnderWayForAFlowThatIsKnownNoMoreIsNotThatOfTheNextOne() {
        framesCome(takeAll(0, 0), 0);
        assertThat(takeAll(0, 0)).isEqualTo(2);
        pool.replaced(0);
        assertThat(pool.take(0, PRIORITY, flow(7), 0)).isTrue();
        assertThat(pool.take(0, PRIORITY, flow(7), 0)).isFalse();
        framesCome(2, 0);
        assertThat(pool.take(0, PRIORITY, flow(7), 0)).isFalse();
        framesCome(1, 7);
        assertThat(pool.isFull()).isTrue();
    }
}
