package io.headgate.testbed.lab.series;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Looks at some totals every tenth of a second, on a thread of its own, for a plot of how fast they
 * grow.
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
     * @param total what only grows
     * @param perNs what its growth in a nanosecond is multiplied by
     */
    public record Line(String name, LongSupplier total, double perNs) {}

    private record Sample(double seconds, List<Double> values) {
        Sample {
            values = List.copyOf(values);
        }
    }

    private final List<String> names;

    /** Empty once it is closed: what they ask has much memory, and figures keep this. */
    private volatile List<Line> lines;

    private final List<Sample> samples = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private final Sampler sampler;
    private long[] before;
    private long beforeNs = startNs;

    public ValueSeries(List<Line> lines) {
        this.lines = List.copyOf(lines);
        this.names = lines.stream().map(Line::name).toList();
        this.before = totals();
        this.sampler = new Sampler("values", INTERVAL_NS, this::look);
    }

    private long[] totals() {
        return lines.stream().mapToLong(line -> line.total.getAsLong()).toArray();
    }

    private void look() {
        long nowNs = System.nanoTime();
        long[] now = totals();
        long elapsedNs = nowNs - beforeNs;
        if (elapsedNs < SHORTEST_NS || (System.nanoTime() - nowNs) * SHORT_LOOK > elapsedNs) {
            // Just begun, or this thread was held up: the totals' exact time is unknown.
            return;
        }
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < now.length; i++) {
            values.add((now[i] - before[i]) * lines.get(i).perNs / elapsedNs);
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

    public double[] seconds() {
        synchronized (samples) {
            return samples.stream().mapToDouble(Sample::seconds).toArray();
        }
    }

    public double[] values(int line) {
        synchronized (samples) {
            return samples.stream().mapToDouble(sample -> sample.values.get(line)).toArray();
        }
    }

    @Override
    public void close() {
        sampler.close();
        lines = List.of();
    }
}
