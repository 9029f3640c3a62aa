package io.headgate.perf.policy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.Headgate;
import io.headgate.perf.forwarding.OwnJvm;
import java.io.BufferedReader;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shows that the harness works; no speed is asserted. */
class PolicyBenchmarkTest {
    @Test
    @Timeout(300)
    void aSmokeRunComparesAllThatIsComparedAndJudgesNothing() throws Exception {
        List<String> java =
                OwnJvm.command(
                        // Also of its forks: over before the optimising compiler would pay.
                        List.of("-Djmh.ignoreLock=true", "-XX:TieredStopAtLevel=1"),
                        Headgate.class,
                        List.of("bench", "policies", "--smoke"));
        Process bench =
                new ProcessBuilder(java).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader said = bench.inputReader(UTF_8)) {
            List<String> lines = said.lines().toList();
            assertThat(bench.waitFor()).isZero();
            for (String contenders : PolicyCost.JUDGED) {
                String[] names = contenders.split(PolicyBenchmark.AGAINST);
                assertThat(rows(lines, names[0] + "  ").filter(line -> line.contains(names[1])))
                        .as(contenders)
                        .hasSize(2)
                        .allMatch(line -> line.matches(".* \\d+\\.\\d{3} to \\d+\\.\\d{3}"));
            }
            assertThat(rows(lines, "algorithm-c-8  ")).hasSize(1);
            assertThat(lines)
                    .anyMatch(line -> line.matches(".*algorithm-c-8 takes \\d+\\.\\d+ ms.*"));
            assertThat(lines).noneMatch(line -> line.contains("limit"));
        } finally {
            bench.destroyForcibly().waitFor();
        }
    }

    private static Stream<String> rows(List<String> lines, String begin) {
        return lines.stream().map(String::strip).filter(line -> line.startsWith(begin));
    }
}
