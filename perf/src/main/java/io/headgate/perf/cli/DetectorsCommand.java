package io.headgate.perf.cli;

import io.headgate.control.report.Table;
import io.headgate.perf.engine.DetectorBenchmark;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
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

/** {@code headgate bench detectors}. Forks have the options of this JVM, and so the launcher's. */
@Command(
        name = "detectors",
        mixinStandardHelpOptions = true,
        description = "What a congestion detector costs a frame, in bursts of 32 and alone (JMH).")
final class DetectorsCommand implements Callable<Integer> {
    @Option(
            names = "--detect",
            split = ",",
            defaultValue = "none,red,tcd,fecn",
            paramLabel = "NAME",
            description = "of none (what the benchmark itself takes), red, tcd, fecn; default: all")
    private String[] detectors = {};

    @Option(names = "--json", paramLabel = "FILE", description = "also write JMH's results here")
    private @Nullable Path json;

    @Option(names = "--smoke", description = "one short run: is it working?")
    private boolean smoke;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws RunnerException {
        if (!DetectorBenchmark.DETECTORS.containsAll(List.of(detectors))) {
            throw new ParameterException(spec.commandLine(), "--detect: of none, red, tcd, fecn");
        }
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(DetectorBenchmark.class.getName())
                        .param("detector", detectors)
                        .shouldFailOnError(true);
        if (smoke) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        if (json != null) {
            options.resultFormat(ResultFormatType.JSON).result(json.toString());
        }
        Table table = new Table("detector", "queue", "frames", ">a frame (ns)");
        for (RunResult result : new Runner(options.build()).run()) {
            String method = result.getParams().getBenchmark();
            table.row(
                    result.getParams().getParam("detector"),
                    result.getParams().getParam("queue"),
                    method.endsWith("alone") ? "alone" : "in bursts of 32",
                    String.format(Locale.ROOT, "%.2f", result.getPrimaryResult().getScore()));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("\nWhat a detector costs a frame that starts");
        out.print(table.indented(2));
        out.flush();
        return 0;
    }
}
