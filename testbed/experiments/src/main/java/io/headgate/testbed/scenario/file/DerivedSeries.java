package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A series that a scenario file makes of recorded ones.
 *
 * @param source what of them
 * @param per what values are divided by
 * @param during a series that counts; what came before it first grew, or after it last did, is left
 *     out; empty: nothing is
 * @param fold what is made of the samples of each time of some length; null: they are left as they
 *     are
 * @param intervalUs between two samples
 */
record DerivedSeries(
        String name,
        String unit,
        Source source,
        double per,
        String during,
        @Nullable Fold fold,
        double intervalUs) {
    /** The time of a sample, in us. */
    static final String TIME = "time";

    private static final double ROUNDING = 1e-9;

    /** What a series is of. */
    sealed interface Source {}

    /** A series, a kind such as {@code throughput}, or a name with a star: the sum of all these. */
    record Sum(String of) implements Source {
        boolean isOf(String series) {
            return Starred.is(of)
                    ? RecordedSeries.isMeant(of, series)
                    : series.equals(of) || series.startsWith(of + " ");
        }
    }

    /** Arithmetic with series, sample by sample. */
    record Value(String arithmetic) implements Source {
        List<String> names() {
            return Objects.requireNonNullElse(Arithmetic.measures(arithmetic), List.of());
        }

        /** Whether a series is one of those, or one of those that a star stands for. */
        boolean isOf(String series) {
            return names().stream().anyMatch(name -> RecordedSeries.isMeant(name, series));
        }
    }

    /** Names of the series that it is made of, as the file has them. */
    List<String> names() {
        return switch (source) {
            case Sum sum -> List.of(sum.of());
            case Value value -> value.names().stream().filter(one -> !one.equals(TIME)).toList();
        };
    }

    /** One value in place of all samples of a time, at its end. */
    record Fold(double eachUs, As as) {}

    /** What it is. */
    enum As {
        MEAN,
        SUM,
        /** By what a counter has grown. */
        GROWTH
    }

    /**
     * Whether a series is one of those that it is made of. A file's own series is in no sum of
     * others, which would have what it is made of twice.
     *
     * @param isRecorded not made by the file
     */
    boolean isOf(String series, boolean isRecorded) {
        String called = SeriesMeasure.called(series);
        return switch (source) {
            case Sum sum -> isRecorded ? sum.isOf(called) : called.equals(sum.of());
            case Value value -> value.isOf(called);
        };
    }

    /**
     * @param before the file's series before it
     */
    Series from(List<Series> before, List<Series> recorded) {
        List<Series> parts = parts(before, recorded);
        Series made =
                parts.isEmpty()
                        ? new Series(name, unit, new double[0], new double[0])
                        : switch (source) {
                            case Sum _ -> SeriesMath.sum(name, parts);
                            case Value value -> computed(value, parts);
                        };
        for (List<Series> known : List.of(before, recorded)) {
            for (Series one : known) {
                if (SeriesMeasure.called(one.name()).equals(during)) {
                    made = during(made, one);
                }
            }
        }
        return folded(made).map(name, unit, value -> value / per);
    }

    private List<Series> parts(List<Series> before, List<Series> recorded) {
        List<Series> parts = new ArrayList<>(before);
        parts.removeIf(one -> !isOf(one.name(), false));
        if (source instanceof Value || parts.isEmpty()) {
            recorded.stream().filter(one -> isOf(one.name(), true)).forEach(parts::add);
        }
        return parts;
    }

    private Series computed(Value value, List<Series> parts) {
        Series first = parts.getFirst();
        int samples = parts.stream().mapToInt(one -> one.values().length).min().orElse(0);
        double[] values = new double[samples];
        for (int i = 0; i < samples; i++) {
            Double said = Arithmetic.value(value.arithmetic, new Sample(parts, i));
            values[i] = said == null ? Double.NaN : said;
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
    private Series during(Series all, Series counter) {
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
        if (fold == null || values.length == 0) {
            return all;
        }
        List<double[]> samples = new ArrayList<>();
        double before = values[0];
        for (int i = 0; i < times.length; ) {
            double first = times[i] > 0 ? 1 : 0;
            double endUs =
                    Math.max(first, Math.ceil(times[i] / fold.eachUs - ROUNDING)) * fold.eachUs;
            double sum = 0;
            int count = 0;
            do {
                sum += values[i++];
                count++;
            } while (i < times.length && times[i] <= endUs * (1 + ROUNDING));
            double last = values[i - 1];
            double value =
                    switch (fold.as) {
                        case MEAN -> sum / count;
                        case SUM -> sum;
                        case GROWTH -> last - before;
                    };
            samples.add(new double[] {endUs, value});
            before = last;
        }
        return Series.of(name, unit, samples);
    }
}
