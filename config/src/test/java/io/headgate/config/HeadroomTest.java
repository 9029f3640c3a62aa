package io.headgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Headroom against sums done by hand. */
final class HeadroomTest {
    private static Headroom headroom(
            long rateBps, int mtuBytes, long delayNs, long own, long peer) {
        return new Headroom(rateBps, mtuBytes, new FlowControlConfig.Link(delayNs, own, peer));
    }

    @Test
    void sumsFramesDelayAndReactions() {
        // 40 Gb/s are 5 bytes a nanosecond; 3 µs there and back are 15,000 bytes.
        Headroom headroom = headroom(40_000_000_000L, 1500, 1_500, 0, 0);
        assertThat(headroom.maxWireBytes()).isEqualTo(1546);
        assertThat(headroom.bytes()).isEqualTo(15_000 + 3 * 1546 + 84);
        assertThat(headroom.slots()).isEqualTo((15_000 + 3 * 1546 + 84 + 83) / 84);
    }

    @Test
    void countsOwnAndPeersReactionAtTheLinksRate() {
        long still = headroom(10_000_000_000L, 1500, 0, 0, 0).bytes();
        assertThat(headroom(10_000_000_000L, 1500, 0, 200_000, 0).bytes() - still)
                .isEqualTo(250_000);
        assertThat(headroom(10_000_000_000L, 1500, 0, 0, 4_288).bytes() - still).isEqualTo(5_360);
    }

    @Test
    void arrivingBytesAreRoundedUpAndNeverOverflow() {
        assertThat(Headroom.arrivingBytes(1_000_000, 1)).isEqualTo(1);
        assertThat(Headroom.arrivingBytes(1_000_000_000, 8)).isEqualTo(1);
        assertThat(Headroom.arrivingBytes(1_000_000_000, 9)).isEqualTo(2);
        assertThat(Headroom.arrivingBytes(400_000_000_000L, 0)).isZero();
        assertThat(Headroom.arrivingBytes(400_000_000_000L, 10_000_000_000L))
                .isEqualTo(500_000_000_000L);
        assertThat(Headroom.arrivingBytes(400_000_000_000L, Long.MAX_VALUE)).isPositive();
    }

    @Test
    void workingNamesEveryTermAndTheirSum() {
        String text = headroom(40_000_000_000L, 1500, 1_500, 0, 2_000).explain();
        assertThat(text.lines())
                .containsExactly(
                        "        1,546 bytes  the frame that crosses the threshold",
                        "            0 bytes  own reaction of 0 ns at 40 Gbps",
                        "        1,546 bytes  an own frame that delays the pause",
                        "           84 bytes  the pause itself",
                        "       15,000 bytes  link delay in both directions, 3 us at 40 Gbps",
                        "       10,000 bytes  the peer's reaction of 2 us at 40 Gbps",
                        "        1,546 bytes  a frame that the peer has just started",
                        "       29,722 bytes  headroom",
                        "          354 slots, if all frames have 60 bytes (84 on the wire)");
    }
}
