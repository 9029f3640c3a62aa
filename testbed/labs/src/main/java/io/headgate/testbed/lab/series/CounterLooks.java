package io.headgate.testbed.lab.series;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.file.Arithmetic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Samples some counters of switches every hundredth of a second, on a thread of its own, until it
 * is closed. It reads only these few and makes almost no garbage: a collection would stop the
 * workers that it observes.
 */
public final class CounterLooks implements AutoCloseable {
    private static final long INTERVAL_NS = 10_000_000;

    /** Looks over which growth is taken. */
    private static final int GROWTH_OF = 10;

    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_S = 1e6;

    /**
     * A counter.
     *
     * @param name by which it is asked for
     */
    public record Counter(String name, CounterDirectory of, Entry entry) {
        boolean isTotal() {
            return entry.kind() == Kind.TOTAL;
        }

        /**
         * Refuses to count from a time on what rises and falls.
         *
         * @throws BedException if one of these names is of a counter that does not only grow
         */
        public static void checkTotals(List<Counter> all, List<String> fromATime)
                throws BedException {
            for (Counter one : all) {
                if (!one.isTotal() && fromATime.contains(one.name)) {
                    throw new BedException(
                            "[last of "
                                    + one.name
                                    + " from ...]: it rises and falls, and only counters that grow"
                                    + " can be counted from a time on; allowed: [last of "
                                    + one.name
                                    + "]");
                }
            }
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Look(long takenNs, long[] values) {}

    private final List<Counter> counters;
    private final List<Look> looks = new ArrayList<>();
    private final @Nullable Sampler sampler;
    private volatile long startNs = System.nanoTime();
    private volatile List<Long> atStart = List.of();

    /** Begins to look, if there is anything to look at. */
    public CounterLooks(List<Counter> counters) {
        this.counters = List.copyOf(counters);
        this.sampler = counters.isEmpty() ? null : new Sampler("counters", INTERVAL_NS, this::look);
    }

    /** Forgets what it saw: times, and what has grown, are from now on. */
    public void begin() {
        synchronized (looks) {
            looks.clear();
            startNs = System.nanoTime();
            atStart = counters.stream().map(one -> one.of.value(one.entry)).toList();
        }
    }

    /**
     * What a counter is now; of one that only grows, by how much it has grown since the beginning.
     */
    public double now(String name) {
        int place = place(name);
        Counter counter = counters.get(place);
        long value = counter.of.value(counter.entry);
        return counter.isTotal() ? value - atStart.get(place) : value;
    }

    /** Tells whether counters have changed since it was last asked; it makes no garbage. */
    public final class Watch {
        private final int[] places;
        private final long[] last;
        private boolean hasLooked;

        private Watch(List<String> names) {
            this.places = names.stream().mapToInt(CounterLooks.this::place).toArray();
            this.last = new long[places.length];
        }

        /** Whether any has, or it is asked for the first time. */
        public boolean hasChanged() {
            boolean hasChanged = !hasLooked;
            hasLooked = true;
            for (int i = 0; i < places.length; i++) {
                Counter counter = counters.get(places[i]);
                long value = counter.of.value(counter.entry);
                hasChanged |= value != last[i];
                last[i] = value;
            }
            return hasChanged;
        }
    }

    /** A watch of counters by their names. */
    public Watch watch(List<String> names) {
        return new Watch(names);
    }

    /** Seconds since it began. */
    public double nowSeconds() {
        return (System.nanoTime() - startNs) / NS_PER_S;
    }

    private void look() {
        long[] values = new long[counters.size()];
        long takenNs = System.nanoTime();
        for (int i = 0; i < values.length; i++) {
            values[i] = counters.get(i).of.value(counters.get(i).entry);
        }
        synchronized (looks) {
            looks.add(new Look(takenNs, values));
        }
    }

    private List<Look> looks() {
        synchronized (looks) {
            // One may have been under way when it began.
            return looks.stream().filter(look -> look.takenNs - startNs >= 0).toList();
        }
    }

    /** What each counter was; of one that only grows, by how much it had grown. */
    public List<Series> counted() {
        List<Look> all = looks();
        double[] us = timesUs(all);
        List<Series> series = new ArrayList<>();
        for (int i = 0; i < counters.size(); i++) {
            int counter = i;
            Counter of = counters.get(i);
            long from = of.isTotal() ? before(i, all) : 0;
            double[] values =
                    all.stream().mapToDouble(look -> look.values[counter] - from).toArray();
            series.add(new Series(of.name, of.entry.unit(), us, values));
        }
        return series;
    }

    /** A counter at the beginning; of looks without one at the first. */
    private long before(int counter, List<Look> all) {
        List<Long> began = atStart;
        return began.isEmpty()
                ? all.isEmpty() ? 0 : all.getFirst().values[counter]
                : began.get(counter);
    }

    /** What is made of the counters at each look but the first ten. */
    public Series made(String name, String unit, String arithmetic) {
        return made(name, unit, arithmetic, counted(), totals());
    }

    /** The names of those that only grow. */
    public Set<String> totals() {
        return counters.stream()
                .filter(Counter::isTotal)
                .map(Counter::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * What is made of counters at each of their times but the first ten.
     *
     * @param arithmetic with counters by their names; of one that only grows its growth in a
     *     second, over the ten times before
     * @param counted counters at the same times
     * @param totals the names of those that only grow
     */
    public static Series made(
            String name, String unit, String arithmetic, List<Series> counted, Set<String> totals) {
        Map<String, Series> byName =
                counted.stream().collect(Collectors.toMap(Series::name, one -> one));
        double[] us = counted.isEmpty() ? new double[0] : counted.getFirst().timesUs();
        int count = Math.max(0, us.length - GROWTH_OF);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            int before = i;
            int now = i + GROWTH_OF;
            double seconds = (us[now] - us[before]) / US_PER_S;
            Double value =
                    Arithmetic.value(
                            arithmetic,
                            of -> {
                                double[] all = Objects.requireNonNull(byName.get(of)).values();
                                return totals.contains(of)
                                        ? (all[now] - all[before]) / seconds
                                        : all[now];
                            });
            values[i] = value == null ? Double.NaN : value;
        }
        return new Series(name, unit, Arrays.copyOfRange(us, us.length - count, us.length), values);
    }

    private int place(String name) {
        return IntStream.range(0, counters.size())
                .filter(i -> counters.get(i).name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    private double[] timesUs(List<Look> all) {
        return all.stream().mapToDouble(look -> (look.takenNs - startNs) / NS_PER_US).toArray();
    }

    /** Ends looking. */
    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
    }
}
