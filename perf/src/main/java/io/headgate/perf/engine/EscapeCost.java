package io.headgate.perf.engine;

import io.headgate.perf.engine.FlowControlCost.FrameTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/**
 * The cost of Escape per frame: the results of {@link EngineBenchmark} less those with PFC alone.
 */
public final class EscapeCost {
    private static final double ON_LIMIT_NS = 15;

    private EscapeCost() {}

    /** A round's times, and what limits there are for them. */
    public static Map<HopScale.Case, Double> of(Collection<RunResult> results) {
        return cases(FlowControlCost.of(results));
    }

    /** Off, the intervals of the two must overlap: what lies between them is at most 0. */
    static Map<HopScale.Case, Double> cases(List<FrameTime> times) {
        FrameTime without = find(times, "pfc");
        FrameTime off = find(times, "escape-off");
        FrameTime on = find(times, "escape");
        Map<HopScale.Case, Double> cases = new LinkedHashMap<>();
        cases.put(
                new HopScale.Case(List.of("Escape off", FlowControlCost.GAP), 0),
                without.gapTo(off));
        cases.put(
                new HopScale.Case(List.of("Escape on", "more than without"), ON_LIMIT_NS),
                on.meanNs() - without.meanNs());
        return cases;
    }

    private static FrameTime find(List<FrameTime> times, String flowControl) {
        return times.stream()
                .filter(time -> time.flowControl().equals(flowControl))
                .findFirst()
                .orElseThrow();
    }
}
