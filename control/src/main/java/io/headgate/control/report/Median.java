package io.headgate.control.report;

import java.util.stream.DoubleStream;

/** Computes the median. */
public final class Median {
    private Median() {}

    /** The middle value, or the mean of the two middle values; NaN without values. */
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0
                ? Double.NaN
                : sorted.length % 2 == 1
                        ? sorted[middle]
                        : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
