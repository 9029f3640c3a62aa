package io.headgate.testbed.traffic.spec;

import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of flow sizes, given by points of its cumulative probability. Sizes are drawn by
 * its inverse: either interpolated linearly between the points, or only at the points.
 */
public final class SizeDistribution {
    /** The sizes between two points. */
    public enum Between {
        /** All sizes, equally likely; the first point's own probability is on its size. */
        LINEAR,
        /** Nothing: only the sizes of the points occur. */
        DISCRETE
    }

    private final String name;
    private final Between between;
    private final double[] sizeBytes;
    private final double[] cumulative;

    private SizeDistribution(
            String name, Between between, double[] sizeBytes, double[] cumulative) {
        this.name = name;
        this.between = between;
        this.sizeBytes = sizeBytes;
        this.cumulative = cumulative;
    }

    /** Always the same size, at least 1 byte. */
    public static SizeDistribution fixed(long sizeBytes) {
        double[] sizes = {sizeBytes};
        double[] one = {1};
        return of(sizeBytes + " B", Between.DISCRETE, sizes, one);
    }

    /** All sizes from one to another, both included, equally likely. */
    public static SizeDistribution uniform(long fromBytes, long toBytes) {
        double[] sizes = {fromBytes - 0.5, toBytes + 0.5};
        double[] cumulative = {0, 1};
        return of(fromBytes + " to " + toBytes + " B", Between.LINEAR, sizes, cumulative);
    }

    /**
     * A distribution through the given points.
     *
     * @param sizeBytes 0 to 10^15, increasing
     * @param cumulative probability of that size or less: 0 to 1, not decreasing, the last 1
     * @throws IllegalArgumentException with a sentence that names the point, if they are not so
     */
    public static SizeDistribution of(
            String name, Between between, double[] sizeBytes, double[] cumulative) {
        if (sizeBytes.length == 0 || sizeBytes.length != cumulative.length) {
            throw new IllegalArgumentException(
                    ("%s: %s sizes and %s probabilities; the two numbers must be equal, and at"
                                    + " least 1")
                            .formatted(name, sizeBytes.length, cumulative.length));
        }
        for (int i = 0; i < sizeBytes.length; i++) {
            String problem = problem(i, sizeBytes, cumulative);
            if (problem != null) {
                throw new IllegalArgumentException(name + ", point " + (i + 1) + ": " + problem);
            }
        }
        if (cumulative[cumulative.length - 1] != 1) {
            throw new IllegalArgumentException(
                    name
                            + ": the last cumulative probability is "
                            + cumulative[cumulative.length - 1]
                            + "; it must be 1");
        }
        return new SizeDistribution(name, between, sizeBytes.clone(), cumulative.clone());
    }

    /** The error of a point after those before it; null: none. */
    static @Nullable String problem(int i, double[] sizeBytes, double[] cumulative) {
        if (!(sizeBytes[i] >= 0 && sizeBytes[i] <= 1e15)) {
            return "size " + sizeBytes[i] + " B is not between 0 and 10^15";
        }
        if (!(cumulative[i] >= 0 && cumulative[i] <= 1)) {
            return "probability " + cumulative[i] + " is not between 0 and 1";
        }
        if (i > 0 && sizeBytes[i] <= sizeBytes[i - 1]) {
            return "size " + sizeBytes[i] + " B is not above the one before";
        }
        if (i > 0 && cumulative[i] < cumulative[i - 1]) {
            return "probability " + cumulative[i] + " is below the one before";
        }
        return null;
    }

    public String name() {
        return name;
    }

    public Between between() {
        return between;
    }

    /** Draws a size: a whole number of bytes, at least 1. One random number a draw. */
    public long sampleBytes(NamedRandom random) {
        return Math.max(1, (long) Math.floor(inverse(random.nextDouble()) + 0.5));
    }

    /** The size below which a part {@code u} of all lies, 0 &lt;= u &lt; 1. */
    private double inverse(double u) {
        int point = firstAbove(u);
        if (between == Between.DISCRETE || point == 0) {
            return sizeBytes[point];
        }
        double below = cumulative[point - 1];
        double part = (u - below) / (cumulative[point] - below);
        return sizeBytes[point - 1] + part * (sizeBytes[point] - sizeBytes[point - 1]);
    }

    /** The first point whose cumulative probability is above {@code u}; the last's is 1. */
    private int firstAbove(double u) {
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] > u) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Mean size in bytes, before it is rounded to whole bytes. */
    public double meanBytes() {
        return moment(1);
    }

    /** Mean of the square of the size, in bytes squared, before rounding. */
    public double meanSquareBytes() {
        return moment(2);
    }

    private double moment(int order) {
        double sum = cumulative[0] * power(sizeBytes[0], order);
        for (int i = 1; i < sizeBytes.length; i++) {
            double a = sizeBytes[i - 1];
            double b = sizeBytes[i];
            double value =
                    between == Between.DISCRETE
                            ? power(b, order)
                            : order == 1 ? (a + b) / 2 : (a * a + a * b + b * b) / 3;
            sum += (cumulative[i] - cumulative[i - 1]) * value;
        }
        return sum;
    }

    private static double power(double value, int order) {
        return order == 1 ? value : value * value;
    }

    /** Largest size that occurs, in bytes. */
    public long maxBytes() {
        return Math.max(1, (long) Math.floor(sizeBytes[sizeBytes.length - 1] + 0.5));
    }

    @Override
    public String toString() {
        return name
                + " ("
                + between
                + ", sizes "
                + Arrays.toString(sizeBytes)
                + " B, cumulative "
                + Arrays.toString(cumulative)
                + ")";
    }
}
