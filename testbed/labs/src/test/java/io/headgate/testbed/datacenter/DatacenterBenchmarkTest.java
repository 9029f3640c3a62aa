package io.headgate.testbed.datacenter;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.netns.LabRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test of RFC 8239 runs, counts as configured, and draws its figure; no speed is asserted. */
@Tag("netns")
class DatacenterBenchmarkTest {
    /** Half the usual: a sender has the time for that while other tests run, too. */
    private static final long FLOW_RATE_BPS = 50_000_000;

    @TempDir private Path directory;
    private final List<String> log = new ArrayList<>();

    private DatacenterResult run(String test) throws Exception {
        DatacenterPlan plan =
                new DatacenterPlan(List.of(test), List.of(64), 10_000_000, FLOW_RATE_BPS, 1, 1, 1)
                        .smoke();
        try (DatacenterBenchmark benchmark =
                new DatacenterBenchmark(
                        plan, directory, new LabRecords(directory.resolve("labs")), log::add)) {
            DatacenterResult result = benchmark.run();
            benchmark.report("headgate bench datacenter --smoke").write(directory, "datacenter");
            assertThat(result.problems()).as("%s", log).isEmpty();
            assertThat(directory.resolve(test + ".svg")).content().contains("<svg");
            assertThat(directory.resolve("datacenter.json"))
                    .content()
                    .contains("\"environment\"", "\"queue-limit\"", "\"seed\"");
            assertThat(directory.resolve("report.html"))
                    .content()
                    .contains("headgate bench datacenter --smoke", "<svg", "<table>");
            return result;
        }
    }

    @AfterEach
    void nothingIsLeft() {
        String prefix = "hgd" + ProcessHandle.current().pid() + "-";
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
    }

    @Test
    void portsHoldAsManyFramesAsTheirConfigurationSays() throws Exception {
        DatacenterResult result = run(DatacenterPlan.BUFFERING);
        assertThat(result.buffering())
                .hasSize(2 * Buffering.patterns().size())
                .allSatisfy(one -> assertThat(one.ratio()).isBetween(0.95, 1.0));
        assertThat(DatacenterReport.of(result, "headgate bench").toText())
                .contains("queue limit of the egress port");
    }

    @Test
    @Tag("long")
    void burstsAreLostOnlyOnceTheBufferIsFull() throws Exception {
        DatacenterResult result = run(DatacenterPlan.MICROBURST);
        assertThat(result.microbursts())
                .hasSize(2 * Microburst.patterns().size())
                .allSatisfy(one -> {
                    assertThat(one.lost()).isPositive();
                    assertThat(one.burstFrames()).isLessThan(one.lossAtFrames());
                });
    }

    @Test
    void aVictimIsComparedWithoutFlowControlWithPausesAndWithCredits() throws Exception {
        DatacenterResult result = run(DatacenterPlan.HEAD_OF_LINE);
        HeadOfLine.Result found = result.headOfLine();
        assertThat(found).isNotNull();
        assertThat(found.trials())
                .extracting(HeadOfLine.Trial::mode)
                .containsExactly("none", "pfc", "credits");
        assertThat(found.trials())
                .extracting(HeadOfLine.Trial::victimOfferedBps)
                .containsOnly(0.45 * FLOW_RATE_BPS);
        assertThat(found.trials())
                .allSatisfy(trial -> assertThat(trial.victim().values()).isNotEmpty());
    }

    @Test
    @Tag("long")
    void statefulFlowsHaveGoodputAndTheStatelessOneBesideThemLatency() throws Exception {
        DatacenterResult result = run(DatacenterPlan.INCAST);
        assertThat(result.incasts())
                .hasSize(8)
                .allSatisfy(one -> {
                    assertThat(one.goodputBps()).hasSize(one.statefulFlows());
                    assertThat(one.latency().sent()).isPositive();
                });
    }
}
