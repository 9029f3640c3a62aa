package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
class SharedSlotsTest {
    private static final int BYTES = 1 << 20;

    @Test
    void theCollectorIsAskedToRunForThemAsForReservedMemory() {
        SharedSlots slots = new SharedSlots();
        long before = ReservedMemory.countedBytes();
        MemorySegment _ = slots.allocate(BYTES);
        assertThat(slots.array()).isNotNull();
        long counted = ReservedMemory.countedBytes();
        // The count is zero again after each run.
        assertThat(counted < before ? BYTES : counted - before).isGreaterThanOrEqualTo(BYTES);
    }
}
