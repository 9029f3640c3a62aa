package io.headgate.perf.cli;

import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.FlowControlCost;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin private JmhRounds jmh;

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
                        .param("flowControl", flowControl);
        List<FlowControlCost.FrameTime> times = FlowControlCost.of(jmh.once(options));
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
