package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.deadlock.Remedy;
import io.headgate.testbed.lab.deadlock.RingTrial;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A deadlock on real frames, and Escape, which is turned on in it. */
@Tag("netns")
class DeadlockLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir private Path directory;
    private final String prefix =
            "hgd" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabRecords records() {
        return new LabRecords(directory.resolve("labs"));
    }

    @AfterEach
    void nothingIsLeft() throws BedException {
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
        assertThat(records().all()).isEmpty();
    }

    @Test
    void theRingStandsStillUntilEscapeIsTurnedOnAndNothingIsLost() throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        "100Mbps",
                        0,
                        2,
                        1500,
                        false,
                        false,
                        reports,
                        reports,
                        prefix,
                        7);
        try (DeadlockLab lab =
                new DeadlockLab(options, Remedy.ESCAPE, 1, 1, records(), "test", nowhere)) {
            RunReport report = lab.run();
            RingTrial trial = lab.trials().getFirst();
            if (Verdicts.isFair(report)) {
                assertThat(trial.problems()).as(report.toText()).isEmpty();
                assertThat(trial.formedSeconds()).isLessThan(trial.remedySeconds());
                assertThat(trial.leastStandingBytes())
                        .hasSize(3)
                        .allMatch(bytes -> bytes > RingTrial.XON_BYTES);
                assertThat(trial.cycle())
                        .containsExactly(prefix + "s1:p2", prefix + "s2:p3", prefix + "s3:p3");
            }
            // The table under the verdict counts what the verdict counts.
            JsonNode json = JsonMapper.builder().build().readTree(report.toJson());
            long inTables = 0;
            for (JsonNode node : json.path("switches")) {
                assertThat(node.path("since").asString()).isEqualTo("the ring was warm, in run 1");
                for (JsonNode drop : node.path("drops")) {
                    inTables += drop.path("frames").asLong(0);
                }
            }
            long byHosts = trial.allDropped() - inTables;
            assertThat(byHosts).as("dropped by hosts' cards").isNotNegative();
            if (trial.allDropped() == 0) {
                assertThat(inTables).as(report.toText()).isZero();
            }
            assertThat(report.toText())
                    .containsPattern(
                            "(no|[0-9]+) frames were dropped in the 2 s before, in which the ring")
                    .contains("counted since the ring was warm");
            assertThat(trial.escaped()).isPositive();
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(reports.resolve("buffers.svg")).content().contains("xoff").contains("xon");
            assertThat(reports.resolve("buffers-run-1.csv")).content().startsWith("seconds,");
            assertThat(reports.resolve("capture-run-1-s1.pcapng")).isNotEmptyFile();
        }
    }
}
