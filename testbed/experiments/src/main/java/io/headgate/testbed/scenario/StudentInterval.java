package io.headgate.testbed.scenario;

/**
 * Mean and 95 % interval (Student's t) of a few measurements. A single measurement has no interval.
 *
 * @param half half of the interval's width; NaN for fewer than two measurements
 * @param least the smallest measurement
 */
public record StudentInterval(double mean, double half, int count, double least) {
    /** Two-sided 95 % quantiles for 1, 2, 3 and so on degrees of freedom. */
    private static final double[] QUANTILES = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042
    };

    private static final double NORMAL = 1.96;

    /**
     * The interval of those values that are not NaN.
     *
     * @return the interval; its mean is NaN if there are none
     */
    public static StudentInterval of(double... values) {
        double sum = 0;
        int count = 0;
        double least = Double.NaN;
        for (double value : values) {
            if (Double.isFinite(value)) {
                least = count == 0 ? value : Math.min(least, value);
                sum += value;
                count++;
            }
        }
        double mean = sum / count;
        double squares = 0;
        for (double value : values) {
            squares += Double.isFinite(value) ? (value - mean) * (value - mean) : 0;
        }
        if (count < 2) {
            return new StudentInterval(mean, Double.NaN, count, least);
        }
        double deviation = Math.sqrt(squares / (count - 1));
        double half = quantile(count - 1) * deviation / Math.sqrt(count);
        return new StudentInterval(mean, half, count, least);
    }

    /** The quantile; beyond the table by the first term of its expansion about the normal one. */
    private static double quantile(int freedom) {
        return freedom <= QUANTILES.length
                ? QUANTILES[freedom - 1]
                : NORMAL + (NORMAL * NORMAL * NORMAL + NORMAL) / (4 * freedom);
    }

    /** Lower end of the interval; never below 0 if no value is. */
    public double low() {
        return least >= 0 ? Math.max(0, mean - half) : mean - half;
    }

    public double high() {
        return mean + half;
    }
}
