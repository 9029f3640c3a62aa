package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.FlowControlCost;
import io.headgate.perf.engine.HopScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin private BenchRun run;

    @Override
    public Integer call() {
        require(List.of("hot", "cold"), memory, "--memory: hot, cold or both");
        require(
                List.of("none", "pfc", "credits", "off"),
                flowControl,
                "--flow-control: of none, pfc, credits, off");
        return run.of(this::measured, BenchRun::endPrograms);
    }

    private RunReport measured() throws BenchException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", memory)
                        .param("flowControl", flowControl);
        List<FlowControlCost.FrameTime> times =
                new ArrayList<>(FlowControlCost.of(jmh.once(run, options)));
        if (Double.isNaN(FlowControlCost.plainHopNs(times))) {
            times.addAll(0, FlowControlCost.of(jmh.once(run, JmhRounds.plainHop())));
        }
        HopScale scale = new HopScale();
        scale.round(FlowControlCost.plainHopNs(times), FlowControlCost.cases(times));
        return jmh.report(
                run,
                scale,
                new Section(
                        "What a frame costs in the engine",
                        times,
                        "with 99.9 % intervals",
                        FlowControlCost.table(times)));
    }

    private void require(List<String> allowed, String[] chosen, String message) {
        run.require(allowed.containsAll(List.of(chosen)), message);
    }
}
