package io.headgate.dataplane.escape;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.flows.QueuedFlowsTest;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Flows that ask for tokens of a pool, each of which is held for a time. */
final class TurnsTest {
    private static final int PRIORITY = 3;
    private static final long HELD_NS = 100;
    private static final long PATIENCE_NS = 300;
    private static final FiveTuple ANY = new FiveTuple();

    private final FrameRegion region = new FrameRegion(1, 2048);
    private final KnownFlows flows = new KnownFlows(4, new TokenPool(1, 1 << PRIORITY, 4));
    private final Turns turns = flows.turns();
    private TokenPool pool = new TokenPool(1, 1 << PRIORITY, 0);

    private void know(int flow, int priority) {
        flows.arrived(QueuedFlowsTest.datagram(region, 0, flow, priority, 0));
    }

    /** What {@link TokenManager} does about a token that has found no frame. */
    private boolean passes(long nowNs, int flow) {
        pool.reclaim(nowNs - HELD_NS);
        if (turns.mayPass(nowNs, flow, pool.left(PRIORITY)) && pool.take(nowNs, PRIORITY, ANY)) {
            turns.over(flow);
            return true;
        }
        turns.refused(nowNs, flow, PATIENCE_NS);
        return false;
    }

    @Test
    void flowsThatAskAtTheSameTimesHaveOneInTurn() {
        for (int flow = 0; flow < 3; flow++) {
            know(flow, PRIORITY);
        }
        int[] had = new int[3];
        for (long round = 1; round <= 30; round++) {
            for (int flow = 0; flow < had.length; flow++) {
                if (passes(200 * round + flow, flow)) {
                    had[flow]++;
                }
            }
        }
        assertThat(had).containsOnly(10);
    }

    /** The other asks again as soon as the token is back, and just before it, each time. */
    @Test
    void aFlowThatAsksRarelyHasItsTurnToo() {
        know(0, PRIORITY);
        know(1, PRIORITY);
        long gapNs = 20 * PATIENCE_NS;
        int had = 0;
        for (long nowNs = 0; nowNs < 40 * gapNs; nowNs += 10) {
            passes(nowNs, 0);
            if (nowNs % gapNs == gapNs / 2 && passes(nowNs + 1, 1)) {
                had++;
            }
        }
        // Six refusals until it is waited for through a gap, then its turn.
        assertThat(had).isBetween(40 / 7, 40);
        assertThat(turns.longestPatienceNs()).isBetween(gapNs, 2 * gapNs);
    }

    @Test
    void aFlowThatAsksNoMoreIsNotWaitedFor() {
        know(0, PRIORITY);
        know(1, PRIORITY);
        assertThat(passes(0, 0)).isTrue();
        assertThat(passes(1, 1)).isFalse();
        assertThat(passes(PATIENCE_NS, 0)).isFalse();
        assertThat(passes(PATIENCE_NS + 1, 0)).isFalse();
        assertThat(passes(PATIENCE_NS + 2, 0)).isTrue();
    }

    @Test
    void othersHaveWhatIsLeftBesideIt() {
        pool = new TokenPool(2, 1 << PRIORITY, 0);
        for (int flow = 0; flow < 3; flow++) {
            know(flow, PRIORITY);
            assertThat(passes(flow, flow)).isEqualTo(flow < 2);
        }
        assertThat(passes(110, 0)).isTrue();
        assertThat(passes(111, 1)).isFalse();
        assertThat(passes(112, 2)).isTrue();
    }

    @Test
    void aFlowThatIsNotKnownAnyMoreIsNotWaitedFor() {
        for (int flow = 0; flow < 4; flow++) {
            know(flow, PRIORITY);
        }
        assertThat(passes(0, 1)).isTrue();
        assertThat(passes(1, 0)).isFalse();
        know(4, PRIORITY); // in the place of the first
        assertThat(passes(HELD_NS, 1)).isTrue();
    }

    @Test
    void flowsOfAnotherPriorityHaveTurnsOfTheirOwn() {
        know(0, PRIORITY);
        know(1, PRIORITY + 1);
        turns.refused(0, 1, PATIENCE_NS);
        assertThat(passes(1, 0)).isTrue();
    }

    /**
     * What the check of blocked flows takes from the switch rather than derive it: that is at most
     * twice the longest time in which a flow that waits asked once more.
     */
    @Test
    void noFlowIsWaitedForLongerThanTwiceTheTimeBetweenItsTokens() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            int flowsThatAsk = 2 + random.nextInt(3);
            KnownFlows known = new KnownFlows(4, new TokenPool(1, 1 << PRIORITY, 4));
            TokenPool shared = new TokenPool(1, 1 << PRIORITY, 0);
            long[] askedNs = new long[flowsThatAsk];
            Arrays.fill(askedNs, -1);
            for (int flow = 0; flow < flowsThatAsk; flow++) {
                known.arrived(QueuedFlowsTest.datagram(region, 0, flow, PRIORITY, 0));
            }
            long longestNs = PATIENCE_NS / 2;
            long nowNs = 0;
            for (int ask = 0; ask < 300; ask++) {
                // Mostly soon, at times only after many times the patience.
                nowNs += 1L + random.nextInt(1 << random.nextInt(13));
                int flow = random.nextInt(flowsThatAsk);
                if (askedNs[flow] >= 0) {
                    longestNs = Math.max(longestNs, nowNs - askedNs[flow]);
                }
                shared.reclaim(nowNs - HELD_NS);
                if (known.turns().mayPass(nowNs, flow, shared.left(PRIORITY))
                        && shared.take(nowNs, PRIORITY, ANY)) {
                    known.turns().over(flow);
                    askedNs[flow] = -1;
                } else {
                    known.turns().refused(nowNs, flow, PATIENCE_NS);
                    askedNs[flow] = nowNs;
                }
                assertThat(known.turns().longestPatienceNs()).isLessThanOrEqualTo(2 * longestNs);
            }
            assertThat(known.turns().longestPatienceNs()).isGreaterThan(PATIENCE_NS);
        }
    }
}
