package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a name that have a size and began in a run, by their beginnings. A run keeps them as
 * series over time, one value for each flow: {@code flow size of web} and so on. Those that had not
 * arrived whole when the run ended are among them: to leave them out would leave out the largest
 * and the slowest.
 *
 * @param startUs since the run's beginning
 * @param completionUs from a flow's beginning to its last byte's arrival; not a number for one that
 *     had not finished when the run ended, infinite if the run went on for it, in vain: then
 *     percentiles count it as slower than all that finished
 * @param idealUs the same alone in an idle network; 0: unknown
 * @param source number of the sending host, from 0
 * @param destination number of the receiving host, from 0
 */
@SuppressWarnings("ArrayRecordComponent") // as Series
public record Flows(
        String group,
        double[] startUs,
        double[] sizeBytes,
        double[] completionUs,
        double[] idealUs,
        double[] source,
        double[] destination) {
    /** Prefix of the names of all series of flows. */
    public static final String PREFIX = "flow ";

    /** In a run's configuration: a path for each pair of hosts, by their names. */
    public static final String PATHS = "flowPaths";

    /** In a run's configuration: classes of flows by size, by their names. */
    public static final String CLASSES = "flowClasses";

    /** In a run's configuration: the flows for which the run continued after its duration. */
    public static final String DRAINED = "drained";

    private static final String OF = "of";
    private static final String ABOVE = "aboveBytes";
    private static final String TO = "toBytes";

    /**
     * Number of finished flows that p99 needs; with fewer it would only be one of the largest few.
     */
    static final int FEWEST_FOR_P99 = 100;

    static final int FEWEST_FOR_P999 = 1000;

    /** A measure that does not exist if some flows never began. */
    public static final String MAKESPAN = "makespan";

    public static final String LAST_ARRIVAL = "last arrival";

    private static final int BITS = 8;
    private static final String SIZE = "size";
    private static final String COMPLETION = "completion";
    private static final String IDEAL = "ideal";
    private static final String SOURCE = "source";
    private static final String DESTINATION = "destination";

    /** As series, in microseconds and bytes. */
    public List<Series> series() {
        return List.of(
                new Series(name(SIZE, group), "byte", startUs, sizeBytes),
                new Series(name(COMPLETION, group), "us", startUs, completionUs),
                new Series(name(IDEAL, group), "us", startUs, idealUs),
                new Series(name(SOURCE, group), "", startUs, source),
                new Series(name(DESTINATION, group), "", startUs, destination));
    }

    /** Names of the series of flows one by one that scenario files may name. */
    public static List<String> single(String group) {
        return List.of(name(COMPLETION, group), name(SIZE, group));
    }

    /** Whether a series is one of those. */
    public static boolean isSingle(String series) {
        return single("").stream().anyMatch(series::startsWith);
    }

    private static String name(String what, String group) {
        return PREFIX + what + " of " + group;
    }

    /** Names of the flows that a run kept. */
    public static List<String> groups(Outcome outcome) {
        String before = name(SIZE, "");
        Set<String> groups = new LinkedHashSet<>();
        for (Series series : outcome.series()) {
            if (series.name().startsWith(before)) {
                groups.add(series.name().substring(before.length()));
            }
        }
        return List.copyOf(groups);
    }

    /** The flows of each name that a run kept. */
    public static List<Flows> all(Outcome outcome) {
        return groups(outcome).stream()
                .map(group -> of(outcome, group))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * A class of flows by size, in the form of a run's configuration.
     *
     * @param of name of its flows
     * @param aboveBytes its lower limit (exclusive)
     * @param toBytes its upper limit (inclusive)
     */
    public static Map<String, Object> sizeClass(String of, long aboveBytes, long toBytes) {
        return Map.of(OF, of, ABOVE, aboveBytes, TO, toBytes);
    }

    private static @Nullable Flows ofClass(Outcome outcome, String name) {
        if (!(outcome.configuration().get(CLASSES) instanceof Map<?, ?> classes
                && classes.get(name) instanceof Map<?, ?> one)) {
            return null;
        }
        Flows all = of(outcome, String.valueOf(one.get(OF)));
        return all == null ? null : all.ofSizes(name, number(one.get(ABOVE)), number(one.get(TO)));
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : 0;
    }

    /** The flows of a name, or of a class by size; null if the run has none. */
    public static @Nullable Flows of(Outcome outcome, String group) {
        if (!groups(outcome).contains(group)) {
            return ofClass(outcome, group);
        }
        return new Flows(
                group,
                outcome.series(name(SIZE, group)).timesUs(),
                outcome.series(name(SIZE, group)).values(),
                waited(outcome, outcome.series(name(COMPLETION, group)).values()),
                outcome.series(name(IDEAL, group)).values(),
                outcome.series(name(SOURCE, group)).values(),
                outcome.series(name(DESTINATION, group)).values());
    }

    private static double[] waited(Outcome outcome, double[] us) {
        return outcome.configuration().containsKey(DRAINED)
                ? Arrays.stream(us)
                        .map(one -> Double.isNaN(one) ? Double.POSITIVE_INFINITY : one)
                        .toArray()
                : us;
    }

    /**
     * The flows of a range of sizes, under their own name.
     *
     * @param aboveBytes lower limit (exclusive)
     * @param toBytes upper limit (inclusive)
     */
    public Flows ofSizes(String name, double aboveBytes, double toBytes) {
        int[] these =
                IntStream.range(0, count())
                        .filter(flow -> sizeBytes[flow] > aboveBytes && sizeBytes[flow] <= toBytes)
                        .toArray();
        return new Flows(
                name,
                at(these, startUs),
                at(these, sizeBytes),
                at(these, completionUs),
                at(these, idealUs),
                at(these, source),
                at(these, destination));
    }

    private static double[] at(int[] places, double[] values) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    /** Flows of one name of several runs, combined as if they were of one run. */
    static Flows together(List<Flows> all) {
        return new Flows(
                all.getFirst().group,
                joined(all, Flows::startUs),
                joined(all, Flows::sizeBytes),
                joined(all, Flows::completionUs),
                joined(all, Flows::idealUs),
                joined(all, Flows::source),
                joined(all, Flows::destination));
    }

    private static double[] joined(List<Flows> all, Function<Flows, double[]> of) {
        return all.stream().map(of).flatMapToDouble(Arrays::stream).toArray();
    }

    /** All flows that began. */
    public int count() {
        return startUs.length;
    }

    public boolean isFinished(int flow) {
        return Double.isFinite(completionUs[flow]);
    }

    /** Flows that had not arrived completely when the run ended. */
    public int unfinished() {
        return (int) IntStream.range(0, count()).filter(flow -> !isFinished(flow)).count();
    }

    /** Whether the run continued for its flows and some still had not finished. */
    boolean waitedInVain() {
        return Arrays.stream(completionUs).anyMatch(Double::isInfinite);
    }

    /** Sum of the sizes of all flows, in bytes. */
    public double bytes() {
        return Arrays.stream(sizeBytes).sum();
    }

    /** Sum of the sizes of the flows that had not arrived completely, in bytes. */
    public double unfinishedBytes() {
        return IntStream.range(0, count())
                .filter(flow -> !isFinished(flow))
                .mapToDouble(flow -> sizeBytes[flow])
                .sum();
    }

    /** Completion times of the flows that finished. */
    public double[] finishedUs() {
        return Arrays.stream(completionUs).filter(Double::isFinite).toArray();
    }

    /** Size over completion time of the flows that finished, in Gb/s. */
    public double[] ratesGbps() {
        return IntStream.range(0, count())
                .filter(flow -> isFinished(flow) && completionUs[flow] > 0)
                .mapToDouble(flow -> sizeBytes[flow] * BITS / completionUs[flow] / 1e3)
                .toArray();
    }

    /** Completion over ideal time, of each flow that finished and has an ideal one. */
    public double[] slowdowns() {
        return IntStream.range(0, count())
                .mapToDouble(this::slowdown)
                .filter(Double::isFinite)
                .toArray();
    }

    /**
     * Slowdown of one flow. NaN without an ideal time, or if it had not finished; infinite if the
     * run continued for it and it still had not finished.
     */
    public double slowdown(int flow) {
        return idealUs[flow] > 0 ? completionUs[flow] / idealUs[flow] : Double.NaN;
    }

    /** The percentile of some values; NaN without values. */
    public static double percentile(double[] values, double percent) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.length - 1e-9);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }

    /**
     * Whether {@code flows} flows are enough for a percentile, in per cent, that differs from the
     * maximum.
     */
    static boolean isEnough(int flows, double percent) {
        return flows >= (percent > 99 ? FEWEST_FOR_P999 : percent > 95 ? FEWEST_FOR_P99 : 1);
    }

    /**
     * The number of flows and bytes; for finished flows the means of completion times, slowdowns
     * and rates, and p50, p95, p99 and p99.9 of completion times and slowdowns, if there are enough
     * flows. If the run continued for its flows, percentiles are of all flows.
     */
    public List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        double[] us = finishedUs();
        double[] slow = slowdowns();
        add(measures, "flows begun", "flows", count());
        add(measures, "flows finished", "flows", us.length);
        add(measures, "flows unfinished", "flows", unfinished());
        add(measures, "bytes begun", "byte", bytes());
        add(measures, "bytes finished", "byte", bytes() - unfinishedBytes());
        add(measures, "bytes unfinished", "byte", unfinishedBytes());
        if (us.length > 0 && us.length == count()) {
            double last =
                    IntStream.range(0, count())
                            .mapToDouble(flow -> startUs[flow] + completionUs[flow])
                            .max()
                            .orElseThrow();
            add(measures, MAKESPAN, "us", last - Arrays.stream(startUs).min().orElseThrow());
            add(measures, LAST_ARRIVAL, "us", last);
        }
        if (us.length > 0) {
            add(measures, "mean completion", "us", mean(us));
        }
        double[] times = known(completionUs);
        double[] slowdowns =
                known(IntStream.range(0, count()).mapToDouble(this::slowdown).toArray());
        for (String percent : List.of("50", "95", "99", "99.9")) {
            double part = Double.parseDouble(percent);
            addPercentile(measures, "p" + percent + " completion", "us", times, part);
            addPercentile(measures, "p" + percent + " slowdown", "", slowdowns, part);
        }
        if (slow.length > 0) {
            add(measures, "mean slowdown", "", mean(slow));
        }
        double[] rates = ratesGbps();
        if (rates.length > 0) {
            double mean = mean(rates);
            double[] squares =
                    Arrays.stream(rates).map(one -> (one - mean) * (one - mean)).toArray();
            add(measures, "mean rate", "Gb/s", mean);
            add(measures, "rate deviation", "Gb/s", Math.sqrt(mean(squares)));
        }
        return measures;
    }

    private static double[] known(double[] values) {
        return Arrays.stream(values).filter(one -> !Double.isNaN(one)).toArray();
    }

    /** Not of too few flows, nor where a flow is it that did not finish. */
    private void addPercentile(
            List<Measure> to, String what, String unit, double[] values, double percent) {
        double value = percentile(values, percent);
        if (isEnough(values.length, percent) && Double.isFinite(value)) {
            add(to, what, unit, value);
        }
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private void add(List<Measure> to, String what, String unit, double value) {
        to.add(new Measure(what + " of " + group, unit, value));
    }

    /** A sentence on the missing percentiles and the reason; empty if there are all. */
    public String refusal() {
        int finished = count() - unfinished();
        if (isEnough(finished, 99.9)) {
            return "";
        }
        boolean both = !isEnough(finished, 99);
        return "%s: %s finished %s too few for %s not given"
                .formatted(
                        group,
                        finished,
                        finished == 1 ? "flow is" : "flows are",
                        both
                                ? "p99 (100 are needed) and p99.9 (1,000), which are"
                                : "p99.9 (1,000 are needed), which is");
    }

    /**
     * Slowdowns by size, in classes with equal numbers of flows, as usual in papers. Only finished
     * flows count; all if the run continued for them.
     *
     * @param percent percentile within a class
     * @return pairs of the class's median size and the slowdown, by size
     */
    public List<double[]> slowdownBySize(double percent, int classes) {
        Integer[] bySize =
                IntStream.range(0, count())
                        .filter(flow -> !Double.isNaN(completionUs[flow]))
                        .boxed()
                        .toArray(Integer[]::new);
        Arrays.sort(bySize, (a, b) -> Double.compare(sizeBytes[a], sizeBytes[b]));
        List<double[]> points = new ArrayList<>();
        int from = 0;
        for (int part = 1; part <= classes && from < bySize.length; part++) {
            int to = (int) ((long) bySize.length * part / classes);
            // Flows of one size belong together.
            while (to > from
                    && to < bySize.length
                    && sizeBytes[bySize[to - 1]] == sizeBytes[bySize[to]]) {
                to++;
            }
            if (to > from) {
                double[] slow = new double[to - from];
                for (int i = from; i < to; i++) {
                    slow[i - from] = slowdown(bySize[i]);
                }
                double size = sizeBytes[bySize[(from + to - 1) / 2]];
                double value = percentile(slow, percent);
                if (Double.isFinite(value)) {
                    points.add(new double[] {size, value});
                }
                from = to;
            }
        }
        return points;
    }
}
