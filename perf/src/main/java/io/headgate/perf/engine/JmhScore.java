package io.headgate.perf.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * A score that JMH measured, for programs.
 *
 * @param error half of the score's 99.9 % interval; null if there were too few measurements for one
 * @param iterations the score of each iteration of each fork
 */
public record JmhScore(
        String benchmark,
        Map<String, String> parameters,
        double score,
        @Nullable Double error,
        String unit,
        List<List<Double>> iterations) {

    /** Reads a result of JMH's. */
    public static JmhScore of(RunResult result) {
        BenchmarkParams params = result.getParams();
        Map<String, String> parameters = new TreeMap<>();
        params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
        Result<?> all = result.getPrimaryResult();
        return new JmhScore(
                params.getBenchmark(),
                parameters,
                all.getScore(),
                Double.isNaN(all.getScoreError()) ? null : all.getScoreError(),
                all.getScoreUnit(),
                result.getBenchmarkResults().stream()
                        .map(fork ->
                                fork.getIterationResults().stream()
                                        .map(one -> one.getPrimaryResult().getScore())
                                        .toList())
                        .toList());
    }
}
