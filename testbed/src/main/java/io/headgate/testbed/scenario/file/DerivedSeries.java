package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.SeriesMath;
import java.util.List;

/**
 * A series that a scenario file makes of recorded ones: their sum, divided.
 *
 * @param of a series, or a kind such as {@code throughput}: all of these
 */
record DerivedSeries(String name, String unit, String of, double per) {

    /** Whether a series is one of those that it is made of. */
    boolean isOf(String series) {
        String called = SeriesMeasure.called(series);
        return called.equals(of) || series.startsWith(of + " ");
    }

    Series from(List<Series> recorded) {
        List<Series> parts = recorded.stream().filter(one -> isOf(one.name())).toList();
        Series sum =
                parts.isEmpty()
                        ? new Series(name, unit, new double[0], new double[0])
                        : SeriesMath.sum(name, parts);
        return sum.map(name, unit, value -> value / per);
    }
}
