package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import java.util.Arrays;
import java.util.List;

/**
 * A measure that a scenario file has itself.
 *
 * @param unit of a value; times are in us
 */
record OwnMeasure(String name, String unit, Form form) {
    private static final double ROUNDING = 1e-9;

    /** What it is. */
    sealed interface Form {}

    /** Arithmetic with measures. */
    record Value(String arithmetic) implements Form {}

    /** When a series first has a level, which is arithmetic with measures, in us. */
    record Reaches(String series, String level) implements Form {}

    /**
     * How long after a time, in us, all means of a series, each over some samples, are within a
     * share of a target up to another time; not a number if the last is not.
     */
    record Settles(
            String series, double target, double share, int samples, double fromUs, double toUs)
            implements Form {}

    /**
     * When means of a series, each over some samples, are last beyond a level, which is arithmetic
     * with measures: when the last of these begins, in us; 0 if none is.
     */
    record Last(String series, String level, boolean above, int samples) implements Form {}

    /**
     * One number of the samples of a series between two times, which are arithmetic with measures,
     * in us.
     *
     * @param statistic as {@link SeriesMeasure} has it
     */
    record Samples(String series, String statistic, String from, String to) implements Form {}

    Measure measure(List<Series> series, Arithmetic.Measured measures) {
        double value =
                switch (form) {
                    case Samples of ->
                            new SeriesMeasure(
                                            name,
                                            of.statistic(),
                                            of.series(),
                                            said(of.from(), measures),
                                            said(of.to(), measures))
                                    .measure(named(of.series(), series))
                                    .value();
                    case Value of -> said(of.arithmetic(), measures);
                    case Reaches of ->
                            named(of.series(), series).firstAtLeastUs(said(of.level(), measures));
                    case Settles of -> settledUs(of, named(of.series(), series));
                    case Last of ->
                            lastUs(of, named(of.series(), series), said(of.level(), measures));
                };
        return new Measure(name, unit, value);
    }

    private static double said(String arithmetic, Arithmetic.Measured measures) {
        Double said = Arithmetic.value(arithmetic, measures);
        return said == null ? Double.NaN : said;
    }

    private static Series named(String name, List<Series> among) {
        for (Series one : among) {
            if (SeriesMeasure.called(one.name()).equals(name)) {
                return one;
            }
        }
        return new Series(name, "", new double[0], new double[0]);
    }

    private static double settledUs(Settles of, Series series) {
        double[] times = series.timesUs();
        double[] values = series.values();
        double settledUs = Double.NaN;
        // What is added and taken away again leaves a remainder of rounding.
        double rounding = ROUNDING * Arrays.stream(values).map(Math::abs).max().orElse(0);
        double sum = 0;
        for (int last = 0; last < values.length && times[last] < of.toUs; last++) {
            sum += values[last] - (last < of.samples ? 0 : values[last - of.samples]);
            int first = last - of.samples + 1;
            if (first >= 0 && times[first] >= of.fromUs) {
                boolean isNear =
                        Math.abs(sum / of.samples - of.target) <= of.share * of.target + rounding;
                boolean isFirst = Double.isNaN(settledUs);
                settledUs = !isNear ? Double.NaN : isFirst ? times[first] - of.fromUs : settledUs;
            }
        }
        return settledUs;
    }

    private static double lastUs(Last of, Series series, double level) {
        double[] values = series.values();
        for (int first = values.length - of.samples; first >= 0; first--) {
            double mean =
                    Arrays.stream(values, first, first + of.samples).average().orElse(Double.NaN);
            if (of.above ? mean > level : mean < level) {
                return series.timesUs()[first];
            }
        }
        return 0;
    }
}
