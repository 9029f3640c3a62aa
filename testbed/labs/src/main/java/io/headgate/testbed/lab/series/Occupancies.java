package io.headgate.testbed.lab.series;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Looks every few milliseconds, on a thread of its own, at how many bytes some buffers hold. Reads
 * these few counters alone and makes next to no garbage, as a collection would stop the workers.
 */
public final class Occupancies implements AutoCloseable {
    private static final long INTERVAL_NS = 5_000_000;

    /** One look. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Look(long takenNs, long[] bytes) {}

    private final List<String> names;
    private final List<LongSupplier> buffers;
    private final List<Look> looks = new ArrayList<>();
    private final Sampler sampler;
    private volatile long originNs = System.nanoTime();

    /**
     * @param names of the buffers, such as {@code s1/p3}
     * @param buffers what each holds now, in bytes
     */
    public Occupancies(List<String> names, List<LongSupplier> buffers) {
        this.names = List.copyOf(names);
        this.buffers = List.copyOf(buffers);
        this.sampler = new Sampler("buffers", INTERVAL_NS, this::look);
    }

    private void look() {
        long[] bytes = new long[buffers.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = buffers.get(i).getAsLong();
        }
        Look look = new Look(System.nanoTime(), bytes);
        synchronized (looks) {
            looks.add(look);
        }
    }

    /** Times are counted from now on; what was before has times below zero. */
    public void begin() {
        originNs = System.nanoTime();
    }

    /** What time it is, in seconds since {@link #begin}. */
    public double nowSeconds() {
        return (System.nanoTime() - originNs) / 1e9;
    }

    private List<Look> looks() {
        synchronized (looks) {
            return List.copyOf(looks);
        }
    }

    private double seconds(Look look) {
        return (look.takenNs - originNs) / 1e9;
    }

    /**
     * The time since which all buffers have held more than a limit, up to a time, in seconds; NaN
     * if one of them did not at that time.
     */
    public double allAboveSince(long limitBytes, double toSeconds) {
        double since = Double.NaN;
        for (Look look : looks()) {
            if (seconds(look) > toSeconds) {
                break;
            }
            boolean above = true;
            for (long bytes : look.bytes) {
                above &= bytes > limitBytes;
            }
            if (!above) {
                since = Double.NaN;
            } else if (Double.isNaN(since)) {
                since = Math.max(0, seconds(look));
            }
        }
        return since;
    }

    /** The least that each buffer held between two times, in bytes. */
    public List<Long> least(double fromSeconds, double toSeconds) {
        return extremes(fromSeconds, toSeconds, false);
    }

    /** The most that each buffer held between two times, in bytes. */
    public List<Long> most(double fromSeconds, double toSeconds) {
        return extremes(fromSeconds, toSeconds, true);
    }

    private List<Long> extremes(double fromSeconds, double toSeconds, boolean most) {
        List<Long> extremes = new ArrayList<>();
        List<Look> all = looks();
        for (int i = 0; i < buffers.size(); i++) {
            int buffer = i;
            var bytes =
                    all.stream()
                            .filter(look ->
                                    seconds(look) >= fromSeconds && seconds(look) <= toSeconds)
                            .mapToLong(look -> look.bytes[buffer]);
            extremes.add((most ? bytes.max() : bytes.min()).orElse(0));
        }
        return extremes;
    }

    public List<String> names() {
        return names;
    }

    /** When each look was, in seconds since {@link #begin}. */
    public double[] seconds() {
        return looks().stream().mapToDouble(this::seconds).toArray();
    }

    /** What a buffer held at each look, in kilobytes. */
    public double[] kilobytes(int buffer) {
        return looks().stream().mapToDouble(look -> look.bytes[buffer] / 1e3).toArray();
    }

    /** As a table of numbers, with a heading, separated by commas. */
    public String toCsv() {
        StringBuilder text = new StringBuilder("seconds");
        names.forEach(name -> text.append(',').append(name).append("_bytes"));
        text.append('\n');
        for (Look look : looks()) {
            text.append(String.format(Locale.ROOT, "%.4f", seconds(look)));
            for (long bytes : look.bytes) {
                text.append(',').append(bytes);
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** Ends looking. */
    @Override
    public void close() {
        sampler.close();
    }
}
