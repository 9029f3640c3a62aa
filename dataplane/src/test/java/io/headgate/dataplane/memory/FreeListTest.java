package io.headgate.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
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

    @Test
    void slotsMadeLateAreTakenAsThoseThatWereThereFromTheStart() {
        FreeList early = new FreeList(SLOTS, false);
        for (int slot = 0; slot < SLOTS; slot++) {
            early.put(region.frame(slot));
        }
        FrameRegion lateRegion = new FrameRegion(SLOTS, 512, true, SlotMemory.RESIDENT, true);
        List<Integer> asked = new ArrayList<>();
        FreeList late =
                new FreeList(
                        SLOTS,
                        slot -> {
                            asked.add(slot);
                            return lateRegion.frame(slot);
                        });
        Random random = new Random(1);
        List<Frame> outEarly = new ArrayList<>();
        List<Frame> outLate = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            // More are out with time, up to one more than there are.
            if (random.nextInt(2_000) < 1_000 + step / 2 || outLate.isEmpty()) {
                Frame expected = early.take();
                Frame taken = late.take();
                assertThat(taken == null ? -1 : taken.slot)
                        .isEqualTo(expected == null ? -1 : expected.slot);
                if (expected != null && taken != null) {
                    outEarly.add(expected);
                    outLate.add(taken);
                }
            } else {
                int which = random.nextInt(outLate.size());
                early.put(outEarly.remove(which));
                late.put(outLate.remove(which));
            }
            assertThat(late.size()).isEqualTo(early.size());
        }
        assertThat(asked).hasSize(SLOTS).doesNotHaveDuplicates();
    }

    @Test
    void whatWasNeverTakenIsNotAskedForEarly() {
        List<Integer> asked = new ArrayList<>();
        FreeList late =
                new FreeList(
                        SLOTS,
                        slot -> {
                            asked.add(slot);
                            return region.frame(slot);
                        });
        Frame[] batch = new Frame[SLOTS + 1];
        assertThat(late.peek(batch, 0, SLOTS)).isZero();
        assertThat(late.take(batch, 3)).isEqualTo(3);
        late.put(batch, 0, 3);
        assertThat(late.take(batch, 2)).isEqualTo(2);
        assertThat(asked).containsExactly(SLOTS - 1, SLOTS - 2, SLOTS - 3);
        assertThat(late.size()).isEqualTo(SLOTS - 2);

        late.clear();
        for (int slot = 0; slot < SLOTS; slot++) {
            late.put(region.frame(slot));
        }
        assertThat(late.take(batch, SLOTS + 1)).isEqualTo(SLOTS);
        assertThat(asked).hasSize(3);
    }
}
