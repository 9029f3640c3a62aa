package io.headgate.testbed.scenario.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.campaign.Campaign;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example of a ring comes to a standstill in the cases of scenarios.md, and in no other. */
@Tag("shipped")
class RingTest {
    private static CellResult run(String... settings) throws Exception {
        Path file = Path.of("examples/scenarios/ring.yaml");
        Scenario ring = ScenarioReader.read(Files.readString(file), file.toString());
        Sweep sweep = Sweep.of(ring, List.of(settings), "1", EnumSet.of(BedKind.VIRTUAL), 0);
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return new Campaign(sweep, sweep.cells(), new Campaign.Options(2, false, null, out, false))
                .run()
                .getFirst();
    }

    /** Seen at the first of the looks, one each 4 us, that follows it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    40Gbps | 500kB |  10kB |   0us |   0us |  440
                    40Gbps | 500kB |  10kB | 100us | 200us | 1096
                    40Gbps | 500kB | 100kB | 100us | 200us | 1380
                    10Gbps | 125kB |  10kB | 100us | 200us | 1428
                    """)
    void standsStill(
            String rate, String xoff, String xon, String second, String third, String seenUs)
            throws Exception {
        CellResult result = runWith(rate, xoff, xon, second, third);
        assertThat(result.measure("deadlocks")).isEqualTo(1);
        assertThat(result.measure("frames dropped")).isZero();
        assertThat(result.outcomeOrThrow().statements())
                .anyMatch(said ->
                        said.startsWith(
                                "deadlock, seen from "
                                        + seenUs
                                        + ".0 us to the end: s1:p2 priority 3 waits for s2:p3"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    40Gbps | 500kB | 100kB |  50us | 100us | 8
                    10Gbps | 125kB |  10kB |  10us |  20us | 2
                    """)
    void goesOn(String rate, String xoff, String xon, String second, String third, double leastGbps)
            throws Exception {
        moves(runWith(rate, xoff, xon, second, third), leastGbps);
    }

    /** The case of 1,096 us above: frames no longer come and go in the same picosecond. */
    @Test
    void aNanosecondOfJitterMakesTheOtherOutcomeOfIt() throws Exception {
        moves(run("jitter=1ns", "second=100us", "third=200us"), 8);
    }

    private static void moves(CellResult result, double leastGbps) {
        assertThat(result.measure("deadlocks")).isZero();
        assertThat(result.measure("frames dropped")).isZero();
        for (String flow : List.of("one", "two", "three")) {
            assertThat(result.measure("throughput of " + flow)).isGreaterThan(leastGbps);
        }
    }

    private static CellResult runWith(
            String rate, String xoff, String xon, String second, String third) throws Exception {
        return run(
                "rate=" + rate, "xoff=" + xoff, "xon=" + xon, "second=" + second, "third=" + third);
    }
}
