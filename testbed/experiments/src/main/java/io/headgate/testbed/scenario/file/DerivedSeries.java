package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A series that a scenario file computes from recorded ones. */
record DerivedSeries(
        @Key(pattern = "^[A-Za-z][A-Za-z0-9 _./,-]{0,63}$")
                @Says("The series' name in every output.")
                @Allowed(
                        "a letter and up to 63 letters, digits, blanks, -, _, ., / or commas, such"
                                + " as fair rate s1/p4")
                String name,
        @Key(max = "100")
                @Says(
                        "A series, or the common beginning of recorded series of a kind, whose sum"
                                + " is used.")
                @Otherwise("value")
                @Allowed("a series such as queue s1/p4, or throughput for the sum of all of these")
                String of,
        @Key
                @Says(
                        "Instead of 'of': arithmetic with recorded series in square brackets,"
                                + " sample by sample.")
                @Otherwise("of")
                @Allowed(
                        "arithmetic with recorded series in square brackets, such as '[queue s1/p4]"
                                + " - [queue s1/p3]'")
                String value,
        @Key(name = "while", max = "100")
                @Says(
                        "A recorded counter: only samples later than one interval after its first"
                                + " growth, and until one interval after its last growth, are"
                                + " kept.")
                @Otherwise("none is left out")
                @Allowed("a recorded series, such as s1/p4 stopped.ns.p3")
                String during,
        @Key(codec = Said.Micros.class)
                @Says(
                        "Length of intervals: the samples of an interval are replaced by one value"
                                + " at its end, as set by 'as'.")
                @Otherwise("samples are left as they are")
                @Allowed("a time such as 1ms")
                double each,
        @Key
                @Says(
                        "With each: the mean of the samples, their sum, or the growth of a"
                                + " counter.")
                @Otherwise("samples are left as they are")
                @Nullable As as,
        @Key(codec = Said.Amount.class)
                @Says("Divisor of the values.")
                @Otherwise("1")
                @Allowed(Said.NUMBER)
                double per,
        @Key(pattern = "^.{0,20}$", example = "Gb/s")
                @Says("The unit of its values.")
                @Otherwise("none")
                String unit) {
    /** The time of a sample, in us. */
    static final String TIME = "time";

    private static final double ROUNDING = 1e-9;

    /** The value that replaces the samples of a period. */
    enum As {
        MEAN,
        SUM,
        GROWTH
    }

    static double per(Known known) {
        return 1;
    }

    boolean isSum() {
        return !of.isEmpty();
    }

    /** Whether a sum includes a series: it names one series, a kind, or a name with a star. */
    boolean isSumOf(String series) {
        return Starred.is(of)
                ? RecordedSeries.isMeant(of, series)
                : series.equals(of) || series.startsWith(of + " ");
    }

    /** Names of the series from which it is computed, as in the file. */
    List<String> names() {
        List<String> names = isSum() ? List.of(of) : Arithmetic.measures(value);
        return names == null ? List.of() : names.stream().filter(one -> !one.equals(TIME)).toList();
    }

    /**
     * Whether it is computed from a series. A file's own series is not part of sums, which would
     * otherwise count its source series twice.
     *
     * @param isRecorded whether the series is recorded, not derived by the file
     */
    boolean isOf(String series, boolean isRecorded) {
        String called = SeriesMeasure.called(series);
        return isSum()
                ? isRecorded ? isSumOf(called) : called.equals(of)
                : names().stream().anyMatch(one -> RecordedSeries.isMeant(one, called));
    }

    /**
     * @param before series of the file before it
     * @param intervalUs time between two samples
     */
    Series from(List<Series> before, List<Series> recorded, double intervalUs) {
        List<Series> parts = parts(before, recorded);
        Series made =
                parts.isEmpty()
                        ? new Series(name, unit, new double[0], new double[0])
                        : isSum() ? SeriesMath.sum(name, parts) : computed(parts);
        for (List<Series> known : List.of(before, recorded)) {
            for (Series one : known) {
                if (SeriesMeasure.called(one.name()).equals(during)) {
                    made = during(made, one, intervalUs);
                }
            }
        }
        return folded(made).map(name, unit, number -> number / per);
    }

    private List<Series> parts(List<Series> before, List<Series> recorded) {
        List<Series> parts = new ArrayList<>(before);
        parts.removeIf(one -> !isOf(one.name(), false));
        if (!isSum() || parts.isEmpty()) {
            recorded.stream().filter(one -> isOf(one.name(), true)).forEach(parts::add);
        }
        return parts;
    }

    private Series computed(List<Series> parts) {
        Series first = parts.getFirst();
        int samples = parts.stream().mapToInt(one -> one.values().length).min().orElse(0);
        double[] values = new double[samples];
        for (int i = 0; i < samples; i++) {
            values[i] = Arithmetic.orNone(value, new Sample(parts, i));
        }
        return new Series(name, unit, Arrays.copyOf(first.timesUs(), samples), values);
    }

    /** What the series have at one time. */
    private record Sample(List<Series> parts, int at) implements Arithmetic.Measured {
        @Override
        public double of(String name) {
            if (name.equals(TIME)) {
                return parts.getFirst().timesUs()[at];
            }
            List<Double> one = all(name);
            return one.isEmpty() ? Double.NaN : one.getFirst();
        }

        @Override
        public List<Double> all(String starred) {
            return parts.stream()
                    .filter(one ->
                            RecordedSeries.isMeant(starred, SeriesMeasure.called(one.name())))
                    .map(one -> one.values()[at])
                    .toList();
        }
    }

    /** An interval later at both ends: what had passed before has arrived by then. */
    private Series during(Series all, Series counter, double intervalUs) {
        double[] counts = counter.values();
        double fromUs = Double.NaN;
        double toUs = Double.NaN;
        for (int i = 1; i < counts.length; i++) {
            if (counts[i] > counts[i - 1]) {
                toUs = counter.timesUs()[i] + intervalUs;
                fromUs = Double.isNaN(fromUs) ? toUs : fromUs;
            }
        }
        double from = fromUs;
        double to = toUs;
        double[] times = all.timesUs();
        List<double[]> within =
                IntStream.range(0, times.length)
                        .filter(i -> times[i] > from && times[i] <= to)
                        .mapToObj(i -> new double[] {times[i], all.values()[i]})
                        .toList();
        return Series.of(name, unit, within);
    }

    private Series folded(Series all) {
        double[] times = all.timesUs();
        double[] values = all.values();
        if (as == null || values.length == 0) {
            return all;
        }
        List<double[]> samples = new ArrayList<>();
        double before = values[0];
        for (int i = 0; i < times.length; ) {
            double first = times[i] > 0 ? 1 : 0;
            double endUs = Math.max(first, Math.ceil(times[i] / each - ROUNDING)) * each;
            double sum = 0;
            int count = 0;
            do {
                sum += values[i++];
                count++;
            } while (i < times.length && times[i] <= endUs * (1 + ROUNDING));
            double last = values[i - 1];
            double folded =
                    switch (as) {
                        case MEAN -> sum / count;
                        case SUM -> sum;
                        case GROWTH -> last - before;
                    };
            samples.add(new double[] {endUs, folded});
            before = last;
        }
        return Series.of(name, unit, samples);
    }
}
