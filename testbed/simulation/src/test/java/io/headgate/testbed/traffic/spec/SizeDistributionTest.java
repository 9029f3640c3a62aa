package io.headgate.testbed.traffic.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.random.NamedRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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
    void textsAreReadWithAndWithoutAHeadingInSharesAndInPercent() {
        for (String text :
                List.of(
                        "# origin: here\nsize_bytes,cum_prob\n\n10,0.5\n20,1\n",
                        "10 0.5\n20 1\n",
                        "  10\t50 \r\n20 , 100")) {
            assertThat(Workloads.parse("good.csv", text).meanBytes()).isEqualTo(12.5);
        }
    }

    @Test
    void badTextsAreRefusedWithFileLineAndWhatIsAllowed() {
        assertRefused("", "bad.csv:1: no point; allowed: a size in bytes");
        assertRefused("bytes,p\n1,1\n", "bad.csv:1: \"bytes,p\"; allowed: a size");
        assertRefused("# x\nsize_bytes,cum_prob\n1\n", "bad.csv:3: \"1\"");
        assertRefused("1,2,3\n", "bad.csv:1: \"1,2,3\"");
        assertRefused("1,x\n", "such as 1000,0.5");
        assertRefused("1,0.5\n1,1\n", "bad.csv:2: size 1.0 B is not above");
        assertRefused("1,0.5\n\n2,0.4\n", "bad.csv:3: probability 0.4 is below");
        assertRefused("1,0.5\n", "bad.csv:1: the last probability is 0.5; allowed: sizes");
        assertRefused("-1,1\n", "not between 0 and 10^15");
        assertRefused("NaN,1\n", "not between 0 and 10^15");
        assertRefused("1e16,1\n", "not between 0 and 10^15");
        assertRefused("1,NaN\n", "not between 0 and 1");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i <= 100_000; i++) {
            many.append(i).append(",0\n");
        }
        assertRefused(many.toString(), "bad.csv:100001: point 100001; allowed: at most");
    }

    private static void assertRefused(String text, String message) {
        assertThatThrownBy(() -> Workloads.parse("bad.csv", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
