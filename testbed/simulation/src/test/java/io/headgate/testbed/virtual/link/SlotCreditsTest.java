package io.headgate.testbed.virtual.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.hostagent.rate.PacingWheel;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every slot of the receiver is promised once: to its sender, to a frame, or on its way back. */
final class SlotCreditsTest {
    private static final int SLOTS = 40;
    private static final long DELAY_PS = 7;

    private final FrameRegion region = new FrameRegion(SLOTS, 512);
    private final FreeList free = new FreeList(SLOTS, false);
    private final SlotCredits credits = new SlotCredits();

    @Test
    void whatTheSenderMayUseIsWhatHasComeBack() {
        for (int slot = 0; slot < SLOTS; slot++) {
            free.put(region.frame(slot));
        }
        credits.promise(SLOTS);
        SplittableRandom random = new SplittableRandom(3);
        Frame[] kept = new Frame[SLOTS];
        int keptCount = 0;
        int underWay = 0;
        int lost = 0;
        for (long nowPs = 0; nowPs < 5000; nowPs++) {
            credits.arrive(nowPs);
            int mostFrames = random.nextInt(8);
            for (int i = 0; i < mostFrames && credits.areAvailable(); i++) {
                credits.use();
                if (random.nextInt(10) == 0) {
                    // Lost, and known at its arrival: later than what is given back meanwhile.
                    credits.giveBack(nowPs + DELAY_PS + 3);
                    lost++;
                } else {
                    underWay++;
                }
            }
            while (underWay > 0 && random.nextBoolean()) {
                kept[keptCount++] = promisedSlot();
                credits.redeem();
                underWay--;
            }
            while (keptCount > 0 && random.nextInt(3) > 0) {
                free.put(kept[--keptCount]);
            }
            credits.give(free, nowPs + DELAY_PS);
            assertThat(credits.areDue()).isFalse();
            assertThat(credits.nextPs()).isGreaterThan(nowPs);
        }
        assertThat(lost).isPositive();

        while (underWay-- > 0) {
            kept[keptCount++] = promisedSlot();
            credits.redeem();
        }
        while (keptCount > 0) {
            free.put(kept[--keptCount]);
        }
        assertThat(credits.areDue()).isTrue();
        credits.give(free, 6000);
        credits.arrive(6000);
        assertThat(credits.nextPs()).isEqualTo(PacingWheel.NEVER);
        int used = 0;
        while (credits.areAvailable()) {
            credits.use();
            used++;
        }
        assertThat(used).isEqualTo(SLOTS);
    }

    private Frame promisedSlot() {
        return Objects.requireNonNull(free.take(), "a slot that was promised is not free");
    }
}
