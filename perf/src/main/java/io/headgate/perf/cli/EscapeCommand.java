package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.report.RunReport;
import io.headgate.perf.engine.EngineBenchmark;
import io.headgate.perf.engine.EscapeCost;
import io.headgate.perf.engine.HopScale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headgate bench escape}. Forks have the options of this JVM, and so the launcher's. */
@Command(
        name = "escape",
        mixinStandardHelpOptions = true,
        description = "What Escape costs a frame, off and on, while nothing is blocked (JMH).")
final class EscapeCommand implements Callable<Integer> {
    @Mixin private JmhRounds jmh;

    @Mixin private BenchRun run;

    @Override
    public Integer call() {
        return run.of(this::measured, BenchRun::endPrograms);
    }

    private RunReport measured() throws BenchException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include(EngineBenchmark.class.getName())
                        .param("memory", "hot")
                        .param("flowControl", EngineBenchmark.ESCAPE.toArray(String[]::new));
        HopScale scale = jmh.besideHop(run, options, EscapeCost::of);
        return jmh.report(
                run,
                scale,
                scale.section(
                        "What Escape costs a frame, compared with PFC alone",
                        "the least and the most of rounds in turn",
                        "what",
                        "time"));
    }
}
