package io.headgate.perf.engine;

import io.headgate.control.report.Median;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The cost of flow control per frame: the results of {@link EngineBenchmark} less those without
 * flow control.
 */
public final class FlowControlCost {
    private static final String NONE = "none";
    private static final String OFF = "off";

    private static final String HOT = "hot";

    static final String GAP =
            "gap between the 99.9 % intervals with and without (0 or less: they overlap)";

    private static final double COLD_LIMIT_NS = 60;

    /** Limit of a frame's additional time compared with no flow control, in %, for any memory. */
    private static final Map<String, Double> MORE_LIMITS = Map.of("pfc", 20.0, "credits", 25.0);

    private FlowControlCost() {}

    /**
     * The time of a frame.
     *
     * @param errorNs half of the mean's 99.9 % interval; NaN if there were too few measurements for
     *     one
     * @param medianNs of iterations: other programs of the machine take whole seconds of some forks
     *     and not of others
     */
    public record FrameTime(
            String memory, String flowControl, double meanNs, double errorNs, double medianNs) {
        /** How far the mean is above another; their errors are independent. */
        String above(FrameTime other) {
            return interval(meanNs - other.meanNs, Math.hypot(errorNs, other.errorNs));
        }

        /** What lies between the two intervals: above 0 if the other one is wholly above this. */
        double gapTo(FrameTime other) {
            return other.meanNs - other.errorNs - meanNs - errorNs;
        }

        @Override
        public String toString() {
            return interval(meanNs, errorNs);
        }

        private static String interval(double ns, double errorNs) {
            return Double.isNaN(errorNs)
                    ? String.format(Locale.ROOT, "%.1f", ns)
                    : String.format(Locale.ROOT, "%.1f ± %.1f", ns, errorNs);
        }
    }

    /** Reads JMH's results. */
    public static List<FrameTime> of(Collection<RunResult> results) {
        return results.stream()
                .map(result -> {
                    Result<?> time = result.getPrimaryResult();
                    return new FrameTime(
                            result.getParams().getParam("memory"),
                            result.getParams().getParam("flowControl"),
                            time.getScore(),
                            time.getScoreError(),
                            Median.of(
                                    JmhScore.of(result).iterations().stream()
                                            .flatMap(List::stream)
                                            .mapToDouble(Double::doubleValue)));
                })
                .toList();
    }

    /** A table: every time, and by how much it is above the same without flow control. */
    public static Table table(List<FrameTime> times) {
        Table table =
                new Table(
                        "memory",
                        "flow control",
                        ">a frame (ns)",
                        ">more than without (ns)",
                        ">median of all (ns)");
        for (FrameTime time : times) {
            FrameTime without = find(times, time.memory, NONE);
            table.row(
                    time.memory,
                    time.flowControl,
                    time.toString(),
                    without == null || Objects.equals(without, time) ? "" : time.above(without),
                    String.format(Locale.ROOT, "%.1f", time.medianNs));
        }
        return table;
    }

    /** A plain hop, in ns; NaN if it was not among what was measured. */
    public static double plainHopNs(List<FrameTime> times) {
        FrameTime hop = find(times, HOT, NONE);
        return hop == null ? Double.NaN : hop.meanNs;
    }

    /**
     * Limits of flow control: the median over rounds, in each of which a frame is compared with the
     * same without that ran a moment before.
     */
    public static List<Check> limits(List<List<FrameTime>> rounds) {
        List<Check> limits = new ArrayList<>();
        for (FrameTime time : rounds.getFirst()) {
            Double limit = MORE_LIMITS.get(time.flowControl);
            if (limit == null || find(rounds.getFirst(), time.memory, NONE) == null) {
                continue;
            }
            double more =
                    Median.of(
                            rounds.stream()
                                    .mapToDouble(
                                            round -> more(round, time.memory, time.flowControl)));
            limits.add(
                    new Check(
                            "%s, %s, more than without".formatted(time.flowControl, time.memory),
                            "%",
                            more,
                            more,
                            limit));
        }
        return limits;
    }

    private static double more(List<FrameTime> round, String memory, String flowControl) {
        FrameTime with = find(round, memory, flowControl);
        FrameTime without = find(round, memory, NONE);
        return with == null || without == null
                ? Double.NaN
                : 100 * (with.medianNs / without.medianNs - 1);
    }

    /**
     * Cases with limits in ns: a frame whose slot is out of cache; and mechanisms that are turned
     * off, which cost nothing: the distance between the intervals with and without them is at most
     * 0.
     */
    public static Map<HopScale.Case, Double> cases(List<FrameTime> times) {
        Map<HopScale.Case, Double> cases = new LinkedHashMap<>();
        FrameTime cold = find(times, "cold", NONE);
        if (cold != null) {
            cases.put(new HopScale.Case(List.of("a plain hop, cold"), COLD_LIMIT_NS), cold.meanNs);
        }
        FrameTime hop = find(times, HOT, NONE);
        if (hop == null) {
            return cases;
        }
        FrameTime off = find(times, HOT, OFF);
        if (off != null) {
            cases.put(
                    new HopScale.Case(List.of("turned-off mechanisms: " + GAP), 0), hop.gapTo(off));
        }
        return cases;
    }

    private static @Nullable FrameTime find(
            List<FrameTime> times, String memory, String flowControl) {
        return times.stream()
                .filter(time -> time.memory.equals(memory) && time.flowControl.equals(flowControl))
                .findFirst()
                .orElse(null);
    }
}
