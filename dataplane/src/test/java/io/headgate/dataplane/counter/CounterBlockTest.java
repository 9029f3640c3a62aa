package io.headgate.dataplane.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.memory.DropReason;
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

    @Test
    void countersOfOneOwnerAreSummedByLabelAndNoneIsAnError() {
        CounterDirectory directory = new CounterDirectory();
        int one = directory.reserveDrops(true, 1, "p1");
        int other = directory.reserveDrops(true, 2, "p2");
        directory.bindPrivately();
        DropCounters drops = directory.drops(true, one);
        drops.add(DropReason.PORT_DOWN, 5);
        drops.add(DropReason.HEADROOM_EXHAUSTED, 2);
        directory.drops(true, other).add(DropReason.PORT_DOWN, 100);
        Scope scope = Scope.INGRESS;
        assertThat(directory.sum(scope, 1, label -> label.startsWith("drop."))).isEqualTo(7);
        assertThat(directory.sum(scope, 1, "drop.PORT_DOWN"::equals)).isEqualTo(5);
        assertThatThrownBy(() -> directory.sum(Scope.EGRESS, 1, label -> true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such counter of EGRESS 1");
    }
}
