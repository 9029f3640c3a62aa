package io.headgate.perf.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the harness works; no speed is asserted. */
@Tag("netns")
class ForwardingBenchmarkTest {
    @TempDir Path directory;

    @Test
    void everyDeviceForwardsAllOfALowRateAndNothingIsLeftBehind() throws Exception {
        BenchPlan plan =
                new BenchPlan(
                                List.of("afpacket", "afxdp"),
                                List.of("bridge"),
                                List.of(64),
                                7,
                                1,
                                8,
                                1,
                                2000,
                                1,
                                true,
                                0,
                                1,
                                1)
                        .smoke();
        List<String> log = new ArrayList<>();
        List<ForwardingResult> results = new ArrayList<>();
        // In a thread of its own, which it pins.
        Thread thread =
                new Thread(() -> {
                    try (ForwardingBenchmark benchmark =
                            new ForwardingBenchmark(plan, directory, log::add)) {
                        results.add(benchmark.run());
                    } catch (BenchException failure) {
                        log.add(failure.getMessage());
                    }
                });
        thread.start();
        thread.join();

        assertThat(results).as("%s", log).hasSize(1);
        ForwardingResult result = results.getFirst();
        assertThat(result.measuredSubjects())
                .containsExactly(
                        "Headgate (afpacket)", "Headgate (afxdp)", "Linux bridge (kernel)");
        assertThat(result.measurements()).hasSize(2 * 3);
        assertThat(result.measurements())
                .filteredOn(measurement -> measurement.device().equals("Headgate"))
                .allSatisfy(measurement -> {
                    assertThat(measurement.lowRateOffered()).isPositive();
                    assertThat(measurement.lowRateForwarded())
                            .isEqualTo(measurement.lowRateOffered());
                    assertThat(measurement.roundTripP50Ns()).isPositive();
                });
        assertThat(result.generatorAloneFps().values())
                .allSatisfy(fps -> assertThat(fps).isPositive());
        assertThat(ForwardingReport.of(result, "headgate bench forwarding").toText())
                .contains("round trip p50");
        assertThat(ForwardingReport.of(result, "headgate bench forwarding").toJson())
                .contains("\"lowRateForwarded\"");
        String prefix = "hgb" + ProcessHandle.current().pid() + "-";
        assertThat(NetworkNamespace.names()).noneMatch(name -> name.startsWith(prefix));
    }
}
