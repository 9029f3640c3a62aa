package io.headgate.perf.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Tag("netns")
class AllocationCheckTest {
    private static final long FRAMES = 300_000;

    @ParameterizedTest
    @FieldSource("io.headgate.perf.allocation.AllocationCheck#KINDS")
    void workersAllocateNothingOverWarmFramesNorIdle(String kind) throws Exception {
        List<String> log = new ArrayList<>();
        AllocationCheck.Result result = new AllocationCheck(log::add).run(kind, FRAMES);
        assertThat(result.frames()).isGreaterThanOrEqualTo(FRAMES);
        assertThat(result.allocatedBytes())
                .as("%s", log)
                .isLessThanOrEqualTo(AllocationCheck.mostBytes(kind, result.frames()));
        assertThat(result.idleBytes()).as("%s", log).isZero();
    }
}
