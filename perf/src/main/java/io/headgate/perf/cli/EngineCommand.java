package io.headgate.perf.cli;

import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.FlowControlCost;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

    @Option(
            names = "--flow-control",
            split = ",",
            defaultValue = "none,pfc,credits",
            paramLabel = "MODE",
            description =
                    "of the ports: none, pfc, credits; default: all of them, compared with none."
                            + " off: none, and RoCC, TCD and RED are there, turned off")
    private String[] flowControl = {};

    @Option(names = "--json", paramLabel = "FILE", description = "also write JMH's results here")
    private @Nullable Path json;

    @Option(names = "--smoke", description = "one short run: is it working?")
    private boolean smoke;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws RunnerException {
        require(List.of("hot", "cold"), memory, "--memory: hot, cold or both");
        require(
                List.of("none", "pfc", "credits", "off"),
                flowControl,
                "--flow-control: of none, pfc, credits, off");
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", memory)
                        .param("flowControl", flowControl)
                        .shouldFailOnError(true);
        if (smoke) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        if (json != null) {
            options.resultFormat(ResultFormatType.JSON).result(json.toString());
        }
        List<FlowControlCost.FrameTime> times =
                FlowControlCost.of(new Runner(options.build()).run());
        PrintWriter out = spec.commandLine().getOut();
        out.println("\nWhat a frame costs in the engine, with 99.9 % intervals");
        out.print(FlowControlCost.table(times).indented(2));
        out.flush();
        return 0;
    }

    private void require(List<String> allowed, String[] chosen, String message) {
        if (!allowed.containsAll(List.of(chosen))) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
