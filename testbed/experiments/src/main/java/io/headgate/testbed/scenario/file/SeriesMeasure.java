package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A measure of a recorded series, such as {@code p99 of queue s1/p4 from 1ms}: one number computed
 * from its samples. They are taken at equal intervals, so all have the same weight.
 *
 * @param name name as in the file
 * @param statistic {@code mean}, {@code max}, {@code sum}, {@code count} of samples, {@code p} and
 *     a percentile, {@code least second}, the mean of the worst second, or {@code stayed above} and
 *     a value, in seconds
 * @param of the series, named as in {@link #called}
 * @param fromUs samples before this time do not count
 * @param toUs samples from this time on do not count
 */
public record SeriesMeasure(String name, String statistic, String of, double fromUs, double toUs) {
    /** The word between the statistic and the series. */
    static final String OF = " of ";

    /** The statistics, in words for a message. */
    public static final String STATISTICS =
            "least second, stayed above and a value, "
                    + "mean, max, sum, count or a percentile from p0 to p100, such as p99";

    private static final String COUNTER = Kind.COUNTER.series("");
    private static final double ALL_PERCENT = 100;
    private static final double US_PER_S = 1e6;
    private static final String LEAST_SECOND = "least second";
    private static final String STAYED_ABOVE = "stayed above ";
    private static final String TIME = "([0-9.]+[a-z]+)";
    private static final Pattern FORM =
            Pattern.compile(
                    "(mean|max|sum|count|"
                            + LEAST_SECOND
                            + "|"
                            + STAYED_ABOVE
                            + "[0-9]{1,12}(?:\\.[0-9]{1,6})?"
                            + "|p([0-9]{1,3}(?:\\.[0-9]+)?))"
                            + OF
                            + "(.+?)(?: from "
                            + TIME
                            + ")?(?: to "
                            + TIME
                            + ")?");

    /** Parses a measure's name; null if it has none of these statistics. */
    public static @Nullable SeriesMeasure parse(String name) {
        Matcher parts = FORM.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        String percent = parts.group(2);
        boolean isSound = percent == null || Double.parseDouble(percent) <= ALL_PERCENT;
        Double fromUs = us(parts.group(4), Double.NEGATIVE_INFINITY);
        Double toUs = us(parts.group(5), Double.POSITIVE_INFINITY);
        return isSound && fromUs != null && toUs != null
                ? new SeriesMeasure(name, parts.group(1), parts.group(3), fromUs, toUs)
                : null;
    }

    /** A time in us; null where the text is not one. */
    private static @Nullable Double us(@Nullable String time, double absent) {
        return time == null ? Double.valueOf(absent) : Said.us(time);
    }

    /** The name of a series in measures: as in figures, a counter only by its place and label. */
    static String called(String series) {
        return series.startsWith(COUNTER) ? series.substring(COUNTER.length()) : series;
    }

    /** Measures a series that has samples. */
    public Measure measure(Series series) {
        boolean isTime = statistic.startsWith(STAYED_ABOVE);
        return new Measure(name, isTime ? "s" : series.unit(), value(series));
    }

    private double value(Series series) {
        double[] times = series.timesUs();
        double[] values = series.values();
        if (statistic.equals("sum") || statistic.equals("count")) {
            // What is counted at a time was counted in the interval up to it.
            return IntStream.range(0, times.length)
                    .filter(i -> times[i] > fromUs && times[i] <= toUs)
                    .mapToDouble(i -> statistic.equals("sum") ? values[i] : 1)
                    .sum();
        }
        if (statistic.equals("mean")) {
            boolean isWhole = Double.isInfinite(fromUs) && Double.isInfinite(toUs);
            return isWhole ? SeriesMath.mean(series) : series.mean(fromUs, toUs);
        }
        if (statistic.equals(LEAST_SECOND)) {
            return leastSecond(series);
        }
        if (statistic.startsWith(STAYED_ABOVE)) {
            return stayedAbove(
                    Double.parseDouble(statistic.substring(STAYED_ABOVE.length())), series);
        }
        double[] within =
                IntStream.range(0, times.length)
                        .filter(i -> times[i] >= fromUs && times[i] < toUs)
                        .mapToDouble(i -> values[i])
                        .toArray();
        if (within.length == 0) {
            return Double.NaN;
        }
        double percent =
                statistic.equals("max") ? ALL_PERCENT : Double.parseDouble(statistic.substring(1));
        return Flows.percentile(within, percent);
    }

    /** The least mean of a second, whenever it begins; of a shorter time the mean of all of it. */
    private double leastSecond(Series series) {
        double[] times = series.timesUs();
        double[] values = series.values();
        // Sums from a place to the one before "behind": without differences nothing is left over of
        // values that are past, and what is not a number spoils no later second.
        double[] upTo = new double[times.length];
        double since = 0;
        int behind = 0;
        double least = Double.POSITIVE_INFINITY;
        int first = 0;
        for (int i = 0; i < times.length && times[i] < toUs; i++) {
            if (times[i] < fromUs) {
                first = i + 1;
                behind = first;
                continue;
            }
            since += values[i];
            while (first < i && times[i] - times[first + 1] >= US_PER_S) {
                first++;
            }
            if (first >= behind) {
                double sum = 0;
                for (int from = i; from >= first; from--) {
                    sum += values[from];
                    upTo[from] = sum;
                }
                behind = i + 1;
                since = 0;
            }
            double mean = (upTo[first] + since) / (i - first + 1);
            if (times[i] - times[first] >= US_PER_S && mean < least) {
                least = mean;
            }
        }
        return Double.isInfinite(least) ? series.mean(fromUs, toUs) : least;
    }

    /** How long, in seconds, values had been above a limit at the end; 0: they were not. */
    private double stayedAbove(double limit, Series series) {
        double[] times = series.timesUs();
        double sinceUs = Double.NaN;
        double endUs = Double.NaN;
        for (int i = 0; i < times.length && times[i] < toUs; i++) {
            if (times[i] < fromUs) {
                continue;
            }
            endUs = times[i];
            if (!(series.values()[i] > limit)) {
                sinceUs = Double.NaN;
            } else if (Double.isNaN(sinceUs)) {
                sinceUs = endUs;
            }
        }
        return Double.isNaN(endUs)
                ? Double.NaN
                : Double.isNaN(sinceUs) ? 0 : (endUs - sinceUs) / US_PER_S;
    }
}
