package io.headgate.perf.cli;

import io.headgate.perf.engine.EngineBenchmark;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate bench engine}. Forks have the options of this JVM, and so the launcher's. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = "What a frame costs in the engine alone, in memory (JMH).")
final class EngineCommand implements Callable<Integer> {
    @Option(
            names = "--memory",
            split = ",",
            defaultValue = "hot,cold",
            paramLabel = "KIND",
            description = "hot (32 slots a port), cold (8,192 slots a port); default: both")
    private String[] memory = {};

    @Option(names = "--json", paramLabel = "FILE", description = "also write JMH's results here")
    private @Nullable Path json;

    @Option(names = "--smoke", description = "one short run: is it working?")
    private boolean smoke;

    @Override
    public Integer call() throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", memory)
                        .shouldFailOnError(true);
        if (smoke) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        if (json != null) {
            options.resultFormat(ResultFormatType.JSON).result(json.toString());
        }
        new Runner(options.build()).run();
        return 0;
    }
}
