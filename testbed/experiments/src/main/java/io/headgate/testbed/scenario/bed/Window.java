package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The measured part of a run, without warm-up: it covers the flows that begin in it, and the frames
 * that receivers take in it.
 *
 * @param fromUs its start, in described time of the run
 * @param untilUs its end (exclusive)
 */
public record Window(double fromUs, double untilUs) {
    private static final double BYTES_PER_GBPS_US = 1e3 / 8;

    /** What is measured of bytes, by the series that has them. */
    private static final String THROUGHPUT = "throughput ";

    private static final String CARRIED = "carried ";

    private boolean has(double us) {
        return us >= fromUs && us < untilUs;
    }

    /** The series with only the flows that begin in it. */
    List<Series> flows(List<Series> all) {
        return all.stream()
                .map(one -> one.name().startsWith(Flows.PREFIX) ? part(one) : one)
                .filter(one -> !one.name().startsWith(Flows.PREFIX) || one.values().length > 0)
                .toList();
    }

    private Series part(Series of) {
        int[] places =
                IntStream.range(0, of.values().length).filter(i -> has(of.timesUs()[i])).toArray();
        return new Series(
                of.name(),
                of.unit(),
                IntStream.of(places).mapToDouble(i -> of.timesUs()[i]).toArray(),
                IntStream.of(places).mapToDouble(i -> of.values()[i]).toArray());
    }

    /** The measures with the frames that receivers took in it instead of in the whole run. */
    List<Measure> measures(List<Measure> whole, List<Series> series, Set<String> groups) {
        List<Measure> measures = new ArrayList<>(whole);
        for (String group : groups) {
            double gbps = mean(series, THROUGHPUT + group);
            boolean isAlike = series.stream().noneMatch(one -> one.name().equals(CARRIED + group));
            double bytes = gbps * BYTES_PER_GBPS_US * (untilUs - fromUs);
            double carried = isAlike ? gbps : mean(series, CARRIED + group);
            replace(measures, "throughput of " + group, gbps);
            replace(measures, "carried of " + group, carried);
            replace(measures, "bytes received of " + group, Math.rint(bytes));
        }
        return measures;
    }

    private static void replace(List<Measure> measures, String name, double value) {
        measures.replaceAll(
                one -> one.name().equals(name) ? new Measure(name, one.unit(), value) : one);
    }

    /** Of samples, which stand in the middle of their intervals. */
    private double mean(List<Series> series, String name) {
        return series.stream()
                .filter(one -> one.name().equals(name))
                .flatMapToDouble(one ->
                        IntStream.range(0, one.values().length)
                                .filter(i -> has(one.timesUs()[i]))
                                .mapToDouble(i -> one.values()[i]))
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }
}
