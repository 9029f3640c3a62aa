package io.headgate.perf.engine;

import io.headgate.control.report.Table;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What flow control costs a frame: results of {@link EngineBenchmark} less that without flow
 * control.
 */
public final class FlowControlCost {
    private static final String NONE = "none";

    private FlowControlCost() {}

    /**
     * The mean time of a frame.
     *
     * @param errorNs half of its 99.9 % interval; NaN if there were too few measurements for one
     */
    public record FrameTime(String memory, String flowControl, double meanNs, double errorNs) {
        /** The difference of two means; their errors are independent. */
        FrameTime less(FrameTime other) {
            return new FrameTime(
                    memory, flowControl, meanNs - other.meanNs, Math.hypot(errorNs, other.errorNs));
        }

        @Override
        public String toString() {
            return Double.isNaN(errorNs)
                    ? String.format(Locale.ROOT, "%.1f", meanNs)
                    : String.format(Locale.ROOT, "%.1f ± %.1f", meanNs, errorNs);
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
                            time.getScoreError());
                })
                .toList();
    }

    /** A table: every time, and by how much it is above the same without flow control. */
    public static Table table(List<FrameTime> times) {
        Table table =
                new Table("memory", "flow control", ">a frame (ns)", ">more than without (ns)");
        for (FrameTime time : times) {
            String more =
                    times.stream()
                            .filter(other ->
                                    other.memory.equals(time.memory)
                                            && other.flowControl.equals(NONE)
                                            && !Objects.equals(other, time))
                            .findFirst()
                            .map(without -> time.less(without).toString())
                            .orElse("");
            table.row(time.memory, time.flowControl, time.toString(), more);
        }
        return table;
    }
}
