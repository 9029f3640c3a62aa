package io.headgate.perf.forwarding;

import io.headgate.control.report.Median;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * The median of paired ratios with its 90 % bootstrap interval (percentile method, 10,000 seeded
 * resamples).
 *
 * @param pairs how many there were; with none the others are NaN
 */
public record Ratio(double median, double low, double high, int pairs) {
    private static final int RESAMPLES = 10_000;
    private static final double TAIL = 0.05;

    /** The median of the ratios that are finite, and its interval; others are left out. */
    public static Ratio of(double[] ratios, long seed) {
        double[] finite = Arrays.stream(ratios).filter(Double::isFinite).toArray();
        if (finite.length == 0) {
            return new Ratio(Double.NaN, Double.NaN, Double.NaN, 0);
        }
        Random random = new Random(seed);
        double[] medians = new double[RESAMPLES];
        double[] resample = new double[finite.length];
        for (int round = 0; round < RESAMPLES; round++) {
            for (int index = 0; index < resample.length; index++) {
                resample[index] = finite[random.nextInt(finite.length)];
            }
            medians[round] = Median.of(Arrays.stream(resample));
        }
        Arrays.sort(medians);
        return new Ratio(
                Median.of(Arrays.stream(finite)),
                medians[(int) (TAIL * RESAMPLES)],
                medians[(int) ((1 - TAIL) * RESAMPLES) - 1],
                finite.length);
    }

    /** The interval, its ends as the format has a number. */
    public String interval(String format) {
        return pairs == 0
                ? "- to -"
                : String.format(Locale.ROOT, format + " to " + format, low, high);
    }
}
