package io.headgate.perf.cli;

import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.HopScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Option;

/** Runs JMH's benchmarks: by themselves, or in rounds in turn with a plain hop. */
final class JmhRounds {
    private static final int ROUNDS = 3;

    @Option(names = "--json", paramLabel = "FILE", description = "also write JMH's results here")
    private @Nullable Path json;

    @Option(names = "--smoke", description = "one short run: is it working?")
    private boolean smoke;

    private final List<RunResult> results = new ArrayList<>();

    /** Runs benchmarks with the forks and iterations that they say themselves. */
    Collection<RunResult> once(ChainedOptionsBuilder options) throws RunnerException {
        if (smoke) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        Collection<RunResult> now = new Runner(options.shouldFailOnError(true).build()).run();
        results.addAll(now);
        write();
        return now;
    }

    /**
     * Runs benchmarks and a plain hop in turn, a fork of each, three times.
     *
     * @param times of a round's results, in ns
     */
    HopScale besideHop(
            ChainedOptionsBuilder options,
            Function<Collection<RunResult>, Map<HopScale.Case, Double>> times)
            throws RunnerException {
        HopScale scale = new HopScale();
        for (int round = 0; round < (smoke ? 1 : ROUNDS); round++) {
            double hopNs = once(plainHop()).iterator().next().getPrimaryResult().getScore();
            scale.round(hopNs, times.apply(once(options.forks(1))));
        }
        return scale;
    }

    private static ChainedOptionsBuilder plainHop() {
        return new OptionsBuilder()
                .include(EngineBenchmark.class.getName())
                .param("memory", "hot")
                .param("flowControl", "none")
                .forks(1);
    }

    private void write() throws RunnerException {
        if (json != null) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, json.toString())
                    .writeOut(results);
        }
    }
}
