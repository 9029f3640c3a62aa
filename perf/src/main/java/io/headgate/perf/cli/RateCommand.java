package io.headgate.perf.cli;

import io.headgate.control.report.Table;
import io.headgate.perf.rate.CongestionPointBenchmark;
import io.headgate.perf.rate.FlowShaperBenchmark;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code headgate bench rate}. Forks have the options of this JVM, and so the launcher's. */
@Command(
        name = "rate",
        mixinStandardHelpOptions = true,
        description =
                "What RoCC's congestion point and flow table cost a frame in the switch, and what"
                        + " a limited flow's frame costs in a host (JMH).")
final class RateCommand implements Callable<Integer> {
    private static final double POINT_LIMIT_NS = 20;
    private static final double SHAPER_LIMIT_NS = 150;

    @Option(
            names = "--table",
            split = ",",
            defaultValue = "queued",
            paramLabel = "KIND",
            description =
                    "flow tables: queued, aged, afd-ft, elephant-trap, bubble-cache; default:"
                            + " queued")
    private String[] tables = {};

    @Option(names = "--json", paramLabel = "FILE", description = "also write JMH's results here")
    private @Nullable Path json;

    @Option(names = "--smoke", description = "one short run each: is it working?")
    private boolean smoke;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(CongestionPointBenchmark.class.getName())
                        .include(FlowShaperBenchmark.class.getName())
                        .param("table", tables)
                        .shouldFailOnError(true);
        if (smoke) {
            options.forks(1).warmupIterations(1).measurementIterations(1);
        }
        if (json != null) {
            options.resultFormat(ResultFormatType.JSON).result(json.toString());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(table(new Runner(options.build()).run()).indented(2));
        out.flush();
        return 0;
    }

    private static Table table(Collection<RunResult> results) {
        Table table =
                new Table("what", "table", "notices", ">flows", ">a frame (ns)", ">limit (ns)");
        for (RunResult result : results) {
            boolean isPoint =
                    result.getParams()
                            .getBenchmark()
                            .contains(CongestionPointBenchmark.class.getSimpleName());
            Result<?> time = result.getPrimaryResult();
            String mean = String.format(Locale.ROOT, "%.1f", time.getScore());
            table.row(
                    isPoint ? "congestion point" : "shaper",
                    isPoint ? result.getParams().getParam("table") : "",
                    isPoint ? result.getParams().getParam("notices") : "",
                    result.getParams().getParam("flows"),
                    Double.isNaN(time.getScoreError())
                            ? mean
                            : mean + String.format(Locale.ROOT, " ± %.1f", time.getScoreError()),
                    String.format(Locale.ROOT, "%.0f", isPoint ? POINT_LIMIT_NS : SHAPER_LIMIT_NS));
        }
        return table;
    }
}
