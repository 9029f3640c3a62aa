package io.headgate.testbed.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * A quantity over time.
 *
 * @param name unique among the series of a run, such as {@code queue s1/p4}
 * @param timesUs since the run's beginning, in microseconds of the described (unscaled) time,
 *     ascending
 */
@SuppressWarnings("ArrayRecordComponent") // a hundred thousand points are common; compared by hand
public record Series(String name, String unit, double[] timesUs, double[] values) {
    public Series {
        if (timesUs.length != values.length) {
            throw new IllegalArgumentException(
                    name + " has " + timesUs.length + " times and " + values.length + " values");
        }
    }

    /**
     * A series of samples.
     *
     * @param samples pairs of a time in microseconds and a value
     */
    public static Series of(String name, String unit, List<double[]> samples) {
        return new Series(
                name,
                unit,
                samples.stream().mapToDouble(sample -> sample[0]).toArray(),
                samples.stream().mapToDouble(sample -> sample[1]).toArray());
    }

    /** A series with the same times, other values and another name. */
    public Series map(String otherName, String otherUnit, DoubleUnaryOperator function) {
        double[] others = Arrays.stream(values).map(function).toArray();
        return new Series(otherName, otherUnit, timesUs, others);
    }

    /** The largest value; NaN without values. */
    public double max() {
        double max = Double.NaN;
        for (double value : values) {
            max = Double.isNaN(max) ? value : Math.max(max, value);
        }
        return max;
    }

    /**
     * Mean of the values in {@code [fromUs, toUs)}, all of the same weight; NaN without values
     * there.
     */
    public double mean(double fromUs, double toUs) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            if (timesUs[i] >= fromUs && timesUs[i] < toUs) {
                sum += values[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    /** When the values first reach {@code level}, in microseconds; NaN if they never do. */
    public double firstAtLeastUs(double level) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] >= level) {
                return timesUs[i];
            }
        }
        return Double.NaN;
    }
}
