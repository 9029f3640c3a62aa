package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenQueue policies loaded into a running switch: who loses what, and that no swap loses any. */
@Tag("netns")
@Tag("long")
final class PolicyLabTest {
    @TempDir private Path directory;
    private final String prefix = "hgp" + ProcessHandle.current().pid() + "-";
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    @Test
    void policiesSayWhoLosesAndSwapsLoseNothing() throws Exception {
        Path path = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        "20Mbps",
                        0,
                        5,
                        1500,
                        false,
                        false,
                        path,
                        path,
                        prefix,
                        7);
        RunReport report;
        int swapped;
        List<PolicyLab.Outcome> outcomes;
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (PolicyLab lab = new PolicyLab(options, false, records, "test", nowhere)) {
            report = lab.run();
            swapped = lab.swapped();
            outcomes = lab.outcomes();
        }
        boolean isSocket =
                report.problems().stream().anyMatch(p -> p.contains(Losses.ONLY_SOCKETS));
        if (isSocket || Verdicts.isFair(report)) {
            assertThat(report.problems().stream().filter(p -> !p.contains(Losses.ONLY_SOCKETS)))
                    .as(report.toText())
                    .isEmpty();
        }
        assertThat(swapped).isGreaterThan(25);
        assertThat(outcomes).hasSize(3);
        for (PolicyLab.Outcome outcome : outcomes) {
            assertThat(outcome.passages())
                    .as(report.toText())
                    .hasSize(3)
                    .allSatisfy(passage -> {
                        assertThat(passage.sent()).isPositive();
                        assertThat(passage.lostInHost()).isLessThanOrEqualTo(0);
                        assertThat(passage.lostOnTheWay()).isZero();
                    });
        }
        assertThat(report.toText())
                .contains("Who lost what, and where", "Why", "Queues", "pushed-out");
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
    }
}
