package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PsnTest {
    @Test
    void aNumberIsTheNearestWithItsLowBits() {
        assertThat(Psn.widen(5, 3)).isEqualTo(5);
        assertThat(Psn.widen(0xFF_FFFF, 0)).isEqualTo(-1);
        assertThat(Psn.widen(0, 0xFF_FFFF)).isEqualTo(0x100_0000);
        assertThat(Psn.widen(0x7F_FFFF, 0)).isEqualTo(0x7F_FFFF);
        assertThat(Psn.widen(0x80_0000, 0)).isEqualTo(-0x80_0000);
        long far = 0x12_3456_789AL;
        for (long sequence = far - Psn.MOST_UNDER_WAY;
                sequence < far + Psn.MOST_UNDER_WAY;
                sequence += 4_099) {
            assertThat(Psn.widen(Psn.of(sequence), far)).isEqualTo(sequence);
        }
    }
}
