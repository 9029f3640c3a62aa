package io.headgate.testbed.datacenter;

import io.headgate.config.SwitchConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All results of the benchmark. Filled in by one thread; tests that were not run have no results.
 */
public final class DatacenterResult {
    private final DatacenterPlan plan;
    private final List<Buffering.Result> buffering = new ArrayList<>();
    private final List<Microburst.Result> microbursts = new ArrayList<>();
    private final List<Incast.Result> incasts = new ArrayList<>();
    private final Map<String, SwitchConfig> configs = new LinkedHashMap<>();
    private HeadOfLine.@Nullable Result headOfLine;

    DatacenterResult(DatacenterPlan plan) {
        this.plan = plan;
    }

    void add(Buffering.Result result) {
        buffering.add(result);
    }

    void add(Microburst.Result result) {
        microbursts.add(result);
    }

    void add(Incast.Result result) {
        incasts.add(result);
    }

    void set(HeadOfLine.Result result) {
        headOfLine = result;
    }

    /** Notes the whole configuration that a test's switch had. */
    void config(String test, SwitchConfig config) {
        configs.put(test, config);
    }

    DatacenterPlan plan() {
        return plan;
    }

    List<Buffering.Result> buffering() {
        return List.copyOf(buffering);
    }

    List<Microburst.Result> microbursts() {
        return List.copyOf(microbursts);
    }

    List<Incast.Result> incasts() {
        return List.copyOf(incasts);
    }

    HeadOfLine.@Nullable Result headOfLine() {
        return headOfLine;
    }

    Map<String, SwitchConfig> configs() {
        return new LinkedHashMap<>(configs);
    }

    /** The problems, one sentence each; speeds and times are never problems. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        buffering.forEach(result -> problems.add(result.problem()));
        microbursts.forEach(result -> problems.add(result.problem()));
        if (headOfLine != null) {
            problems.addAll(headOfLine.problems());
        }
        incasts.forEach(result -> problems.addAll(result.problems()));
        problems.removeIf(String::isEmpty);
        return problems;
    }
}
