package io.headgate.testbed.scenario;

import java.util.Arrays;
import java.util.List;

/** Arithmetic on series. */
public final class SeriesMath {
    private SeriesMath() {}

    /** The sum of series of the same times, up to the end of the shortest. */
    public static Series sum(String name, List<Series> parts) {
        int length = parts.stream().mapToInt(part -> part.values().length).min().orElse(0);
        double[] sums = new double[length];
        for (Series part : parts) {
            for (int i = 0; i < length; i++) {
                sums[i] += part.values()[i];
            }
        }
        return new Series(
                name,
                parts.getFirst().unit(),
                Arrays.copyOf(parts.getFirst().timesUs(), length),
                sums);
    }

    /**
     * The value at a time: interpolated linearly between samples, the nearest sample's value
     * outside them.
     */
    public static double at(Series series, double timeUs) {
        double[] times = series.timesUs();
        double[] values = series.values();
        if (times.length == 0) {
            return Double.NaN;
        }
        int found = Arrays.binarySearch(times, timeUs);
        if (found >= 0) {
            return values[found];
        }
        int after = -found - 1;
        if (after == 0 || after == times.length) {
            return values[after == 0 ? 0 : times.length - 1];
        }
        double share = (timeUs - times[after - 1]) / (times[after] - times[after - 1]);
        return values[after - 1] + share * (values[after] - values[after - 1]);
    }

    /**
     * The similarity of the forms of two series, independent of their heights: Pearson's
     * correlation at the times of the first; 1 for the same form, NaN if one does not vary.
     */
    public static double likeness(Series a, Series b) {
        int count = a.values().length;
        double[] other = new double[count];
        for (int i = 0; i < count; i++) {
            other[i] = at(b, a.timesUs()[i]);
        }
        double meanA = mean(a);
        double meanB = Arrays.stream(other).average().orElse(Double.NaN);
        double both = 0;
        double squareA = 0;
        double squareB = 0;
        for (int i = 0; i < count; i++) {
            double fromA = a.values()[i] - meanA;
            double fromB = other[i] - meanB;
            both += fromA * fromB;
            squareA += fromA * fromA;
            squareB += fromB * fromB;
        }
        return both / Math.sqrt(squareA * squareB);
    }

    /** Mean over all samples of a series; NaN without samples. */
    public static double mean(Series series) {
        return Arrays.stream(series.values()).average().orElse(Double.NaN);
    }
}
