package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The complete flows of a name in one run, by their beginnings. A run keeps them as series over
 * time, one value for each flow: {@code flow size of web} and so on.
 *
 * @param startUs since the run's beginning
 * @param completionUs from a flow's beginning to its last byte's arrival
 * @param idealUs the same alone in an idle network; 0: nobody said
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
    /** Before the names of all series that are of flows. */
    public static final String PREFIX = "flow ";

    /** In a run's configuration: a path for each pair of hosts, by their names. */
    public static final String PATHS = "flowPaths";

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

    private static String name(String what, String group) {
        return PREFIX + what + " of " + group;
    }

    /** Names of those that a run kept. */
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

    /** Those of a name; null if the run has none. */
    public static @Nullable Flows of(Outcome outcome, String group) {
        if (!groups(outcome).contains(group)) {
            return null;
        }
        return new Flows(
                group,
                outcome.series(name(SIZE, group)).timesUs(),
                outcome.series(name(SIZE, group)).values(),
                outcome.series(name(COMPLETION, group)).values(),
                outcome.series(name(IDEAL, group)).values(),
                outcome.series(name(SOURCE, group)).values(),
                outcome.series(name(DESTINATION, group)).values());
    }

    public int count() {
        return startUs.length;
    }

    /** Completion over ideal time, of each flow that has an ideal one. */
    public double[] slowdowns() {
        double[] slowdowns = new double[count()];
        for (int i = 0; i < slowdowns.length; i++) {
            slowdowns[i] = slowdown(i);
        }
        return Arrays.stream(slowdowns).filter(Double::isFinite).toArray();
    }

    /** Of one flow; not a number without an ideal time. */
    public double slowdown(int flow) {
        return idealUs[flow] > 0 ? completionUs[flow] / idealUs[flow] : Double.NaN;
    }

    /** What a part of some values, in per cent, does not exceed; not a number without any. */
    public static double percentile(double[] values, double percent) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.length - 1e-9);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }

    /** p50, p95, p99 and p99.9 of completion times and slowdowns. */
    public List<Measure> measures() {
        List<Measure> measures = new ArrayList<>();
        double[] slow = slowdowns();
        for (String percent : List.of("50", "95", "99", "99.9")) {
            double part = Double.parseDouble(percent);
            if (!percent.equals("99")) {
                double us = percentile(completionUs, part);
                measures.add(new Measure("p" + percent + " completion of " + group, "us", us));
            }
            if (slow.length > 0) {
                double of = percentile(slow, part);
                measures.add(new Measure("p" + percent + " slowdown of " + group, "", of));
            }
        }
        return measures;
    }

    /**
     * Slowdowns by size, as the field plots them: in classes with as many flows each.
     *
     * @param percent of the flows of a class that are no slower
     * @return pairs of the class's median size and the slowdown, by size
     */
    public List<double[]> slowdownBySize(double percent, int classes) {
        Integer[] bySize = new Integer[count()];
        Arrays.setAll(bySize, i -> i);
        Arrays.sort(bySize, (a, b) -> Double.compare(sizeBytes[a], sizeBytes[b]));
        List<double[]> points = new ArrayList<>();
        int from = 0;
        for (int part = 1; part <= classes && from < bySize.length; part++) {
            int to = (int) ((long) bySize.length * part / classes);
            // Flows of one size belong together.
            while (to > from && to < bySize.length && isSame(bySize[to - 1], bySize[to])) {
                to++;
            }
            if (to > from) {
                double[] slow = new double[to - from];
                for (int i = from; i < to; i++) {
                    slow[i - from] = slowdown(bySize[i]);
                }
                double size = sizeBytes[bySize[(from + to - 1) / 2]];
                points.add(new double[] {size, percentile(slow, percent)});
                from = to;
            }
        }
        return points;
    }

    private boolean isSame(int flow, int other) {
        return sizeBytes[flow] == sizeBytes[other];
    }
}
