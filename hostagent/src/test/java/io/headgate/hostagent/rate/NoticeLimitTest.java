package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.NoticeCounter;
import org.junit.jupiter.api.Test;

/** What a flow takes of notices. */
class NoticeLimitTest {
    private static final long PERIOD_NS = 40_000;
    private static final int KIND = 0x1003;
    private static final long FOLLOWED = 1;

    private final NoticeLimit limit = new NoticeLimit(PERIOD_NS);
    private final RoccReaction control = new RoccReaction(0, 1_000_000_000);

    private NoticeCounter tells(long nowNs, long origin, long kbps) {
        return limit.give(control, nowNs, KIND, origin, 1L << 32 | kbps);
    }

    @Test
    void forgedPointsDoNotHideTheOneThatIsFollowed() {
        control.begin(0, 10_000_000_000L, 1538);
        assertThat(tells(0, FOLLOWED, 1_000_000)).isEqualTo(NoticeCounter.OBEYED);
        for (int point = 0; point < NoticeLimit.POINTS; point++) {
            tells(PERIOD_NS, 100 + point, 9_000_000);
        }
        assertThat(tells(PERIOD_NS, 999, 9_000_000)).isEqualTo(NoticeCounter.EXCESS);
        assertThat(tells(PERIOD_NS, FOLLOWED, 500_000)).isEqualTo(NoticeCounter.OBEYED);
        assertThat(control.rateBps()).isEqualTo(500_000_000L);
        assertThat(tells(PERIOD_NS, FOLLOWED, 400_000)).isEqualTo(NoticeCounter.OBEYED);
        assertThat(tells(PERIOD_NS, FOLLOWED, 300_000)).isEqualTo(NoticeCounter.EXCESS);
    }

    @Test
    void forgedPointsDoNotHideTheOneThatIsToBeFollowed() {
        control.begin(0, 10_000_000_000L, 1538);
        for (int point = 0; point < NoticeLimit.POINTS; point++) {
            assertThat(tells(0, 100 + point, 10_000_000 - point)).isEqualTo(NoticeCounter.OBEYED);
        }
        assertThat(tells(0, 999, 10_000_000)).isEqualTo(NoticeCounter.EXCESS);
        assertThat(tells(0, FOLLOWED, 3_000_000)).isEqualTo(NoticeCounter.OBEYED);
        assertThat(control.rateBps()).isEqualTo(3_000_000_000L);
        assertThat(control.followed()).isEqualTo(FOLLOWED);
    }

    @Test
    void moreForgedPointsCannotSlowAFlowBelowItsLeastRate() {
        control.begin(0, 10_000_000_000L, 1538);
        // Each says less than the one before, the last hundred of them less than is taken.
        int obeyed = 0;
        for (int point = 0; point < 350; point++) {
            long kbps = 2_500 + 10L * (249 - point);
            obeyed += tells(0, 100 + point, kbps) == NoticeCounter.OBEYED ? 1 : 0;
        }
        assertThat(obeyed).isEqualTo(250);
        assertThat(control.rateBps()).isEqualTo(2_500_000L);
    }
}
