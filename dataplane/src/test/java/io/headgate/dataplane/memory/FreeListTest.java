package io.headgate.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeListTest {
    private static final int SLOTS = 37;

    private final FrameRegion region = new FrameRegion(SLOTS, 512);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slotsTakenAndPutTogetherAreTheSameAsOneByOne(boolean fifo) {
        FreeList free = new FreeList(SLOTS, fifo);
        for (int slot = 0; slot < SLOTS; slot++) {
            free.put(region.frame(slot));
        }
        Frame[] batch = new Frame[64];
        for (int round = 0; round < 1_000; round++) {
            int taken = free.take(batch, 1 + round % 64);
            assertThat(taken).isEqualTo(Math.min(SLOTS, 1 + round % 64));
            assertThat(free.size()).isEqualTo(SLOTS - taken);
            if (round % 3 == 0) {
                free.put(batch, 0, taken);
            } else {
                for (int i = 0; i < taken; i++) {
                    free.put(batch[i]);
                }
            }
            assertThat(free.size()).isEqualTo(SLOTS);
        }
        Set<Frame> all = new HashSet<>();
        for (Frame frame = free.take(); frame != null; frame = free.take()) {
            assertThat(frame.place).isEqualTo(SlotPlace.FREE);
            all.add(frame);
        }
        assertThat(all).hasSize(SLOTS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsShownIsTakenNext(boolean fifo) {
        FreeList free = new FreeList(SLOTS, fifo);
        for (int slot = 0; slot < SLOTS; slot++) {
            free.put(region.frame(slot));
        }
        Frame[] shown = new Frame[SLOTS + 1];
        while (free.size() > 0) {
            int left = free.size();
            assertThat(free.peek(shown, 1, 3)).isEqualTo(1 + Math.min(3, left));
            assertThat(free.size()).isEqualTo(left);
            List<Frame> next = Arrays.asList(shown).subList(1, 1 + Math.min(3, left));
            for (int i = 0; i < Math.min(3, left); i++) {
                assertThat(next).contains(free.take());
            }
        }
        assertThat(free.peek(shown, 0, 3)).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasPutFirstComesFirstOnlyWhereSoChosen(boolean fifo) {
        FreeList free = new FreeList(4, fifo);
        Frame[] batch = {region.frame(0), region.frame(1), region.frame(2)};
        free.put(batch, 0, 3);
        assertThat(free.take()).isSameAs(region.frame(fifo ? 0 : 2));
        assertThat(free.take(new Frame[1], 1)).isEqualTo(1);
        assertThat(free.take()).isSameAs(region.frame(fifo ? 2 : 0));
        assertThat(free.take()).isNull();
    }
}
