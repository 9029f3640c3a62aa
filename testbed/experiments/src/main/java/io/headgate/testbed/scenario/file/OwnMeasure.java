package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import java.util.Arrays;
import java.util.List;

/** A measure that a scenario file defines; times are in us. */
record OwnMeasure(
        @Key(pattern = "^[A-Za-z][A-Za-z0-9 _./,()'-]{0,99}$")
                @Says("The measure's name in every output.")
                @Allowed(
                        "a letter and up to 99 letters, digits, blanks, -, _, ., /, brackets or"
                                + " commas, such as fair rate")
                String name,
        @Key(codec = Said.Formula.class)
                @Says("Arithmetic with measures in square brackets.")
                @Otherwise("one of the others")
                @Allowed(
                        "arithmetic with measures in square brackets, such as '[mean of queue s1/p4"
                                + " from 1ms] * 8'")
                String value,
        @Key(pattern = "^.{0,20}$", example = "Gb/s")
                @Says("The unit of the value; times are in us.")
                @Otherwise("none")
                String unit,
        @Key(max = "100")
                @Says("A series: the time at which it first reaches the level, in us.")
                @Otherwise("one of the others")
                @Allowed(Said.A_SERIES)
                String reaches,
        @Key(max = "100")
                @Says(
                        "A series: the time after 'from', in us, from which its means stay near the"
                                + " level until 'to'.")
                @Otherwise("one of the others")
                @Allowed(Said.A_SERIES)
                String settles,
        @Key(max = "100")
                @Says(
                        "A series: the last time at which its means are above, or below, a level,"
                                + " in us; 0: never.")
                @Otherwise("one of the others")
                @Allowed(Said.A_SERIES)
                String last,
        @Key(max = "100")
                @Says("A series: one number of its samples, as set by 'as'.")
                @Otherwise("one of the others")
                @Allowed(Said.A_SERIES)
                String samples,
        @Key(
                        pattern =
                                "^(mean|max|sum|count|least second|stayed above"
                                        + " [0-9]{1,12}([.][0-9]{1,6})?|p(100|[0-9]{1,2}([.][0-9]{1,6})?))$")
                @Says("With samples: the kind of number.")
                @Otherwise("none")
                @Allowed(SeriesMeasure.STATISTICS)
                String as,
        @Key(codec = Said.Formula.class)
                @Says("With last: the level, in the series' unit.")
                @Otherwise("below")
                @Allowed(LEVEL)
                String above,
        @Key(codec = Said.Formula.class)
                @Says("With last: the level, in the series' unit.")
                @Otherwise("above")
                @Allowed(LEVEL)
                String below,
        @Key(codec = Said.Formula.class)
                @Says("The level of the series, in its unit.")
                @Otherwise("none")
                @Allowed(Said.NUMBER)
                String level,
        @Key(codec = Said.Amount.class, absent = "0.05")
                @Says("With settles: allowed relative deviation of a mean from the level.")
                @Allowed(
                        "a number, such as 0.1, or arithmetic with parameters, such as 10 /"
                                + " $senders")
                double tolerance,
        @Key(codec = Said.Micros.class)
                @Says("With settles and last: the length of the interval of each mean.")
                @Otherwise("an interval of record")
                @Allowed("a time such as 500us")
                double over,
        @Key
                @Says(
                        "Beginning of the interval: with settles a time; with samples also"
                                + " arithmetic with measures, in us.")
                @Otherwise("0s")
                @Allowed(
                        "a time such as 1ms, or with samples arithmetic such as [last arrival of"
                                + " web]")
                String from,
        @Key
                @Says(
                        "End of the interval: with settles a time; with samples also arithmetic"
                                + " with measures, in us.")
                @Otherwise("the run's end")
                @Allowed(
                        "a time such as 10ms, or with samples arithmetic such as [last arrival of"
                                + " web]")
                String to) {
    static final String LEVEL =
            "a number, such as 150, or arithmetic with measures, such as [max of queue s1/p4] / 10";
    private static final double PS_PER_US = 1e6;
    private static final double ROUNDING = 1e-9;
    private static final int MOST_SAMPLES = 1_000_000;

    /** The series that it measures; empty: none. */
    String series() {
        return reaches + settles + last + samples;
    }

    /** The times of a run, in us. */
    record Times(double intervalUs, double durationUs) {
        static Times of(long intervalPs, long durationPs) {
            return new Times(intervalPs / PS_PER_US, durationPs / PS_PER_US);
        }
    }

    Measure measure(List<Series> all, Arithmetic.Measured measures, Times times) {
        if (!value.isEmpty()) {
            return new Measure(name, unit, Arithmetic.orNone(value, measures));
        }
        Series series = named(series(), all);
        if (!samples.isEmpty()) {
            double fromUs = time(from, 0, measures);
            double toUs = time(to, times.durationUs, measures);
            return new Measure(
                    name,
                    unit,
                    new SeriesMeasure(name, as, samples, fromUs, toUs).measure(series).value());
        }
        int over =
                (int) Math.max(1, Math.min(MOST_SAMPLES, Math.rint(this.over / times.intervalUs)));
        double us =
                !reaches.isEmpty()
                        ? series.firstAtLeastUs(Arithmetic.orNone(level, measures))
                        : settles.isEmpty()
                                ? lastUs(series, over, Arithmetic.orNone(above + below, measures))
                                : settledUs(
                                        series,
                                        over,
                                        Arithmetic.orNone(level, measures),
                                        time(from, 0, measures),
                                        time(to, Double.POSITIVE_INFINITY, measures));
        return new Measure(name, "us", us);
    }

    private static double time(String text, double absent, Arithmetic.Measured measures) {
        Double us = text.isEmpty() ? Double.valueOf(absent) : Said.us(text);
        return us == null ? Arithmetic.orNone(text, measures) : us;
    }

    private static Series named(String name, List<Series> among) {
        for (Series one : among) {
            if (SeriesMeasure.called(one.name()).equals(name)) {
                return one;
            }
        }
        return new Series(name, "", new double[0], new double[0]);
    }

    private double settledUs(Series series, int over, double target, double fromUs, double toUs) {
        double[] times = series.timesUs();
        double[] values = series.values();
        double settledUs = Double.NaN;
        // What is added and taken away again leaves a remainder of rounding.
        double rounding = ROUNDING * Arrays.stream(values).map(Math::abs).max().orElse(0);
        double sum = 0;
        for (int last = 0; last < values.length && times[last] < toUs; last++) {
            sum += values[last] - (last < over ? 0 : values[last - over]);
            int first = last - over + 1;
            if (first >= 0 && times[first] >= fromUs) {
                boolean isNear = Math.abs(sum / over - target) <= tolerance * target + rounding;
                boolean isFirst = Double.isNaN(settledUs);
                settledUs = !isNear ? Double.NaN : isFirst ? times[first] - fromUs : settledUs;
            }
        }
        return settledUs;
    }

    private double lastUs(Series series, int over, double level) {
        double[] values = series.values();
        for (int first = values.length - over; first >= 0; first--) {
            double mean = Arrays.stream(values, first, first + over).average().orElse(Double.NaN);
            if (above.isEmpty() ? mean < level : mean > level) {
                return series.timesUs()[first];
            }
        }
        return 0;
    }
}
