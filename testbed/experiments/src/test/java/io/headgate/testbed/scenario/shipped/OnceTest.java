package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.campaign.Sweep;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An outcome that is kept stands for runs of which no more is looked at. */
class OnceTest {
    @TempDir private Path directory;

    private record Asked(
            boolean checking,
            @Nullable Path traceFile,
            @Nullable Path captureFile,
            @Nullable Path stateFile,
            @Nullable Path traceEventsFile)
            implements RunContext {
        static final Asked NOTHING = new Asked(false, null, null, null, null);

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    @Test
    void aRunThatChecksOrRecordsIsNotTakenForOneThatRanBefore() throws Exception {
        Scenario once = Once.named("mg1");
        Cell cell =
                Sweep.of(
                                once,
                                List.of("load=0.5", "arrivals=10k"),
                                "1",
                                EnumSet.of(BedKind.VIRTUAL),
                                0)
                        .cells()
                        .getFirst();
        assertThat(once.run(cell, Asked.NOTHING)).isSameAs(once.run(cell, Asked.NOTHING));
        Path file = directory.resolve("recorded");
        for (Asked more :
                List.of(
                        new Asked(true, null, null, null, null),
                        new Asked(false, file, null, null, null),
                        new Asked(false, null, file, null, null),
                        new Asked(false, null, null, file, null),
                        new Asked(false, null, null, null, file))) {
            assertThatThrownBy(() -> once.run(cell, more))
                    .hasMessageContaining("a run that checks or records");
        }
    }
}
