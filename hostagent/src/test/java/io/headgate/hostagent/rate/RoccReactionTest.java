package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Algorithm 2 of RoCC: whom a flow follows, and for how long. */
class RoccReactionTest {
    private static final long LINE = 40_000_000_000L;
    private static final long RECOVERY = 55_000;
    private static final int KIND = 0x1003;
    private static final long HERE = 1;
    private static final long THERE = 2;

    private final RoccReaction reaction = begun(0);

    private static RoccReaction begun(long delayNs) {
        RoccReaction reaction = new RoccReaction(delayNs, RECOVERY);
        reaction.begin(0, LINE, 1_538);
        return reaction;
    }

    /** In steps of 10 Mb/s. */
    private static long rate(long steps) {
        return 10_000L << 32 | steps;
    }

    private void tells(long nowNs, long origin, long steps, long expectedSteps) {
        assertThat(reaction.notified(nowNs, KIND, origin, rate(steps))).isTrue();
        assertThat(reaction.rateBps()).isEqualTo(expectedSteps * 10_000_000);
    }

    @Test
    void aFlowFollowsItsCongestionPointUpAndDown() {
        assertThat(reaction.rateBps()).isEqualTo(LINE);
        assertThat(reaction.isIdle()).isTrue();
        tells(0, HERE, 400, 400);
        tells(40_000, HERE, 300, 300);
        tells(80_000, HERE, 500, 500);
        assertThat(reaction.deadlineNs()).isEqualTo(80_000 + RECOVERY);
    }

    @Test
    void anotherPointTakesOverWhenItSaysLess() {
        tells(0, HERE, 400, 400);
        tells(1, THERE, 401, 400);
        tells(2, THERE, 400, 400);
        tells(3, HERE, 500, 400);
        tells(4, THERE, 600, 600);
    }

    @Test
    void withoutNoticesTheRateDoublesUntilTheFlowIsFree() {
        tells(0, HERE, 900, 900);
        assertThat(reaction.tick(RECOVERY)).isEqualTo(1);
        assertThat(reaction.rateBps()).isEqualTo(18_000_000_000L);
        assertThat(reaction.tick(2 * RECOVERY)).isEqualTo(1);
        assertThat(reaction.rateBps()).isEqualTo(36_000_000_000L);
        assertThat(reaction.tick(3 * RECOVERY)).isEqualTo(1);
        assertThat(reaction.rateBps()).isEqualTo(LINE);
        assertThat(reaction.isIdle()).isTrue();
    }

    @Test
    void theLinesRateFreesIt() {
        tells(0, HERE, 400, 400);
        tells(1, HERE, 4_000, 4_000);
        assertThat(reaction.isIdle()).isTrue();
    }

    @Test
    void whatMakesNoSenseIsIgnored() {
        assertThat(reaction.notified(0, KIND, HERE, rate(0))).isFalse();
        assertThat(reaction.notified(0, KIND, HERE, 400)).as("steps of 0 kb/s").isFalse();
        assertThat(reaction.notified(0, 0x1103, HERE, 10_000L << 32))
                .as("what the host has worked out makes no sense")
                .isFalse();
        assertThat(reaction.notified(0, 0x2003, HERE, rate(10))).as("version 2").isFalse();
        assertThat(reaction.notified(0, 0x1203, HERE, rate(10))).as("flags").isFalse();
        assertThat(reaction.rateBps()).isEqualTo(LINE);
        assertThat(reaction.isIdle()).isTrue();
    }

    @Test
    void anAbsurdRateIsBounded() {
        // 1 kb/s, of which a frame would take 12 s; then all bits of a value.
        assertThat(reaction.notified(0, KIND, HERE, 1L << 32 | 1)).isTrue();
        assertThat(reaction.rateBps()).isEqualTo(LINE / 4_000);
        assertThat(reaction.notified(1, KIND, HERE, -1L >>> 16)).isTrue();
        assertThat(reaction.rateBps()).isEqualTo(LINE);
        assertThat(reaction.isIdle()).isTrue();
    }

    @Test
    void aFasterLinkMaySayMoreThanTheLine() {
        tells(0, HERE, 400, 400);
        tells(1, THERE, 9_000, 400);
        tells(2, HERE, 9_000, 4_000);
        assertThat(reaction.isIdle()).isTrue();
    }

    @Test
    void aNoticeHasItsEffectAfterTheDelay() {
        RoccReaction slow = begun(15_000);
        slow.notified(1_000, KIND, HERE, rate(400));
        assertThat(slow.rateBps()).isEqualTo(LINE);
        assertThat(slow.deadlineNs()).isEqualTo(16_000);
        // While one waits, another point's replaces it only if its rate is lower, and the wait
        // stays the same.
        slow.notified(2_000, KIND, THERE, rate(300));
        slow.notified(3_000, KIND, HERE, rate(500));
        slow.tick(16_000);
        assertThat(slow.rateBps()).isEqualTo(3_000_000_000L);
        assertThat(slow.deadlineNs()).isEqualTo(16_000 + RECOVERY);
    }
}
