package io.headgate.testbed.lab.series;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Samples some numbers every tenth of a second, on a thread of its own, for a plot of their values
 * or of their growth rates.
 */
public final class ValueSeries implements AutoCloseable {
    private static final long INTERVAL_NS = 100_000_000;

    /**
     * A look that takes a greater part of the time that it covers does not count; the next one
     * covers its time, too.
     */
    private static final long SHORT_LOOK = 50;

    /** A rate over a shorter time is meaningless. */
    private static final long SHORTEST_NS = 10_000_000;

    /**
     * A line of the plot.
     *
     * @param now of a total only its growth counts
     * @param factor what it is multiplied by: a total's growth in a nanosecond, or the number
     */
    public record Line(String name, LongSupplier now, boolean isTotal, double factor) {}

    /**
     * One sample.
     *
     * @param values of each line
     */
    public record Sample(double seconds, List<Double> values) {
        public Sample {
            values = List.copyOf(values);
        }
    }

    private final List<String> names;

    /** Empty once it is closed: what they ask has much memory, and figures keep this. */
    private volatile List<Line> lines;

    private final List<Sample> samples = new ArrayList<>();
    private final long startNs;
    private final Sampler sampler;
    private long[] before;
    private long beforeNs = System.nanoTime();

    /**
     * @param startNs when its times are 0, on {@link System#nanoTime}'s clock
     */
    public ValueSeries(long startNs, List<Line> lines) {
        this.startNs = startNs;
        this.lines = List.copyOf(lines);
        this.names = lines.stream().map(Line::name).toList();
        this.before = now();
        this.sampler = new Sampler("values", INTERVAL_NS, this::look);
    }

    private long[] now() {
        return lines.stream().mapToLong(line -> line.now.getAsLong()).toArray();
    }

    private void look() {
        long nowNs = System.nanoTime();
        long[] now = now();
        long elapsedNs = nowNs - beforeNs;
        if (elapsedNs < SHORTEST_NS || (System.nanoTime() - nowNs) * SHORT_LOOK > elapsedNs) {
            // Just begun, or this thread was held up: the numbers' exact time is unknown.
            return;
        }
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < now.length; i++) {
            Line line = lines.get(i);
            values.add(
                    line.isTotal
                            ? (now[i] - before[i]) * line.factor / elapsedNs
                            : now[i] * line.factor);
        }
        before = now;
        beforeNs = nowNs;
        synchronized (samples) {
            samples.add(new Sample((nowNs - startNs) / 1e9, values));
        }
    }

    public List<String> names() {
        return names;
    }

    /** All looks until now. */
    public List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    @Override
    public void close() {
        sampler.close();
        lines = List.of();
    }
}
