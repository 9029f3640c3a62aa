package io.headgate.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccountsTest {
    private final FrameRegion region = new FrameRegion(8, 2048);
    private final Frame[] frames = new Frame[8];

    AccountsTest() {
        for (int slot = 0; slot < frames.length; slot++) {
            frames[slot] = region.frame(slot);
            frames[slot].lengthBytes = 100 + slot;
        }
    }

    @Test
    void chargesSeveralFramesAsOneByOne() {
        Accounts atOnce = new Accounts(10_000, 8);
        Accounts single = new Accounts(10_000, 8);
        assertThat(atOnce.charge(frames, 2, 5, 3)).isTrue();
        for (int i = 2; i < 7; i++) {
            assertThat(single.charge(frames[i], 3)).isTrue();
        }
        assertThat(atOnce.bytes(3)).isEqualTo(single.bytes(3)).isEqualTo(5 * 100 + 20);
        assertThat(atOnce.slots(3)).isEqualTo(5);
        assertThat(atOnce.totalBytes()).isEqualTo(single.totalBytes());
        atOnce.release(frames, 2, 5);
        assertThat(atOnce.totalBytes()).isZero();
        assertThat(atOnce.totalSlots()).isZero();
    }

    @Test
    void chargesAllOrNone() {
        Accounts bytes = new Accounts(410, 8);
        assertThat(bytes.charge(frames, 0, 5, 0)).isFalse();
        assertThat(bytes.totalSlots()).isZero();
        bytes.release(frames, 0, 5);
        assertThat(bytes.totalBytes()).isZero();
        assertThat(bytes.charge(frames, 0, 4, 0)).isTrue();

        Accounts slots = new Accounts(10_000, 4);
        assertThat(slots.charge(frames, 0, 5, 1)).isFalse();
        assertThat(slots.charge(frames, 0, 4, 1)).isTrue();
        assertThat(slots.charge(frames[4], 1)).isFalse();
    }

    @Test
    void releasesEachFrameFromTheAccountItWasChargedTo() {
        Accounts accounts = new Accounts(10_000, 8);
        for (int i = 0; i < frames.length; i++) {
            accounts.charge(frames[i], i % 3);
            frames[i].place = SlotPlace.RING;
        }
        accounts.release(frames, 0, 4);
        assertThat(frames)
                .extracting(frame -> frame.place == SlotPlace.FREE)
                .containsExactly(true, true, true, true, false, false, false, false);
        assertThat(accounts.slots(0)).isEqualTo(1);
        assertThat(accounts.slots(1)).isEqualTo(2);
        assertThat(accounts.slots(2)).isEqualTo(1);
        accounts.release(frames, 4, 4);
        assertThat(accounts.totalBytes()).isZero();
    }
}
