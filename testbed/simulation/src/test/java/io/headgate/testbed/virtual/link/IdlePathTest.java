package io.headgate.testbed.virtual.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdlePathTest {
    private static final long[] RATES_BPS = {
        10_000_000_000L, 25_000_000_000L, 40_000_000_000L, 100_000_000_000L, 3_000_000_000L,
        7_000_000_000L, 9_600_000L, 1_234_567_891L, 99_999_000L, 1_000_000L
    };

    /** Against the sum frame by frame and link by link. */
    @Test
    void takesToThePicosecondWhatItsFramesTakeOneByOne() {
        long seed = 9;
        NamedRandom random = NamedRandom.of(seed, "ideal", "test");
        for (int round = 0; round < 3000; round++) {
            int links = 1 + random.nextInt(6);
            long[] rates = new long[links];
            long[] delays = new long[links];
            for (int link = 0; link < links; link++) {
                rates[link] = RATES_BPS[random.nextInt(RATES_BPS.length)];
                delays[link] = random.nextInt(5_000_000);
            }
            WireFormat wire = random.nextInt(4) == 0 ? WireFormat.BARE : WireFormat.ETHERNET;
            long frames = 1L + random.nextInt(1 << random.nextInt(14));
            int full = 60 + random.nextInt(9000);
            int last = 60 + random.nextInt(full - 59);
            assertThat(new IdlePath(wire, rates, delays).arrivalPs(frames, full, last))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(frameByFrame(wire, rates, delays, frames, full, last));
        }
    }

    private static long frameByFrame(
            WireFormat wire, long[] rates, long[] delays, long frames, int full, int last) {
        long[] freePs = new long[rates.length];
        long[] remainders = new long[rates.length];
        long arrivalPs = 0;
        for (long frame = 1; frame <= frames; frame++) {
            arrivalPs = 0;
            for (int link = 0; link < rates.length; link++) {
                if (arrivalPs > freePs[link]) {
                    freePs[link] = arrivalPs;
                    remainders[link] = 0;
                }
                long numerator =
                        wire.wireBytes(frame == frames ? last : full) * 8_000_000_000_000L
                                + remainders[link];
                remainders[link] = numerator % rates[link];
                freePs[link] += numerator / rates[link];
                long gapPs = wire.gapBytes() * 8_000_000_000_000L / rates[link];
                arrivalPs = freePs[link] - gapPs + delays[link];
            }
        }
        return arrivalPs;
    }

    /** Frame by frame it would take hours. */
    @Test
    void anEnormousFlowIsNoMoreWorkThanASmallOne() {
        long[] rates = {100_000_000_000L, 3_000_000_000L, 7_000_000_000L, 3_000_000_000L};
        IdlePath path = new IdlePath(WireFormat.ETHERNET, rates, new long[4]);
        long one = path.arrivalPs(1, 1014, 1014);
        long slowestPs = 2_768_000; // 1,038 bytes at 3 Gb/s
        long frames = 3_000_000_000L;
        assertThat(
                        assertTimeoutPreemptively(
                                Duration.ofSeconds(10), () -> path.arrivalPs(frames, 1014, 1014)))
                .isEqualTo(one + (frames - 1) * slowestPs);
    }
}
