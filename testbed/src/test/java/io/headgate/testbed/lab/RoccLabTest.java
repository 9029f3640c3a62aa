package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.figure.FigureCheck;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.rocc.Demand;
import io.headgate.testbed.lab.rocc.Trial;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * RoCC on real frames, with unmodified iperf3. How near rates and queue come to what they are to be
 * depends on the machine, and is for the lab to say; here it is that all parts do what they should.
 */
@Tag("netns")
class RoccLabTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @TempDir private Path directory;
    private final String prefix =
            "hgr" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
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
    void withRoccSendersAreToldAndFollowAndPausesBecomeFew() throws Exception {
        Path reports = directory.resolve("report");
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        "backoff",
                        "100Mbps",
                        0,
                        4,
                        1500,
                        false,
                        false,
                        reports,
                        reports,
                        prefix,
                        7);
        try (RoccLab lab =
                new RoccLab(
                        options,
                        List.of(Demand.UNIFORM),
                        Protocol.UDP,
                        1,
                        records(),
                        "test",
                        nowhere)) {
            RunReport report = lab.run();
            Trial without = lab.trials().getFirst();
            Trial with = lab.trials().getLast();
            assertThat(without.isControlled()).isFalse();
            assertThat(without.notices()).isZero();
            assertThat(without.pauseFrames()).isPositive();
            assertThat(with.isControlled()).as(report.toText()).isTrue();
            assertThat(with.notices()).isPositive();
            assertThat(with.fairMbps()).isBetween(1.0, 100.0);
            assertThat(with.referenceKb()).isEqualTo(75);
            assertThat(with.pauseFrames()).isLessThan(without.pauseFrames());
            assertThat(with.flowMbps()).hasSize(3).allMatch(mbps -> mbps > 0);
            assertThat(report.problems())
                    .as("what is said of losses")
                    .filteredOn(problem -> problem.contains("lost"))
                    .allMatch(problem ->
                            problem.contains(LosslessRun.HELD)
                                    || problem.contains(Losses.ONLY_SOCKETS));
            // Legends have no-break spaces.
            String figure =
                    Files.readString(reports.resolve("throughput-uniform-with-rocc.svg"))
                            .replace('\u00a0', ' ');
            assertThat(figure).contains("fair rate").contains("the same, virtual");
            assertThat(FigureCheck.mistakesIn(reports)).isEmpty();
            assertThat(reports.resolve("series-uniform-with-rocc.csv"))
                    .content()
                    .startsWith("seconds,fair_mbps,queue_kb,h1_mbps");
            assertThat(reports.resolve("queue-uniform-without-rocc.svg")).isNotEmptyFile();
        }
    }
}
