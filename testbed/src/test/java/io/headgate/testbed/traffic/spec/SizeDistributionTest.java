package io.headgate.testbed.traffic.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SizeDistributionTest {
    private static final long SEED = 7;

    /** Means as their publications' sampling has them. */
    @ParameterizedTest
    @CsvSource({
        "websearch_hpcc, LINEAR, 1711250, 1000",
        "fbhadoop_hpcc, LINEAR, 120400, 100",
        "websearch_rocc, DISCRETE, 2435000, 1000",
        "fbhadoop_rocc, DISCRETE, 487, 0.5",
        "alistorage2019_hpcc, LINEAR, 40900, 50",
        "googlerpc2008_hpcc, LINEAR, 2900, 50",
        "vl2_datamining_rocc, DISCRETE, 23200000, 50000"
    })
    void shippedWorkloadsHaveTheirPublishedMeans(
            String name, SizeDistribution.Between between, double mean, double tolerance) {
        SizeDistribution sizes = Workloads.named(name);
        assertThat(sizes.between()).isEqualTo(between);
        assertThat(sizes.meanBytes()).isCloseTo(mean, within(tolerance));
    }

    static Iterable<String> names() {
        return Workloads.names();
    }

    /**
     * Five standard errors, computed from the distribution; rounding to whole bytes is half one.
     */
    @ParameterizedTest
    @MethodSource("names")
    void sampleMeanMeetsAnalyticMean(String name) {
        SizeDistribution sizes = Workloads.named(name);
        NamedRandom random = NamedRandom.of(SEED, name, "sizes");
        int draws = 1_000_000;
        double sum = 0;
        for (int i = 0; i < draws; i++) {
            sum += sizes.sampleBytes(random);
        }
        double variance = sizes.meanSquareBytes() - sizes.meanBytes() * sizes.meanBytes();
        double standardError = Math.sqrt(variance / draws);
        assertThat(sum / draws)
                .as("seed %d", SEED)
                .isCloseTo(sizes.meanBytes(), within(5 * standardError + 0.5));
    }

    @Test
    void discreteSamplingAnswersOnlyPoints() {
        SizeDistribution sizes = Workloads.named("fbhadoop_rocc");
        NamedRandom random = NamedRandom.of(SEED, "points", "sizes");
        Set<Long> seen = new HashSet<>();
        int small = 0;
        for (int i = 0; i < 200_000; i++) {
            long size = sizes.sampleBytes(random);
            seen.add(size);
            small += size == 75 ? 1 : 0;
        }
        assertThat(seen)
                .isSubsetOf(
                        75L, 250L, 350L, 1000L, 2515L, 6326L, 10032L, 15910L, 23009L, 24094L,
                        25000L, 100000L, 1000000L)
                .hasSizeGreaterThan(9);
        assertThat(small / 200_000.0).isCloseTo(0.5, within(0.006));
    }

    @Test
    void linearSamplingFollowsTheCurveBetweenPoints() {
        SizeDistribution sizes = Workloads.named("websearch_hpcc");
        NamedRandom random = NamedRandom.of(SEED, "curve", "sizes");
        int below = 0;
        int draws = 200_000;
        for (int i = 0; i < draws; i++) {
            below += sizes.sampleBytes(random) <= 140_000 ? 1 : 0;
        }
        // Half way between 80,000 (0.53) and 200,000 (0.60).
        assertThat((double) below / draws).isCloseTo(0.565, within(0.006));
    }

    @Test
    void uniformSizesAreWholeAndIncludeBothEnds() {
        SizeDistribution sizes = SizeDistribution.uniform(60, 63);
        NamedRandom random = NamedRandom.of(SEED, "uniform", "sizes");
        int[] seen = new int[64];
        for (int i = 0; i < 40_000; i++) {
            seen[(int) sizes.sampleBytes(random)]++;
        }
        for (int size = 60; size < 64; size++) {
            assertThat(seen[size]).isBetween(9_500, 10_500);
        }
        assertThat(sizes.meanBytes()).isEqualTo(61.5);
        assertThat(SizeDistribution.fixed(64).sampleBytes(random)).isEqualTo(64);
    }

    @Test
    void sameSeedSameSizesOtherSeedOthers() {
        SizeDistribution sizes = Workloads.named("websearch_hpcc");
        NamedRandom one = NamedRandom.of(1, "h0/web", "sizes");
        NamedRandom again = NamedRandom.of(1, "h0/web", "sizes");
        NamedRandom other = NamedRandom.of(2, "h0/web", "sizes");
        boolean differs = false;
        for (int i = 0; i < 100; i++) {
            long size = sizes.sampleBytes(one);
            assertThat(sizes.sampleBytes(again)).isEqualTo(size);
            differs |= sizes.sampleBytes(other) != size;
        }
        assertThat(differs).isTrue();
    }

    @Test
    void unknownWorkloadNamesThoseThereAre() {
        assertThatThrownBy(() -> Workloads.named("../../etc/passwd"))
                .hasMessageContaining("no workload is named")
                .hasMessageContaining("websearch_hpcc");
    }

    @Test
    void badFilesAreRefusedWithPathLineAndWhatIsAllowed(@TempDir Path directory)
            throws IOException {
        assertRefused(directory, "", "0 sizes and 0 probabilities");
        assertRefused(directory, "bytes,p\n1,1\n", "bad.csv:1: found \"bytes,p\"");
        assertRefused(directory, "# x\nsize_bytes,cum_prob\n1\n", "bad.csv:3: found \"1\"");
        assertRefused(directory, "size_bytes,cum_prob\n1,x\n", "e.g. 1000,0.5");
        assertRefused(directory, "size_bytes,cum_prob\n1,0.5\n1,1\n", "not above the one before");
        assertRefused(directory, "size_bytes,cum_prob\n1,0.5\n2,0.4\n", "below the one before");
        assertRefused(directory, "size_bytes,cum_prob\n1,0.5\n", "it must be 1");
        assertRefused(directory, "size_bytes,cum_prob\n-1,1\n", "not between 0 and 10^15");
        assertRefused(directory, "size_bytes,cum_prob\nNaN,1\n", "not between 0 and 10^15");
        assertRefused(directory, "size_bytes,cum_prob\n1,NaN\n", "not between 0 and 1");
        Path good = directory.resolve("good.csv");
        Files.writeString(good, "# origin: here\nsize_bytes,cum_prob\n\n10,0.5\n20,1\n");
        assertThat(Workloads.read(good).meanBytes()).isEqualTo(12.5);
    }

    private static void assertRefused(Path directory, String text, String message)
            throws IOException {
        Path file = directory.resolve("bad.csv");
        Files.writeString(file, text);
        assertThatThrownBy(() -> Workloads.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }
}
