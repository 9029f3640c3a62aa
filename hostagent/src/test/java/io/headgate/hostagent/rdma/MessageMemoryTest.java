package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MessageMemoryTest {
    private static final long BYTES = 1 << 16;

    @Test
    void partsNeverOverlapAndComeBackWhole() {
        MessageMemory memory = new MessageMemory(BYTES);
        List<MemorySegment> taken = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            if (random.nextBoolean() || taken.isEmpty()) {
                MemorySegment part = memory.take(1 + random.nextInt(5_000));
                if (part == null) {
                    memory.give(taken.remove(random.nextInt(taken.size())));
                    continue;
                }
                assertThat(taken).noneMatch(other -> other.asOverlappingSlice(part).isPresent());
                taken.add(part);
            } else {
                memory.give(taken.remove(random.nextInt(taken.size())));
            }
        }
        taken.forEach(memory::give);
        MemorySegment whole = memory.take(BYTES);
        assertThat(whole).isNotNull();
        assertThat(memory.take(1)).isNull();
    }

    @Test
    void whatIsInItIsNotAllTheSame() {
        MemorySegment part = new MessageMemory(10_000).take(10_000);
        assertThat(part).isNotNull();
        if (part != null) {
            long distinct =
                    part.elements(ValueLayout.JAVA_BYTE)
                            .map(one -> one.get(ValueLayout.JAVA_BYTE, 0))
                            .distinct()
                            .count();
            assertThat(distinct).isEqualTo(256);
        }
    }
}
