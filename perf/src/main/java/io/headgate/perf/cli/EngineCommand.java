package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Section;
import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.FlowControlCost;
import io.headgate.perf.engine.HopScale;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate bench engine}. */
@Command(name = "engine", description = "Time per frame in the engine only, in memory (JMH).")
final class EngineCommand extends JmhCommand {
    /**
     * For limits of a fifth and a quarter: of three rounds, one that other programs of the machine
     * disturb moves the median.
     */
    private static final int ROUNDS = 5;

    /** More would narrow the intervals, whose gap is the limit on what is turned off. */
    private static final int ROUNDS_OF_OFF = 3;

    @Option(
            names = "--memory",
            split = ",",
            defaultValue = "hot,cold",
            paramLabel = "KIND",
            description = "hot (32 slots per port), cold (8,192 slots per port); default: both")
    private String[] memory = {};

    @Option(
            names = "--flow-control",
            split = ",",
            defaultValue = "none,pfc,credits",
            paramLabel = "MODE",
            description =
                    "flow control of the ports: none, pfc, credits; default: all of them, compared"
                            + " with none. off: none, with RoCC, TCD and RED configured but turned"
                            + " off")
    private String[] flowControl = {};

    @Override
    public Integer call() {
        require(List.of("hot", "cold"), memory, "--memory: hot, cold or both");
        require(
                List.of("none", "pfc", "credits", "off"),
                flowControl,
                "--flow-control: none, pfc, credits or off");
        return super.call();
    }

    @Override
    RunReport measured() throws BenchException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", memory)
                        .param("flowControl", flowControl);
        List<Collection<RunResult>> rounds =
                rounds(List.of(flowControl).contains("off") ? ROUNDS_OF_OFF : ROUNDS, options);
        List<FlowControlCost.FrameTime> times = new ArrayList<>(FlowControlCost.of(pooled(rounds)));
        if (Double.isNaN(FlowControlCost.plainHopNs(times))) {
            times.addAll(0, FlowControlCost.of(once(plainHop())));
        }
        HopScale scale = new HopScale();
        scale.round(FlowControlCost.plainHopNs(times), FlowControlCost.cases(times));
        List<Check> limits =
                new ArrayList<>(
                        FlowControlCost.limits(rounds.stream().map(FlowControlCost::of).toList()));
        limits.addAll(scale.checks());
        RunReport report =
                report(
                        limits,
                        new Section(
                                "What a frame costs in the engine",
                                times,
                                "means, with 99.9 % intervals",
                                FlowControlCost.table(times)));
        report.headline(HOP, scale.hop());
        return report;
    }

    private void require(List<String> allowed, String[] chosen, String message) {
        require(allowed.containsAll(List.of(chosen)), message);
    }
}
