package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A measure of a recorded series, such as {@code p99 of queue s1/p4}: one number of its samples.
 * They are taken at equal intervals, so all count the same.
 *
 * @param name as the file has it
 * @param statistic {@code mean}, {@code max}, or {@code p} and a percentile
 * @param of the series, as {@link #called} says
 */
record SeriesMeasure(String name, String statistic, String of) {
    /** What stands between the statistic and the series. */
    static final String OF = " of ";

    /** Statistics that there are, in words for a message. */
    static final String STATISTICS = "mean, max or a percentile from p0 to p100, such as p99";

    private static final String COUNTER = Kind.COUNTER.series("");
    private static final double ALL_PERCENT = 100;
    private static final Pattern FORM =
            Pattern.compile("(mean|max|p([0-9]{1,3}(?:\\.[0-9]+)?))" + OF + "(.+)");

    /** What a measure's name says; null where it has no statistic of these. */
    static @Nullable SeriesMeasure parse(String name) {
        Matcher parts = FORM.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        String percent = parts.group(2);
        boolean isSound = percent == null || Double.parseDouble(percent) <= ALL_PERCENT;
        return isSound ? new SeriesMeasure(name, parts.group(1), parts.group(3)) : null;
    }

    /** A series as measures call it: as figures do, a counter by its place and label alone. */
    static String called(String series) {
        return series.startsWith(COUNTER) ? series.substring(COUNTER.length()) : series;
    }

    /** Measures a series that has samples. */
    Measure measure(Series series) {
        double value =
                switch (statistic) {
                    case "mean" -> SeriesMath.mean(series);
                    case "max" -> series.max();
                    default ->
                            Flows.percentile(
                                    series.values(), Double.parseDouble(statistic.substring(1)));
                };
        return new Measure(name, series.unit(), value);
    }
}
