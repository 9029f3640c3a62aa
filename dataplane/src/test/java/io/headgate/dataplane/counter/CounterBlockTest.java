package io.headgate.dataplane.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class CounterBlockTest {
    @Test
    void countersLieEightBytesApartFromWhereTheBlockBegins() {
        MemorySegment values = Arena.ofAuto().allocate(64, 8);
        CounterBlock block = new CounterBlock(values, 16);
        block.set(0, -1);
        block.add(3, 5);
        block.add(3, 2);
        assertThat(block.get(3)).isEqualTo(7);
        assertThat(values.toArray(ValueLayout.JAVA_LONG)).containsExactly(0, 0, -1, 0, 0, 7, 0, 0);
    }

    @Test
    void memoryThatIsNotAlignedIsRefused() {
        MemorySegment values = Arena.ofAuto().allocate(64, 8);
        assertThatThrownBy(() -> new CounterBlock(values, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which 8 does not divide");
    }
}
