package io.headgate.testbed.virtual;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * A value of a run, looked at at equal intervals, when all of an instant has happened; the first
 * time at 0. Looking changes nothing. Grows with the run.
 */
public final class SampledSeries {
    private final String name;
    private final String unit;
    private final long intervalPs;
    private final LongSupplier value;
    private long[] samples = new long[64];
    private int size;

    private SampledSeries(String name, String unit, long intervalPs, LongSupplier value) {
        if (intervalPs < 1) {
            throw new IllegalArgumentException(name + " every " + intervalPs + " ps");
        }
        this.name = name;
        this.unit = unit;
        this.intervalPs = intervalPs;
        this.value = value;
    }

    /**
     * Has a run look at a value, from now on until a time; to be asked for before the run starts.
     *
     * @param unit of the value, e.g. {@code bytes}
     * @param intervalPs time between two looks, in ps, at least 1
     * @param value answers it without changing anything
     */
    public static SampledSeries record(
            VirtualRun run,
            String name,
            String unit,
            long intervalPs,
            long untilPs,
            LongSupplier value) {
        SampledSeries series = new SampledSeries(name, unit, intervalPs, value);
        run.addProbe(
                        (probe, nowPs) -> {
                            series.sample();
                            if (nowPs + intervalPs <= untilPs) {
                                probe.schedule(nowPs + intervalPs);
                            }
                        })
                .schedule(0);
        return series;
    }

    /**
     * The same, of a counter of one side of a port.
     *
     * @throws IllegalArgumentException if the node has no such counter
     */
    public static SampledSeries recordCounter(
            VirtualRun run,
            VirtualNode node,
            Scope scope,
            int port,
            CounterId counter,
            long intervalPs,
            long untilPs) {
        CounterDirectory counters = node.engine().counters();
        for (CounterDirectory.Entry entry : counters.entries()) {
            if (entry.scope() == scope
                    && entry.number() == port
                    && entry.label().equals(counter.label())) {
                String name = node.name() + "/" + entry.owner() + " " + entry.label();
                return record(
                        run, name, entry.unit(), intervalPs, untilPs, () -> counters.value(entry));
            }
        }
        throw new IllegalArgumentException(
                node.name() + " has no " + scope + " counter " + counter.label() + " of " + port);
    }

    private void sample() {
        if (size == samples.length) {
            samples = Arrays.copyOf(samples, 2 * size);
        }
        samples[size++] = value.getAsLong();
    }

    public String name() {
        return name;
    }

    /** What the samples are in. */
    public String unit() {
        return unit;
    }

    public long intervalPs() {
        return intervalPs;
    }

    /** Number of samples; sample n was taken at n intervals. */
    public int size() {
        return size;
    }

    public long sample(int index) {
        return samples[index];
    }

    /** Mean of the samples from one to another, that one excluded; not a number without any. */
    public double mean(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += samples[i];
        }
        return sum / (to - from);
    }

    /** The largest sample; 0 without any. */
    public long max() {
        long max = 0;
        for (int i = 0; i < size; i++) {
            max = Math.max(max, samples[i]);
        }
        return max;
    }
}
