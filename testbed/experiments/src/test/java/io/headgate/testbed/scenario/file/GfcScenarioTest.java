package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a buffer holds under gentle flow control where N senders share a link: each gets C/N, so its
 * buffer stays where the mapping has that rate. B<sub>m</sub> is 300 kB.
 */
class GfcScenarioTest {
    private static final String STAR =
            """
            name: s
            duration: 1ms
            topology:
              name: star
              link: {rate: RATE, delay: 1us}
              builder: {single-switch: {hosts: HOSTS}}
              ports: {flow-control: pfc, lossless: [3], classify: {trust: dscp},
                buffers: {xoff: 300kB, xon: 297kB}, link-control: {gfc: {GFC}}}
            traffic:
              - {name: f, from: [SENDERS], to: hHOSTS, priority: 3, dscp: 26}
            record: {interval: 5us, buffers: [s1/p1]}
            """;

    private static final long FRAME_BYTES = 1514;

    private static Observation run(int senders, String rate, String gfc) throws Exception {
        String names =
                IntStream.rangeClosed(1, senders)
                        .mapToObj(i -> "h" + i)
                        .collect(Collectors.joining(", "));
        String text =
                STAR.replace("RATE", rate)
                        .replace("HOSTS", Integer.toString(senders + 1))
                        .replace("SENDERS", names)
                        .replace("GFC", gfc);
        return VirtualBed.run(
                ScenarioReader.define(text, "s.yaml").experiment(), 1, new QuietRun());
    }

    /** What a buffer holds at rest, and that nothing was lost or paused and the link was full. */
    private static Series atRest(Observation seen, double gbps) {
        assertThat(seen.drops()).isEmpty();
        seen.ports()
                .values()
                .forEach(port -> assertThat(port.bufferMaxBytes()).isLessThan(300_000));
        // 1,514 of 1,538 bytes of the wire, but for the first microseconds.
        assertThat(seen.throughputGbps("f")).isBetween(0.97 * gbps, gbps * 1514 / 1538);
        return seen.seriesOf("buffer s1/p1");
    }

    /**
     * B1 is 236 kB, twice C τ at 100 Gb/s below Bm; B2 268, B3 284, B4 292. With N = 2 R1 is the
     * share, and the buffer stays in stage 1; with N = 3 it lies between R1 and R2 = C/4, so at B2;
     * with 10 between R3 = C/8 and R4 = C/16, so at B4. It leaves the stage by what comes while a
     * frame is under way that tells of it: τ.
     */
    @ParameterizedTest
    @CsvSource({
        "2, 40Gbps, 236, 268",
        "3, 40Gbps, 268, 268",
        "10, 40Gbps, 292, 292",
        "3, 100Gbps, 268, 268",
        "10, 100Gbps, 292, 292"
    })
    void bufferBasedRestsInTheStageOfTheSharedRate(int senders, String rate, int from, int to)
            throws Exception {
        Observation seen = run(senders, rate, "b1: 236kB");
        double gbps = Double.parseDouble(rate.replace("Gbps", ""));
        Series buffer = atRest(seen, gbps);
        // There and back 2 us, two frames, of the difference of the rates: at most a share of C.
        double tauBytes = gbps * 1e9 / 8 * 2e-6 / senders + 3 * FRAME_BYTES;
        for (int i = buffer.values().length / 2; i < buffer.values().length; i++) {
            assertThat(buffer.values()[i])
                    .as("kB held by one of " + senders)
                    .isBetween(from - tauBytes / 1e3, to + tauBytes / 1e3);
        }
    }

    /** q = Bm − (Bm − B0) / N, with B0 = 160 kB: 230 kB of 2, 253.3 of 3, 286 of 10. */
    @ParameterizedTest
    @CsvSource({"2, 40Gbps, 230", "10, 40Gbps, 286", "3, 100Gbps, 253.3", "10, 100Gbps, 286"})
    void timeBasedRestsWhereTheLineHasTheSharedRate(int senders, String rate, double kilobytes)
            throws Exception {
        Observation seen = run(senders, rate, "form: time, b0: 160kB");
        Series buffer = atRest(seen, Double.parseDouble(rate.replace("Gbps", "")));
        double[] values = buffer.values();
        double mean =
                IntStream.range(values.length / 2, values.length)
                        .mapToDouble(i -> values[i])
                        .average()
                        .orElseThrow();
        assertThat(mean).isCloseTo(kilobytes, offset(2.0));
    }
}
