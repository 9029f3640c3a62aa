package io.headgate.testbed.virtual;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.virtual.link.VirtualLink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeterminismTest {
    private static final long SEED = 20;
    private static final long DIGEST = DigestRun.digest(RunOptions.of(SEED));

    @Test
    void aHundredRunsHaveOneDigest() {
        for (int i = 0; i < 100; i++) {
            assertThat(DigestRun.digest(RunOptions.of(SEED))).isEqualTo(DIGEST);
        }
    }

    @Test
    void anotherSeedHasAnotherDigest() {
        assertThat(DigestRun.digest(RunOptions.of(SEED + 1))).isNotEqualTo(DIGEST);
    }

    @Test
    void checkingChangesNothing() {
        assertThat(DigestRun.digest(RunOptions.of(SEED).withChecking(true))).isEqualTo(DIGEST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 37_000, 1_000_000})
    void callsWithoutCauseChangeNothing(long meanPs) {
        RunOptions options = RunOptions.of(SEED).withExtraCallsMeanPs(meanPs);
        assertThat(DigestRun.digest(options)).isEqualTo(DIGEST);
    }

    @Test
    void norUnderChecks() {
        RunOptions options = RunOptions.of(SEED).withExtraCallsMeanPs(200_000).withChecking(true);
        assertThat(DigestRun.digest(options)).isEqualTo(DIGEST);
    }

    @Test
    void readingAheadChangesNothing() {
        assertThat(DigestRun.digest(RunOptions.of(SEED).withReadAheadPorts(0))).isEqualTo(DIGEST);
    }

    @Test
    void observersAndProbesAndStepsChangeNothing() {
        VirtualRun run = DigestRun.run(RunOptions.of(SEED));
        long[] seen = new long[2];
        run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> seen[0]++);
        VirtualTimer probe =
                run.addProbe((self, nowPs) -> {
                    seen[1]++;
                    self.schedule(nowPs + 12_345);
                });
        probe.schedule(0);
        run.runUntil(DigestRun.END_PS / 3);
        while (run.step(DigestRun.END_PS)) {
            assertThat(run.clock().ps()).isLessThanOrEqualTo(DigestRun.END_PS);
        }
        assertThat(run.digest()).isEqualTo(DIGEST);
        assertThat(seen[0]).isEqualTo(run.frameHops());
        assertThat(seen[1]).isEqualTo(DigestRun.END_PS / 12_345 + 1);
    }

    /** Also of an instant in which a probe does something, which the checks do not see. */
    @Test
    void afterEachStepCountersAreTheSameUnderChecks() {
        VirtualRun run = withProbe(RunOptions.of(SEED));
        VirtualRun checked = withProbe(RunOptions.of(SEED).withChecking(true));
        boolean goesOn = true;
        while (goesOn) {
            goesOn = run.step(DigestRun.END_PS);
            assertThat(checked.step(DigestRun.END_PS)).isEqualTo(goesOn);
            long ps = run.clock().ps();
            assertThat(checked.clock().ps()).isEqualTo(ps);
            for (VirtualNode node : run.nodes()) {
                VirtualNode same = checked.nodes().get(node.number());
                long differs =
                        node.engineHost()
                                .counterValues()
                                .mismatch(same.engineHost().counterValues());
                assertThat(differs).as("%s at %d ps", node, ps).isEqualTo(-1);
            }
        }
        assertThat(run.digest()).isEqualTo(checked.digest());
    }

    /** A run whose first link a probe takes down for a while. */
    private static VirtualRun withProbe(RunOptions options) {
        VirtualRun run = DigestRun.run(options);
        VirtualLink link = run.links().getFirst();
        run.addProbe(
                        (self, nowPs) -> {
                            link.setUp(!link.isUp());
                            self.schedule(nowPs + 7_654_321);
                        })
                .schedule(30_000_000);
        return run;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void otherProcessesAndCompilersHaveTheSameDigest(String option)
            throws IOException, InterruptedException {
        assertThat(childsOutput(option)).isEqualTo("digest %016x".formatted(DIGEST));
    }

    private static String childsOutput(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("--enable-native-access=ALL-UNNAMED");
        if (!option.isEmpty()) {
            command.add(option);
        }
        command.add("-cp");
        command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
        command.add(DigestRun.class.getName());
        command.add(Long.toString(SEED));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output =
                    new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(child.waitFor(120, SECONDS)).as(output).isTrue();
            return output.strip();
        } finally {
            child.destroyForcibly();
        }
    }
}
