package io.headgate.dataplane.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NoticeSharesTest {
    private static final int BYTES = 126;
    private static final int WIRE_BYTES = BYTES + 24;
    private static final int BURST = (64 << 10) / WIRE_BYTES + 1;
    private static final long SECOND_NS = 1_000_000_000;

    private static int taken(NoticeShares shares, int port, long fromNs, long toNs, long stepNs) {
        int taken = 0;
        for (long nowNs = fromNs; nowNs < toNs; nowNs += stepNs) {
            taken += shares.take(nowNs, port, BYTES) ? 1 : 0;
        }
        return taken;
    }

    @Test
    void aPortThatIsAskedForMoreGetsATenthOfItsRateAndABurst() {
        NoticeShares shares = new NoticeShares(1_000_000_000L, 10_000_000_000L);
        // 12.5 MB of 125 MB in a second, and what may leave at once.
        assertThat(taken(shares, 0, SECOND_NS, 2 * SECOND_NS, 1_000))
                .isBetween(12_500_000 / WIRE_BYTES, 12_500_000 / WIRE_BYTES + BURST + 1);
        // The other port has lost nothing of its own.
        assertThat(taken(shares, 1, SECOND_NS, SECOND_NS + 1_000, 1)).isGreaterThanOrEqualTo(BURST);
    }

    @Test
    void whatIsWithinTheShareAlwaysLeaves() {
        NoticeShares shares = new NoticeShares(1_000_000_000L);
        // 150 bytes in 12 us are 100 Mb/s.
        assertThat(taken(shares, 0, 0, SECOND_NS, 12_000)).isEqualTo(83_334);
    }

    @Test
    void theShareFollowsTheRate() {
        NoticeShares shares = new NoticeShares(1_000_000_000L);
        taken(shares, 0, 0, SECOND_NS, 1_000);
        shares.rates(100_000_000L);
        assertThat(taken(shares, 0, 2 * SECOND_NS, 3 * SECOND_NS, 1_000))
                .isBetween(1_250_000 / WIRE_BYTES, 1_250_000 / WIRE_BYTES + BURST + 1);
    }
}
