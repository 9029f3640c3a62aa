package io.headgate.dataplane.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {
    @Test
    void millionBackToBackFramesEndAtTheRightNanosecond() {
        Pacer pacer = new Pacer(100_000_000_000L, 0, WireFormat.ETHERNET);
        long nowNs = 0;
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(pacer.mayStart(nowNs)).isTrue();
            pacer.resume(nowNs, nowNs);
            pacer.start(60);
            nowNs = pacer.nextStartNs();
        }
        // 60 bytes and 24 of overhead at 80 ps a byte: 6,720 ps each.
        assertThat(nowNs).isEqualTo(6_720_000);
    }

    /**
     * The same in exact arithmetic: bits over rate, rounded down to picoseconds at the end only.
     */
    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 3_000_001, 7_000_000_000L, 40_000_000_000L, 400_000_000_000L})
    void backlogOfAnyFramesEndsWhereExactArithmeticSays(long rateBps) {
        long seed = 20_261_121;
        SplittableRandom random = new SplittableRandom(seed);
        Pacer pacer = new Pacer(rateBps, 0, WireFormat.ETHERNET);
        BigInteger bits = BigInteger.ZERO;
        pacer.resume(0, 0);
        for (int i = 0; i < 20_000; i++) {
            int lengthBytes = random.nextInt(1, 16_384);
            pacer.start(lengthBytes);
            bits = bits.add(BigInteger.valueOf(8L * WireFormat.ETHERNET.wireBytes(lengthBytes)));
            long exactNs =
                    bits.multiply(BigInteger.valueOf(1_000_000_000L))
                            .divide(BigInteger.valueOf(rateBps))
                            .longValueExact();
            assertThat(pacer.nextStartNs()).as("seed %d, frame %d", seed, i).isEqualTo(exactNs);
            assertThat(pacer.mayStart(exactNs)).isTrue();
            assertThat(pacer.mayStart(exactNs - 1)).isFalse();
        }
    }

    @Test
    void longIdlenessIsNeitherMadeUpForNorForgotten() {
        Pacer pacer = new Pacer(1_000_000_000, 0, WireFormat.ETHERNET);
        long years = 100L * 365 * 86_400 * 1_000_000_000L;
        assertThat(pacer.mayStart(0)).isTrue();
        assertThat(pacer.mayStart(years)).isTrue();
        pacer.resume(years, years);
        pacer.start(1500);
        // 1,524 bytes at 8 ns.
        assertThat(pacer.nextStartNs()).isEqualTo(years + 12_192);
        assertThat(pacer.mayStart(years + 12_191)).isFalse();
    }

    @Test
    void latenessIsMadeUpOnlyWhileWaitingAndWithinTheBound() {
        Pacer pacer = new Pacer(1_000_000_000, 50_000, WireFormat.ETHERNET);
        pacer.resume(0, 0);
        pacer.start(101);
        // Called 20 us late with frames that waited since 5 us: from then on.
        pacer.resume(20_000, 5_000);
        pacer.start(101);
        assertThat(pacer.nextStartNs()).isEqualTo(6_000);
        // Called 1 ms late: no more than the bound.
        pacer.resume(1_000_000, 6_000);
        pacer.start(101);
        assertThat(pacer.nextStartNs()).isEqualTo(951_000);
    }

    @Test
    void linkControlStartsInTheGapsOfALowerRateAndTakesNothingFromIt() {
        Pacer pacer = new Pacer(1_000_000_000, 0, WireFormat.ETHERNET);
        pacer.rate(1_000_000);
        pacer.resume(0, 0);
        pacer.start(1_226);
        pacer.noteLastFrame(1_226);
        // 1,250 bytes of wire: 10 us at the line's rate, 10 ms at this one.
        assertThat(pacer.nextStartNs()).isEqualTo(10_000_000);
        assertThat(pacer.nextControlNs()).isEqualTo(10_000);
        assertThat(pacer.mayStartControl(9_999)).isFalse();
        assertThat(pacer.mayStartControl(10_000)).isTrue();
        pacer.startControl(500_000, 60);
        assertThat(pacer.mayStart(9_999_999)).isFalse();
        assertThat(pacer.nextStartNs()).isEqualTo(10_000_000);
        // 84 bytes of wire.
        assertThat(pacer.mayStartControl(500_671)).isFalse();
        assertThat(pacer.mayStartControl(500_672)).isTrue();
        // What begins at the gap's end ends behind it, and data waits for that.
        pacer.startControl(9_999_900, 60);
        assertThat(pacer.nextStartNs()).isEqualTo(10_000_572);
        assertThat(pacer.nextControlNs()).isEqualTo(10_000_572);
    }

    @Test
    void atTheLinesRateThereAreNoGaps() {
        Pacer pacer = new Pacer(1_000_000_000, 0, WireFormat.ETHERNET);
        pacer.rate(1_000_000);
        pacer.resume(0, 0);
        pacer.start(1_226);
        pacer.noteLastFrame(1_226);
        pacer.rate(1_000_000_000);
        // What has started leaves the wire idle as long as it did.
        assertThat(pacer.nextStartNs()).isEqualTo(10_000_000);
        assertThat(pacer.nextControlNs()).isEqualTo(10_000);
        for (int rounds = 0; rounds < 3; rounds++) {
            pacer.start(1_226);
            pacer.noteLastFrame(1_226);
            assertThat(pacer.nextControlNs()).isEqualTo(pacer.nextStartNs());
            pacer.startControl(pacer.nextStartNs(), 60);
            assertThat(pacer.nextControlNs()).isEqualTo(pacer.nextStartNs());
        }
        assertThat(pacer.nextStartNs()).isEqualTo(10_000_000 + 3 * (10_000 + 672));
    }

    @Test
    void linkControlMayStartWithinTheNanosecondThatIsSaid() {
        Pacer pacer = new Pacer(100_000_000_000L, 0, WireFormat.ETHERNET);
        pacer.rate(7_000_003);
        pacer.resume(0, 0);
        long nowNs = 0;
        for (int length = 61; length < 1_500; length += 3) {
            pacer.start(length);
            pacer.noteLastFrame(length);
            assertThat(pacer.mayStartControl(pacer.nextControlNs())).isTrue();
            assertThat(pacer.mayStartControl(pacer.nextControlNs() - 1)).isFalse();
            assertThat(pacer.nextControlNs()).isBetween(nowNs, nowNs + 122);
            nowNs = pacer.nextStartNs();
        }
    }
}
